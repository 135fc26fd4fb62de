/** From a planted dump to PostgreSQL, by every format that it reads. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { findDifference } from '../src/difference.js';
import { toCopy, toCsv } from '../src/notation.js';
import { type Expected, type Planted, plant, type Row } from '../src/planted.js';
import { Postgres } from '../src/postgres.js';
import { demand, demandProgram } from '../src/program.js';
import { rowCount, seed } from '../src/seed.js';
import { demandUtf8, utf8 } from '../src/utf8.js';

const postgres = await Postgres.start();
afterAll(() => postgres.stop());

const TABLE = 'CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, note text, data bytea)';

/** Values that a source of bytes can contain. PostgreSQL itself accepts no U+0000 in text, in any encoding. */
const planted = plant({
  seed,
  rows: rowCount,
  faults: [
    'a lone high half',
    'a lone low half',
    'U+0000',
    'U+0000 in two bytes',
    'an overlong form',
    'no lead at all',
    'a character cut short',
  ],
});
const withoutNul = plant({
  seed,
  rows: rowCount,
  faults: ['a lone high half', 'a lone low half', 'U+0000 in two bytes', 'no lead at all'],
});

const toRow = ({ id, name, note, data }: Expected): Row => ({
  id,
  name: Buffer.from(name),
  note: note === null ? null : Buffer.from(note),
  data,
});

const concat = (rows: readonly Row[], write: (row: Row) => Buffer): Buffer =>
  Buffer.concat(rows.map(write));

interface Way {
  readonly name: string;
  readonly flags: readonly string[];
  readonly planted: Planted;
  /** The dump. */
  readonly create: (postgres: Postgres) => Buffer;
  /** Loads a file into the table `t` of a database. */
  readonly load: (postgres: Postgres, file: string, database: string) => string;
  /** Expected rejects. */
  readonly rejects: ((rows: readonly Row[]) => Buffer) | undefined;
}

const FINDINGS = {
  pair: 0,
  'four-byte': 0,
  'unpaired-surrogate': 0,
  nul: 0,
  overlong: 0,
  'legacy-byte': 0,
  mojibake: 0,
  other: 0,
  'equal-json-keys': 0,
  noncharacter: 0,
  control: 0,
  'inner-length': 0,
};

const header = Buffer.from('id,name,note,data\n');

const byCopy = (words: string): Way['load'] => {
  return (postgres, file, database) => {
    postgres.demand(TABLE, '-d', database);
    return postgres.run(`COPY t FROM '${file}' ${words}`, '-d', database).stderr;
  };
};

/** A real dump of a real server. One in SQL_ASCII takes any bytes but 00. */
const dump = (postgres: Postgres, ...flags: readonly string[]): Buffer => {
  postgres.demand(
    "DROP DATABASE IF EXISTS old; CREATE DATABASE old ENCODING 'SQL_ASCII' TEMPLATE template0",
  );
  const file = join(postgres.folder, 'old.copy');
  writeFileSync(file, concat(withoutNul.rows, toCopy));
  postgres.demand(
    `${TABLE}; SET client_encoding = 'SQL_ASCII'; COPY t FROM '${file}'`,
    '-d',
    'old',
  );
  return postgres.dump('-d', 'old', '--no-owner', ...flags);
};

/** With the encoding that the dump is in now: see `raw.test.ts` for what COPY makes of the old word. */
const byScript: Way['load'] = (postgres, file, database) => {
  const script = readFileSync(file, 'latin1').replace("'SQL_ASCII'", "'UTF8'");
  return postgres.run(Buffer.from(script, 'latin1'), '-d', database).stderr;
};

