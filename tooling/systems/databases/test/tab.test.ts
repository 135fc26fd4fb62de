/** Files that MariaDB unloads with SELECT … INTO OUTFILE, read by the formats tab and csv. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Format } from '../../../../packages/dump/src/format/format.js';
import { findFormat } from '../../../../packages/dump/src/format/registry.js';
import { MariaDb } from '../src/mariadb.js';
import { seed } from '../src/seed.js';
import { createFolder } from '../src/server.js';
import { utf8 } from '../src/utf8.js';

const mariadb = await MariaDb.start();
const folder = createFolder();
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await mariadb.stop();
});

/** Fragments that might confuse a dialect; a character is a byte. */
const PARTS = [
  ...['a', 'N', '0', 'n', ' ', '\0', '\b', '\t', '\n', '\r', '\x1a', '\\', '\\N', '\\0', 'NULL'],
  ...[
    '"',
    '""',
    "'",
    ',',
    ';',
    '|',
    ':',
    '::',
    '\xc2\xa7',
    '\xed\xa0\xbd\xed\xb8\x80',
    '\xed\xa0\xbd',
    '\xed\x95\x9c',
    '\xff',
  ],
];

/** Values: each part alone, and random sequences of them. */
function createValues(count: number): (string | null)[] {
  let state = seed >>> 0;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const sequences = Array.from({ length: count }, () =>
    Array.from({ length: draw(9) }, () => PARTS[draw(PARTS.length)]).join(''),
  );
  return [null, '', ...PARTS, ...sequences];
}

const hexOf = (value: Uint8Array | string | null): string =>
  value === null
    ? 'NULL'
    : Buffer.from(value as string, 'latin1')
        .toString('hex')
        .toUpperCase();

/** Options of a file that MariaDB writes, and of reading it. */
interface Unloading {
  readonly clauses: string;
  readonly format: Format;
}

const unloadings: readonly Unloading[] = [
  { clauses: '', format: findFormat('tab') },
  {
    clauses: `FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"'`,
    format: findFormat('tab', { delimiter: ',', quote: '"' }),
  },
  {
    clauses: `FIELDS TERMINATED BY ',' ENCLOSED BY '"' ESCAPED BY '\\\\'`,
    format: findFormat('csv', { escape: '\\', header: false }),
  },
  {
    clauses: `FIELDS TERMINATED BY ';' ENCLOSED BY '''' ESCAPED BY '^' LINES TERMINATED BY '\\r\\n'`,
    format: findFormat('tab', { delimiter: ';', quote: "'", escape: '^' }),
  },
  { clauses: `FIELDS TERMINATED BY '||'`, format: findFormat('tab', { delimiter: '||' }) },
  {
    clauses: `FIELDS TERMINATED BY '::' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\\r\\n'`,
    format: findFormat('tab', { delimiter: '::', quote: '"' }),
  },
  {
    clauses: `FIELDS TERMINATED BY '§' ENCLOSED BY '"'`,
    format: findFormat('tab', { delimiter: '§', quote: '"' }),
  },
];

