/** Repairs in MariaDB by the implementation of `@utf8/database`: the data that it reads, writes and keeps. */
import { setImmediate } from 'node:timers/promises';
import { createRepairer } from '@utf8/repair';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { open } from '../../../../packages/database/src/server/mysql/mysql.js';
import type { Change, Outcome, Server } from '../../../../packages/database/src/server/server.js';
import type { Key, Table } from '../../../../packages/database/src/server/table.js';
import { MariaDb } from '../src/mariadb.js';

const mariadb = await MariaDb.start();
const opened: Server[] = [];
afterAll(async () => {
  for (const server of opened) await server.close().catch(() => undefined);
  await mariadb.stop();
});

const urlOf = (database: string, user = 'root'): string =>
  `mariadb://${user}@localhost/${database}?socketPath=${mariadb.socket}`;

async function openDatabase(
  database: string,
  user?: string,
  lockTimeout?: number,
): Promise<Server> {
  const server = await open(urlOf(database, user), { lockTimeout });
  opened.push(server);
  return server;
}

/** Makes a database, and opens it. */
async function create(database: string, ddl: string): Promise<Server> {
  mariadb.demand(`CREATE OR REPLACE DATABASE ${database}; USE ${database}; ${ddl}`);
  return openDatabase(database);
}

const sql = (database: string, script: string): string =>
  mariadb.demand(script, database).toString();

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

