/** Columns of a dump that are text, by the statements before. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FormatOptions } from '../src/format/format.js';
import { findFormat } from '../src/format/registry.js';
import { postgres as dialect } from '../src/format/sql/postgres.js';
import { bytesOf, catchError, readAll } from './format-reading.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

/** The columns of each record with their kinds, or with the structure of their values. */
function kindsOf(name: string, text: string, options?: FormatOptions): string[][] {
  const records: string[][] = [];
  for (const { kind, fields } of findFormat(name, options).createReader().read(bytesOf(text))) {
    if (kind !== 'record') continue;
    records.push(
      fields.map(
        ({ column, kind, structure }) => `${column}:${structure ? spell(structure) : kind}`,
      ),
    );
  }
  return records;
}

/** Such as `array of json`. */
const spell = (structure: object): string =>
  Object.values(structure)
    .flatMap((part) => (Array.isArray(part) ? part.map((each) => each?.is ?? 'text') : part))
    .map((part) => (typeof part === 'object' && part ? spell(part) : String(part)))
    .join(' of ');

const mysql = (text: string, options?: FormatOptions) => kindsOf('mysqldump', text, options);
const postgres = (text: string, options?: FormatOptions) => kindsOf('pg_dump', text, options);

describe('the types of MySQL are known', () => {
  it.each([
    [
      'two databases with a table of one name',
      "USE `a`;\nCREATE TABLE `t` (`v` blob);\nINSERT INTO `t` VALUES ('x');\nUSE `b`;\nCREATE TABLE `t` (`v` text);\nINSERT INTO `t` VALUES ('x');\nUSE a;\nINSERT INTO `t` VALUES ('x');\n",
      [['v:opaque'], ['v:text'], ['v:opaque']],
    ],
    [
      'an INSERT that names the database',
      "CREATE TABLE t (v blob);\nINSERT INTO db.t VALUES ('x');\n",
      [['v:opaque']],
    ],
    [
      'a CREATE that names it',
      "CREATE TABLE db.t (v blob);\nUSE db;\nINSERT INTO t VALUES ('x');\n",
      [['v:opaque']],
    ],
    [
      'another case',
      "CREATE TABLE Users (Photo blob, Name text);\nINSERT INTO users (name, PHOTO) VALUES ('x', 'y');\n",
      [['name:text', 'PHOTO:opaque']],
    ],
    [
      'ALTER … ADD',
      "CREATE TABLE t (a text);\nALTER TABLE t ADD COLUMN b blob, ADD c text FIRST, ADD (d blob, e text);\nINSERT INTO t VALUES ('c','a','b','d','e');\n",
      [['c:text', 'a:text', 'b:opaque', 'd:opaque', 'e:text']],
    ],
    [
      'ALTER … AFTER',
      "CREATE TABLE t (a text, z text);\nALTER TABLE t ADD b blob NOT NULL AFTER a;\nINSERT INTO t VALUES ('a','b','z');\n",
      [['a:text', 'b:opaque', 'z:text']],
    ],
    [
      'MODIFY and CHANGE',
      "CREATE TABLE t (a text, b blob);\nALTER TABLE t MODIFY a blob, CHANGE b c longtext;\nINSERT INTO t VALUES ('a','c');\n",
      [['a:opaque', 'c:text']],
    ],
    [
      'DROP and RENAME COLUMN',
      "CREATE TABLE t (a text, b blob, c text);\nALTER TABLE t DROP a, RENAME COLUMN c TO d;\nINSERT INTO t VALUES ('b','d');\n",
      [['b:opaque', 'd:text']],
    ],
    [
      'RENAME',
      "CREATE TABLE t (a blob);\nALTER TABLE t RENAME TO u;\nRENAME TABLE u TO v;\nINSERT INTO v VALUES ('a');\n",
      [['a:opaque']],
    ],
    [
      'LIKE',
      "CREATE TABLE t (a blob);\nCREATE TABLE u LIKE t;\nCREATE TABLE v (LIKE t);\nINSERT INTO u VALUES ('a');\nINSERT INTO v VALUES ('a');\n",
      [['a:opaque'], ['a:opaque']],
    ],
    [
      'INSERT … SET',
      "CREATE TABLE t (a blob, b text);\nINSERT INTO t SET a='x', b='y' ON DUPLICATE KEY UPDATE a='z', b = 'w';\n",
      [['a:opaque', 'b:text', 'a:opaque', 'b:text']],
    ],
    [
      'UPDATE',
      "CREATE TABLE t (a blob, b text);\nUPDATE t SET a = CONCAT('x', 'y'), b='y' WHERE b IN ('p', 'q') AND a = 'r';\n",
      [['a:opaque', 'a:opaque', 'b:text', 'b:text', 'b:text', 'a:opaque']],
    ],
    [
      'VALUES ROW',
      "CREATE TABLE t (a blob, b text);\nINSERT INTO t VALUES ROW('x', 'y'), ROW ('x','y');\n",
      [
        ['a:opaque', 'b:text'],
        ['a:opaque', 'b:text'],
      ],
    ],
    [
      'comments with code',
      "/*!50001 CREATE TABLE `t` (`a` blob /*!50606 STORAGE DISK */, `b` text) */;\nINSERT INTO t VALUES ('a','b');\n",
      [['a:opaque', 'b:text']],
    ],
    [
      'character sets',
      "CREATE TABLE t (a varchar(9) CHARACTER SET binary, b char(9) binary, c char(9) byte, d text COLLATE binary);\nINSERT INTO t VALUES ('a','b','c','d');\n",
      [['a:opaque', 'b:text', 'c:opaque', 'd:opaque']],
    ],
    [
      'the character set of the table',
      "CREATE TABLE t (a varchar(9), b text CHARACTER SET utf8mb4) ENGINE=InnoDB DEFAULT CHARSET=binary;\nINSERT INTO t VALUES ('a','b');\n",
      [['a:opaque', 'b:text']],
    ],
    [
      'types of two words',
      "CREATE TABLE t (a long varbinary, b national varchar(9), c long, d character varying(9));\nINSERT INTO t VALUES ('a','b','c','d');\n",
      [['a:opaque', 'b:text', 'c:text', 'd:text']],
    ],
    [
      'JSON',
      "CREATE TABLE t (a json, b longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`b`)));\nINSERT INTO t VALUES ('a','b');\n",
      [['a:json', 'b:json']],
    ],
    [
      'columns named like constraints',
      "CREATE TABLE t (`key` blob, `check` text);\nINSERT INTO t VALUES ('a','b');\n",
      [['key:opaque', 'check:text']],
    ],
    [
      'a table that is created again',
      "CREATE TABLE t (a text);\nINSERT INTO t VALUES ('a');\nDROP TABLE IF EXISTS t;\nCREATE TABLE t (a blob);\nINSERT INTO t VALUES ('a');\n",
      [['a:text'], ['a:opaque']],
    ],
  ])('of %s', (_, text, expected) => {
    expect(mysql(text)).toEqual(expected);
  });

  it.each([
    ['no CREATE', "INSERT INTO t VALUES ('x');\n", 1, 't'],
    [
      'the table of another database',
      "USE a;\nCREATE TABLE t (v text);\nINSERT INTO b.t VALUES ('x');\n",
      3,
      'b.t',
    ],
    [
      'no current database, and several',
      "CREATE TABLE a.t (v text);\nCREATE TABLE b.t (v blob);\nINSERT INTO t VALUES ('x');\n",
      3,
      't',
    ],
    [
      'two names that differ in case',
      "CREATE TABLE Tt (v text);\nCREATE TABLE tT (v blob);\nINSERT INTO tt VALUES ('x');\n",
      3,
      'tt',
    ],
    ['CREATE … AS SELECT', "CREATE TABLE t AS SELECT 1;\nINSERT INTO t VALUES ('x');\n", 2, 't'],
    ['DROP', "CREATE TABLE t (v text);\nDROP TABLE t;\nINSERT INTO t VALUES ('x');\n", 3, 't'],
    ['an unknown table in SET', "INSERT INTO t SET a = 'x';\n", 1, 't'],
    ['an unknown table in UPDATE', "\nUPDATE t SET a = 'x';\n", 2, 't'],
  ])('or the run stops: %s', (_, text, line, table) => {
    const error = catchError(() => mysql(text)) as { line: number; message: string };
    expect(error.line).toBe(line);
    expect(error.message).toContain(`into unknown table ${JSON.stringify(table)}`);
  });

  it('stops at a row with more values than columns', () => {
    const text = "CREATE TABLE t (a text);\nINSERT INTO t VALUES ('x', 'y');\n";
    expect((catchError(() => mysql(text)) as Error).message).toBe(
      'line 2: row of 2 values does not match the columns of t (1)',
    );
  });

  it('as they are assumed', () => {
    const text = "INSERT INTO t VALUES ('x', 1);\nUPDATE t SET a = 'x';\n";
    expect(mysql(text, { assume: 'text' })).toEqual([
      ['undefined:text', 'undefined:opaque'],
      ['undefined:text'],
    ]);
    expect(mysql(text, { assume: 'binary' })).toEqual([
      ['undefined:opaque', 'undefined:opaque'],
      ['undefined:opaque'],
    ]);
  });

  it('from a schema in SQL, or in JSON', () => {
    const text = "INSERT INTO db.t VALUES ('x', 'y');\nINSERT INTO `u` VALUES ('x');\n";
    const expected = [['a:opaque', 'b:text'], ['c:json']];
    const sql = path('schema.sql');
    writeFileSync(sql, 'CREATE TABLE t (a blob, b text);\nCREATE TABLE `u` (c json);\n');
    expect(mysql(text, { schema: sql })).toEqual(expected);
    const json = path('schema.json');
    writeFileSync(
      json,
      JSON.stringify({ 'db.t': { a: 'blob', b: 'varchar(40)' }, u: { c: 'json' } }),
    );
    expect(mysql(text, { schema: json })).toEqual(expected);
  });

  it('of strings elsewhere they are unknown', () => {
    const text =
      "CREATE TABLE t (a text);\nDELETE FROM t WHERE a = 'x';\nCREATE TABLE u (a text COMMENT 'x');\n";
    const others = readAll(findFormat('mysqldump'), text).flatMap(({ fields }) =>
      fields.map(({ kind }) => kind),
    );
    expect(others).toEqual(['text', 'text', 'unknown', 'text', 'text']);
  });
});

