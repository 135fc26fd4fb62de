/** Triggers, full-text indexes, affinities and constraints. */
import { describe, expect, it } from 'vitest';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { bytes, failure, make, outcomes, PAIR, text, use } from './session.js';
import { shell } from './walk.js';

export function defineSideEffects(): void {
  describe(`what else a change does`, () => {
    const table = (rest = ''): string =>
      `CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, n, changed); INSERT INTO t VALUES (1, ${text(PAIR)}, 0, 0), (2, ${text(`41${PAIR}`)}, 0, 0);
     CREATE TABLE log (x); ${rest}`;
    const triggers: readonly (readonly [string, string, string, string])[] = [
      [
        'a column of the row',
        'AFTER UPDATE ON t BEGIN UPDATE t SET changed = 1 WHERE id = new.id',
        'effect: the column changed changes too',
        'changed',
      ],
      [
        'the new text',
        'AFTER UPDATE ON t BEGIN UPDATE t SET a = upper(a) || 1 WHERE id = new.id',
        'effect: the row does not have the new text; a trigger changes or refuses it',
        'changed',
      ],
      [
        'the row itself',
        'AFTER UPDATE ON t BEGIN DELETE FROM t WHERE id = new.id',
        'effect: the row does not have the new text; a trigger changes or refuses it',
        'changed',
      ],
      [
        'nothing, silently',
        'BEFORE UPDATE ON t BEGIN SELECT RAISE(IGNORE)',
        'effect: the row does not have the new text; a trigger changes or refuses it',
        'changed',
      ],
      [
        'nothing, with an error',
        "BEFORE UPDATE ON t BEGIN SELECT RAISE(ABORT, 'not today')",
        'other: not today',
        'other: not today',
      ],
      [
        'nothing, with an error that keeps',
        "AFTER UPDATE OF a ON t BEGIN INSERT INTO log VALUES (1); SELECT RAISE(FAIL, 'not today')",
        'other: not today',
        'other: not today',
      ],
      [
        'another table',
        'AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.a)',
        'changed',
        'changed',
      ],
    ];
    it.each(triggers)('a trigger changes %s', async (_, body, outcome, allowed) => {
      const sql = table(`CREATE TRIGGER "the one" ${body}; END;`);
      const file = make(sql);
      const before = shell(file, 'SELECT id, hex(a), n, changed FROM t; SELECT hex(x) FROM log;');
      expect(await outcomes(file)).toEqual([`t: ${outcome}`, `t: ${outcome}`]);
      const after = shell(file, 'SELECT id, hex(a), n, changed FROM t; SELECT hex(x) FROM log;');
      expect(after === before).toBe(outcome !== 'changed');
      expect(await outcomes(make(sql), true)).toEqual([`t: ${allowed}`, `t: ${allowed}`]);
      await use(file, async (__, tables) =>
        expect(tables.get('t')?.effects).toEqual([{ kind: 'trigger', name: 'trigger the one' }]),
      );
    });

    it('a trigger that rolls back ends the run', async () => {
      const file = make(
        table("CREATE TRIGGER b AFTER UPDATE ON t BEGIN SELECT RAISE(ROLLBACK, 'go'); END;"),
      );
      expect(await failure(outcomes(file))).toBe(
        'OutputError: table t: a trigger ended the transaction: go',
      );
    });

    it('triggers for other events or columns are none', async () => {
      const file = make(
        table(`CREATE TRIGGER a AFTER INSERT ON t BEGIN UPDATE t SET n = 1; END;
        CREATE TRIGGER "update" BEFORE DELETE ON t BEGIN SELECT 1; END;
        CREATE TRIGGER c /* UPDATE */ AFTER UPDATE OF id ON t BEGIN SELECT 1; END;
        CREATE TRIGGER d AFTER UPDATE OF "id", [N] ON T BEGIN SELECT 1; END;`),
      );
      await use(file, async (_, tables) =>
        expect(tables.get('t')?.effects).toEqual([{ kind: 'trigger', name: 'trigger d' }]),
      );
    });

    const external = (rest: string): string =>
      table(
        `CREATE VIRTUAL TABLE f USING fts5(a, content='t', content_rowid='id'); INSERT INTO f(f) VALUES ('rebuild'); ${rest}`,
      );
    it('an index of another table is kept in step by its triggers', async () => {
      const file = make(
        external(`CREATE TRIGGER u AFTER UPDATE ON t BEGIN
        INSERT INTO f(f, rowid, a) VALUES ('delete', old.id, old.a); INSERT INTO f(rowid, a) VALUES (new.id, new.a); END;`),
      );
      await use(file, async (_, tables) => {
        expect([...tables.keys()]).toEqual(['log', 't']);
        expect(tables.get('t')?.effects).toEqual([{ kind: 'trigger', name: 'trigger u' }]);
      });
      expect(await outcomes(file)).toEqual(['t: changed', 't: changed']);
      shell(file, "INSERT INTO f(f, rank) VALUES ('integrity-check', 1);");
    });

    it('an index without triggers is said to get out of step', async () => {
      await use(make(external('')), async (_, tables) =>
        expect(tables.get('t')?.effects).toEqual([
          { kind: 'trigger', name: 'full-text index f, which no trigger keeps up to date' },
        ]),
      );
      const contentless = make(table("CREATE VIRTUAL TABLE f USING fts5(a, n, content='');"));
      await use(contentless, async (server, tables) => {
        expect(tables.get('t')?.effects.map(({ name }) => name)).toEqual([
          'full-text index f, which stores no text and which no trigger keeps up to date',
        ]);
        expect(await server.listNotices?.()).toEqual([
          'f is a full-text index that stores no text; rebuild it from its source after the repair',
        ]);
      });
    });

    it('an index of a tokenizer that only the application has is left out, with its parts', async () => {
      const file = make(
        table(`CREATE VIRTUAL TABLE f USING fts4(a, tokenize=simple); CREATE VIRTUAL TABLE r USING rtree(i, x, y);
        PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '=simple', '=android');`),
      );
      await use(file, async (server, tables) => {
        expect([...tables.keys()]).toEqual(['log', 't']);
        expect(await server.listNotices?.()).toEqual([
          'table f is left out: unknown tokenizer: android',
          'table r is left out: it is virtual (rtree)',
        ]);
      });
    });

    it('a column of numbers does not make one of a text', async () => {
      const file = make(`CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (${text('31C080')});`);
      await use(file, async (server, tables) => {
        const t = tables.get('t') as Table;
        const [column] = t.columns;
        const changes = [{ column: column!, old: bytes('31c080'), new: bytes('31') }];
        const outcome = await server.transact((transaction) => transaction.change(t, [1], changes));
        expect(outcome).toMatchObject({ is: 'refused', reason: 'effect' });
        expect(server.formatUpdate(t, [1], changes)).toMatch(/^-- "t": the column "a" would store/);
      });
      expect(shell(file, 'SELECT typeof(a), hex(a) FROM t;')).toBe('text|31C080\n');
    });

    it('a CHECK, and what only the application has, refuse rows', async () => {
      const file =
        make(`CREATE TABLE c (a TEXT CHECK (length(CAST(a AS BLOB)) = 6)); INSERT INTO c VALUES (${text(PAIR)});
      CREATE TABLE l (a TEXT COLLATE NOCASE UNIQUE, b TEXT); INSERT INTO l VALUES ('x', ${text(PAIR)}), (${text(PAIR)}, 'y');
      CREATE TABLE w (a TEXT COLLATE NOCASE PRIMARY KEY, b TEXT) WITHOUT ROWID; INSERT INTO w VALUES ('x', ${text(PAIR)});
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'LOCALIZED');`);
      await use(file, async (server, tables) => {
        expect(await server.listNotices?.()).toEqual([
          expect.stringMatching(
            /^table w is left out: no (such collation sequence: LOCALIZED|query solution)$/,
          ),
        ]);
        expect([...tables.keys()]).toEqual(['c', 'l']);
      });
      expect(await outcomes(file)).toEqual([
        'c: other: CHECK constraint failed: length(CAST(a AS BLOB)) = 6',
        'l: changed',
        'l: other: no such collation sequence: LOCALIZED',
      ]);
    });
  });
}
