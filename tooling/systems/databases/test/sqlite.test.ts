/** Out of SQLite, which stores any bytes of an application, and in again. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findDifference } from '../src/difference.js';
import { toCastInsert } from '../src/notation.js';
import { type Expected, plant, type Row } from '../src/planted.js';
import { demand } from '../src/program.js';
import { rowCount, seed } from '../src/seed.js';
import { demandUtf8, utf8 } from '../src/utf8.js';

const folder = mkdtempSync(join(tmpdir(), 'utf8-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);

/** SQLite's shell ends texts at U+0000, which therefore is in none. */
const planted = plant({
  seed,
  rows: rowCount,
  faults: ['a lone high half', 'a lone low half', 'U+0000 in two bytes', 'no lead at all'],
});

const TABLE = 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, note TEXT, data BLOB);\n';

const load = (name: string, script: Uint8Array): void => {
  rmSync(path(name), { force: true });
  demand('sqlite3', ['-batch', '-bail', path(name)], script);
};

const readTable = (name: string): string =>
  demand('sqlite3', [
    '-batch',
    path(name),
    "SELECT id, hex(name), iif(note IS NULL, 'NULL', hex(note)), iif(data IS NULL, 'NULL', hex(data)) FROM t",
  ]).toString();

const toHex = (rows: readonly Row[]): string =>
  rows
    .map(({ id, name, note, data }) => {
      const values = [name, note, data].map(
        (value) => value?.toString('hex').toUpperCase() ?? 'NULL',
      );
      return `${[id, ...values].join('|')}\n`;
    })
    .join('');

const toRow = ({ id, name, note, data }: Expected): Row => ({
  id,
  name: Buffer.from(name),
  note: note === null ? null : Buffer.from(note),
  data,
});

describe('a database of SQLite', () => {
  const convert = ['convert', '--format', 'sqlite', '--from', 'cesu-8+utf-8', '--nul', 'fail'];

  it('takes any bytes for text', () => {
    const inserts = planted.rows.map(toCastInsert);
    load(
      'old.db',
      Buffer.concat([Buffer.from(`${TABLE}BEGIN;\n`), ...inserts, Buffer.from('COMMIT;\n')]),
    );
    expect(findDifference(readTable('old.db'), toHex(planted.rows))).toBeUndefined();
  });

  it('is not read as a file, and is as what .dump makes of it', () => {
    const { status, stderr } = utf8([...convert, path('old.db')]);
    expect([status, stderr]).toEqual([
      3,
      `utf8: ${path('old.db')}: is an SQLite database; convert it to text first: sqlite3 FILE .dump\n`,
    ]);
    writeFileSync(path('dump'), demand('sqlite3', ['-batch', path('old.db'), '.dump']));
    const files = ['--rejects', path('rejects'), '--undo', path('undo'), '--stats', path('stats')];
    expect(utf8([...convert, ...files, '-o', path('out'), path('dump')]).status).toBe(1);
    const { records, findings } = JSON.parse(readFileSync(path('stats'), 'utf8'));
    expect(records).toMatchObject({
      in: planted.rows.length,
      out: planted.expected.length,
      rejected: planted.rejected.length,
    });
    expect(findings.pair).toBe(planted.pairs);
  });

  it('goes back in as what was planned, character by character', () => {
    load('new.db', readFileSync(path('out')));
    expect(findDifference(readTable('new.db'), toHex(planted.expected.map(toRow)))).toBeUndefined();
  });

  it('leaves exactly the planted rows in the rejects', () => {
    load('rejects.db', Buffer.concat([Buffer.from(TABLE), readFileSync(path('rejects'))]));
    expect(findDifference(readTable('rejects.db'), toHex(planted.rejected))).toBeUndefined();
  });

  it('is reverted to the bytes that it was', () => {
    demandUtf8(['revert', path('out'), '--undo', path('undo'), '-o', path('back')]);
    expect(findDifference(readFileSync(path('back')), readFileSync(path('dump')))).toBeUndefined();
  });
});
