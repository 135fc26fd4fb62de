/** Text that a server would lose from a right file, and rewritten statements that prevent it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertDump } from '../src/convert/convert.js';
import type { FormatOptions } from '../src/format/format.js';
import { findFormat } from '../src/format/registry.js';
import { listKeys } from '../src/format/sql/keys.js';
import type { FileHazard } from '../src/load/hazard.js';
import { revertDump } from '../src/revert/revert.js';
import { scanDump } from '../src/scan/scan.js';
import { bytesOf } from './format-reading.js';
import { useFolder } from './use-folder.js';

const path = useFolder();
const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
const FOUR = '\xf0\x9f\x98\x80';

/** Converts a dump, and returns what came out of it. */
async function convert(
  dump: string,
  { format = 'mysqldump', ...options }: Options = {},
): Promise<{ output: string | undefined; refusal: unknown }> {
  rmSync(path('out'), { force: true });
  writeFileSync(path('in'), dump, 'latin1');
  const { refusal } = await convertDump({
    input: path('in'),
    output: path('out'),
    undo: path('undo'),
    from: 'cesu-8+utf-8',
    format,
    ...options,
  });
  if (refusal) return { output: undefined, refusal };
  await revertDump({ input: path('out'), undo: path('undo'), output: path('back') });
  expect(readFileSync(path('back'), 'latin1')).toBe(dump);
  return { output: readFileSync(path('out'), 'latin1'), refusal };
}

interface Options {
  readonly format?: string;
  readonly formatOptions?: FormatOptions;
  readonly allow?: readonly FileHazard[];
  readonly unpairedSurrogates?: 'escape';
  readonly rejects?: string;
  readonly rejectChildren?: boolean;
}

const fix = { formatOptions: { fixHeader: true } };

/** Enough rows for several segments, so that what precedes them is in another one. */
const many = (row: string): string =>
  Array.from({ length: 8000 }, (_, i) => row.replace('#', String(i))).join('');

