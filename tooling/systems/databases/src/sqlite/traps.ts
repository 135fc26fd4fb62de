/** Content of a hostile file: names, and objects that could shadow those of SQLite in our statements. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../../packages/database/src/server/sqlite/sqlite-driver.js';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { failure, make, PAIR, text, use } from './session.js';
import { repairAll, shell } from './walk.js';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const range = (from: number, to: number): string =>
  String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, i) => from + i));

const names = [
  range(0x01, 0x7f),
  '\u0080\u00a0é\u0301\u200b\u2028\u202e\ufeff😀',
  '"; DROP TABLE "x"; --',
  "';DROP TABLE x;--",
  "json_valid(`t`) '",
  '[a]',
  '`',
  '--',
  '/*',
  'CHECK (json_valid(c))',
];

export function defineTraps(): void {
  describe('a hostile file', () => {
    it.each(names)('has the name %j in every place, which is only a name', async (name) => {
      const [t, c, k, p, i, x] = ['t', 'c', 'k', 'p', 'i', 'x'].map((s) => quote(name + s)) as [
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      const file = make(`CREATE TABLE ${p} (${k} TEXT PRIMARY KEY);
        CREATE TABLE ${t} (${k} INTEGER PRIMARY KEY, ${c} TEXT CONSTRAINT ${x} UNIQUE, r TEXT REFERENCES ${p} (${k}),
          CONSTRAINT ${i} CHECK (${c} <> ''));
        CREATE UNIQUE INDEX ${i} ON ${t} (${c} COLLATE NOCASE DESC, lower(${c})) WHERE ${c} > '';
        CREATE TABLE ${quote(`${name}w`)} (${c} TEXT PRIMARY KEY, secret) WITHOUT ROWID;
        CREATE TABLE ${quote(`${name}f`)} (${c} TEXT); CREATE TRIGGER ${x} AFTER UPDATE OF ${c} ON ${quote(`${name}f`)}
          BEGIN SELECT 1; END;
        INSERT INTO ${p} VALUES ('a'); INSERT INTO ${t} VALUES (1, ${text(PAIR)}, 'a');
        INSERT INTO ${quote(`${name}w`)} VALUES (${text(PAIR)}, 'kept'); INSERT INTO ${quote(`${name}f`)} VALUES (${text(PAIR)});`);
      const schema = shell(file, 'SELECT sql FROM sqlite_schema ORDER BY sql;');
      await use(file, async (server, tables) => {
        expect([...tables.keys()].sort()).toEqual([`${name}f`, `${name}p`, `${name}t`, `${name}w`]);
        const table = tables.get(`${name}t`) as Table;
        expect(table.columns.map((column) => [column.name, column.structure])).toEqual([
          [`${name}c`, undefined],
          ['r', undefined],
        ]);
        expect(table.references.map(({ parent }) => parent)).toEqual([`${name}p`]);
        expect(table.uniqueKeys.length).toBe(2);
        expect(tables.get(`${name}f`)?.effects).toEqual([
          { kind: 'trigger', name: `trigger ${name}x` },
        ]);
        const statements: string[] = [];
        const done = await repairAll(server);
        for (const { table, key, changes, outcome } of done) {
          expect(outcome.is).toBe('changed');
          const back = changes.map((change) => ({ ...change, old: change.new, new: change.old }));
          const newKey = outcome.is === 'changed' ? outcome.key : key;
          statements.push(server.formatUpdate(table, newKey, back));
        }
        expect(done.length).toBe(3);
        shell(file, `${server.formatHeader?.()}\n${statements.join('\n')}`);
      });
      expect(shell(file, 'SELECT sql FROM sqlite_schema ORDER BY sql;')).toBe(schema);
      for (const table of [t, quote(`${name}w`), quote(`${name}f`)]) {
        expect(shell(file, `SELECT hex(${c}) FROM ${table};`)).toBe(`${PAIR}\n`);
      }
    });

    it('has tables and views of the names of functions that answer for the schema', async () => {
      const file = make(`CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT);
        INSERT INTO t VALUES (1, ${text(PAIR)}, 'x');
        CREATE VIEW pragma_table_list AS SELECT 'main' AS schema, 'no' AS name, 'table' AS type, 1 AS ncol, 0 AS wr, 0 AS strict;
        CREATE TABLE pragma_table_xinfo (cid, name, type); CREATE TABLE pragma_index_list (seq, name);
        CREATE VIEW pragma_index_xinfo AS SELECT 1; CREATE VIEW pragma_foreign_key_list AS SELECT 1;
        CREATE VIEW pragma_page_count AS SELECT 1 AS page_count; CREATE VIEW pragma_page_size AS SELECT 1 AS page_size;`);
      await use(file, async (server, tables) => {
        expect([...tables.keys()].sort()).toEqual(['pragma_index_list', 'pragma_table_xinfo', 't']);
        expect(tables.get('t')?.uniqueKeys.length).toBe(1);
        expect((await repairAll(server)).map(({ outcome }) => outcome.is)).toEqual(['changed']);
        expect(await server.checkIntegrity()).toEqual([]);
      });
    });

    // Not in generated columns and indexes, either, where SQLite allows none that is not deterministic.
    const call = "fts3_tokenizer('simple')";

    it('runs no function with effects in a check', async () => {
      const file = make(`PRAGMA ignore_check_constraints = ON;
        CREATE TABLE t (a TEXT CHECK (${call} IS NOT NULL)); INSERT INTO t (a) VALUES (${text(PAIR)});`);
      expect(await failure(use(file, async () => {}))).toMatch(
        /^InputError: .*: its schema calls a function with effects \(.*\); remove it$/,
      );
    });

    it('runs no function with effects in a trigger', async () => {
      const file = make(`CREATE TABLE t (a TEXT); INSERT INTO t (a) VALUES (${text(PAIR)});
        CREATE TRIGGER x AFTER UPDATE ON t BEGIN SELECT ${call}; END;`);
      const pragmas: unknown[] = [];
      const configure = (connection: Connection): void => {
        for (const name of ['trusted_schema', 'cell_size_check'])
          pragmas.push(connection.prepare(`PRAGMA ${name}`).get([])?.[0]);
      };
      await use(
        file,
        async (server) => {
          const done = await repairAll(server, { allowsEffects: true });
          expect(done.map(({ outcome }) => outcome.is)).toEqual(['refused']);
        },
        { configure },
      );
      expect(pragmas).toEqual([0n, 1n]);
    });
  });
}
