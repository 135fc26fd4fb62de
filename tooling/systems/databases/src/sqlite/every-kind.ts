import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDifference } from '../difference.js';
import { folder, make, use } from './session.js';
import { kinds, writeScript } from './tables.js';
import { changesOf, readCells, readRows, repairAll, shell, toText } from './walk.js';

/** Everything in a file except its cells. */
const HEADER = `PRAGMA user_version; PRAGMA application_id; PRAGMA journal_mode; PRAGMA page_size; PRAGMA encoding;
  SELECT sql FROM sqlite_schema ORDER BY name;`;

export function defineEveryKind(): void {
  describe(`every kind of table, column and value`, () => {
    const original = make(writeScript());
    const path = (name: string): string => join(folder, name);

    it('reads every row once, in pages of any size', async () => {
      await use(original, async (server, tables) => {
        expect([...tables.keys()]).toEqual(
          [...Object.keys(kinds), 'fts3 index', 'fts4 index', 'fts5 index'].sort(),
        );
        for (const table of tables.values()) {
          const count = Number(shell(original, `SELECT count(*) FROM "${table.name}";`));
          const all = await readRows(server, table, 1000, () => false);
          expect([table.name, all.count, all.rows.length]).toEqual([table.name, count, count]);
          expect(new Set(all.rows.map(({ key }) => JSON.stringify(key))).size).toBe(count);
          for (const limit of [1, 3, 64]) {
            const again = await readRows(server, table, limit, () => false);
            expect(again.count).toBe(count);
            expect(findDifference(toText(again.rows), toText(all.rows))).toBeUndefined();
          }
          // By default, all rows with anything but ASCII.
          const wanted = all.rows.filter(({ values }) =>
            values.some((value) => value?.some((byte) => byte === 0 || byte >= 0x80)),
          );
          const { rows } = await readRows(server, table, 5);
          const found = new Set(rows.map((row) => toText([row])));
          expect(wanted.filter((row) => !found.has(toText([row])))).toEqual([]);
        }
      });
    });

    it('changes what is to be changed, and nothing else', async () => {
      copyFileSync(original, path('new.db'));
      const tables = await use(path('new.db'), async (_, all) => [...all.values()]);
      const changed = await use(path('new.db'), (server) => repairAll(server));
      expect(changed.length).toBeGreaterThan(1500);
      expect(changed.filter(({ outcome }) => outcome.is !== 'changed')).toEqual([]);
      expect(
        findDifference(readCells(path('new.db'), tables), readCells(original, tables, true)),
      ).toBeUndefined();
      expect(shell(path('new.db'), HEADER)).toBe(shell(original, HEADER));
      expect(shell(path('new.db'), 'PRAGMA integrity_check;')).toBe('ok\n');
      await use(path('new.db'), async (server) => {
        expect(await server.checkIntegrity()).toEqual([]);
        expect(await repairAll(server)).toEqual([]);
        // Cells that another writer has changed since are not touched.
        const stale = new Set<string>();
        for (const { table, key, changes } of changed.slice(0, 200)) {
          await server.transact(async (transaction) => {
            stale.add((await transaction.change(table, key, changes)).is);
          });
        }
        expect([...stale]).toEqual(['overtaken']);
        // Undone, backwards.
        await server.transact(async (transaction) => {
          for (const { table, changes, outcome } of changed.toReversed()) {
            if (outcome.is !== 'changed') continue;
            const back = changes.map((change) => ({ ...change, old: change.new, new: change.old }));
            expect((await transaction.change(table, outcome.key, back)).is).toBe('changed');
          }
        });
      });
      expect(
        findDifference(readCells(path('new.db'), tables), readCells(original, tables)),
      ).toBeUndefined();
    });

    it('writes SQL with the same effect for the shell of SQLite', async () => {
      copyFileSync(original, path('by-shell.db'));
      const { statements, tables } = await use(original, async (server, all) => {
        const updates: string[] = [];
        for (const table of all.values()) {
          const { rows } = await readRows(server, table, 100);
          for (const row of rows) {
            const changes = changesOf(table, row);
            if (changes.length > 0) updates.push(server.formatUpdate(table, row.key, changes));
          }
        }
        return { statements: updates, tables: [...all.values()] };
      });
      expect(statements.every((statement) => statement.startsWith('UPDATE'))).toBe(true);
      const script = statements.join('\n');
      // Twice: the second time, nothing is still the old text.
      for (let time = 0; time < 2; time++) {
        shell(path('by-shell.db'), `BEGIN;\n${script}\nCOMMIT;`);
        expect(
          findDifference(readCells(path('by-shell.db'), tables), readCells(original, tables, true)),
        ).toBeUndefined();
      }
    });
  });
}