describe('characters above U+FFFF', () => {
  const create = (charset: string): string =>
    `/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE t (\n  a int,\n  b text COLLATE ${charset}_bin\n) DEFAULT CHARSET=${charset};\n`;

  it.each([
    ['a pair', PAIR],
    ['four bytes, which are not changed', FOUR],
  ])('are refused in a column of utf8mb3: %s', async (_, character) => {
    const clean = many("INSERT INTO t VALUES (#,'x');\n");
    const dump = `${create('utf8mb3')}${clean}INSERT INTO t VALUES (1,'a${character}');\n`;
    const { refusal } = await convert(dump);
    expect(refusal).toMatchObject({
      kind: 'narrow-column',
      line: 8006,
      record: 8001,
      column: 'b',
      bytes: 'F0 9F 98 80',
    });
    expect(existsSync(path('out'))).toBe(false);
    const { examples } = await scanDump({
      input: path('in'),
      format: 'mysqldump',
      from: 'cesu-8+utf-8',
    });
    expect(examples['narrow-column']).toMatchObject([
      { line: 8006, charset: 'utf8mb3', declared: 4 },
    ]);
    const allowed = await convert(dump, { allow: ['narrow-column'] });
    expect(allowed.output).toBe(dump.replace(PAIR, FOUR));
    const { output } = await convert(dump, fix);
    expect(output).toBe(`${create('utf8mb4')}${clean}INSERT INTO t VALUES (1,'a${FOUR}');\n`);
  });

  it('are refused under SET NAMES utf8, whatever the column is', async () => {
    const dump = (names: string): string =>
      `SET NAMES ${names};\nCREATE TABLE t (b text CHARACTER SET utf8mb4);\nINSERT INTO t VALUES ('${FOUR}');\n`;
    expect((await convert(dump("'utf8'"))).refusal).toMatchObject({
      kind: 'narrow-connection',
      line: 3,
    });
    expect((await convert(dump("'utf8'"), fix)).output).toBe(dump("'utf8mb4'"));
  });

  it.each([
    ['SET NAMES utf8;\n', "INSERT INTO t VALUES ('@');\n", 'SET NAMES utf8mb4;\n'],
    [
      'ALTER TABLE t MODIFY b text CHARACTER SET utf8;\n',
      "INSERT INTO t VALUES ('@');\n",
      'DROP TABLE t;\n',
    ],
    [
      'ALTER TABLE t CHARACTER SET utf8;\nALTER TABLE t ADD c text;\n',
      "INSERT INTO t (c) VALUES ('@');\n",
      '',
    ],
    [
      'ALTER DATABASE CHARACTER SET utf8;\n',
      "CREATE TABLE u (b text);\nINSERT INTO u VALUES ('@');\n",
      '',
    ],
    [
      'ALTER DATABASE d CHARACTER SET utf8;\n',
      "CREATE TABLE d.u (b text);\nINSERT INTO d.u VALUES ('@');\n",
      '',
    ],
    ['CREATE TABLE u (b national varchar(9));\n', "INSERT INTO u VALUES ('@');\n", ''],
    ['CREATE TABLE u (b nchar(9));\n', "INSERT INTO u VALUES ('@');\n", ''],
    ['CREATE TABLE u (b text ASCII);\n', "INSERT INTO u VALUES ('@');\n", ''],
    ['CREATE TABLE u (b text UNICODE);\n', "INSERT INTO u VALUES ('@');\n", ''],
    ['CREATE TABLE u (b text CHARACTER SET ascii);\n', "INSERT INTO u VALUES ('@');\n", ''],
  ])('are refused for as long as they would be lost: %s', async (before, row, after) => {
    const head = 'SET NAMES utf8mb4;\nCREATE TABLE t (b text CHARACTER SET utf8mb4);\n';
    for (const character of [PAIR, FOUR]) {
      const { refusal } = await convert(head + before + row.replace('@', character) + after);
      expect(refusal).toMatchObject({
        kind: expect.stringMatching(/^narrow-(column|connection)$/),
      });
    }
  });

  it.each([
    ['nvarchar(9) NOT NULL', 'varchar(9) character set utf8mb4 NOT NULL'],
    ['NCHAR', 'char character set utf8mb4'],
    ['nchar varying (9)', 'char varying (9) character set utf8mb4'],
    ["nchar varchar(9) default ''", "char varchar(9) character set utf8mb4 default ''"],
    ['national char varying(9)', ' char varying(9) character set utf8mb4'],
    [
      'NATIONAL CHARACTER(9) collate utf8_bin',
      ' CHARACTER(9) character set utf8mb4 collate utf8mb4_bin',
    ],
  ])('of NATIONAL types become utf8mb4: %s', async (type, fixed) => {
    const write = (of: string, text: string): string =>
      `SET NAMES utf8mb4;\nCREATE TABLE t (b ${of});\nINSERT INTO t VALUES ('${text}');\n`;
    expect((await convert(write(type, PAIR))).refusal).toMatchObject({ kind: 'narrow-column' });
    const { output, refusal } = await convert(write(type, PAIR), fix);
    expect(refusal).toBeUndefined();
    expect(output).toBe(write(fixed, FOUR));
  });

  it('get the SET NAMES that is missing, once', async () => {
    const create = 'CREATE TABLE t (b text CHARACTER SET utf8mb4);\n';
    const rows = many(`INSERT INTO t VALUES ('${PAIR}');\n`);
    const { output } = await convert(create + rows, fix);
    expect(output).toBe(`${create}SET NAMES utf8mb4;\n${rows.replaceAll(PAIR, FOUR)}`);
  });

  it('are not changed by a statement that precedes them', async () => {
    const create = 'CREATE TABLE t (a int);\n';
    writeFileSync(path('in'), `${create}INSERT INTO t SET a=1;\n`);
    const options = { format: 'mysqldump', from: 'utf-8', ...fix };
    const { stats } = await convertDump({ input: path('in'), output: path('out'), ...options });
    expect(readFileSync(path('out'), 'latin1')).toBe(
      `${create}SET NAMES utf8mb4;\nINSERT INTO t SET a=1;\n`,
    );
    expect(stats).toMatchObject({ records: { in: 1, out: 1, changed: 0 } });
    expect((await scanDump({ input: path('in'), ...options })).changed).toBe(0);
  });

  it('leave the tables of the server as they are', async () => {
    const dump = 'USE mysql;\nCREATE TABLE t (b text CHARACTER SET utf8mb3);\nUSE shop;\n';
    expect((await convert(dump, fix)).output).toBe(dump);
  });
});