const find = async (server: Server, name: string): Promise<Table> => {
  const table = (await server.listTables()).find((each) => each.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
};

const changeOf = (table: Table, column: string, old: string, to: string): Change => {
  const found = table.columns.find(({ name }) => name === column);
  if (!found) throw new Error(`no column ${column}`);
  return { column: found, old: bytes(old), new: bytes(to) };
};

const PAIR = 'EDA0BDEDB880';
const SMILE = 'F09F9880';

const repair = createRepairer({
  from: 'cesu-8+utf-8',
  to: 'utf-8',
  nul: 'remove',
  errors: 'windows-1252',
});

/** Repairs everything, without hazards and undo log. */
async function repairAll(
  server: Server,
  batch: number,
  outcomes: Map<string, Outcome[]> = new Map(),
): Promise<Map<string, Outcome[]>> {
  for (const table of await server.listTables()) {
    if (!table.key) continue;
    const list = outcomes.get(table.name) ?? [];
    outcomes.set(table.name, list);
    for (let after: Key | undefined; ; ) {
      const page = await server.readPage(table, table.columns, after, batch);
      const rows = page.rows.flatMap(({ key, values }) => {
        const changes = table.columns.flatMap((column, i): Change[] => {
          const old = values[i];
          if (!old) return [];
          const { status, bytes: repaired } = repair(old);
          return status === 'changed' ? [{ column, old, new: repaired }] : [];
        });
        return changes.length > 0 ? [{ key, changes }] : [];
      });
      if (rows.length > 0) {
        const done = await server.transact(async (transaction) => {
          const results: Outcome[] = [];
          for (const { key, changes } of rows) {
            results.push(await transaction.change(table, key, changes));
          }
          return results;
        });
        list.push(...done);
      }
      if (page.isLast) break;
      after = page.last;
    }
  }
  return outcomes;
}

describe('a database of MariaDB', () => {
  it('is listed: columns, keys, references, effects, and what cannot be repaired', async () => {
    const server = await create(
      'listed',
      `CREATE TABLE parents (code VARCHAR(20) COLLATE utf8mb4_unicode_ci PRIMARY KEY) CHARSET utf8mb4;
       CREATE TABLE children (id INT PRIMARY KEY, code VARCHAR(20) COLLATE utf8mb4_unicode_ci, CONSTRAINT link
         FOREIGN KEY (code) REFERENCES parents (code) ON UPDATE CASCADE) CHARSET utf8mb4;
       CREATE TABLE kinds (
         id BIGINT UNSIGNED PRIMARY KEY, a CHAR(5) CHARACTER SET latin1, b VARCHAR(7) CHARACTER SET utf8mb3
           COLLATE utf8mb3_unicode_ci NOT NULL DEFAULT 'x''y' COMMENT 'CHARACTER SET latin1, he said',
         c TINYTEXT CHARACTER SET utf8mb4, d JSON, e ENUM('x') CHARACTER SET utf8mb4, f SET('x'), g BLOB,
         h VARCHAR(9) CHARACTER SET utf16, i VARCHAR(9) CHARACTER SET gbk, j VARBINARY(5),
         k VARCHAR(50) CHARACTER SET utf8mb4 AS (concat(b, 'x')) STORED, l TEXT CHARACTER SET ascii,
         m TIMESTAMP NOT NULL DEFAULT current_timestamp ON UPDATE current_timestamp,
         UNIQUE shortened (c(3), id));
       CREATE TRIGGER audit AFTER UPDATE ON kinds FOR EACH ROW SET @seen = 1;
       CREATE TRIGGER fresh AFTER INSERT ON kinds FOR EACH ROW SET @seen = 1;
       CREATE TABLE versions (id INT PRIMARY KEY, t TEXT, s TIMESTAMP(6) GENERATED ALWAYS AS ROW START,
         e TIMESTAMP(6) GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING;
       CREATE TABLE keyless (t TEXT, u VARCHAR(5) UNIQUE);
       CREATE TABLE keyed (t TEXT, u VARCHAR(5) NOT NULL UNIQUE, v INT NOT NULL, x DOUBLE NOT NULL UNIQUE);
       CREATE TABLE old (id INT PRIMARY KEY, t TEXT) ENGINE = MyISAM;
       CREATE TABLE numbers (id INT PRIMARY KEY, b BLOB);
       CREATE SEQUENCE counting;
       CREATE VIEW looked AS SELECT * FROM kinds;`,
    );
    expect(server.product).toMatch(/^MariaDB \d+\.\d+\.\d+$/);
    const tables = await server.listTables();
    expect(tables.map(({ name }) => name)).toEqual([
      'children',
      'keyed',
      'keyless',
      'kinds',
      'old',
      'parents',
      'versions',
    ]);
    const kinds = await find(server, 'kinds');
    expect(
      kinds.columns.map(({ name, charset, characters, bytes: limit, structure }) => [
        name,
        charset,
        characters,
        limit,
        structure?.is,
      ]),
    ).toEqual([
      ['a', 'latin1', undefined, 5, undefined],
      ['b', 'utf8mb3', 7, undefined, undefined],
      ['c', 'utf8mb4', undefined, 255, undefined],
      ['d', 'utf8mb4', undefined, 4294967295, 'json'],
      ['l', 'ascii', undefined, 65535, undefined],
    ]);
    expect(kinds.otherColumns).toEqual(['id', 'e', 'f', 'g', 'h', 'i', 'j', 'm']);
    expect(kinds.effects).toEqual([{ kind: 'trigger', name: 'trigger audit' }]);
    expect(kinds.uniqueKeys).toEqual([{ name: 'shortened', columns: ['c', 'id'] }]);
    expect(kinds.columns[1]?.narrowness).toEqual({
      why: 'utf8mb3 has no characters above U+FFFF',
      characterBytes: 3,
      statement:
        "ALTER TABLE `kinds` MODIFY `b` varchar(7) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'x''y' COMMENT 'CHARACTER SET latin1, he said'",
    });
    expect(kinds.columns[4]?.narrowness?.statement).toContain('COLLATE utf8mb4_general_ci');
    const link = {
      name: 'link',
      child: 'children',
      childColumns: ['code'],
      parent: 'parents',
      parentColumns: ['code'],
      cascades: false,
    };
    expect((await find(server, 'parents')).references).toEqual([link]);
    expect((await find(server, 'children')).references).toEqual([link]);
    const versions = await find(server, 'versions');
    expect(versions.effects).toEqual([{ kind: 'history', name: 'system versioning' }]);
    expect([versions.key?.names, versions.otherColumns]).toEqual([['id'], ['id']]);
    expect((await find(server, 'keyless')).key).toBeUndefined();
    expect((await find(server, 'keyed')).key?.names).toEqual(['u']);
    expect((await find(server, 'old')).refusal).toBe(
      'MyISAM has no transactions; run ALTER TABLE `old` ENGINE = InnoDB first',
    );
  });

  it('is repaired in every kind of column and key, and every other cell stays', async () => {
    const keys = [
      ['ints', 'k INT UNSIGNED', (n: number) => `${n}`],
      ['big', 'k BIGINT UNSIGNED', (n: number) => `${18446744073709551615n - BigInt(n)}`],
      ['filled', 'k INT(8) ZEROFILL', (n: number) => `${n}`],
      ['decimals', 'k DECIMAL(30,4)', (n: number) => `${n - 20}.1250`],
      ['dates', 'k DATETIME(6)', (n: number) => `'2024-10-27 01:30:00.${100000 + n}'`],
      ['stamps', 'k TIMESTAMP(3)', (n: number) => `FROM_UNIXTIME(1729992600 + ${n * 600})`],
      ['times', 'k TIME', (n: number) => `'-${n}:59:59'`],
      ['binaries', 'k BINARY(5)', (n: number) => `X'${(n * 257).toString(16).padStart(4, '0')}00'`],
      ['bits', 'k BIT(64)', (n: number) => `${n} + 9223372036854775808`],
      [
        'enums',
        `k ENUM(${Array.from({ length: 50 }, (_, n) => `'${99 - n}'`)})`,
        (n: number) => `${n + 1}`,
      ],
      [
        'uuids',
        'k UUID',
        (n: number) => `'123e4567-e89b-12d3-a456-4266141740${String(n).padStart(2, '0')}'`,
      ],
      [
        'texts',
        'k VARCHAR(30) COLLATE utf8mb4_unicode_ci',
        (n: number) => `CONCAT(X'C3A4', '${n}', X'${PAIR}')`,
      ],
      [
        'generals',
        'k CHAR(30) COLLATE utf8mb4_general_ci',
        (n: number) => `CONCAT('${n}', X'C3A4')`,
      ],
      ['latins', 'k VARCHAR(30) CHARACTER SET latin1', (n: number) => `CONCAT(X'E4FF', '${n}')`],
      ['wides', 'k VARCHAR(30) CHARACTER SET utf16', (n: number) => `'${n}'`],
    ] as const;
    const columns = `a VARCHAR(40) CHARACTER SET latin1, b TEXT CHARACTER SET utf8mb4, c CHAR(20) CHARACTER SET utf8mb4,
      d MEDIUMTEXT CHARACTER SET utf8mb4, e JSON, f BLOB, g FLOAT, h DOUBLE, i ENUM('x','y'), j BIT(5),
      m TIMESTAMP NOT NULL DEFAULT current_timestamp ON UPDATE current_timestamp, n POINT,
      o VARCHAR(90) CHARACTER SET utf8mb4 AS (upper(b)) VIRTUAL, p DECIMAL(9,3),
      q VARCHAR(20) CHARACTER SET utf16, r VARCHAR(20) CHARACTER SET gbk`;
    /** Of 30 rows, some with findings, and some that only look like it. */
    const values = (n: number): string => {
      const a = ["'plain'", `X'61${PAIR}'`, "X'E9'", `X'E9${PAIR}'`, "X'C3A9'", "X'610062'"][n % 6];
      const b = [`X'${PAIR}41'`, 'NULL', "''", "X'EC9588'", "X'410041'"][n % 5];
      const c = n % 7 === 0 ? `X'${PAIR}20'` : "'c '";
      const e = n % 4 === 0 ? `CONCAT('{"x":"', X'${PAIR}', '"}')` : `'{"x":[1,  2]}'`;
      return `${a}, ${b}, ${c}, ${n === 9 ? `REPEAT(X'${PAIR}', 20000)` : "'d'"}, ${e}, X'${PAIR}', 0.1, 1e-300, 'x',
        3, '2020-01-01 00:00:00', POINT(1, 2), 1.500, _utf16 X'EDA0BDEDB880', X'${PAIR}'`;
    };
    const names = 'k, a, b, c, d, e, f, g, h, i, j, m, n, p, q, r';
    const server = await create(
      'every',
      `SET time_zone = '+00:00';
       ${keys
         .map(([name, key, value]) => {
           const rows = Array.from({ length: 30 }, (_, n) => `(${value(n)}, ${values(n)})`);
           return `CREATE TABLE ${name} (${key} NOT NULL, ${columns}, PRIMARY KEY (k)) CHARSET utf8mb4;
             INSERT INTO ${name} (${names}) VALUES ${rows.join(',')};`;
         })
         .join('\n')}
       CREATE TABLE compound (x INT, y VARCHAR(9) NOT NULL, z DATE, t TEXT, PRIMARY KEY (x, y, z)) CHARSET utf8mb4
         PARTITION BY KEY (y) PARTITIONS 3;
       INSERT INTO compound SELECT seq DIV 20, CONCAT(seq % 5, X'C3A9'), '2020-01-01' + INTERVAL seq DAY,
         IF(seq % 3, 'x', X'${PAIR}') FROM seq_1_to_100;`,
    );
    const cells = (name: string): string[] =>
      sql(
        'every',
        `SELECT ${names.split(', ').map((each) => `HEX(${each})`)} FROM ${name} ORDER BY k`,
      )
        .split('\n')
        .slice(0, -1);
    const fix = (hex: string): string =>
      Buffer.from(repair(bytes(hex)).bytes)
        .toString('hex')
        .toUpperCase();
    const before = new Map(keys.map(([name]) => [name, cells(name)]));
    const outcomes = await repairAll(server, 7);
    let changed = 0;
    for (const [name] of keys) {
      const expected = before.get(name)?.map((line) => {
        const row = line.split('\t');
        const isText = [name === 'texts' || name === 'generals', true, true, true, true, true];
        const fixed = row.map((hex, i) => {
          if (!isText[i] || hex === 'NULL') return hex;
          // In latin1, E9 is a letter: text that contains it is not UTF-8.
          return i === 1 && hex.startsWith('E9') ? hex : fix(hex);
        });
        if (fixed.join() !== row.join()) changed++;
        return fixed.join('\t');
      });
      const list = outcomes.get(name) ?? [];
      expect(
        list.filter(({ is }) => is !== 'changed'),
        name,
      ).toEqual([]);
      // Order may change with the key.
      expect(cells(name).sort(), name).toEqual(expected?.sort());
    }
    expect(changed).toBeGreaterThan(keys.length * 10);
    expect([...outcomes.values()].flat().length).toBe(changed + 33);
    expect(sql('every', `SELECT COUNT(*), SUM(t = _utf8mb4 X'${SMILE}') FROM compound`)).toBe(
      '100\t33\n',
    );
    // Nothing is left, so nothing is done.
    for (const list of (await repairAll(server, 1000)).values()) expect(list).toEqual([]);
    expect(await server.checkIntegrity()).toEqual([]);
  });

  it.each([
    ['utf8mb4_general_ci', 'the same', 'the same'],
    ['utf8mb4_unicode_ci', 'the same', 'the same'],
    ['utf8mb4_unicode_520_ci', 'the same', 'other'],
    ['utf8mb4_bin', 'the same', 'other'],
  ])('finds collisions under %s', async (collation, same, another) => {
    const database = `collided_${collation}`;
    const server = await create(
      database,
      `CREATE TABLE t (id INT PRIMARY KEY, g INT, u VARCHAR(20) COLLATE ${collation}, v TEXT, UNIQUE one (u, g),
         UNIQUE two (v(2))) CHARSET utf8mb4;
       INSERT INTO t VALUES (1, 1, X'${SMILE}', 'a'), (2, 1, X'${PAIR}', X'62${PAIR}'), (3, 1, X'EDA0BDEDB881', 'c'),
         (4, 2, X'${PAIR}', 'd'), (5, NULL, X'${PAIR}', X'62${SMILE}64');`,
    );
    const t = await find(server, 't');
    const predict = async (id: number, changes: Change[]): Promise<unknown> => {
      const found = await server.findCollision(t, [id], changes);
      const outcome = await server.transact((transaction) => transaction.change(t, [id], changes));
      const is = outcome.is === 'refused' ? outcome.reason : outcome.is;
      expect(is).toBe(found ? 'unique' : 'changed');
      return found;
    };
    const one = { 'the same': 'one', other: undefined };
    expect(await predict(2, [changeOf(t, 'u', PAIR, SMILE)])).toBe(one[same as 'other']);
    expect(await predict(3, [changeOf(t, 'u', 'EDA0BDEDB881', 'F09F9881')])).toBe(
      one[another as 'other'],
    );
    expect(await predict(4, [changeOf(t, 'u', PAIR, SMILE)])).toBeUndefined();
    expect(await predict(5, [changeOf(t, 'u', PAIR, SMILE)])).toBeUndefined();
    // The first two characters are those of row 5 now.
    expect(await predict(2, [changeOf(t, 'v', `62${PAIR}`, `62${SMILE}`)])).toBe('two');
    expect(sql(database, 'SELECT HEX(u), HEX(v) FROM t WHERE id = 2')).toBe(`${PAIR}\t62${PAIR}\n`);
  });

  describe('another writer', () => {
    const ddl = `CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b TEXT) CHARSET utf8mb4;
      INSERT INTO t VALUES (1, X'${PAIR}', 'b'), (2, X'${PAIR}', 'b'), (3, X'${PAIR}', 'b'), (4, X'${PAIR}', 'b');`;

    it('is not overwritten, whatever it wrote', async () => {
      const server = await create('overtaken', ddl);
      const t = await find(server, 't');
      const changes = [changeOf(t, 'a', PAIR, SMILE)];
      sql(
        'overtaken',
        `UPDATE t SET a = 'mine' WHERE id = 1; DELETE FROM t WHERE id = 2;
        UPDATE t SET b = 'mine' WHERE id = 3; UPDATE t SET a = CONCAT(a, ' ') WHERE id = 4`,
      );
      const outcomes = await server.transact(async (transaction) => {
        const list: string[] = [];
        for (const id of [1, 2, 3, 4]) list.push((await transaction.change(t, [id], changes)).is);
        return list;
      });
      expect(outcomes).toEqual(['overtaken', 'overtaken', 'changed', 'overtaken']);
      expect(sql('overtaken', 'SELECT id, HEX(a), b FROM t')).toBe(
        `1\t6D696E65\tb\n3\t${SMILE}\tmine\n4\t${PAIR}20\tb\n`,
      );
    });

    it('may change a key to one that is equal under the collation: that is another row', async () => {
      const server = await create(
        'renamed',
        `CREATE TABLE t (k VARCHAR(9) COLLATE utf8mb4_general_ci PRIMARY KEY, a TEXT) CHARSET utf8mb4;
         INSERT INTO t VALUES ('a', X'${PAIR}');`,
      );
      const t = await find(server, 't');
      sql('renamed', "UPDATE t SET k = 'A'");
      const changes = [changeOf(t, 'a', PAIR, SMILE)];
      const change = (hex: string): Promise<Outcome> =>
        server.transact((transaction) => transaction.change(t, [{ hex, is: 'text' }], changes));
      expect((await change('61')).is).toBe('overtaken');
      expect((await change('41')).is).toBe('changed');
    });

    it('waits for the end of the transaction, and then wins', async () => {
      const server = await create('waiting', ddl);
      const t = await find(server, 't');
      const other = await openDatabase('waiting');
      const later = await server.transact(async (transaction) => {
        await transaction.change(t, [1], [changeOf(t, 'a', PAIR, SMILE)]);
        expect((await other.readPage(t, t.columns, undefined, 1)).rows[0]?.values[0]).toEqual(
          bytes(PAIR),
        );
        return setImmediate();
      });
      expect(later).toBeUndefined();
      expect((await other.readPage(t, t.columns, undefined, 1)).rows[0]?.values[0]).toEqual(
        bytes(SMILE),
      );
    });

    it('that holds a lock, or a deadlock, is an error that is transient', async () => {
      mariadb.demand(`CREATE OR REPLACE DATABASE locked; USE locked; ${ddl}`);
      const server = await openDatabase('locked', 'root', 500);
      const t = await find(server, 't');
      const changes = [changeOf(t, 'a', PAIR, SMILE)];
      const attempt = (): Promise<Outcome> =>
        server.transact((transaction) => transaction.change(t, [1], changes));
      const other = mariadb.connect('locked');
      await other.run("BEGIN; UPDATE t SET b = 'mine' WHERE id = 1;");
      await expect(attempt()).rejects.toMatchObject({
        isTransient: true,
        message: `mariadb://root@localhost/locked: the wait for a lock timed out; try again`,
      });
      await other.run('COMMIT;');
      expect((await attempt()).is).toBe('changed');

      await other.run("BEGIN; UPDATE t SET b = 'x' WHERE id IN (3, 4);");
      const patient = await openDatabase('locked');
      await server.close();
      const deadlock = patient.transact(async (transaction) => {
        await transaction.change(t, [2], changes);
        other.send("UPDATE t SET b = 'x' WHERE id = 2; COMMIT;");
        return transaction.change(t, [3], changes);
      });
      await expect(deadlock).rejects.toMatchObject({ isTransient: true });
      await other.end();
      const again = await patient.transact((transaction) => transaction.change(t, [2], changes));
      expect(again.is).toBe('changed');
    });
  });

  it('is repaired beside two writers: what they wrote last is there, and what they deleted is not', async () => {
    const server = await create(
      'busy',
      `CREATE TABLE t (id INT PRIMARY KEY, a TEXT, n INT) CHARSET utf8mb4;
       INSERT INTO t SELECT seq, CONCAT(seq, X'${PAIR}'), 0 FROM seq_1_to_2000;
       CREATE TABLE wrote (id INT PRIMARY KEY, a TEXT) CHARSET utf8mb4;
       DELIMITER //
       CREATE PROCEDURE work(start INT) BEGIN
         DECLARE i INT DEFAULT 0;
         DECLARE chosen INT;
         WHILE i < 3000 DO
           SET i = i + 1, chosen = start + 2 * FLOOR(RAND() * 1000);
           BEGIN
             -- A deadlock with the repair, or its lock: the writer goes on with another row.
             DECLARE CONTINUE HANDLER FOR SQLEXCEPTION ROLLBACK;
             START TRANSACTION;
             IF i % 10 = 0 THEN
               DELETE FROM t WHERE id = chosen;
               REPLACE INTO wrote VALUES (chosen, NULL);
             ELSEIF i % 3 = 0 THEN
               UPDATE t SET n = n + 1 WHERE id = chosen;
             ELSE
               UPDATE t SET a = CONCAT(i, X'${PAIR}') WHERE id = chosen;
               REPLACE INTO wrote SELECT id, a FROM t WHERE id = chosen;
             END IF;
             COMMIT;
           END;
         END WHILE;
       END//`,
    );
    const clients = [1, 2].map((start) => {
      const client = mariadb.connect('busy');
      client.send(`CALL work(${start});`);
      return client;
    });
    let isOver = false;
    const writers = Promise.all(clients.map((client) => client.end())).then(() => {
      isOver = true;
    });
    const outcomes = new Map<string, Outcome[]>();
    const repairOnce = (): Promise<unknown> =>
      repairAll(server, 100, outcomes).catch((error) => {
        if (error.isTransient !== true) throw error;
      });
    while (!isOver) await repairOnce();
    await writers;
    await repairOnce();
    // The texts of the writers are repaired too, in their own table, so equal cells are equal again.
    expect(
      sql(
        'busy',
        `SELECT SUM(INSTR(CAST(t.a AS BINARY), X'ED')), SUM(w.a <> t.a), SUM(w.id IS NULL AND t.a <> CONCAT(t.id, X'${SMILE}'))
         FROM t LEFT JOIN wrote w ON w.id = t.id AND w.a IS NOT NULL;
         SELECT COUNT(*) FROM t JOIN wrote w ON w.id = t.id AND w.a IS NULL`,
      ),
    ).toBe('0\t0\t0\n0\n');
    const seen = outcomes.get('t')?.map(({ is }) => is);
    expect(seen?.filter((is) => is === 'changed').length).toBeGreaterThan(1000);
    expect(seen).not.toContain('refused');
  });

  describe('foreign keys of text', () => {
    const ddl = (rule: string): string =>
      `CREATE TABLE p (k VARCHAR(20) COLLATE utf8mb4_general_ci PRIMARY KEY) CHARSET utf8mb4;
       CREATE TABLE c (id INT PRIMARY KEY, k VARCHAR(20) COLLATE utf8mb4_general_ci,
         FOREIGN KEY (k) REFERENCES p (k) ${rule}) CHARSET utf8mb4;
       INSERT INTO p VALUES (X'61${PAIR}'), ('b'); INSERT INTO c VALUES (1, X'61${PAIR}'), (2, 'b'), (3, X'41${PAIR}');`;
    const key: Key = [{ hex: `61${PAIR}`.toLowerCase(), is: 'text' }];
    const read = (database: string): string =>
      sql(database, 'SELECT id, HEX(k) FROM c ORDER BY id');

    it('refuse a change without anything asked, if they do not cascade', async () => {
      const server = await create('refusing', ddl(''));
      const p = await find(server, 'p');
      const changes = [changeOf(p, 'k', `61${PAIR}`, `61${SMILE}`)];
      const outcome = await server.transact((transaction) => transaction.change(p, key, changes));
      expect(outcome).toMatchObject({ is: 'refused', reason: 'reference' });
    });

    it('are looked for without reading more children than asked for', async () => {
      const children = Array.from({ length: 5000 }, (_, i) => `(${i + 10}, 'b')`);
      const server = await create('bounded', `${ddl('')} INSERT INTO c VALUES ${children};`);
      const c = await find(server, 'c');
      const count = (): number =>
        Number(sql('bounded', "SHOW GLOBAL STATUS LIKE 'Handler_read_next'").split('\t')[1]);
      const before = count();
      expect(await server.findRows(c, ['k'], [bytes('62')], 3)).toHaveLength(3);
      expect(count() - before).toBeLessThan(10);
    });

    it.each([
      ['moving', ''],
      ['cascading', 'ON UPDATE CASCADE'],
    ])('move together: %s', async (database, rule) => {
      const server = await create(database, ddl(rule));
      const p = await find(server, 'p');
      const c = await find(server, 'c');
      const rows = await server.findRows(c, ['k'], [bytes(`61${PAIR}`)], 9);
      expect(rows).toEqual([[1], [3]]);
      expect(await server.findRows(c, ['k'], [bytes(`61${PAIR}`)], 1)).toEqual([[1]]);
      const move = (ids: readonly number[]): Promise<string[]> =>
        server.transact(async (transaction) => {
          await transaction.deferReferences();
          const list = [
            await transaction.change(p, key, [changeOf(p, 'k', `61${PAIR}`, `61${SMILE}`)]),
          ];
          for (const id of ids) {
            const letter = id === 3 ? '41' : '61';
            const change = changeOf(c, 'k', `${letter}${PAIR}`, `${letter}${SMILE}`);
            list.push(await transaction.change(c, [id], [change]));
          }
          return list.map(({ is }) => is);
        });
      // A child is left out, as if it had come meanwhile.
      await expect(move([1])).rejects.toMatchObject({ isTransient: true });
      expect(read(database)).toBe(`1\t61${PAIR}\n2\t62\n3\t41${PAIR}\n`);
      expect(await move([1, 3])).toEqual(['changed', 'changed', 'changed']);
      expect(read(database)).toBe(`1\t61${SMILE}\n2\t62\n3\t41${SMILE}\n`);
      // The checks are on again.
      const change = changeOf(c, 'k', '62', '63');
      const outcome = await server.transact((transaction) => transaction.change(c, [2], [change]));
      expect(outcome).toMatchObject({ is: 'refused', reason: 'reference' });
    });
  });

  it('has triggers: they fire, and what they do to the row rolls it back unless it is allowed', async () => {
    const server = await create(
      'triggered',
      `CREATE TABLE t (id INT PRIMARY KEY, a TEXT, by_whom VARCHAR(9), at DATETIME) CHARSET utf8mb4;
       CREATE TABLE log (id INT) ENGINE = InnoDB;
       CREATE TABLE full (id INT PRIMARY KEY AUTO_INCREMENT, x CHAR(250)) ENGINE = MEMORY;
       INSERT INTO t VALUES (1, X'${PAIR}', 'a', NULL), (2, X'${PAIR}', 'b', NULL), (3, X'${PAIR}', 'c', NULL),
         (4, X'${PAIR}', 'd', NULL), (5, X'${PAIR}', 'e', NULL);
       DELIMITER //
       CREATE TRIGGER audit BEFORE UPDATE ON t FOR EACH ROW BEGIN
         INSERT INTO log VALUES (NEW.id);
         IF NEW.id = 2 THEN SET NEW.by_whom = NULL; END IF;
         IF NEW.id = 3 THEN SET NEW.a = 'mine'; END IF;
         IF NEW.id = 4 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not today'; END IF;
         IF NEW.id = 5 THEN LOOP INSERT INTO full (x) VALUES ('x'); END LOOP; END IF;
       END//`,
    );
    const t = await find(server, 't');
    const changes = [changeOf(t, 'a', PAIR, SMILE)];
    const change = (id: number, allowsEffects: boolean): Promise<Outcome> =>
      server.transact((transaction) => transaction.change(t, [id], changes, { allowsEffects }));
    expect((await change(1, false)).is).toBe('changed');
    expect(await change(2, false)).toEqual({
      is: 'refused',
      reason: 'effect',
      message: 'by_whom changed too, perhaps by a trigger',
    });
    expect(sql('triggered', 'SELECT id, HEX(a), by_whom FROM t WHERE id = 2')).toBe(
      `2\t${PAIR}\tb\n`,
    );
    expect((await change(2, true)).is).toBe('changed');
    expect(await change(3, true)).toMatchObject({ is: 'refused', reason: 'effect' });
    expect(await change(4, true)).toMatchObject({
      is: 'refused',
      reason: 'other',
      message: 'not today',
    });
    expect(sql('triggered', 'SELECT id, HEX(a), by_whom FROM t WHERE id > 2')).toBe(
      `3\t${PAIR}\tc\n4\t${PAIR}\td\n5\t${PAIR}\te\n`,
    );
    expect(sql('triggered', 'SELECT * FROM log')).toBe('1\n2\n');
    // A full disk is not an error of the row.
    await expect(change(5, true)).rejects.toThrow(
      'mariadb://root@localhost/triggered: no space left on the server; free some space, and run again with `resume`',
    );
    expect(sql('triggered', 'SELECT HEX(a) FROM t WHERE id = 5')).toBe(`${PAIR}\n`);
  });

  it('keeps versions of rows: the current one is repaired', async () => {
    const server = await create(
      'versioned',
      `CREATE TABLE t (id INT PRIMARY KEY, a TEXT) CHARSET utf8mb4 WITH SYSTEM VERSIONING;
       INSERT INTO t VALUES (1, X'${PAIR}');`,
    );
    await repairAll(server, 10);
    expect(sql('versioned', 'SELECT HEX(a) FROM t')).toBe(`${SMILE}\n`);
    expect(sql('versioned', 'SELECT HEX(a) FROM t FOR SYSTEM_TIME ALL ORDER BY row_end')).toBe(
      `${PAIR}\n${SMILE}\n`,
    );
  });

  it('takes no four-byte characters in utf8mb3 before the ALTER, which keeps surrogates', async () => {
    const server = await create(
      'narrow',
      `CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20) CHARACTER SET utf8mb3 NOT NULL DEFAULT 'q', UNIQUE (a)) ROW_FORMAT=REDUNDANT;
       INSERT INTO t VALUES (1, X'${PAIR}'), (2, X'EDA0BD');`,
    );
    const t = await find(server, 't');
    const change = (table: Table): Promise<Outcome> =>
      server.transact((transaction) =>
        transaction.change(table, [1], [changeOf(table, 'a', PAIR, SMILE)]),
      );
    expect(await change(t)).toMatchObject({ is: 'refused', reason: 'other' });
    await server.changeSchema?.(t.columns[0]?.narrowness?.statement as string);
    const altered = await find(server, 't');
    expect(altered.columns[0]?.narrowness).toBeUndefined();
    expect(sql('narrow', 'SELECT HEX(a) FROM t ORDER BY id')).toBe(`${PAIR}\nEDA0BD\n`);
    expect((await change(altered)).is).toBe('changed');
    expect(sql('narrow', 'SHOW CREATE TABLE t')).toContain("NOT NULL DEFAULT 'q'");
  });

  it('reads tables without a key, and of MyISAM, and changes none of them', async () => {
    const server = await create(
      'odd',
      `CREATE TABLE keyless (n INT, t TEXT) CHARSET utf8mb4;
       CREATE TABLE moving (id INT PRIMARY KEY, t TEXT) CHARSET utf8mb4 ENGINE = MyISAM;
       INSERT INTO keyless SELECT seq, IF(seq % 10, 'x', X'${PAIR}') FROM seq_1_to_95;
       INSERT INTO moving VALUES (1, X'${PAIR}');`,
    );
    const keyless = await find(server, 'keyless');
    const readAll = async (limit: number): Promise<[number, number]> => {
      let [rows, count] = [0, 0];
      for (let after: Key | undefined; ; ) {
        const page = await server.readPage(keyless, keyless.columns, after, limit);
        rows += page.rows.length;
        count += page.count;
        if (page.isLast) return [rows, count];
        after = page.last;
      }
    };
    expect(await readAll(7)).toEqual([9, 95]);
    expect(await readAll(1000)).toEqual([9, 95]);
    // A pass that was left is taken up again.
    const first = await server.readPage(keyless, keyless.columns, undefined, 30);
    await server.readPage(keyless, keyless.columns, undefined, 5);
    const second = await server.readPage(keyless, keyless.columns, first.last, 1000);
    expect(first.count + second.count).toBe(95);
    for (const name of ['keyless', 'moving']) {
      const table = await find(server, name);
      const changes = [changeOf(table, 't', PAIR, SMILE)];
      const outcome = await server.transact((transaction) =>
        transaction.change(table, [1], changes),
      );
      expect(outcome.is).toBe('refused');
    }
    expect(sql('odd', 'SELECT HEX(t) FROM moving')).toBe(`${PAIR}\n`);
  });

  it('has values beyond a statement, and pages that fit in memory', {
    tags: ['night'],
  }, async () => {
    const server = await create(
      'large',
      `CREATE TABLE t (id INT PRIMARY KEY, a LONGTEXT) CHARSET utf8mb4;
       INSERT INTO t SELECT seq, CONCAT(REPEAT('x', 4000000), X'${PAIR}') FROM seq_1_to_9;
       INSERT INTO t VALUES (10, REPEAT(X'${PAIR}', 2500000)), (11, X'${PAIR}');`,
    );
    const t = await find(server, 't');
    const page = await server.readPage(t, t.columns, undefined, 1000);
    expect([page.count, page.isLast, page.last]).toEqual([5, false, [5]]);
    await repairAll(server, 1000);
    expect(
      sql('large', `SELECT COUNT(*), SUM(LENGTH(a)), SUM(INSTR(CAST(a AS BINARY), X'ED')) FROM t`),
    ).toBe(`11\t${9 * 4_000_004 + 10_000_004}\t0\n`);
    expect(
      sql('large', `SELECT MD5(a) = MD5(REPEAT(X'${SMILE}', 2500000)) FROM t WHERE id = 10`),
    ).toBe('1\n');
    const script = server.formatUpdate(
      t,
      [10],
      [
        {
          column: t.columns[0] as Change['column'],
          old: bytes(SMILE.repeat(2_500_000)),
          new: bytes(PAIR.repeat(2_500_000)),
        },
      ],
    );
    mariadb.demand(`${server.formatHeader?.()}\n${script};\n`, 'large');
    expect(
      sql('large', `SELECT MD5(a) = MD5(REPEAT(X'${PAIR}', 2500000)) FROM t WHERE id = 10`),
    ).toBe('1\n');
  });

  it('is changed by statements in any mode, if the bytes are still the old ones', async () => {
    const server = await create(
      'emitted',
      `CREATE TABLE \`odd "na\`\`me\` (\`a'b\` VARCHAR(20) CHARACTER SET latin1, k TIMESTAMP(3) NOT NULL, t TEXT CHARACTER SET utf8mb4,
         u TIMESTAMP NULL ON UPDATE current_timestamp, PRIMARY KEY (\`a'b\`, k));
       INSERT INTO \`odd "na\`\`me\` VALUES (X'${PAIR}5C27', FROM_UNIXTIME(1729992600), X'${PAIR}', NULL);`,
    );
    const name = '`odd "na``me`';
    const t = await find(server, name);
    const { rows } = await server.readPage(t, t.columns, undefined, 10);
    const key = rows[0]?.key as Key;
    const to = [changeOf(t, "a'b", `${PAIR}5C27`, `${SMILE}5C27`), changeOf(t, 't', PAIR, SMILE)];
    const read = (): string =>
      sql('emitted', `SELECT HEX(\`a'b\`), HEX(t), u, @@sql_mode FROM \`odd "na\`\`me\``).replace(
        /\t[^\t]*$/,
        '',
      );
    const emit = (before: string, changes: readonly Change[]): void => {
      const update = server.formatUpdate(t, key, changes);
      mariadb.demand(
        `SET NAMES latin1; ${before}\n${server.formatHeader?.()}\n${update};\n`,
        'emitted',
      );
    };
    emit('', [changeOf(t, 't', `${PAIR}20`, SMILE)]);
    expect(read()).toBe(`${PAIR}5C27\t${PAIR}\tNULL`);
    emit("SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'; SET time_zone = '+05:00';", to);
    expect(read()).toBe(`${SMILE}5C27\t${SMILE}\tNULL`);
  });

  it('may have settings of its own', async () => {
    const settings = {
      sql_mode:
        'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,EMPTY_STRING_IS_NULL,IGNORE_SPACE',
      character_set_server: 'latin1',
      sql_safe_updates: '1',
      init_connect: 'SET foreign_key_checks = 0, autocommit = 0, NAMES latin1',
    };
    const old = Object.keys(settings).map((name) => [
      name,
      sql('mysql', `SELECT @@GLOBAL.${name}`).trim(),
    ]);
    const server = await create(
      'settings',
      `CREATE TABLE t (id CHAR(5) PRIMARY KEY, a CHAR(9), b TEXT NOT NULL) CHARSET utf8mb4;
       INSERT INTO t VALUES ('a', X'${PAIR}', '');
       -- init_connect is not for root.
       CREATE OR REPLACE USER ordinary@localhost; GRANT ALL ON settings.* TO ordinary@localhost;`,
    );
    await server.close();
    try {
      for (const [name, value] of Object.entries(settings)) {
        sql('mysql', `SET GLOBAL ${name} = '${value}'`.replace("'1'", '1'));
      }
      const other = await openDatabase('settings', 'ordinary');
      expect([...(await repairAll(other, 1)).values()].flat().map(({ is }) => is)).toEqual([
        'changed',
      ]);
      expect(sql('settings', 'SELECT HEX(a), b FROM t')).toMatch(new RegExp(`^${SMILE}`));
    } finally {
      for (const [name, value] of old)
        sql('mysql', `SET GLOBAL ${name} = '${value}'`.replace(/'(\d)'/, '$1'));
    }
  });

  it('keeps progress in the transaction, one run at a time', async () => {
    const server = await create(
      'progressed',
      `CREATE TABLE t (id INT PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x');`,
    );
    const other = await openDatabase('progressed');
    expect(await server.readProgress()).toBeUndefined();
    const progress = { identity: 'é', table: 't', after: [1], undoSize: 5, counts: { rows: 1 } };
    await server.transact((transaction) => transaction.saveProgress(progress));
    const failed = server.transact(async (transaction) => {
      await transaction.saveProgress({ ...progress, undoSize: 9 });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await other.readProgress()).toEqual(progress);
    await expect(other.transact(async () => 0)).rejects.toMatchObject({ code: 'ERR_UTF8_BUSY' });
    expect((await other.listTables()).map(({ name }) => name)).toEqual(['t']);
    await server.clearProgress();
    expect(await server.readProgress()).toBeUndefined();
    expect(sql('progressed', 'SHOW TABLES')).toBe('t\n');
    sql('progressed', 'CREATE TABLE utf8_repair (id INT)');
    await expect(server.readProgress()).rejects.toMatchObject({ code: 'ERR_UTF8_USAGE' });
    await expect(server.clearProgress()).rejects.toMatchObject({ code: 'ERR_UTF8_USAGE' });
  });

  it('says in one sentence what is wrong', async () => {
    mariadb.demand(`CREATE OR REPLACE DATABASE said; USE said;
      CREATE TABLE t (id INT PRIMARY KEY, a TEXT CHARACTER SET utf8mb4); INSERT INTO t VALUES (1, X'${PAIR}');
      CREATE OR REPLACE USER reading@localhost IDENTIFIED BY 's%cret'; GRANT SELECT ON said.* TO reading@localhost;
      CREATE OR REPLACE USER updating@localhost; GRANT SELECT, UPDATE, CREATE ON said.* TO updating@localhost;`);
    const tail = `socketPath=${mariadb.socket}`;
    const message = (url: string): Promise<string> =>
      open(url).then(
        () => 'none',
        (error) => `${error.code}: ${error.message}`,
      );
    expect(await message(`mysql://reading:wr0ng@localhost/said?${tail}`)).toBe(
      'ERR_UTF8_INPUT: mysql://reading@localhost/said: wrong user or password, or the server requires TLS (?ssl=true)',
    );
    expect(await message(`mysql://root@localhost/nothing?${tail}`)).toBe(
      'ERR_UTF8_INPUT: mysql://root@localhost/nothing: the server has no such database; check the name',
    );
    expect(await message('mysql://root@localhost/said?socketPath=/nowhere')).toBe(
      'ERR_UTF8_INPUT: mysql://root@localhost/said: no such socket; is the server running?',
    );
    expect(await message('mysql://root@127.0.0.1:1/said')).toBe(
      'ERR_UTF8_INPUT: mysql://root@127.0.0.1:1/said: the connection was refused; is the server running?',
    );
    expect(await message(`mysql://root@localhost/said?${tail}&ssl=true`)).toBe(
      'ERR_UTF8_INPUT: mysql://root@localhost/said: the server does not support TLS; remove ?ssl=true',
    );
    for (const url of [
      'postgres://x:secret@y/z',
      'mysql://x:secret@y',
      'mysql://x:secret@y/z?charset=latin1',
      'mysql://x:s%cret@y/z',
      'secret',
    ]) {
      expect(await message(url), url).toMatch(/^ERR_UTF8_USAGE: (?!.*(secret|s%cret))/);
    }
    const reading = await open(`mysql://reading:s%25cret@localhost/said?${tail}`);
    opened.push(reading);
    const t = await find(reading, 't');
    expect(t.effects.map(({ name }) => name)).toEqual([
      'triggers, if there are any: the user lacks the privilege TRIGGER to see them',
    ]);
    const change = (server: Server): Promise<Outcome> =>
      server.transact((transaction) => transaction.change(t, [1], [changeOf(t, 'a', PAIR, SMILE)]));
    await expect(change(reading)).rejects.toThrow(
      /^mysql:\/\/reading@localhost\/said: the user lacks a privilege \(CREATE command denied/,
    );
    sql(
      'said',
      `CREATE OR REPLACE USER partly@localhost; GRANT SELECT (id, a), UPDATE (a) ON said.t TO partly@localhost;
      CREATE OR REPLACE ROLE all_of_it; GRANT ALL ON said.* TO all_of_it;
      CREATE OR REPLACE USER player@localhost; GRANT all_of_it TO player@localhost; SET DEFAULT ROLE all_of_it FOR player@localhost;`,
    );
    expect((await find(await openDatabase('said', 'partly'), 't')).refusal).toBe(
      'the user may not see all of its columns; grant SELECT on the whole table',
    );
    const played = await find(await openDatabase('said', 'player'), 't');
    expect([played.refusal, played.effects]).toEqual([undefined, []]);
    const updating = await openDatabase('said', 'updating');
    sql('said', 'SET GLOBAL read_only = 1');
    await expect(change(updating)).rejects.toThrow(
      /the server is read-only; connect to the primary/,
    );
    sql('said', 'SET GLOBAL read_only = 0');
    // That is an attempt which ended, and not the connection.
    expect((await change(updating)).is).toBe('changed');
    sql('said', `REVOKE UPDATE ON said.* FROM updating@localhost; UPDATE t SET a = X'${PAIR}'`);
    const revoked = await openDatabase('said', 'updating');
    await updating.close();
    await expect(change(revoked)).rejects.toMatchObject({ code: 'ERR_UTF8_OUTPUT' });
  });

  it('has values that the server cannot send: that ends the run, and is not taken for nothing', async () => {
    mariadb.demand(`CREATE OR REPLACE DATABASE packets; USE packets;
      CREATE TABLE keyed (id INT PRIMARY KEY, a LONGTEXT) CHARSET utf8mb4;
      INSERT INTO keyed VALUES (1, 'x'), (2, REPEAT(X'${PAIR}', 500000));
      CREATE TABLE keyless AS SELECT a FROM keyed;`);
    const [old] = sql('packets', 'SELECT @@GLOBAL.max_allowed_packet').split('\n');
    sql('packets', 'SET GLOBAL max_allowed_packet = 1048576');
    try {
      const server = await openDatabase('packets');
      for (const name of ['keyed', 'keyless']) {
        const table = await find(server, name);
        await expect(server.readPage(table, table.columns, undefined, 10)).rejects.toThrow(
          `${name}.a: a value of 3000000 bytes exceeds max_allowed_packet (1048576); raise it on the server`,
        );
      }
    } finally {
      sql('packets', `SET GLOBAL max_allowed_packet = ${old}`);
    }
  });

  it('has many long values in a row, and statements that are short enough', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `c${i}`);
    mariadb.demand(`CREATE OR REPLACE DATABASE rows_; USE rows_;
      CREATE TABLE t (id INT PRIMARY KEY, ${names.map((name) => `${name} TEXT`)}) CHARSET utf8mb4;
      INSERT INTO t VALUES (1, ${names.map(() => `REPEAT(X'${PAIR}', 6000)`)});`);
    const [old] = sql('rows_', 'SELECT @@GLOBAL.max_allowed_packet').split('\n');
    sql('rows_', 'SET GLOBAL max_allowed_packet = 1048576');
    try {
      const server = await openDatabase('rows_');
      expect([...(await repairAll(server, 10)).values()].flat().map(({ is }) => is)).toEqual([
        'changed',
      ]);
      expect(
        sql(
          'rows_',
          `SELECT ${names.map((name) => `${name} = REPEAT(X'${SMILE}', 6000)`).join(' AND ')} FROM t`,
        ),
      ).toBe('1\n');
    } finally {
      sql('rows_', `SET GLOBAL max_allowed_packet = ${old}`);
    }
  });

  it('has names, dates and indexes of all kinds', async () => {
    const server = await create(
      'kinds',
      `SET sql_mode = '';
       CREATE TABLE \`Tänze ü % ; --\` (\`ключ\` DATE NOT NULL, \`a b\` TEXT, z TIMESTAMP NOT NULL DEFAULT 0
         ON UPDATE current_timestamp, PRIMARY KEY (\`ключ\` DESC)) CHARSET utf8mb4;
       INSERT INTO \`Tänze ü % ; --\` VALUES ('0000-00-00', X'${PAIR}', 0), ('2020-00-00', X'${PAIR}', 0), ('2021-01-01', X'${PAIR}', 0);
       CREATE TABLE hashed (t TEXT NOT NULL UNIQUE) CHARSET utf8mb4;
       INSERT INTO hashed VALUES ('a'), (X'${PAIR}'), ('c');
       CREATE TABLE checked (id INT PRIMARY KEY, a TEXT CHECK (CHAR_LENGTH(a) > 1), b TEXT, FULLTEXT (b)) CHARSET utf8mb4;
       INSERT INTO checked VALUES (1, X'${PAIR}', X'61${PAIR}20'), (2, 'ab', X'61${PAIR}20');`,
    );
    const outcomes = await repairAll(server, 2);
    const reasons = (name: string): string[] =>
      (outcomes.get(name) ?? []).map((outcome) =>
        outcome.is === 'refused' ? outcome.reason : outcome.is,
      );
    expect(reasons('Tänze ü % ; --')).toEqual(['changed', 'changed', 'changed']);
    expect(reasons('hashed')).toEqual(['changed']);
    expect(reasons('checked')).toEqual(['other', 'changed']);
    expect(sql('kinds', 'SELECT COUNT(*) FROM `Tänze ü % ; --` WHERE z = 0')).toBe('3\n');
    expect(sql('kinds', `SELECT HEX(b) FROM checked`)).toBe(`61${PAIR}20\n61${SMILE}20\n`);
  });

  it('without its driver says how to install it', async () => {
    const search = '../../../../packages/database/src/server/find-package.js';
    vi.resetModules();
    vi.doMock(search, async (load) => ({
      ...(await load<object>()),
      findPackage: () => undefined,
    }));
    try {
      const { open: openWithout } = await import(
        '../../../../packages/database/src/server/mysql/mysql.js'
      );
      await expect(openWithout(urlOf('kinds'))).rejects.toMatchObject({
        code: 'ERR_UTF8_USAGE',
        message: expect.stringMatching(/^mysql2 is not installed/),
      });
    } finally {
      vi.doUnmock(search);
      vi.resetModules();
    }
  });

  it('killed in the middle, has all of a transaction or nothing, and its progress agrees', async () => {
    const own = await MariaDb.start('--innodb-flush-log-at-trx-commit=1');
    const url = `mysql://root@localhost/killed?socketPath=${own.socket}`;
    try {
      own.demand(`CREATE DATABASE killed; USE killed; CREATE TABLE t (id INT PRIMARY KEY, a TEXT) CHARSET utf8mb4;
        INSERT INTO t SELECT seq, X'${PAIR}' FROM seq_1_to_200;`);
      for (const moment of ['before a change', 'between changes', 'before the commit']) {
        const server = await open(url);
        const t = await find(server, 't');
        let transactions = 0;
        const work = async (): Promise<void> => {
          for (
            let first = Number((await server.readProgress())?.after?.[0] ?? 0);
            first < 200;
            first += 20
          ) {
            transactions++;
            await server.transact(async (transaction) => {
              // The server dies while a transaction is open.
              const reach = async (name: string): Promise<void> => {
                if (transactions === 3 && moment === name) await own.kill();
              };
              await reach('before a change');
              for (let id = first + 1; id <= first + 20; id++) {
                await transaction.change(t, [id], [changeOf(t, 'a', PAIR, SMILE)]);
                if (id === first + 10) await reach('between changes');
              }
              await transaction.saveProgress({
                identity: '',
                table: 't',
                after: [first + 20],
                undoSize: 0,
                counts: {},
              });
              await reach('before the commit');
            });
          }
        };
        await expect(work()).rejects.toMatchObject({
          message:
            'mysql://root@localhost/killed: the connection was lost; run again with `resume`',
        });
        await server.close();
        await own.restart();
        const done = own
          .demand(
            `SELECT COUNT(*), COALESCE(MAX(id), 0) FROM t WHERE a = _utf8mb4 X'${SMILE}' COLLATE utf8mb4_bin`,
            'killed',
          )
          .toString();
        const again = await open(url);
        const last = Number((await again.readProgress())?.after?.[0] ?? 0);
        expect(done).toBe(`${last}\t${last}\n`);
        expect(await again.checkIntegrity()).toEqual([]);
        await again.close();
      }
    } finally {
      await own.stop();
    }
  });

  it('writes a binary log of statements that does the same elsewhere', {
    tags: ['night'],
  }, async () => {
    const own = await MariaDb.start('--log-bin', '--server-id=1', '--binlog-format=STATEMENT');
    try {
      const ddl = (database: string): string => `CREATE DATABASE ${database}; USE ${database};
        CREATE TABLE t (id INT PRIMARY KEY, a TEXT CHARACTER SET utf8mb4, b VARCHAR(9) CHARACTER SET latin1,
          c TIMESTAMP NULL ON UPDATE current_timestamp, d LONGTEXT CHARACTER SET utf8mb4);
        INSERT INTO t SELECT seq, X'${PAIR}', X'${PAIR}', NULL, IF(seq = 3, REPEAT(X'${PAIR}', 1000000), NULL) FROM seq_1_to_9;`;
      own.demand(ddl('master'));
      own.demand('SET GLOBAL max_allowed_packet = 8388608; RESET MASTER');
      const server = await open(`mysql://root@localhost/master?socketPath=${own.socket}`);
      await repairAll(server, 5);
      await server.close();
      own.demand('FLUSH BINARY LOGS');
      own.demand(`SET sql_log_bin = 0; ${ddl('replica')}`);
      const log = own.readBinaryLog('--rewrite-db=master->replica', '--database=master');
      expect(log.includes('UPDATE `t`')).toBe(true);
      own.demand(log);
      const read = (database: string): string =>
        own.demand('SELECT id, HEX(a), HEX(b), c, MD5(d) FROM t', database).toString();
      expect(read('replica')).toBe(read('master'));
      expect(read('replica')).toContain(`1\t${SMILE}\t${SMILE}\tNULL`);
    } finally {
      await own.stop();
    }
  });

  it('says in a sentence why progress cannot be read', async () => {
    await create('unread', 'CREATE TABLE t (id INT PRIMARY KEY, a TEXT)');
    sql(
      'unread',
      `CREATE TABLE utf8_repair (id INT) COMMENT 'Progress of utf8 repair';
       CREATE USER blind; GRANT INSERT ON unread.utf8_repair TO blind`,
    );
    const server = await openDatabase('unread', 'blind');
    await expect(server.readProgress()).rejects.toMatchObject({ name: 'OutputError' });
  });
});