const ways: readonly Way[] = [
  {
    name: 'COPY',
    flags: ['--format', 'copy', '--columns', 'id,name,note,data'],
    planted,
    create: () => concat(planted.rows, toCopy),
    load: byCopy(''),
    rejects: (rows) => concat(rows, toCopy),
  },
  {
    name: 'CSV',
    flags: ['--format', 'csv'],
    planted,
    create: () => Buffer.concat([header, concat(planted.rows, toCsv)]),
    load: byCopy('(FORMAT csv, HEADER)'),
    rejects: (rows) => Buffer.concat([header, concat(rows, toCsv)]),
  },
  {
    name: 'pg_dump',
    flags: ['--format', 'pg_dump'],
    planted: withoutNul,
    create: (postgres) => dump(postgres),
    load: byScript,
    rejects: undefined,
  },
  {
    name: 'pg_dump --inserts',
    flags: ['--format', 'pg_dump'],
    planted: withoutNul,
    create: (postgres) => dump(postgres, '--inserts', '--rows-per-insert=50'),
    load: byScript,
    rejects: undefined,
  },
  {
    name: 'pg_dump --column-inserts',
    flags: ['--format', 'pg_dump'],
    planted: withoutNul,
    create: (postgres) => dump(postgres, '--column-inserts'),
    load: byScript,
    rejects: undefined,
  },
];

// The matrix has other options of pg_dump by day.
describe.each(isNight ? ways : ways.slice(0, 3))('$name', (way) => {
  const { planted } = way;
  const folder = join(postgres.folder, way.name.replaceAll(' ', ''));
  const path = (name: string): string => join(folder, name);
  const expected = concat(planted.expected.map(toRow), toCopy);
  const convert = ['convert', ...way.flags, '--from', 'cesu-8+utf-8', '--nul', 'fail'];
  const database = way.name.toLowerCase().replaceAll(/\W+/g, '_');

  /** A new database, since a dump begins with its tables. */
  const renew = (): void => {
    const words = "ENCODING 'UTF8' TEMPLATE template0";
    postgres.demand(`DROP DATABASE IF EXISTS ${database}; CREATE DATABASE ${database} ${words}`);
  };

  it('as it is does not load', () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    writeFileSync(path('dump'), way.create(postgres));
    renew();
    expect(way.load(postgres, path('dump'), database)).toContain(
      'invalid byte sequence for encoding "UTF8"',
    );
  });

  it('is converted, and all records are accounted for', () => {
    const files = ['--rejects', path('rejects'), '--undo', path('undo'), '--stats', path('stats')];
    const { status, stderr } = utf8([...convert, ...files, '-o', path('out'), path('dump')]);
    const isAscii = way.name.startsWith('pg_dump');
    expect([status, stderr.includes('with SQL_ASCII')]).toEqual([1, isAscii]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(isAscii ? 2 : 1);
    const { records, findings } = JSON.parse(readFileSync(path('stats'), 'utf8'));
    expect(records).toMatchObject({
      in: planted.rows.length,
      out: planted.expected.length,
      rejected: planted.rejected.length,
    });
    expect(findings.pair).toBe(planted.pairs);
  });

  it('loads, and rows and checksum are those that were planned', () => {
    renew();
    expect(way.load(postgres, path('out'), database)).toBe('');
    const checksum = postgres.demand(
      `SELECT count(*), md5(string_agg(md5(name) || coalesce(md5(note), 'null') ||
        coalesce(md5(data), 'null'), '' ORDER BY id)) FROM t`,
      '-d',
      database,
    );
    const md5 = (text: string | Buffer | null): string =>
      text === null ? 'null' : createHash('md5').update(text).digest('hex');
    const sums = planted.expected.map(({ name, note, data }) => md5(name) + md5(note) + md5(data));
    expect(checksum.toString()).toBe(`${planted.expected.length}|${md5(sums.join(''))}\n`);
  });

  it('dumped again is what was planned, character by character', () => {
    const again = postgres.demand('COPY (SELECT * FROM t ORDER BY id) TO stdout', '-d', database);
    expect(findDifference(again, expected)).toBeUndefined();
  });

  it('leaves exactly the planted rows in the rejects', () => {
    const rejects = readFileSync(path('rejects'));
    if (way.rejects) expect(findDifference(rejects, way.rejects(planted.rejected))).toBeUndefined();
    // In another encoding they are a dump of the same kind.
    postgres.demand(
      "DROP DATABASE IF EXISTS rejects; CREATE DATABASE rejects ENCODING 'SQL_ASCII' TEMPLATE template0",
    );
    if (planted === withoutNul) {
      postgres.demand(TABLE, '-d', 'rejects');
      postgres.demand(rejects, '-d', 'rejects');
      const sql = 'COPY (SELECT * FROM t ORDER BY id) TO stdout';
      const loaded = postgres.demand(sql, '-d', 'rejects');
      expect(findDifference(loaded, concat(planted.rejected, toCopy))).toBeUndefined();
    }
  });

  it('scan finds what convert found, and nothing in what came out', () => {
    const words = ['scan', ...way.flags, '--json'];
    const { status, stdout } = utf8([...words, path('dump')]);
    expect(status).toBe(1);
    const found: Record<string, number> = {};
    for (const line of stdout.toString().trim().split('\n').slice(0, -1)) {
      const { kind } = JSON.parse(line);
      // A conversion does not count values that it keeps.
      if (kind in FINDINGS && kind !== 'noncharacter') found[kind] = (found[kind] ?? 0) + 1;
    }
    const { findings } = JSON.parse(readFileSync(path('stats'), 'utf8'));
    expect({ ...FINDINGS, ...found }).toEqual(findings);
    // Ambiguities of a dump in SQL_ASCII remain.
    const again = utf8([...words, path('out')])
      .stdout.toString()
      .trim()
      .split('\n');
    const kinds = again.slice(0, -1).map((line) => JSON.parse(line).kind);
    const kept = ['unstated-encoding', 'noncharacter'];
    expect(kinds.filter((kind) => !kept.includes(kind))).toEqual([]);
  });

  it('converted again is the same', () => {
    const again = demandUtf8([...convert, path('out')]);
    expect(findDifference(again, readFileSync(path('out')))).toBeUndefined();
  });

  it('is reverted to the bytes that it was', () => {
    demandUtf8(['revert', path('out'), '--undo', path('undo'), '-o', path('back')]);
    expect(findDifference(readFileSync(path('back')), readFileSync(path('dump')))).toBeUndefined();
  });
});

