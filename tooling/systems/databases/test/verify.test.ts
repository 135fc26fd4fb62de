/** Comparison of a server's data with the dump that it loaded: `utf8 verify`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import { MariaDb } from '../src/mariadb.js';
import { toHexInsert } from '../src/notation.js';
import { plant } from '../src/planted.js';
import { Postgres } from '../src/postgres.js';
import { rowCount, seed } from '../src/seed.js';
import { demandUtf8, utf8 } from '../src/utf8.js';

const mariadb = await MariaDb.start();
const postgres = await Postgres.start();
const folder = mkdtempSync(join(tmpdir(), 'utf8-verify-'));
const path = (name: string): string => join(folder, name);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await mariadb.stop();
  await postgres.stop();
});

const planted = plant({
  seed,
  rows: rowCount,
  faults: ['a lone high half', 'a lone low half', 'U+0000'],
});

interface Finding {
  readonly class: string;
  readonly isExplained: boolean;
  readonly column?: string;
  readonly key?: { readonly id: string };
  readonly source?: { readonly line: number; readonly record: number };
  readonly target?: { readonly line: number; readonly record: number };
  readonly found?: { readonly hex: string };
  readonly detail?: string;
}

/** Runs the command, and returns its exit code and its findings. */
function verify(...args: readonly string[]): { status: number | null; found: Finding[] } {
  const { status, stdout, stderr } = utf8(['verify', '--json', '--key', 'id', ...args]);
  if (status !== 0 && status !== 1) throw new Error(stderr);
  // The last line is the summary.
  const lines = stdout.toString().split('\n').slice(0, -2);
  return { status, found: lines.map((line) => JSON.parse(line) as Finding) };
}

const unexplained = (found: readonly Finding[]): string[] =>
  found
    .filter(({ isExplained }) => !isExplained)
    .map((each) => `${each.class} ${each.key?.id} ${each.column ?? ''}`);

const TABLE = '(id INT PRIMARY KEY, name TEXT NOT NULL, note TEXT, data';