describe('`fixHeader` rewrites', () => {
  it.each([
    ["SET NAMES [utf8] COLLATE '[utf8_bin]';"],
    ['SET CHARACTER SET [utf8mb3];'],
    ['SET @y=UTF8, @@session.character_set_client = [utf8], @x = utf8;'],
    ['SET collation_connection = [utf8_general_mysql500_ci], GLOBAL character_set_client=utf8;'],
    ['CREATE DATABASE utf8 DEFAULT CHARACTER SET = [utf8] COLLATE [utf8_bin];'],
    ['ALTER DATABASE CHARSET [utf8];'],
    [
      "CREATE TABLE charset (charset varchar(9) CHARSET [utf8] COLLATE [utf8_bin] DEFAULT 'utf8' COMMENT 'charset utf8', utf8 text AS (_utf8'x' COLLATE utf8_bin), KEY charset (utf8), CHECK (charset = 'utf8')) CHARSET=[utf8] COMMENT='utf8' COLLATE = `[utf8_bin]`;",
    ],
    [
      'ALTER TABLE t ADD charset text CHARSET [utf8], ADD (a text COLLATE [utf8_bin], b int), CHANGE utf8 collate text COLLATE [utf8_bin], CONVERT TO CHARACTER SET [utf8], ENGINE=InnoDB CHARSET=[utf8], RENAME TO utf8;',
    ],
    [
      "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN SET NAMES utf8; SET NEW.charset = 'utf8'; END ;",
    ],
    [
      "CREATE PROCEDURE p(a text CHARSET utf8) BEGIN DECLARE utf8 int; SET utf8 = 5; UPDATE t SET charset = 'utf8'; ALTER TABLE t CHARSET utf8; END ;",
    ],
    ["CREATE VIEW v AS SELECT 'x' COLLATE utf8_bin, charset utf8 FROM t;"],
    ["UPDATE t SET charset = 'utf8', utf8 = collate(utf8);"],
  ])('only declarations: %s', async (statement) => {
    const head = 'SET NAMES utf8mb4;\nCREATE TABLE t (charset text, utf8 text);\nDELIMITER ;;\n';
    const [before, after] = ['$1', 'utf8mb4$2'].map((to) =>
      statement.replace(/\[(utf8(?:mb3)?((?:_\w+)?))\]/g, to),
    );
    const write = (text = ''): string => `${head}${text.slice(0, -1)};;\n`;
    const { output } = await convert(write(before), fix);
    expect(output).toBe(write(after).replace('_general_mysql500_ci', '_general_ci'));
  });
});

it('a dump of PostgreSQL in SQL_ASCII becomes one in UTF8', async () => {
  const dump = (charset: string): string =>
    `SET client_encoding = '${charset}';\nCREATE DATABASE d ENCODING = '${charset}';\nCREATE TABLE t (a text);\nCOPY t FROM stdin;\n`;
  const before = `${dump('SQL_ASCII')}${PAIR}\n\\.\n`;
  const { output } = await convert(before, { ...fix, format: 'pg_dump' });
  expect(output).toBe(`${dump('UTF8')}${FOUR}\n\\.\n`);
});

it('SQL_ASCII is found where it is set, even before the range', async () => {
  const set = "SET client_encoding = 'SQL_ASCII';\n";
  const text = `-- dump\n${set}CREATE TABLE t (a text);\nCOPY t FROM stdin;\n${PAIR}\n${PAIR}\n\\.\n`;
  writeFileSync(path('ascii.sql'), text, 'latin1');
  const last = text.lastIndexOf(PAIR);
  for (const range of [undefined, { from: last, to: text.length }]) {
    const { examples } = await scanDump({
      input: path('ascii.sql'),
      format: 'pg_dump',
      from: 'cesu-8+utf-8',
      range,
    });
    expect(examples['unstated-encoding']).toMatchObject([{ line: 2, offset: text.indexOf(set) }]);
  }
});

it('a text that gets longer than its column is refused, and one that was too long is not', async () => {
  const dump = `CREATE TABLE t (b varchar(5));\nINSERT INTO t VALUES ('abcdefgh'),('a\xed\xa0\xbdb');\n`;
  const options = { unpairedSurrogates: 'escape' } as const;
  expect((await convert(dump, options)).refusal).toMatchObject({
    kind: 'too-long',
    record: 2,
  });
});

it.each([
  'varchar',
  'char',
  'character varying',
  'nchar varying',
  'national varchar',
  'long varchar',
])('as many characters as are declared have room: %s(7)', async (type) => {
  const dump = `CREATE TABLE t (b ${type}(7));\nINSERT INTO t VALUES ('a\xed\xa0\xbd'),('ab\xed\xa0\xbd');\n`;
  expect((await convert(dump, { unpairedSurrogates: 'escape' })).refusal).toMatchObject({
    kind: 'too-long',
    record: 2,
  });
});

