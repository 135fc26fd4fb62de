/** UTF-8 in columns of other character sets: found, repaired together with their declaration, and restored. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type RepairDatabaseOptions,
  repairDatabase,
  revertDatabase,
  scanDatabase,
} from '@utf8/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { MariaDb } from '../src/mariadb.js';
import { MySql } from '../src/mysql.js';

// Only .ci/nightly has MySQL.
const servers = isNight
  ? ([
      ['mariadb', MariaDb],
      ['mysql', MySql],
    ] as const)
  : ([['mariadb', MariaDb]] as const);

describe.each(servers)('%s', (protocol, Database) => {
  const folder = mkdtempSync(join(tmpdir(), 'utf8-declared-'));
  let server: MariaDb;
  beforeAll(async () => {
    server = await Database.start();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  let count = 0;

  /** Makes a database, as clients that say nothing about their text have filled it. */
  function create(script: string) {
    const name = `d${++count}`;
    server.demand(`CREATE DATABASE ${name} CHARSET latin1`);
    server.demand(`SET NAMES binary; ${script}`, name);
    const url = `${protocol}://root@localhost/${name}?socketPath=${server.socket}`;
    const undoLog = join(folder, name);
    // MySQL tells whether a column names the character set that its table has anyway.
    const ask = (sql: string): string =>
      server
        .demand(sql, name)
        .toString()
        .replaceAll(' CHARACTER SET latin1 COLLATE latin1_swedish_ci', '');
    const asked: RepairDatabaseOptions = {
      url,
      undo: undoLog,
      mojibake: 'repair',
      allow: ['narrow-column'],
    };
    return { url, undoLog, ask, asked };
  }

  const hex = (text: string): string => `X'${Buffer.from(text).toString('hex')}'`;
  const latin1 = (text: string): string => `X'${Buffer.from(text, 'latin1').toString('hex')}'`;

  const POST = `CREATE TABLE post (id INT PRIMARY KEY, title VARCHAR(200) NOT NULL DEFAULT 'none' COMMENT 'of a post',
    slug CHAR(40) DEFAULT NULL, body MEDIUMTEXT CHARACTER SET cp1251, plain VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_bin,
    upper VARCHAR(200) CHARACTER SET utf8mb4 AS (UPPER(title)) VIRTUAL, UNIQUE KEY title (title), KEY body (body(50))) CHARSET latin1;`;

  it('a look finds them, counts both sorts, and changes nothing', async () => {
    const { url, ask } = create(
      `${POST} INSERT INTO post (id, title, slug, body, plain) VALUES (1, ${hex('Привет мир')}, ${hex('日本')}, ${hex('Ирина')}, 'a'),
       (2, ${hex('Straße')}, NULL, 'plain', ${latin1('Größe')}), (3, 'ASCII', ${latin1('Ärzte')}, NULL, NULL);`,
    );
    const before = ask('SHOW CREATE TABLE post; SELECT HEX(title), HEX(slug) FROM post');
    const { found } = await scanDatabase({ url });
    expect(found).toMatchObject({ candidates: 0 });
    expect(found?.tables[0]?.declarations).toMatchObject([
      {
        column: 'title',
        charset: 'latin1',
        utf8: 2,
        others: 0,
        action: 'skip',
        refusal: undefined,
      },
      { column: 'slug', utf8: 1, others: 1, examples: { others: [{ key: { id: 3 } }] } },
      { column: 'body', charset: 'cp1251', utf8: 1, others: 0 },
    ]);
    const asked = await scanDatabase({ url, mojibake: 'repair', stopAt: ['narrow-column'] });
    expect(asked.stopped).toMatchObject({ table: 'post', hazard: 'narrow-column' });
    expect(ask('SHOW CREATE TABLE post; SELECT HEX(title), HEX(slug) FROM post')).toBe(before);
  });

  it('a repair declares them as utf8mb4, and an undo restores every byte and the definition', async () => {
    const { asked, url, undoLog, ask } = create(
      `${POST} INSERT INTO post (id, title, slug, body, plain) VALUES (1, ${hex('Привет мир')}, ${hex('日本')}, ${hex('Ирина')}, 'a'),
       (2, ${hex('Straße')}, NULL, 'plain', ${latin1('Größe')}), (3, 'ASCII', ${latin1('Ärzte\x81')}, NULL, NULL),
       (4, X'EDA0BDEDB880', NULL, NULL, NULL);`,
    );
    const read = () =>
      ask(
        'SHOW CREATE TABLE post; SELECT id, HEX(title), HEX(slug), HEX(body), HEX(plain) FROM post ORDER BY id',
      );
    const before = read();
    const report = await repairDatabase(asked);
    expect(report).toMatchObject({ refusals: [], repaired: { declared: 3, values: 2 } });
    expect(report.left?.tables[0]?.declarations).toEqual([]);
    expect(ask('SELECT title, slug, body, plain, upper FROM post ORDER BY id')).toBe(
      'Привет мир\t日本\tИрина\ta\tПРИВЕТ МИР\nStraße\tNULL\tplain\tGröße\tSTRASSE\nASCII\tÄrzte\x81\tNULL\tNULL\tASCII\n😀\tNULL\tNULL\tNULL\t😀\n'.replace(
        'STRASSE',
        'STRAßE',
      ),
    );
    const [, definition = ''] = ask('SHOW CREATE TABLE post').split('\t');
    expect(definition).toContain(
      "`title` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci NOT NULL DEFAULT 'none' COMMENT 'of a post'",
    );
    expect(definition).toContain('`body` mediumtext CHARACTER SET utf8mb4');
    expect(definition).toContain('(`body`(50))');
    const undone = await revertDatabase({ url, undo: undoLog });
    expect(undone).toMatchObject({ restored: 2, refused: 0, kept: 0 });
    expect(read()).toBe(before);
  });

  it.each([
    [
      'a key that becomes equal',
      'title VARCHAR(9) UNIQUE',
      `(${hex('é')}), ('e')`,
      'values of unique key title would be equal',
    ],
    [
      'a full-text index',
      'title VARCHAR(9), FULLTEXT KEY f (title)',
      `(${hex('é')})`,
      'FULLTEXT KEY `f`',
    ],
    [
      'a default in another encoding',
      `title VARCHAR(9) DEFAULT '\xc3\xa9'`,
      `(${hex('é')})`,
      'its default',
    ],
    [
      'a column that is too long',
      'title VARCHAR(20000)',
      `(${hex('é')})`,
      'longer than utf8mb4 allows',
    ],
  ])('%s is said to be in the way', async (_, column, values, refusal) => {
    const { asked, ask } = create(
      `CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, ${column}) CHARSET latin1; INSERT INTO t (title) VALUES ${values};`,
    );
    const before = ask('SHOW CREATE TABLE t; SELECT HEX(title) FROM t');
    const { found, repaired } = await repairDatabase(asked);
    expect(found?.tables[0]?.declarations).toMatchObject([
      { action: 'skip', refusal: expect.stringContaining(refusal) },
    ]);
    expect(repaired).toMatchObject({ declared: 0, values: 0 });
    expect(ask('SHOW CREATE TABLE t; SELECT HEX(title) FROM t')).toBe(before);
  });

  it('a value that cannot be UTF-8 keeps its column as it is', async () => {
    const { asked, ask } = create(
      `CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(9) CHARACTER SET cp1251);
     INSERT INTO t VALUES (1, ${hex('é')}), (2, X'98C0'), (3, X'C0C1C2C3C4C5C6C7C8');`,
    );
    const { refusals, repaired } = await repairDatabase(asked);
    expect(repaired).toMatchObject({ declared: 0, skipped: { refused: 1, 'too-long': 1 } });
    expect(refusals).toMatchObject([
      { hazard: 'narrow-column', name: expect.stringContaining('not UTF-8') },
    ]);
    expect(
      ask(
        "SELECT CHARACTER_SET_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_NAME = 'c'",
      ),
    ).toBe('cp1251\tvarchar(9)\n');
  });

  it('a column that the server refuses to declare is as it was', async () => {
    const { asked, ask } = create(
      `CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(9), d VARCHAR(9) AS (UPPER(c))) CHARSET latin1;
     INSERT INTO t (id, c) VALUES (1, ${hex('мир')});`,
    );
    const before = ask('SHOW CREATE TABLE t; SELECT HEX(c) FROM t');
    const { refusals } = await repairDatabase(asked);
    expect(refusals).toMatchObject([{ name: expect.stringContaining('Incorrect string value') }]);
    expect(ask('SHOW CREATE TABLE t; SELECT HEX(c) FROM t')).toBe(before);
  });

  it('mojibake in utf8mb4 is repaired as text', async () => {
    const { asked, ask } = create(
      `CREATE TABLE t (id INT PRIMARY KEY, c TEXT) CHARSET utf8mb4; INSERT INTO t VALUES (1, ${hex('StraÃŸe, MÃ¼nchen')});`,
    );
    expect(await repairDatabase(asked)).toMatchObject({ repaired: { values: 1, declared: 0 } });
    expect(ask('SELECT c FROM t')).toBe('Straße, München\n');
  });

  it('a column that a kill has left as bytes is declared by whichever run comes next', async () => {
    const { asked, url, undoLog, ask } = create(
      `CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(9) NOT NULL DEFAULT '') CHARSET latin1; INSERT INTO t VALUES (1, ${hex('é')});`,
    );
    const before = ask('SHOW CREATE TABLE t; SELECT HEX(c) FROM t');
    const interrupt = async (): Promise<void> => {
      // The second statement is refused, as if the run had been killed before it, and its repair too.
      const failing = new Error('killed');
      const onNotice = (notice: string): void => {
        if (notice.startsWith('declaring')) throw failing;
      };
      await expect(repairDatabase({ ...asked, onNotice })).rejects.toThrow('killed');
      ask("ALTER TABLE t MODIFY c VARBINARY(36) NOT NULL DEFAULT ''");
    };
    await interrupt();
    expect(await repairDatabase({ ...asked, resume: true })).toMatchObject({ refusals: [] });
    expect(ask('SELECT c, CHARSET(c) FROM t')).toBe('é\tutf8mb4\n');
    await revertDatabase({ url, undo: undoLog });
    expect(ask('SHOW CREATE TABLE t; SELECT HEX(c) FROM t')).toBe(before);
    rmSync(undoLog);
    await interrupt();
    await revertDatabase({ url, undo: undoLog });
    expect(ask('SHOW CREATE TABLE t; SELECT HEX(c) FROM t')).toBe(before);
    expect(readFileSync(undoLog, 'utf8')).toContain('varchar(9)');
  });
});
