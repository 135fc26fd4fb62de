/** Unique keys of every form. */
import { describe, expect, it } from 'vitest';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { make, outcomes, PAIR, text, use } from './session.js';
import { changesOf, readRows, shell } from './walk.js';

export function defineUniqueKeys(): void {
  describe(`unique keys`, () => {
    const cases: readonly (readonly [string, string, string | undefined])[] = [
      ['in bytes', 'CREATE UNIQUE INDEX u ON t (a);', 'u'],
      ['of a constraint that would replace', 'CREATE UNIQUE INDEX v ON t (n, a);', undefined],
      ['in part of the rows', 'CREATE UNIQUE INDEX u ON t (a) WHERE n >= 0;', 'u'],
      ['in part of the rows, not these', 'CREATE UNIQUE INDEX u ON t (a) WHERE n > 1;', undefined],
      [
        'of an expression',
        'CREATE UNIQUE INDEX "u" ON t (lower(a || (n * 0)) COLLATE NOCASE DESC);',
        'u',
      ],
      ['that differ in another column', 'CREATE UNIQUE INDEX u ON t (a, n);', undefined],
    ];
    it.each(cases)('%s', async (_, index, name) => {
      const file = make(
        `CREATE TABLE t (a TEXT, n INT); INSERT INTO t VALUES (${text(PAIR)}, 0), ('😀', 1); ${index}`,
      );
      await use(file, async (server, tables) => {
        const t = tables.get('t') as Table;
        const [row] = (await readRows(server, t, 10)).rows;
        expect(await server.findCollision(t, row!.key, changesOf(t, row!))).toBe(name);
      });
      expect((await outcomes(file)).map((outcome) => outcome.slice(0, 10))).toEqual([
        name === undefined ? 't: changed' : 't: unique:',
      ]);
      expect(shell(file, 'SELECT count(*) FROM t;')).toBe('2\n');
    });

    it.each([
      ['NOCASE', '61', '41'],
      ['RTRIM', '61', '612020'],
      ['BINARY', '61', '41'],
    ])('under %s', async (collation, first, second) => {
      const file = make(
        `CREATE TABLE t (a TEXT COLLATE ${collation} UNIQUE ON CONFLICT REPLACE); INSERT INTO t VALUES (${text(`F09F9880${first}`)}), (${text(`${PAIR}${second}`)});`,
      );
      const collides = collation !== 'BINARY';
      await use(file, async (server, tables) => {
        const t = tables.get('t') as Table;
        const rows = (await readRows(server, t, 10)).rows;
        const row = rows.find((each) => changesOf(t, each).length > 0)!;
        expect(await server.findCollision(t, row.key, changesOf(t, row))).toBe(
          collides ? 'sqlite_autoindex_t_1' : undefined,
        );
        expect(t.columns[0]?.collation).toBe(collation);
      });
      expect(await outcomes(file)).toEqual([
        collides ? 't: unique: UNIQUE constraint failed: t.a' : 't: changed',
      ]);
      expect(shell(file, 'SELECT count(*) FROM t;')).toBe('2\n');
    });

    it('a row does not collide with itself, nor a key without rowid', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES (${text(PAIR)}, 1), (${text(`${PAIR}41`)}, 2), ('😀', 3);`,
      );
      await use(file, async (server, tables) => {
        const t = tables.get('t') as Table;
        const rows = (await readRows(server, t, 10)).rows.filter((row) => changesOf(t, row).length);
        const found = await Promise.all(
          rows.map((row) => server.findCollision(t, row.key, changesOf(t, row))),
        );
        expect(found).toEqual(['sqlite_autoindex_t_1', undefined]);
      });
    });
  });
}
