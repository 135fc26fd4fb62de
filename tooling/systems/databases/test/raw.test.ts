/** Responses of servers to the bytes of an unconverted dump. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MariaDb } from '../src/mariadb.js';
import { Postgres } from '../src/postgres.js';
import type { Outcome } from '../src/program.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

const postgres = await Postgres.start();
const mariadb = await MariaDb.start();

afterAll(async () => {
  await postgres.stop();
  await mariadb.stop();
});

/** Has the server itself read rows: psql reads them as lines of C, which end at U+0000. */
function load(rows: Uint8Array): Outcome | undefined {
  if (!postgres) return undefined;
  const file = join(postgres.folder, 'rows');
  writeFileSync(file, rows, { mode: 0o644 });
  postgres.demand('DROP TABLE IF EXISTS t; CREATE TABLE t (id int, name text)');
  return postgres.run(`COPY t FROM '${file}'`);
}

describe('PostgreSQL refuses the first bad row and takes none', () => {
  it.each([
    ['a pair of six bytes', 'ED A0 BD ED B8 80', '0xed 0xa0 0xbd'],
    ['a lone high half', 'ED A0 BD', '0xed 0xa0 0xbd'],
    ['a lone low half', 'ED B9 A2', '0xed 0xb9 0xa2'],
    ['U+0000 in two bytes', 'C0 80', '0xc0 0x80'],
    ['U+0000', '00', '0x00'],
  ])('%s', (_, bytes, named) => {
    const rows = Buffer.concat([Buffer.from('1\tfine\n2\t'), hex(bytes), Buffer.from('\n')]);
    const outcome = load(rows);
    expect(outcome?.status).not.toBe(0);
    expect(outcome?.stderr).toContain(`invalid byte sequence for encoding "UTF8": ${named}`);
    expect(outcome?.stderr).toContain('COPY t, line 2');
    expect(postgres.demand('SELECT count(*) FROM t').toString()).toBe('0\n');
  });
});

it('PostgreSQL lets COPY put anything into UTF8 under SQL_ASCII', () => {
  const value = Buffer.concat([Buffer.from('a'), hex('ED A0 BD ED B8 80')]);
  const words = (before: string, after: string): Buffer =>
    Buffer.concat([Buffer.from(before), value, Buffer.from(after)]);
  postgres.demand('DROP TABLE IF EXISTS t; CREATE TABLE t (name text)');
  // As a dump of a database in SQL_ASCII has it.
  postgres.demand(words("SET client_encoding = 'SQL_ASCII'; COPY t FROM stdin;\n", '\n\\.\n'));
  expect(postgres.demand('SELECT octet_length(name) FROM t').toString()).toBe('7\n');
  const outcome = postgres.run(words("SET client_encoding = 'SQL_ASCII'; SELECT '", "'"));
  expect(outcome?.stderr).toContain('invalid byte sequence for encoding "UTF8": 0xed 0xa0 0xbd');
});

it('psql loses what follows U+0000 in a line, and its line feed, in silence', () => {
  postgres.demand('DROP TABLE IF EXISTS t; CREATE TABLE t (name text)');
  postgres.demand('COPY t FROM stdin;\nab\0cd\nfine\n\\.\n');
  expect(postgres.demand('SELECT * FROM t').toString()).toBe('abfine\n');
});

describe('MariaDB takes them for text', () => {
  it.each([
    ['a pair of six bytes', 'ED A0 BD ED B8 80', 2],
    ['a lone surrogate', 'ED A0 BD', 1],
    ['U+0000', '00', 1],
    ['a character in four bytes', 'F0 9F 98 80', 1],
  ])('%s, in utf8mb4', (_, bytes, length) => {
    const value = `X'${bytes.replaceAll(' ', '')}'`;
    mariadb.demand('CREATE OR REPLACE DATABASE d');
    mariadb.demand('CREATE TABLE t (name VARCHAR(20) CHARACTER SET utf8mb4)', 'd');
    mariadb.demand(`INSERT INTO t VALUES (${value})`, 'd');
    expect(mariadb.demand('SELECT HEX(name), CHAR_LENGTH(name) FROM t', 'd').toString()).toBe(
      `${bytes.replaceAll(' ', '')}\t${length}\n`,
    );
  });

  it('but not an overlong form', () => {
    mariadb.demand('CREATE OR REPLACE DATABASE d');
    mariadb.demand('CREATE TABLE t (name VARCHAR(20) CHARACTER SET utf8mb4)', 'd');
    const outcome = mariadb.run("INSERT INTO t VALUES (X'C080')", 'd');
    expect(outcome?.stderr).toContain("Incorrect string value: '\\xC0\\x80'");
  });
});
