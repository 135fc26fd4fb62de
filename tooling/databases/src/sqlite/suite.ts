/** The server of SQLite against real files, with either driver. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { Row, Server, Transaction } from '../../../../packages/database/src/server/server.js';
import { open } from '../../../../packages/database/src/server/sqlite/sqlite.js';
import {
  type Connection,
  type Driver,
  loadBetterSqlite3,
  loadNodeSqlite,
} from '../../../../packages/database/src/server/sqlite/sqlite-driver.js';
import type { Table } from '../../../../packages/database/src/server/table.js';
import { findDifference } from '../difference.js';
import { run } from '../program.js';
import { seed } from '../seed.js';
import { kinds, writeScript } from './tables.js';
import { changesOf, readCells, readRows, repairAll, repairText, shell } from './walk.js';

const folder = mkdtempSync(join(tmpdir(), 'utf8-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAIR = 'EDA0BDEDB880';
const text = (hex: string): string => `CAST(X'${hex}' AS TEXT)`;
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Everything that a file has besides its cells. */
const HEADER = `PRAGMA user_version; PRAGMA application_id; PRAGMA journal_mode; PRAGMA page_size; PRAGMA encoding;
  SELECT sql FROM sqlite_schema ORDER BY name;`;

let files = 0;

/** A new file, written by SQLite's shell. */
function make(sql: string): string {
  const file = join(folder, `${files++}.db`);
  shell(file, sql);
  return file;
}

