/** The table of a run. */
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../../../../packages/database/src/server/server.js';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { bytes, failure, make, PAIR, text, use } from './session.js';
import { shell } from './walk.js';

export function defineProgressTable(): void {
  describe(`progress`, () => {
    const progress = {
      identity: 'x',
      table: 't',
      after: [1, { hex: 'ff', is: 'text' as const }],
      undoSize: 12,
      counts: { changed: 3 },
    };
    it('is committed with the rows, or not at all', async () => {
      const file = make(`CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${text(PAIR)});`);
      await use(file, async (server, tables) => {
        const t = tables.get('t') as Table;
        const change = (transaction: Transaction) =>
          transaction.change(
            t,
            [1],
            [{ column: t.columns[0]!, old: bytes(PAIR), new: Buffer.from('😀') }],
          );
        expect(await server.readProgress()).toBeUndefined();
        const stop = server.transact(async (transaction) => {
          expect((await change(transaction)).is).toBe('changed');
          await transaction.saveProgress(progress);
          throw new RangeError('stop');
        });
        await expect(stop).rejects.toThrow(new RangeError('stop'));
        expect(await server.readProgress()).toBeUndefined();
        await server.transact(async (transaction) => {
          expect((await change(transaction)).is).toBe('changed');
          await transaction.saveProgress({ ...progress, undoSize: 1 });
          await transaction.saveProgress(progress);
        });
      });
      await use(file, async (server, tables) => {
        expect([...tables.keys()]).toEqual(['t']);
        expect(await server.readProgress()).toEqual(progress);
        await server.clearProgress();
        await server.clearProgress();
        expect(await server.readProgress()).toBeUndefined();
      });
      expect(shell(file, 'SELECT name FROM sqlite_schema; SELECT hex(a) FROM t;')).toBe(
        't\nF09F9880\n',
      );
    });

    const table = 'CREATE TABLE utf8_repair (id INTEGER PRIMARY KEY, progress TEXT NOT NULL)';
    it.each([
      ['a table', 'CREATE TABLE utf8_repair (a TEXT);'],
      [
        'a table in capitals',
        'CREATE TABLE UTF8_REPAIR (id INTEGER PRIMARY KEY, progress TEXT NOT NULL);',
      ],
      ['a table with a check', `${table.slice(0, -1)}, CHECK (progress <> ''));`],
      [
        'a table with a trigger',
        `${table}; CREATE TRIGGER x AFTER INSERT ON utf8_repair BEGIN SELECT 1; END;`,
      ],
      ['a view', 'CREATE VIEW utf8_repair AS SELECT 1 AS id, 2 AS progress;'],
      ['a virtual table', 'CREATE VIRTUAL TABLE utf8_repair USING fts4(id, progress);'],
    ])('does not take %s of that name for its own', async (_, sql) => {
      const file = make(sql);
      await use(file, async (server) => {
        const sentence =
          'UsageError: the database has a table utf8_repair that another program created; rename it first';
        expect(await failure(server.readProgress())).toBe(sentence);
        expect(await failure(server.clearProgress())).toBe(sentence);
      });
      expect(shell(file, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'utf8_repair';")).toBe(
        '1\n',
      );
    });
  });
}
