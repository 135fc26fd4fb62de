/** Files that other programs write, before and meanwhile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fromPath } from '@utf8/files';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { findDifference } from '../difference.js';
import { run } from '../program.js';
import { seed } from '../seed.js';
import { bytes, failure, folder, load, make, outcomes, PAIR, text, use } from './session.js';
import { changesOf, readRows, repairText, shell } from './walk.js';

export function defineOtherPrograms(): void {
  describe(`other files`, () => {
    it('stay in WAL mode, while others read', async () => {
      const file = make(
        `PRAGMA journal_mode = WAL; PRAGMA auto_vacuum = 2; CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${text(PAIR)});`,
      );
      const reader = load()(file);
      reader.exec('BEGIN');
      const read = (): unknown => reader.prepare('SELECT hex(a) FROM t').get([])?.[0];
      expect(read()).toBe(PAIR);
      expect(await outcomes(file)).toEqual(['t: changed']);
      expect(read()).toBe(PAIR);
      reader.exec('COMMIT');
      expect(read()).toBe('F09F9880');
      reader.close();
      expect(shell(file, 'PRAGMA journal_mode; PRAGMA integrity_check;')).toBe('wal\nok\n');
    });

    it.each(['wal', 'delete'])(
      'keep what another program writes all the while, in mode %s',
      async (mode) => {
        const ROWS = 2000;
        const damaged = (id: number): string =>
          `${Buffer.from(`row ${id} `).toString('hex')}${PAIR}`;
        const inserts = Array.from({ length: ROWS }, (_, id) => `(${id}, ${text(damaged(id))})`);
        const file = make(`PRAGMA journal_mode = ${mode};
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES ${inserts.join()};`);
        // The last word of the other program on each row; null for none.
        const words = new Map<number, string | null>();
        let state = seed >>> 0;
        const random = (limit: number): number => {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          return Math.floor((state / 2 ** 32) * limit);
        };
        const script = Array.from({ length: 1500 }, (_, n) => {
          const id = random(ROWS);
          const isDeleted = words.has(id) && words.get(id) === null;
          const hex =
            n % 4 === 0 ? null : Buffer.from(`word ${n}`).toString('hex') + (n % 3 ? '' : PAIR);
          if (!isDeleted) words.set(id, hex);
          return hex === null
            ? `DELETE FROM t WHERE id = ${id};`
            : `UPDATE t SET a = ${text(hex)} WHERE id = ${id};`;
        });
        const writer = spawn('sqlite3', ['-batch', '-bail', file], {
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        const ended = once(writer, 'exit');
        writer.stdin.write('.timeout 30000\nPRAGMA synchronous = OFF;\n');
        const counts: Record<string, number> = {};
        await use(
          file,
          async (server, tables) => {
            const t = tables.get('t') as Table;
            const repair = async (): Promise<void> => {
              const { rows } = await readRows(server, t, 500);
              const damage = rows.filter((row) => changesOf(t, row).length > 0);
              if (counts.changed === undefined) {
                const written = once(writer.stdout, 'data');
                writer.stdin.write(`${script.splice(0, 100).join('\n')}\n.print written\n`);
                await written;
              }
              for (let i = 0; i < damage.length; i += 20) {
                // While it works on these, we do on rows that were read before.
                if (script.length > 0) writer.stdin.write(`${script.splice(0, 10).join('\n')}\n`);
                await server.transact(async (transaction) => {
                  for (const row of damage.slice(i, i + 20)) {
                    const { is } = await transaction.change(t, row.key, changesOf(t, row));
                    counts[is] = (counts[is] ?? 0) + 1;
                  }
                });
                await setImmediate();
              }
            };
            await repair();
            writer.stdin.end(script.splice(0).join('\n'));
            while (writer.exitCode === null) {
              await repair();
              await setImmediate();
            }
            await repair();
          },
          { lockTimeout: 30_000 },
        );
        expect((await ended)[0]).toBe(0);
        expect(counts.refused).toBeUndefined();
        expect(counts.overtaken).toBeGreaterThan(0);
        const expected = Array.from({ length: ROWS }, (_, id) => {
          const hex = words.has(id) ? words.get(id) : damaged(id);
          return hex == null
            ? []
            : `${id}|${repairText(bytes(hex)).toString('hex').toUpperCase()}\n`;
        });
        expect(
          findDifference(shell(file, 'SELECT id, hex(a) FROM t;'), expected.flat().join('')),
        ).toBeUndefined();
      },
    );

    it('are written by the driver itself', async () => {
      const file = make('CREATE TABLE t (a TEXT, b);');
      const connection = load()(file);
      connection
        .prepare('INSERT INTO t VALUES (CAST(? AS TEXT), ?)')
        .run([bytes(`${PAIR}00ff`), bytes(PAIR)]);
      connection.close();
      expect(await outcomes(file)).toEqual(['t: changed']);
      expect(shell(file, 'SELECT typeof(a), hex(a), typeof(b), hex(b) FROM t;')).toBe(
        `text|F09F988000FF|blob|${PAIR}\n`,
      );
    });

    it('may have any path', async () => {
      const content = make(`CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${text(PAIR)});`);
      for (const name of ['a ?b#c%41.db', 'quote \' and " and \n.db', 'file:x?mode=memory']) {
        const file = join(folder, name);
        copyFileSync(content, file);
        expect(await outcomes(file)).toEqual(['t: changed']);
        expect(readFileSync(file).equals(readFileSync(content))).toBe(false);
      }
      const bytesOfName = Buffer.concat([
        Buffer.from(`${folder}/`),
        bytes('ff'),
        Buffer.from('.db'),
      ]);
      copyFileSync(content, bytesOfName);
      const opened = outcomes(fromPath(bytesOfName));
      if (process.env.UTF8_SQLITE_DRIVER === 'node:sqlite') {
        expect(await opened).toEqual(['t: changed']);
        expect(readFileSync(bytesOfName).equals(readFileSync(content))).toBe(false);
      } else {
        expect(await failure(opened)).toMatch(
          /^InputError: .*: its name is not UTF-8; open it through a link with another name$/,
        );
      }
    });

    it('have names that are not UTF-8', async () => {
      const file = make(
        `CREATE TABLE "a'b""c" ("d""'e" TEXT); INSERT INTO "a'b""c" VALUES (${text(PAIR)});
      CREATE TABLE x1 (a TEXT); CREATE TABLE x2 (yy TEXT); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET name = ${text(`78${PAIR}`)}, tbl_name = ${text(`78${PAIR}`)}, sql = CAST(X'435245415445205441424C4520' || X'78${PAIR}' || X'2028612054455854 29' AS TEXT) WHERE name = 'x1' AND 0;
      UPDATE sqlite_schema SET sql = replace(sql, 'yy', ${text(`79${PAIR}`)}) WHERE name = 'x2';`.replace(
          '2028612054455854 29',
          '202861205445585429',
        ),
      );
      await use(file, async (server, tables) => {
        expect([...tables.keys()]).toEqual([`a'b"c`, 'x1']);
        expect(await server.listNotices?.()).toEqual([
          expect.stringMatching(
            /^table x2 is left out: the name of its column y.* is not UTF-8, or contains U\+FFFD$/,
          ),
        ]);
      });
      expect(await outcomes(file)).toEqual([`a'b"c: changed`]);
    });

    const { UTF8_JDBC: jdbc } = process.env;
    it.runIf(jdbc !== undefined)('are written by sqlite-jdbc, in Modified UTF-8', async () => {
      const file = join(folder, 'jdbc.db');
      const source = new URL('../../peers/WriteSqlite.java', import.meta.url).pathname;
      const { status, stderr } = run('java', [
        '-XX:-UsePerfData',
        `-Dorg.sqlite.tmpdir=${folder}`,
        '-cp',
        jdbc as string,
        source,
        file,
      ]);
      expect([status, stderr]).toEqual([0, '']);
      const read = (): string[] =>
        shell(file, 'SELECT hex(body), typeof(body), hex(data) FROM messages;')
          .trimEnd()
          .split('\n');
      const hexes = [
        '706C61696E',
        '',
        'C3A9E282AC',
        PAIR,
        '61C08062',
        'EDA0BD',
        'EDB88020EDA0BD',
        `C080${PAIR}${PAIR}`,
      ];
      expect(read()).toEqual(hexes.map((hex) => `${hex}|text|${PAIR}`));
      const changed = await outcomes(file);
      expect([changed.length, new Set(changed)]).toEqual([3, new Set(['messages: changed'])]);
      expect(read()).toEqual(
        hexes.map((hex) => `${repairText(bytes(hex)).toString('hex').toUpperCase()}|text|${PAIR}`),
      );
      expect(shell(file, 'PRAGMA integrity_check;')).toBe('ok\n');
    });
  });
}