export function defineSuite(driverName: string): void {
  const load = (): Driver => {
    if (driverName !== 'node:sqlite') return loadBetterSqlite3();
    const driver = loadNodeSqlite();
    if (!driver) throw new Error('this runtime has no node:sqlite');
    return driver;
  };

  /** Opens a file, does something with it, and closes it. */
  async function use<Result>(
    file: string,
    work: (server: Server, tables: Map<string, Table>) => Promise<Result>,
    options: { lockTimeout?: number; configure?: (connection: Connection) => void } = {},
  ): Promise<Result> {
    const driver = load();
    const server = await open(file, { lockTimeout: options.lockTimeout ?? 100 }, (path) => {
      const connection = driver(path);
      options.configure?.(connection);
      return connection;
    });
    try {
      const tables = await server.listTables();
      return await work(server, new Map(tables.map((table) => [table.name, table])));
    } finally {
      await server.close();
    }
  }

  /** What becomes of the damaged rows of a table, in order: `changed`, or why not. */
  const outcomes = (file: string, allowEffects = false): Promise<string[]> =>
    use(file, async (server) =>
      (await repairAll(server, { allowEffects })).map(({ table, outcome }) =>
        outcome.is === 'refused'
          ? `${table.name}: ${outcome.reason}: ${outcome.message}`
          : `${table.name}: ${outcome.is}`,
      ),
    );

  const failure = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    return `${(error as Error).name}: ${(error as Error).message.replaceAll(folder, '')}`;
  };

  describe(`every kind of table, column and value, with ${driverName}`, () => {
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
        // What another writer has changed since is not touched.
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

  describe(`rows that are left out, with ${driverName}`, () => {
    it('have nothing but ASCII without U+0000', async () => {
      const file = make(`CREATE TABLE t (a TEXT, b);
        WITH n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 65535)
        INSERT INTO t SELECT CAST(unhex2 AS TEXT), CASE i % 2 WHEN 1 THEN CAST(unhex2 AS BLOB) ELSE i END FROM (
          SELECT i, substr(blob, 1 + 2 * i, 2) AS unhex2 FROM n,
            (SELECT readfile('${writePairs()}') AS blob));`);
      await use(file, async (server, tables) => {
        const table = tables.get('t') as Table;
        const { rows, count } = await readRows(server, table, 1000);
        expect(count).toBe(65_536);
        const suspicious = (byte: number): boolean => byte === 0 || byte >= 0x80;
        const seen = new Set(rows.map(({ values }) => Buffer.from(values[0]!).readUInt16BE()));
        for (let i = 0; i < 65_536; i++)
          if (suspicious(i >> 8) || suspicious(i & 0xff)) expect(seen.has(i)).toBe(true);
        expect(rows.every(({ values }) => values[1] === null)).toBe(true);
      });
    });

    it('are tested with all their texts, which do not flow together', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT, b TEXT); INSERT INTO t VALUES (${text('61E282')}, ${text('AC')}), ('a', 'b'), (NULL, 3);`,
      );
      const isUtf8 = (value: Uint8Array): boolean => {
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(value);
          return true;
        } catch {
          return false;
        }
      };
      await use(file, async (server, tables) => {
        const { rows } = await readRows(server, tables.get('t') as Table, 10, isUtf8);
        expect(rows.map(({ key }) => key)).toEqual([[1]]);
      });
    });

    it('are not those with an escape in JSON', async () => {
      const file = make(
        `CREATE TABLE t (a JSON, b TEXT CHECK (json_valid(b)));
         INSERT INTO t VALUES ('"\\ud83d"', '1'), ('"a"', '"\\u0000"'), ('1', '2');`,
      );
      await use(file, async (server, tables) => {
        const table = tables.get('t') as Table;
        expect(table.columns.map(({ syntax }) => syntax?.is)).toEqual(['json', 'json']);
        const { rows } = await readRows(server, table, 10);
        expect(rows.map(({ key }) => key)).toEqual([[1], [2]]);
      });
    });

    it('do not hide that a page of large rows is cut', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT); WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12)
         INSERT INTO t SELECT CAST(X'${PAIR}' || zeroblob(1500000) AS TEXT) FROM n;`,
      );
      await use(file, async (server, tables) => {
        const table = tables.get('t') as Table;
        for (let time = 0; time < 2; time++) {
          const { rows, isLast } = await server.readPage(table, table.columns, undefined, 1000);
          expect([rows.length, isLast]).toEqual([3, false]);
        }
        expect((await readRows(server, table, 1000)).rows.length).toBe(12);
      });
    });
  });

  describe(`what else a change does, with ${driverName}`, () => {
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
          { kind: 'trigger', name: 'full-text index f, which no trigger keeps in step' },
        ]),
      );
      const contentless = make(table("CREATE VIRTUAL TABLE f USING fts5(a, n, content='');"));
      await use(contentless, async (server, tables) => {
        expect(tables.get('t')?.effects.map(({ name }) => name)).toEqual([
          'full-text index f, which keeps no text and no trigger keeps in step',
        ]);
        expect(await server.listNotices?.()).toEqual([
          'f is a full-text index that keeps no text; rebuild it from its source after the repair',
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

  describe(`unique keys, with ${driverName}`, () => {
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

  describe(`foreign keys of text, with ${driverName}`, () => {
    const schema = (action: string): string => `PRAGMA foreign_keys = ON;
      CREATE TABLE p (name TEXT COLLATE NOCASE PRIMARY KEY, id INTEGER UNIQUE); INSERT INTO p VALUES (${text(`41${PAIR}`)}, 7);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES P ${action}, q INTEGER REFERENCES p(id));
      INSERT INTO c VALUES (1, ${text(`41${PAIR}`)}, 7), (2, ${text(`61${PAIR}`)}, 7), (3, NULL, NULL);`;

    it('are listed on both sides, with their children under the collation of the parent', async () => {
      await use(make(schema('ON UPDATE CASCADE')), async (server, tables) => {
        const expected = {
          name: 'c(p) REFERENCES p(name)',
          child: 'c',
          childColumns: ['p'],
          parent: 'p',
          parentColumns: ['name'],
          cascades: true,
        };
        expect(tables.get('c')?.references[0]).toEqual(expected);
        expect(tables.get('p')?.references[0]).toEqual(expected);
        const c = tables.get('c') as Table;
        expect(await server.findRows(c, ['p'], [bytes(`41${PAIR}`)])).toEqual([[1], [2]]);
        expect(await server.findRows(c, ['p'], [bytes(`42${PAIR}`)])).toEqual([]);
      });
    });

    it.each([
      ['', 'reference: FOREIGN KEY constraint failed'],
      ['ON UPDATE RESTRICT', 'reference: FOREIGN KEY constraint failed'],
      ['ON UPDATE CASCADE', 'reference: ON UPDATE CASCADE would change rows of c'],
      ['ON UPDATE SET NULL', 'reference: ON UPDATE SET NULL would change rows of c'],
      ['ON UPDATE SET DEFAULT', 'reference: ON UPDATE SET DEFAULT would change rows of c'],
      ['DEFERRABLE INITIALLY IMMEDIATE', 'reference: FOREIGN KEY constraint failed'],
    ])('neither side changes alone: %s', async (action, refusal) => {
      const file = make(schema(action));
      const before = shell(file, 'SELECT id, hex(p) FROM c; SELECT hex(name), id FROM p;');
      expect(await outcomes(file)).toEqual([
        'c: reference: FOREIGN KEY constraint failed',
        'c: reference: FOREIGN KEY constraint failed',
        `p: ${refusal}`,
      ]);
      expect(shell(file, 'SELECT id, hex(p) FROM c; SELECT hex(name), id FROM p;')).toBe(before);
    });

    it.each([
      '',
      'ON UPDATE RESTRICT',
      'ON UPDATE CASCADE',
      'ON UPDATE SET NULL',
      'ON UPDATE SET DEFAULT',
    ])('move together, children first: %s', async (action) => {
      const file = make(schema(action));
      await use(file, async (server, tables) => {
        const [p, c] = [tables.get('p'), tables.get('c')] as [Table, Table];
        await server.transact(async (transaction) => {
          await transaction.deferReferences();
          for (const t of [c, p])
            for (const row of (await readRows(server, t, 10)).rows) {
              const changes = changesOf(t, row);
              if (changes.length > 0)
                expect((await transaction.change(t, row.key, changes)).is).toBe('changed');
            }
        });
      });
      expect(
        shell(file, 'SELECT hex(p) FROM c; SELECT hex(name) FROM p; PRAGMA foreign_key_check;'),
      ).toBe('41F09F9880\n61F09F9880\n\n41F09F9880\n');
    });

    it('hold at the end of the transaction, or nothing of it stays', async () => {
      const file = make(schema(''));
      expect(
        await failure(
          use(file, async (server, tables) => {
            const c = tables.get('c') as Table;
            const [row] = (await readRows(server, c, 10)).rows;
            await server.transact(async (transaction) => {
              await transaction.deferReferences();
              expect((await transaction.change(c, row!.key, changesOf(c, row!))).is).toBe(
                'changed',
              );
            });
          }),
        ),
      ).toBe(`InputError: /${file.split('/').at(-1)}: FOREIGN KEY constraint failed`);
      expect(shell(file, `SELECT count(*) FROM c WHERE hex(p) LIKE '%${PAIR}';`)).toBe('2\n');
    });
  });

  describe(`progress, with ${driverName}`, () => {
    const progress = {
      identity: 'x',
      table: 't',
      after: [1, { hex: 'ff', is: 'text' as const }],
      journal: 12,
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
          await transaction.saveProgress({ ...progress, journal: 1 });
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

    it('does not take a table of that name for its own', async () => {
      const file = make('CREATE TABLE utf8_repair (a TEXT);');
      await use(file, async (server) => {
        const sentence =
          'UsageError: the database has a table utf8_repair that is not of a repair; rename it';
        expect(await failure(server.readProgress())).toBe(sentence);
        expect(await failure(server.clearProgress())).toBe(sentence);
      });
      expect(shell(file, 'SELECT count(*) FROM utf8_repair;')).toBe('0\n');
    });
  });

  describe(`files that cannot be repaired, with ${driverName}`, () => {
    const tried = async (name: string, content?: Uint8Array): Promise<string> => {
      const file = join(folder, name);
      if (content) writeFileSync(file, content);
      return failure(open(file, {}, load()));
    };
    const damagedFile = (): string =>
      make(`CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${text(PAIR)});`);

    it('are named in one sentence', async () => {
      expect(await tried('missing.db')).toBe(
        'InputError: /missing.db: no such file; check the name',
      );
      expect(existsSync(join(folder, 'missing.db'))).toBe(false);
      expect(await tried('.')).toMatch(/is a directory; name a file in it$/);
      expect(await tried('text.db', Buffer.from('id,name\n'.repeat(1024)))).toBe(
        'InputError: /text.db: is not an SQLite database, or is encrypted; check the name, or decrypt it first',
      );
      const random = Uint8Array.from(
        { length: 4096 },
        (_, i) => Math.imul(i + 7, 2654435761) >>> 24,
      );
      expect(await tried('secret.db', random)).toBe(
        'InputError: /secret.db: is encrypted, or not an SQLite database; decrypt it into a copy first',
      );
      const wide = make("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a TEXT);");
      expect(await failure(open(wide, {}, load()))).toMatch(
        /^InputError: .*: its text is UTF-16le, in which there is nothing to repair as UTF-8; convert it with sqlite3 FILE .dump$/,
      );
      const file = damagedFile();
      const content = readFileSync(file);
      content.fill(0x55, 100, 1000);
      expect(await tried('broken.db', content)).toMatch(
        /^InputError: \/broken.db: is damaged \(.*\); recover it first: sqlite3 FILE .recover$/,
      );
    });

    it('need a driver', () => {
      const loaded = (project: string): string => {
        try {
          loadBetterSqlite3(join(folder, project, 'index.js'));
          return 'loaded';
        } catch (error) {
          return `${(error as Error).name}: ${(error as Error).message}`;
        }
      };
      expect(loaded('none')).toBe(
        'UsageError: better-sqlite3 is not installed; run npm install better-sqlite3, or use Node 22.13 or later',
      );
      const install = (project: string, manifest: object, source: string): void => {
        const target = join(folder, project, 'node_modules', 'better-sqlite3');
        mkdirSync(target, { recursive: true });
        writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
        writeFileSync(join(target, 'index.js'), source);
      };
      install('newer', { version: '99.0.0', engines: { node: '>=99' } }, '');
      expect(loaded('newer')).toBe(
        'UsageError: better-sqlite3 99.0.0 requires Node 99; run npm install better-sqlite3, or use Node 22.13 or later',
      );
      install(
        'broken',
        { version: '99.0.1' },
        "throw new Error('was compiled against another Node\\nand so on')",
      );
      expect(loaded('broken')).toBe(
        'UsageError: better-sqlite3 does not load (was compiled against another Node); run npm rebuild better-sqlite3, or use Node 22.13 or later',
      );
    });

    it('are no files in memory, and may be empty', async () => {
      expect(await failure(open(':memory:', {}, load()))).toMatch(/no such file/);
      const empty = join(folder, 'empty.db');
      writeFileSync(empty, '');
      await use(empty, async (server, tables) => {
        expect([tables.size, await server.checkIntegrity()]).toEqual([0, []]);
      });
    });

    it('are locked, and stay as they are', async () => {
      const file = damagedFile();
      const other = load()(file);
      try {
        await use(file, async (server) => {
          other.exec('BEGIN IMMEDIATE');
          expect(await failure(repairAll(server))).toMatch(
            /^LockError: .*: is locked by another program; stop it, or raise the lock timeout$/,
          );
          other.exec('COMMIT');
          expect((await repairAll(server)).length).toBe(1);
          other.exec('BEGIN EXCLUSIVE');
          expect(await failure(server.listTables())).toMatch(/^LockError/);
          other.exec('COMMIT');
        });
      } finally {
        other.close();
      }
    });

    it('have no lock left after a page that was cut', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT); INSERT INTO t VALUES ${Array(9).fill(`(CAST(X'${PAIR}' || zeroblob(2000000) AS TEXT))`).join()};`,
      );
      await use(file, async (server, tables) => {
        const t = tables.get('t') as Table;
        expect((await server.readPage(t, t.columns, undefined, 9)).isLast).toBe(false);
        const { status, stderr } = run('sqlite3', ['-batch', file], 'BEGIN EXCLUSIVE; COMMIT;');
        expect([status, stderr]).toEqual([0, '']);
      });
    });

    it('are full, and nothing of the transaction stays', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${text(PAIR)}), (CAST(X'${PAIR}' AS TEXT) || hex(zeroblob(3000)));`,
      );
      const before = readFileSync(file);
      const full = use(
        file,
        async (server, tables) => {
          const t = tables.get('t') as Table;
          await server.transact(async (transaction) => {
            const [column] = t.columns;
            await transaction.change(
              t,
              [1],
              [{ column: column!, old: bytes(PAIR), new: Buffer.alloc(1e6, 'a') }],
            );
          });
        },
        { configure: (connection) => connection.exec('PRAGMA max_page_count = 1') },
      );
      expect(await failure(full)).toMatch(
        /^OutputError: .*: no space left on the device; free some space$/,
      );
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(shell(file, 'PRAGMA integrity_check;')).toBe('ok\n');
    });

    it('are read-only, but can be looked at', async () => {
      const file = damagedFile();
      await use(
        file,
        async (server, tables) => {
          const t = tables.get('t') as Table;
          expect((await readRows(server, t, 10)).rows.length).toBe(1);
          expect(await failure(repairAll(server))).toMatch(
            /^OutputError: .*: is read-only; change the permissions of the file and its folder, or run as a user with access$/,
          );
        },
        { configure: (connection) => connection.exec('PRAGMA query_only = ON') },
      );
    });

    it('belong to another user', async (context) => {
      if (process.getuid?.() !== 0) context.skip();
      const shared = mkdtempSync('/tmp/utf8-sqlite-');
      try {
        run('chmod', ['755', shared]);
        const file = join(shared, 'a.db');
        copyFileSync(damagedFile(), file);
        load();
        process.seteuid?.(65_534);
        const sentence = await use(file, (server) => failure(repairAll(server)));
        expect(sentence).toMatch(/^OutputError: .*: is read-only; change the permissions/);
      } finally {
        process.seteuid?.(0);
        rmSync(shared, { recursive: true });
      }
    });
  });

  describe(`other files, with ${driverName}`, () => {
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
          stdio: ['pipe', 'ignore', 'inherit'],
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
          expect.stringMatching(/^table x2 is left out: the name of its column y.* is not UTF-8$/),
        ]);
      });
      expect(await outcomes(file)).toEqual([`a'b"c: changed`]);
    });

    const { UTF8_JDBC: jdbc } = process.env;
    it.runIf(jdbc)('are written by sqlite-jdbc, in Modified UTF-8', async () => {
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

/** Rows, a line for each. */
const toText = (rows: readonly Row[]): string =>
  rows
    .map(({ key, values }) =>
      JSON.stringify([key, values.map((value) => value && Buffer.from(value).toString('hex'))]),
    )
    .join('\n');

/** A file of all pairs of bytes. */
function writePairs(): string {
  const file = join(folder, 'pairs');
  const all = Buffer.alloc(2 << 16);
  for (let i = 0; i < 1 << 16; i++) all.writeUInt16BE(i, 2 * i);
  writeFileSync(file, all);
  return file;
}
