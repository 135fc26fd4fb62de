/** Out of MariaDB, where pairs are text, by its own dump, into PostgreSQL, and back into MariaDB. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import { findDifference } from '../src/difference.js';
import { MariaDb } from '../src/mariadb.js';
import { toHexInsert } from '../src/notation.js';
import { type Expected, plant, type Row } from '../src/planted.js';
import { Postgres } from '../src/postgres.js';
import { rowCount, seed } from '../src/seed.js';
import { demandUtf8, utf8 } from '../src/utf8.js';

const mariadb = await MariaDb.start();
const postgres = await Postgres.start();
const folder = mkdtempSync(join(tmpdir(), 'utf8-mariadb-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await mariadb.stop();
  await postgres.stop();
});

/** Values that MariaDB can store. */
const planted = plant({
  seed,
  rows: rowCount,
  faults: ['a lone high half', 'a lone low half', 'U+0000'],
});

const toRow = ({ id, name, note, data }: Expected): Row => ({
  id,
  name: Buffer.from(name),
  note: note === null ? null : Buffer.from(note),
  data,
});

/** Rows as the clients of both servers write them where all values are in hex. */
const toHex = (rows: readonly Row[], columns: 'all' | 'texts'): string =>
  rows
    .map(({ id, name, note, data }) => {
      const values = columns === 'all' ? [name, note, data] : [name, note];
      return `${[id, ...values.map((value) => value?.toString('hex').toUpperCase() ?? 'NULL')].join('\t')}\n`;
    })
    .join('');

describe('a table of MariaDB', () => {
  const path = (name: string): string => join(folder, name);
  const expected = planted.expected.map(toRow);
  const convert = ['convert', '--format', 'mysqldump', '--from', 'cesu-8+utf-8', '--nul', 'fail'];

  const createTable = (database: string): void => {
    mariadb.demand(`CREATE OR REPLACE DATABASE ${database}`);
    mariadb.demand(
      'CREATE TABLE t (id INT PRIMARY KEY, name TEXT NOT NULL, note TEXT, data BLOB) CHARSET utf8mb4',
      database,
    );
  };

  const readTable = (database: string): string =>
    mariadb
      .demand('SELECT id, HEX(name), HEX(note), HEX(data) FROM t ORDER BY id', database)
      .toString();

  it('takes pairs, lone surrogates and U+0000', () => {
    createTable('old');
    mariadb.demand(toHexInsert(planted.rows), 'old');
    expect(findDifference(readTable('old'), toHex(planted.rows, 'all'))).toBeUndefined();
  });

  describe.each(
    choose(
      [
        ['as it is', []],
        ['with blobs in hex', ['--hex-blob']],
        ['a row a statement', ['--skip-extended-insert']],
        ['with the names of columns', ['--complete-insert', '--hex-blob']],
      ],
      2,
    ),
  )('dumped %s', (_, flags) => {
    it('is converted, and all records are accounted for', () => {
      const { length } = planted.rows;
      writeFileSync(path('dump'), mariadb.dump('--skip-dump-date', ...flags, 'old'));
      const files = [
        '--rejects',
        path('rejects'),
        '--undo',
        path('undo'),
        '--stats',
        path('stats'),
      ];
      const { status, stderr } = utf8([...convert, ...files, '-o', path('out'), path('dump')]);
      expect([status, stderr.split('\n').length]).toEqual([1, 2]);
      const { records, findings } = JSON.parse(readFileSync(path('stats'), 'utf8'));
      expect(records).toMatchObject({
        in: length,
        out: planted.expected.length,
        rejected: planted.rejected.length,
      });
      expect(findings.pair).toBe(planted.pairs);
    });

    it('goes back in as what was planned, character by character', () => {
      mariadb.demand('CREATE OR REPLACE DATABASE new');
      mariadb.demand(readFileSync(path('out')), 'new');
      expect(findDifference(readTable('new'), toHex(expected, 'all'))).toBeUndefined();
    });

    it('dumped again has nothing left to convert', () => {
      const again = mariadb.dump('--skip-dump-date', ...flags, 'new');
      expect(findDifference(demandUtf8(convert, again), again)).toBeUndefined();
    });

    it('leaves exactly the planted rows in the rejects', () => {
      createTable('rejects');
      mariadb.demand(readFileSync(path('rejects')), 'rejects');
      expect(findDifference(readTable('rejects'), toHex(planted.rejected, 'all'))).toBeUndefined();
    });

    it('is reverted to the bytes that it was', () => {
      demandUtf8(['revert', path('out'), '--undo', path('undo'), '-o', path('back')]);
      expect(
        findDifference(readFileSync(path('back')), readFileSync(path('dump'))),
      ).toBeUndefined();
    });
  });

  it('its texts go into PostgreSQL, character by character', () => {
    mariadb.demand('CREATE OR REPLACE DATABASE texts');
    mariadb.demand('CREATE TABLE t AS SELECT id, name, note FROM old.t', 'texts');
    // Statements of MariaDB that PostgreSQL understands: no quotes around names, no comments with code.
    const flags = ['--compact', '--no-create-info', '--skip-quote-names', '--complete-insert'];
    const raw = mariadb.dump(...flags, 'texts');
    const settings = 'SET standard_conforming_strings = off; SET escape_string_warning = off;\n';
    const load = (script: Buffer): string | undefined => {
      postgres.demand('DROP TABLE IF EXISTS t; CREATE TABLE t (id int, name text, note text)');
      return postgres.run(Buffer.concat([Buffer.from(settings), script])).stderr;
    };
    expect(load(raw)).toContain('invalid byte sequence for encoding "UTF8"');
    const files = ['--rejects', path('rejects')];
    // PostgreSQL takes it for the encoding of its database.
    const more = ['--assume', 'text', '--allow', 'unstated-encoding'];
    expect(load(demandUtf8([...convert, ...more, ...files], raw))).toBe('');
    const read = postgres.demand(
      `SELECT concat_ws(E'\\t', id, upper(encode(convert_to(name, 'UTF8'), 'hex')),
        coalesce(upper(encode(convert_to(note, 'UTF8'), 'hex')), 'NULL')) FROM t ORDER BY id`,
    );
    expect(findDifference(read, toHex(expected, 'texts'))).toBeUndefined();
  });
});