describe('the types of PostgreSQL are known', () => {
  it.each([
    [
      'two schemas with a table of one name',
      'CREATE TABLE a.t (v json);\nCREATE TABLE b.t (v text);\nCOPY a.t (v) FROM stdin;\nx\n\\.\nCOPY b.t FROM stdin;\nx\n\\.\n',
      [['v:json'], ['v:text']],
    ],
    [
      'search_path',
      "SET search_path = a, pg_catalog;\nCREATE TABLE t (v json);\nSELECT pg_catalog.set_config('search_path', '', false);\nCOPY a.t (v) FROM stdin;\nx\n\\.\n",
      [['v:json']],
    ],
    [
      'arrays, row types and extensions',
      'CREATE TYPE public.pair AS (a text, b jsonb);\nCREATE TABLE t (a text[], b jsonb[], c public.hstore, d public.pair, e bytea, f character varying(40)[], g public.pair[], h _text);\nCOPY public.t FROM stdin;\n1\t2\t3\t4\t5\t6\t7\t8\n\\.\n',
      [
        [
          'a:array of undefined',
          'b:array of json',
          'c:hstore',
          'd:composite of text of json',
          'e:opaque',
          'f:array of undefined',
          'g:array of composite of text of json',
          'h:array of undefined',
        ],
      ],
    ],
    [
      'arrays of bytes, however they are spelled',
      'CREATE DOMAIN x AS bytea;\nCREATE TABLE t (a bytea[], b bytea[3][], c bytea array, d _bytea, e x[], f pg_catalog._bytea, g _jsonb);\nCOPY t FROM stdin;\n1\t2\t3\t4\t5\t6\t7\n\\.\n',
      [[...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}:opaque`), 'g:array of json']],
    ],
    [
      'domains and enums',
      "CREATE DOMAIN d AS jsonb CONSTRAINT c CHECK (VALUE IS NOT NULL);\nCREATE DOMAIN x AS bytea;\nCREATE TYPE e AS ENUM ('a');\nCREATE TABLE t (a d, b e, c x);\nINSERT INTO t VALUES ('{}', 'a', '');\n",
      [['a:json', 'b:text', 'c:opaque']],
    ],
    [
      'partitions and children',
      "CREATE TABLE t (a json) PARTITION BY HASH (a);\nCREATE TABLE p PARTITION OF t FOR VALUES WITH (modulus 2, remainder 0);\nCREATE TABLE c (b text) INHERITS (t);\nINSERT INTO p VALUES ('{}');\nINSERT INTO c VALUES ('{}', 'b');\n",
      [['a:json'], ['a:json', 'b:text']],
    ],
    [
      'ALTER',
      "CREATE TABLE t (a text);\nALTER TABLE ONLY t ADD COLUMN b jsonb DEFAULT '{}';\nALTER TABLE t ALTER COLUMN a TYPE json USING a::json;\nINSERT INTO t VALUES ('{}', '{}');\n",
      [['a:json', 'b:json']],
    ],
    [
      'LIKE among columns',
      "CREATE TABLE t (a json);\nCREATE TABLE u (LIKE t INCLUDING ALL, b text);\nINSERT INTO u VALUES ('{}', 'b');\n",
      [['a:json', 'b:text']],
    ],
    [
      'another database',
      '\\connect one\nCREATE TABLE t (a json);\n\\connect -reuse-previous=on "dbname=\'two\'"\nCREATE TABLE t (a text);\nCOPY t FROM stdin;\n1\n\\.\n',
      [['a:text']],
    ],
    [
      'names in quotes',
      'CREATE TABLE "T" (a json);\nCREATE TABLE t (a text);\nCOPY "T" FROM stdin;\n1\n\\.\n',
      [['a:json']],
    ],
  ])('of %s', (_, text, expected) => {
    expect(postgres(text)).toEqual(expected);
  });

  it.each([
    ['\\connect d', 'd'],
    ['\\c d', 'd'],
    ['\\c \t d owner', 'd'],
    ['\\connect "a ""b"" c"', 'a "b" c'],
    ['\\connect -reuse-previous=on "dbname=d"', 'd'],
    [`\\connect -reuse-previous=on "dbname='a b'"`, 'a b'],
    [String.raw`\connect -reuse-previous=on "dbname='it\'s \\ ""q""'"`, String.raw`it's \ "q"`],
    ['\\connect "-d"', '-d'],
    ['\\connect -reuse-previous=on d', 'd'],
    ['\\connect "dbname=d host=h"', 'd'],
    [`\\connect "host=h dbname = 'a b'"`, 'a b'],
    [`\\connect "dbname='x=y'"`, 'x=y'],
    ['\\connect "host=h"', undefined],
    ['\\connect - owner', undefined],
    ['\\connect', undefined],
    ['\\copy d', undefined],
    ['SELECT 1', undefined],
  ])('by the database that %s names', (line, name) => {
    expect(dialect.readConnect?.(Buffer.from(line), 0, line.length)).toBe(name);
    if (name === undefined) return;
    const again = Buffer.from(dialect.changeTo?.(name) ?? '');
    expect(dialect.readConnect?.(again, 0, again.length)).toBe(name);
  });

  it.each([
    ['COPY', 'COPY t FROM stdin;\nx\n\\.\n', 1],
    [
      'the table of another database',
      '\\connect one\nCREATE TABLE t (a text);\n\\connect two\nCOPY t FROM stdin;\n1\n\\.\n',
      4,
    ],
    [
      'the table of another database, with spaces and quotes in its name',
      `\\connect -reuse-previous=on "dbname='a b'"\nCREATE TABLE t (a text);\n\\connect -reuse-previous=on "dbname='a c'"\nCOPY t FROM stdin;\nx\n\\.\n`,
      4,
    ],
    ['UPDATE', "UPDATE t SET a = 'x';\n", 1],
  ])('or the run stops: %s', (_, text, line) => {
    const error = catchError(() => postgres(text)) as { line: number; message: string };
    expect([error.line, error.message]).toEqual([
      line,
      expect.stringContaining('into unknown table "t"'),
    ]);
  });
});