describe('a mysqldump as the source', () => {
  const maria = mariadb as MariaDb;
  const [source, rejects] = [path('old.sql'), path('rejects.sql')];
  const rejected = planted.rejected.map(({ id }) => String(id)).sort();

  it('is converted and loaded', () => {
    maria.demand('CREATE OR REPLACE DATABASE old; CREATE OR REPLACE DATABASE new');
    maria.demand(`CREATE TABLE t ${TABLE} BLOB) CHARSET utf8mb4`, 'old');
    maria.demand(toHexInsert(planted.rows), 'old');
    writeFileSync(source, maria.dump('--skip-dump-date', 'old'));
    const options = ['--format', 'mysqldump', '--from', 'cesu-8+utf-8', '--rejects', rejects];
    demandUtf8(['convert', ...options, '-o', path('new.sql'), source]);
    maria.demand(readFileSync(path('new.sql')), 'new');
  });

  it.each(
    choose(
      [
        ['as it is', []],
        ['with blobs in hex', ['--hex-blob', '--skip-extended-insert', '--complete-insert']],
      ],
      1,
    ),
  )('is what MariaDB dumps afterwards, %s', (_, flags) => {
    writeFileSync(path('again.sql'), maria.dump('--skip-dump-date', ...flags, 'new'));
    const sides = ['--format', 'mysqldump', '--rejects', rejects, source, path('again.sql')];
    const { status, found } = verify(...sides);
    expect(unexplained(found)).toEqual([]);
    expect(status).toBe(0);
    const ids = found.filter((each) => each.class === 'rejected').map(({ key }) => key?.id);
    expect(ids.sort()).toEqual(rejected);
    expect(found.some((each) => each.class === 'repair')).toBe(true);
  });

  describe('in PostgreSQL', () => {
    const pg = postgres as Postgres;
    const copies = {
      csv: 'COPY (SELECT * FROM t ORDER BY md5(id::text)) TO STDOUT (FORMAT csv, HEADER)',
      copy: 'COPY t TO STDOUT',
    };
    const target = (format: string): string[] => [
      ...['--source', 'format=mysqldump', '--target', `format=${format}`],
      ...(format === 'copy' ? ['--target', 'columns=id,name,note,data'] : []),
    ];

    it('is loaded', () => {
      pg.demand(`CREATE TABLE t ${TABLE} BYTEA)`);
      // As hex, which shares no notation with the compared text.
      const rows = planted.expected.map(({ id, name, note, data }) => {
        const hex = (bytes: Buffer | null): string =>
          bytes === null ? '\\N' : `\\\\x${bytes.toString('hex')}`;
        const text = (value: string | null): string =>
          hex(value === null ? null : Buffer.from(value));
        return `${id}\t${text(name)}\t${text(note)}\t${hex(data)}\n`;
      });
      pg.demand(
        `CREATE TABLE h (id int, name bytea, note bytea, data bytea);\nCOPY h FROM STDIN;\n${rows.join('')}\\.\nINSERT INTO t SELECT id, convert_from(name, 'UTF8'), convert_from(note, 'UTF8'), data FROM h;\n`,
      );
    });

    it.each(Object.entries(copies))('and read as %s', (format, statement) => {
      writeFileSync(path(format), pg.demand(statement));
      const sides = [...target(format), '--rejects', rejects, source, path(format)];
      const { status, found } = verify(...sides);
      expect(unexplained(found)).toEqual([]);
      expect(status).toBe(0);
      expect(found.filter((each) => each.class === 'rejected')).toHaveLength(rejected.length);
    });

    it.each(choose(Object.entries(copies), 1))(
      'and damaged, it is found in %s',
      (format, statement) => {
        const ids = planted.expected
          .filter(({ name, data }) => /^[\x20-\x7e]{4,}$/.test(name) && data && data.length > 3)
          .slice(0, 5)
          .map(({ id }) => id);
        const [cut, gone, blank, other, blob] = ids;
        const damage = [
          `UPDATE t SET name = left(name, 3) WHERE id = ${cut}`,
          `DELETE FROM t WHERE id = ${gone}`,
          `UPDATE t SET note = CASE WHEN note IS NULL THEN '' END WHERE id = ${blank}`,
          `UPDATE t SET name = name || 'x' WHERE id = ${other}`,
          `UPDATE t SET data = set_byte(data, 0, get_byte(data, 0) # 1) WHERE id = ${blob}`,
          `INSERT INTO t VALUES (0, 'new', NULL, NULL)`,
        ].join(';\n');
        const script = `BEGIN;\n${damage};\n${statement};\nROLLBACK;\n`;
        writeFileSync(path('damaged'), pg.demand(script));
        const sides = [...target(format), '--rejects', rejects, source, path('damaged')];
        const { status, found } = verify(...sides);
        expect(status).toBe(1);
        expect(unexplained(found).sort()).toEqual(
          [
            `truncation ${cut} name`,
            `missing ${gone} `,
            `null ${blank} note`,
            `other ${other} name`,
            `other ${blob} data`,
            'extra 0 ',
          ].sort(),
        );
      },
    );
  });

  it('that lost characters to utf8mb3 is found out, with the place of each', () => {
    maria.demand('CREATE OR REPLACE DATABASE small');
    const rows = [
      '(1,0x61F09F988062)',
      '(2,0x61EDA0BDEDB88062)',
      "(3,'plain')",
      "(4,'Gr\u00fcn \u6f22\u5b57')",
    ];
    const create = (charset: string): string =>
      `CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20)) CHARSET ${charset};\n`;
    const lost = `-- MySQL dump 10.13\n${create('utf8mb3')}INSERT INTO \`t\` VALUES ${rows.join(',')};\n`;
    writeFileSync(path('small.sql'), lost);
    const converted = [
      "SET sql_mode='';",
      create('utf8mb3'),
      "INSERT INTO t VALUES (1,'a\u{1f600}b'),(2,'a\u{1f600}b'),(3,'plain'),(4,'Gr\u00fcn \u6f22\u5b57');",
      // The header of old dumps: supplementary characters are unknown to the connection.
      'CREATE TABLE u LIKE t; ALTER TABLE u CONVERT TO CHARACTER SET utf8mb4; SET NAMES utf8mb3;',
      "INSERT INTO u VALUES (1,'a\u{1f600}b'),(2,'a\u{1f600}b'),(3,'plain'),(4,'Gr\u00fcn \u6f22\u5b57');",
    ].join('\n');
    maria.demand(converted, 'small');
    for (const [table, marks] of [
      ['t', '3F'],
      ['u', '3F 3F 3F 3F'],
    ] as const) {
      writeFileSync(path('small-new.sql'), maria.dump('--skip-dump-date', 'small', table));
      const sides = ['--format', 'mysqldump', '--table', `t=${table}`];
      const { status, found } = verify(...sides, path('small.sql'), path('small-new.sql'));
      expect(status).toBe(1);
      expect(
        found.map((each) => [
          each.class,
          each.key?.id,
          each.column,
          each.source?.line,
          each.found?.hex,
        ]),
      ).toEqual(
        expect.arrayContaining([
          ['replacement', '1', 'name', 3, `61 ${marks} 62`],
          ['replacement', '2', 'name', 3, `61 ${marks} 62`],
        ]),
      );
      expect(found).toHaveLength(2);
    }
  });

  it('that was cut to the length of its column is found out', () => {
    maria.demand('CREATE OR REPLACE DATABASE cut');
    maria.demand(
      "SET sql_mode=''; CREATE TABLE t (id INT, name VARCHAR(3)) CHARSET utf8mb4; INSERT INTO t VALUES (1,'\u6f22\u5b57\u6f22\u5b57'),(2,'abc');",
      'cut',
    );
    const dump =
      "CREATE TABLE t (id int, name varchar(9));\nINSERT INTO t VALUES (1,'\u6f22\u5b57\u6f22\u5b57'),(2,'abc');\n";
    writeFileSync(path('long.sql'), dump);
    writeFileSync(path('cut.sql'), maria.dump('--skip-dump-date', 'cut'));
    const { status, found } = verify('--format', 'mysqldump', path('long.sql'), path('cut.sql'));
    expect(status).toBe(1);
    expect(found).toMatchObject([
      {
        class: 'truncation',
        key: { id: '1' },
        column: 'name',
        source: { line: 2, record: 1 },
        detail: 'after 3 characters, 9 bytes',
      },
    ]);
  });
});