describe(`a file that MariaDB unloads (seed ${seed})`, () => {
  const values = createValues(2000);
  const path = (name: string): string => join(folder, name);

  const readTable = (table: string): string[] =>
    mariadb
      .demand(`SELECT HEX(a), HEX(b) FROM ${table} ORDER BY id`, 'unloaded')
      .toString()
      .split('\n')
      .slice(0, -1);

  it('has rows of any bytes', () => {
    mariadb.demand('CREATE OR REPLACE DATABASE unloaded');
    const literal = (value: string | null) => (value === null ? 'NULL' : `X'${hexOf(value)}'`);
    const rows = values.map(
      (value, i) => `(${i},${literal(value)},${literal(values.at(-i) as string | null)})`,
    );
    mariadb.demand(
      `CREATE TABLE t (id INT PRIMARY KEY, a LONGBLOB, b LONGBLOB); CREATE TABLE back LIKE t;
       INSERT INTO t VALUES ${rows.join(',')}`,
      'unloaded',
    );
  });

  it('is the same from mariadb-dump --tab', () => {
    mariadb.demand(`SELECT * INTO OUTFILE '${path('outfile')}' FROM t ORDER BY id`, 'unloaded');
    // In any other character set it writes ? for malformed bytes.
    mariadb.dump(`--tab=${folder}`, '--default-character-set=binary', 'unloaded', 't');
    expect(readFileSync(path('t.txt')).equals(readFileSync(path('outfile')))).toBe(true);
  });

  it('is not changed from --tab unless it is known which columns are text', () => {
    const file = path('mixed/m.txt');
    mkdirSync(path('mixed'));
    chmodSync(path('mixed'), 0o777);
    const value = hexOf('\xed\xa0\xbd\xed\xb8\x80\0');
    mariadb.demand(
      `CREATE TABLE m (id INT PRIMARY KEY, a TEXT CHARACTER SET utf8mb3, b BLOB);
       INSERT INTO m VALUES (1,'ascii',NULL), (2,X'EDA0BDEDB880',X'${value}')`,
      'unloaded',
    );
    mariadb.dump(`--tab=${path('mixed')}`, '--default-character-set=binary', 'unloaded', 'm');
    const convert = (...args: string[]) =>
      utf8(['convert', '--format', 'tab', '--from', 'cesu-8+utf-8', ...args, file]);
    const unknown = convert('--columns', 'id,a,b');
    expect(unknown.status).toBe(1);
    expect(unknown.stderr).toContain('column a (record 2): offset 13: text-or-binary');
    expect(unknown.stderr).toContain('--assume');
    const scanned = utf8(['scan', '--format', 'tab', file]);
    expect(scanned.status).toBe(1);
    // The values of both columns.
    expect(scanned.stdout.toString()).toContain('text-or-binary 2: ');
    expect(convert('--assume', 'binary').stdout).toEqual(readFileSync(file));
    for (const binary of [
      ['--columns', 'id,a,b', '--binary', 'b'],
      ['--binary', '3'],
    ]) {
      const { status, stdout } = convert(...binary);
      expect([status, stdout.toString('latin1')]).toEqual([
        0,
        '1\tascii\t\\N\n2\t\xf0\x9f\x98\x80\t\xed\xa0\xbd\xed\xb8\x80\\0\n',
      ]);
      writeFileSync(path('m'), stdout, { mode: 0o644 });
      mariadb.demand(
        `CREATE OR REPLACE TABLE n (id INT PRIMARY KEY, a TEXT CHARACTER SET utf8mb4, b BLOB);
         LOAD DATA INFILE '${path('m')}' INTO TABLE n CHARACTER SET utf8mb4`,
        'unloaded',
      );
      expect(
        mariadb.demand('SELECT HEX(a), HEX(b) FROM n ORDER BY id', 'unloaded').toString(),
      ).toBe(`6173636969\tNULL\nF09F9880\t${value}\n`);
    }
  });

  describe.each(unloadings.map((each, i) => [each.clauses || 'by default', each, i] as const))(
    '%s',
    (_, { clauses, format }, i) => {
      const name = path(`unloaded-${i}`);

      it('has the values of the table', () => {
        mariadb.demand(`SELECT * INTO OUTFILE '${name}' ${clauses} FROM t ORDER BY id`, 'unloaded');
        const bytes = readFileSync(name);
        const rows: string[] = [];
        for (const { kind, fields } of format.createReader().read(bytes)) {
          expect(kind).toBe('record');
          const [, a, b] = fields.map((field) =>
            field.kind === 'opaque'
              ? 'NULL'
              : hexOf(Buffer.from(format.readValue(bytes, field)).toString('latin1')),
          );
          rows.push(`${a}\t${b}`);
          expect(fields).toHaveLength(3);
        }
        expect(rows).toEqual(readTable('t'));
      });

      it('spells U+0000 as the format knows it', () => {
        const bytes = readFileSync(name);
        expect(bytes.includes(0)).toBe(false);
        expect(format.nuls.map((nul) => bytes.includes(Buffer.from(nul)))).toEqual([true]);
      });

      it('loads with what a repair inserts', () => {
        const inserted = ['\\uD83D', '\\xED"\'', '\u{1f600}^\\'];
        const bytes = readFileSync(name);
        const parts: Uint8Array[] = [];
        let copied = 0;
        let count = 0;
        for (const { fields } of format.createReader().read(bytes)) {
          const field = fields[1];
          if (!field || field.kind === 'opaque') continue;
          const text = inserted[count++ % inserted.length] as string;
          parts.push(bytes.subarray(copied, field.end), Buffer.from(format.quote(text)));
          copied = field.end;
        }
        writeFileSync(path('repaired'), Buffer.concat([...parts, bytes.subarray(copied)]), {
          mode: 0o644,
        });
        mariadb.demand(
          `TRUNCATE back; LOAD DATA INFILE '${path('repaired')}' INTO TABLE back CHARACTER SET binary ${clauses}`,
          'unloaded',
        );
        count = 0;
        const expected = readTable('t').map((row) => {
          const [a = '', b = ''] = row.split('\t');
          if (a === 'NULL') return row;
          const text = inserted[count++ % inserted.length] as string;
          return `${a}${Buffer.from(text).toString('hex').toUpperCase()}\t${b}`;
        });
        expect(readTable('back')).toEqual(expected);
      });
    },
  );
});