/** Expects room for so many bytes in a column of a type, and for no more. */
async function expectRoom(type: string, bytes: number): Promise<void> {
  const fill = (length: number): string => `${'a'.repeat(length)}\xed\xa0\xbd`;
  const dump = `CREATE TABLE t (b ${type}) CHARSET utf8mb4;\nINSERT INTO t VALUES ('${fill(bytes - 6)}'),('${fill(bytes - 5)}');\n`;
  expect((await convert(dump, { unpairedSurrogates: 'escape' })).refusal).toMatchObject({
    kind: 'too-long',
    record: 2,
  });
}

it.each([
  ['tinytext', 0xff],
  ['text', 0xffff],
])('as many bytes as the type has have room: %s', expectRoom);

it.each([
  ['mediumtext', 0xff_ffff],
  ['long', 0xff_ffff],
])('as many bytes as the type has have room: %s', { tags: ['slow'] }, expectRoom);

it('text in hexadecimal digits is repaired, and blobs are not', async () => {
  const dump = (hex: string): string =>
    `SET NAMES binary;\nCREATE TABLE t (a int, b text, c blob) CHARSET utf8mb4;\nINSERT INTO t VALUES (0x61,${hex},0xEDA0BDEDB880);\n`;
  for (const [before, after] of [
    ['0x61EDA0BDEDB880', '0x61F09F9880'],
    ["X'eda0bdedb880'", "X'F09F9880'"],
  ] as const) {
    const { output } = await convert(dump(before));
    expect(output?.toLowerCase()).toBe(dump(after).toLowerCase());
  }
});

it('text in hexadecimal digits is refused where a surrogate in it is cut short', async () => {
  const dump = (a: string, b: string): string =>
    `SET NAMES utf8mb4;\nCREATE TABLE t (a text, b blob) CHARSET utf8mb4;\nINSERT INTO t VALUES (${a},${b});\n`;
  const { refusal } = await convert(dump('0x61EDA0', '0x00'));
  expect(refusal).toMatchObject({ record: 1, column: 'a' });
  expect((await convert(dump('0x61', '0x61EDA0'))).output).toBe(dump('0x61', '0x61EDA0'));
});

describe('the unique keys of a dump', () => {
  const keysOf = (name: string, text: string) => {
    const format = findFormat(name, { assume: 'text' });
    const reader = format.createReader();
    reader.skip(bytesOf(text), true);
    return listKeys(reader.state).map(({ columns }) =>
      columns
        .map(({ name, length, collation }) =>
          [name, length && `(${length})`, collation && ` ${collation}`].filter(Boolean).join(''),
        )
        .join(),
    );
  };

  it.each([
    [
      'mysqldump',
      'CREATE TABLE t (a int, b text CHARACTER SET utf8mb4, PRIMARY KEY (a), UNIQUE KEY k (b(9), a));\n',
      ['b(9) utf8mb4_general_ci,a'],
    ],
    [
      'mysqldump',
      'CREATE TABLE t (b varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci UNIQUE);\n',
      ['b utf8mb4_0900_ai_ci'],
    ],
    [
      'mysqldump',
      'CREATE TABLE t (b text COLLATE utf8mb4_unicode_ci);\nALTER TABLE t ADD UNIQUE (b);\n',
      ['b utf8mb4_unicode_ci'],
    ],
    [
      'mysqldump',
      'CREATE TABLE t (a int, b varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin UNIQUE);\nALTER TABLE t CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;\n',
      ['b utf8mb4_unicode_ci'],
    ],
    [
      'pg_dump',
      'CREATE TABLE t (a int PRIMARY KEY, b int UNIQUE);\nALTER TABLE t ADD COLUMN c int UNIQUE;\n',
      ['a', 'b', 'c'],
    ],
    ['mysqldump', 'CREATE TABLE t (b text, c text, UNIQUE KEY k ((lower(b)), c));\n', []],
    [
      'pg_dump',
      'CREATE TABLE t (a int, b text);\nALTER TABLE ONLY t ADD CONSTRAINT k PRIMARY KEY (b, a);\n',
      ['b,a'],
    ],
    [
      'pg_dump',
      'CREATE TABLE t (b text);\nCREATE UNIQUE INDEX k ON public.t USING btree (b);\n',
      ['b'],
    ],
    [
      'pg_dump',
      'CREATE TABLE t (b text);\nCREATE UNIQUE INDEX k ON t USING btree (lower(b));\n',
      [],
    ],
    [
      'pg_dump',
      'CREATE TABLE t (b text);\nCREATE UNIQUE INDEX k ON t USING btree (b) WHERE (b > 1);\n',
      [],
    ],
  ])('of %s: %s', (name, text, expected) => {
    expect(keysOf(name, text)).toEqual(expected);
  });

  it('that a repair makes equal end the run, and are compared as whole values', async () => {
    const dump = (second: string): string =>
      `SET NAMES utf8mb4;\nCREATE TABLE t (a int, b varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, UNIQUE (b));\nINSERT INTO t VALUES (1,'${PAIR}'),(2,'${second}'),(3,NULL),(4,NULL);\n`;
    const { refusal } = await convert(dump(FOUR));
    expect(refusal).toMatchObject({ kind: 'equal-keys', record: 1, column: 'b' });
    expect((await convert(dump(`${FOUR}x`))).output).toContain(`(1,'${FOUR}'),(2,'${FOUR}x')`);
    const allowed = await convert(dump(FOUR), { allow: ['equal-keys'] });
    expect(allowed.output).toContain(`(1,'${FOUR}'),(2,'${FOUR}')`);
  });
});