describe('other forms of dumps', () => {
  const path = (name: string): string => join(postgres.folder, name);

  it.each([
    ['custom-format', '-Fc'],
    ['tar-format', '-Ft'],
    ['directory-format', '-Fd'],
  ])('a %s dump is refused, and read as what it says to do instead', (form, flag) => {
    postgres.demand('DROP TABLE IF EXISTS t; CREATE TABLE t (name text)');
    postgres.demand("INSERT INTO t VALUES ('Grün 😀')");
    const file = path(`dump${flag}`);
    postgres.dump(flag, '-f', file);
    const convert = ['convert', '--format', 'pg_dump', '--from', 'cesu-8+utf-8'];
    const { status, stderr } = utf8([...convert, file]);
    expect([status, stderr]).toEqual([
      3,
      `utf8: ${file}: is a ${form} dump of pg_dump; convert it to text first: pg_restore -f - FILE\n`,
    ]);
    const text = demand(demandProgram('pg_restore'), ['-f', '-', file]);
    expect(findDifference(demandUtf8(convert, text), text)).toBeUndefined();
    expect(text.toString()).toContain('Grün 😀');
  });

  it('a file of the folder of pg_dump -Fd is COPY in gzip', () => {
    const file = readdirSync(path('dump-Fd')).find((name) => name.endsWith('.dat.gz')) as string;
    const name = join(path('dump-Fd'), file);
    const output = demandUtf8(['convert', '--format', 'copy', '--from', 'cesu-8+utf-8', name]);
    expect(output.toString()).toContain('Grün 😀\n\\.\n');
  });

  it('binary COPY is refused', () => {
    const rows = postgres.demand('COPY t TO stdout (FORMAT binary)');
    const { status, stderr } = utf8(['scan', '--format', 'copy'], rows);
    expect([status, stderr]).toEqual([
      3,
      "utf8: -: is PostgreSQL's binary COPY; unload it again with COPY … (FORMAT text)\n",
    ]);
  });
});