describe('keys of the first characters', () => {
  const START = 'x'.repeat(11);
  const dump = (...values: string[]): string =>
    `SET NAMES utf8mb4;\nCREATE TABLE t (b varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, UNIQUE (b(12)));\nINSERT INTO t VALUES ${values.map((value) => `('${value}')`).join()};\n`;

  it('are equal if these are, whatever follows', async () => {
    const { refusal } = await convert(dump(`${START}${PAIR}a`, `${START}${FOUR}b`));
    expect(refusal).toMatchObject({ kind: 'equal-keys', record: 1, column: 'b' });
  });

  it('differ if one of these does', async () => {
    const { refusal, output } = await convert(dump(`${START}a${PAIR}`, `${START}b${FOUR}`));
    expect(refusal).toBeUndefined();
    expect(output).toContain(`('${START}a${FOUR}'),('${START}b${FOUR}')`);
  });
});

describe('rows that refer to rejected rows', () => {
  const LONE = '\xed\xa0\xbd';
  const dump = [
    'CREATE TABLE b (id int PRIMARY KEY, a int, FOREIGN KEY (a) REFERENCES a (id));',
    'INSERT INTO b VALUES (10,1),(20,2),(30,NULL);',
    'CREATE TABLE a (id int PRIMARY KEY, up int, name text, FOREIGN KEY (up) REFERENCES a (id));',
    `INSERT INTO a VALUES (1,3,'x'),(2,NULL,'x'),(3,NULL,'${LONE}');`,
    '',
  ].join('\n');
  const rejecting = {
    get rejects(): string {
      return path('rejects');
    },
  };

  it('end the run at the first of them, whatever comes first', async () => {
    const { refusal } = await convert(dump, rejecting);
    expect(refusal).toMatchObject({ kind: 'orphaned-row', record: 1, line: 2, column: 'a' });
  });

  it('are rejected with them if that is asked for, along any chain of references', async () => {
    const { output } = await convert(dump, { ...rejecting, rejectChildren: true });
    expect(output).toContain('INSERT INTO b VALUES (20,2),(30,NULL);');
    expect(output).toContain("INSERT INTO a VALUES (2,NULL,'x');");
    expect(readFileSync(path('rejects'), 'latin1')).toBe(
      `INSERT INTO b VALUES (10,1);\nINSERT INTO a VALUES (1,3,'x');\nINSERT INTO a VALUES (3,NULL,'${LONE}');\n`,
    );
  });

  it('are kept if that is accepted', async () => {
    const { output } = await convert(dump, { ...rejecting, allow: ['orphaned-row'] });
    expect(output).toContain('(10,1),(20,2),(30,NULL)');
  });

  it.each([
    ['no rejects', {}, '`rejectChildren` needs `rejects`'],
    ['a format without foreign keys', { ...rejecting, format: 'csv' }, 'needs an SQL format'],
  ])('cannot be rejected with %s', async (_, options, message) => {
    await expect(convert(dump, { ...options, rejectChildren: true })).rejects.toThrow(message);
  });
});
