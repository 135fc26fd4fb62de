/** Values of every kind that each server can store in columns of every kind, and their repaired form. */
import type { Bench } from './bench.js';

/** The policies with which nothing is left: all that is planted becomes something. */
export const policies = {
  errors: 'windows-1252',
  unpairedSurrogates: 'replace',
  nul: 'remove',
} as const;

/** Expected repair of planted bytes, in hex. Wherever they are planted, ASCII surrounds them. */
const becomes: Readonly<Record<string, string>> = {
  EDA0BDEDB880: 'F09F9880',
  EDAFBFEDBFBF: 'F48FBFBF',
  EDA0BD: 'EFBFBD',
  EDB880: 'EFBFBD',
  C080: '',
  '00': '',
  FF: 'C3BF',
  '92': 'E28099',
};

const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

/** Everything that a value may contain, good and bad. */
const good = ['', hex('plain'), hex('Grün 한'), hex('"\'\\`;--\t\r\n$$'), hex('{"a":[1]}')];
const four = hex('😀');
const pairs = ['EDA0BDEDB880', 'EDAFBFEDBFBF'];
const lone = ['EDA0BD', 'EDB880'];
const malformed = ['C080', 'FF', '92'];

/** Returns the repaired content of a cell of {@link Bench.rows}. Only text changes. */
export function repairCell(cell: string): string {
  if (!cell.startsWith('t')) return cell;
  let text = 't';
  for (let at = 1; at < cell.length; ) {
    const found = Object.keys(becomes).find((bytes) => cell.startsWith(bytes, at));
    text += found === undefined ? cell.slice(at, at + 2) : becomes[found];
    at += found?.length ?? 2;
  }
  return text;
}

/** Returns the repaired rows of a table. */
export const repairRows = (rows: readonly string[]): string[] =>
  rows.map((row) => row.split('|').map(repairCell).join('|')).sort();

/** Spreads values over the columns of a table: each has each, and rows have several. */
function fill(
  bench: Bench,
  table: string,
  keys: (n: number) => string,
  columns: Readonly<Record<string, readonly string[]>>,
): string {
  const names = Object.keys(columns);
  const most = Math.max(...names.map((name) => columns[name]?.length ?? 0));
  const statements: string[] = [];
  for (let n = 0; n < 2 * most; n++) {
    const values = names.map((name, i) => {
      const list = columns[name] as readonly string[];
      const value = list[(n + i) % list.length] as string;
      if (value === 'NULL' || value.startsWith('=')) return value.replace(/^=/, '');
      return bench.text(`${hex(`v${n} `)}${value}${hex('.')}`);
    });
    const key = keys(n);
    const all = key === '' ? values : [key, ...values];
    statements.push(`INSERT INTO ${table} VALUES (${all.join(', ')});`);
  }
  return statements.join('\n');
}

const join = (...lists: readonly (readonly string[])[]): string[] => lists.flat();
const among = (list: readonly string[]): string[] =>
  list.map((bytes) => `${hex('é')}${bytes}${hex('a')}${bytes}`);

function plantSqlite(bench: Bench): string {
  const any = join(
    good,
    [four],
    pairs,
    among(pairs),
    lone,
    malformed,
    ['00'],
    ['NULL', '=7', '=2.5'],
  );
  const blob = [...any, "=X'EDA0BDEDB88000FF'"];
  const columns = { a: any, b: blob, c: any, d: blob, e: any };
  const kinds = 'a TEXT, b, c VARCHAR(9) COLLATE NOCASE, d BLOB, e NUMERIC';
  return `PRAGMA journal_mode = WAL; PRAGMA user_version = 7; BEGIN;
    CREATE TABLE rowids (${kinds}, g TEXT AS (a || 'x') VIRTUAL, h AS (c || 'y') STORED);
    CREATE INDEX partial ON rowids (a) WHERE b IS NOT NULL;
    CREATE UNIQUE INDEX expression ON rowids (a || typeof(b), c, d);
    ${fill(bench, 'rowids', () => '', columns)}
    CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY, ${kinds});
    ${fill(bench, '"odd ""name"', (n) => String(n * 3), columns)}
    CREATE TABLE texts (k TEXT PRIMARY KEY, a TEXT) WITHOUT ROWID;
    ${fill(bench, 'texts', (n) => bench.text(`${hex(`k${n}`)}${n % 2 ? pairs[0] : ''}`), { a: any })}
    CREATE TABLE strict (id INT PRIMARY KEY, a TEXT NOT NULL, b BLOB) STRICT;
    ${fill(bench, 'strict', String, { a: join(good, pairs, lone, malformed), b: ["=X'C080EDA0BD'"] })}
    COMMIT;`;
}

function plantMariaDb(bench: Bench): string {
  const whole = join(good, [four], pairs, among(pairs), lone, ['00', 'NULL']);
  const latin = join(good, [four], pairs, among(pairs), ['NULL']);
  const numbers = {
    n: ['=-7', '=NULL', '=42'],
    x: ['=1e300', '=0.1'],
    y: ['=123.456'],
    z: ["=X'EDA0BDEDB880C080'"],
    w: ["=X'EDA0BD00'"],
    ts: ["='2001-02-03 04:05:06'"],
    dt: ["='1999-12-31 23:59:59.123456'"],
    en: ["='two'", "='one'"],
    bi: ["=b'101'"],
  };
  return `SET sql_mode = 'STRICT_ALL_TABLES'; SET FOREIGN_KEY_CHECKS = 1;
    CREATE TABLE \`odd \`\`name\` (id INT PRIMARY KEY, a VARCHAR(200), b CHAR(60), c TINYTEXT, d TEXT COLLATE utf8mb4_bin,
      e MEDIUMTEXT, f LONGTEXT, u VARCHAR(90) COLLATE utf8mb4_bin, n INT, x DOUBLE, y DECIMAL(9,3), z BLOB,
      w VARBINARY(9), ts TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, dt DATETIME(6),
      en ENUM ('one', 'two'), bi BIT(9), g VARCHAR(250) AS (concat(a, 'x')) STORED, h VARCHAR(250) AS (concat(a, 'y')),
      UNIQUE (u), KEY (a(20)), FULLTEXT (d)) CHARSET utf8mb4;
    ${fill(bench, '`odd ``name` (id, a, b, c, d, e, f, u, n, x, y, z, w, ts, dt, en, bi)', String, { a: whole, b: whole, c: whole, d: whole, e: whole, f: whole, u: whole, ...numbers })}
    CREATE TABLE latin (id BIGINT UNSIGNED PRIMARY KEY, a VARCHAR(200), b TEXT, c CHAR(50)) CHARSET latin1;
    ${fill(bench, 'latin', (n) => `18446744073709551${n + 100}`, { a: latin, b: latin, c: latin })}
    CREATE TABLE texts (k VARCHAR(60) COLLATE utf8mb4_bin PRIMARY KEY, a TEXT) CHARSET utf8mb4;
    ${fill(bench, 'texts', (n) => bench.text(`${hex(`k${n}`)}${n % 2 ? pairs[0] : ''}`), { a: whole })}
    CREATE TABLE parts (id INT, day DATE, a TEXT, PRIMARY KEY (id, day)) CHARSET utf8mb4 PARTITION BY HASH (id) PARTITIONS 3;
    ${fill(bench, 'parts', (n) => `${n}, '2020-02-29'`, { a: whole })}
    CREATE TABLE twice (id INT, k VARCHAR(40) COLLATE utf8mb4_bin, a TEXT, PRIMARY KEY (k, id)) CHARSET utf8mb4;
    ${fill(bench, 'twice', (n) => `${n}, ${bench.text(`${hex('k')}${pairs[n % 2]}`)}`, { a: whole })}`;
}

function plantPostgres(bench: Bench): string {
  const whole = join(good, [four], pairs, among(pairs), lone, malformed, ['NULL']);
  const list = (values: readonly string[]): string[] =>
    values.map((value) =>
      value === 'NULL' ? 'NULL' : `=ARRAY[${bench.text(`${hex('x')}${value}${hex('y')}`)}, NULL]`,
    );
  const plain = whole.filter((value) => value !== hex('"\'\\`;--\t\r\n$$'));
  const others = {
    n: ['=-7', '=NULL'],
    x: ['=1e300', "='NaN'"],
    y: ["='\\xeda0bdedb880c080'"],
    z: ["='2001-02-03 04:05:06+07'"],
    i: ["='1 day 2 hours'"],
  };
  const kinds =
    'a text, b varchar(60), c char(70), d short, e text[], n int, x float8, y bytea, z timestamptz, i interval';
  const columns = { a: whole, b: whole, c: whole, d: whole, e: list(plain), ...others };
  return `CREATE DOMAIN short AS varchar(80) CHECK (VALUE <> 'no');
    CREATE TABLE "odd ""name" (id int PRIMARY KEY, ${kinds}, g text GENERATED ALWAYS AS (a || 'x') STORED);
    CREATE INDEX ON "odd ""name" (a) WHERE n IS NULL;
    CREATE UNIQUE INDEX ON "odd ""name" ((a || 'x'), b, c);
    ${fill(bench, '"odd ""name" (id, a, b, c, d, e, n, x, y, z, i)', String, columns)}
    CREATE TABLE keyless (${kinds});
    ${fill(bench, 'keyless', () => '', columns)}
    CREATE TABLE texts (k text PRIMARY KEY, a text);
    ${fill(bench, 'texts', (n) => bench.text(`${hex(`k${n}`)}${n % 2 ? pairs[0] : ''}`), { a: whole })}
    CREATE TABLE parts (id int, k varchar(40), a text, PRIMARY KEY (k, id)) PARTITION BY HASH (k);
    CREATE TABLE parts0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
    CREATE TABLE parts1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
    ${fill(bench, 'parts', (n) => `${n}, ${bench.text(`${hex(`k${n}`)}${pairs[n % 2]}`)}`, { a: whole })}
    CREATE TABLE heirs (more text) INHERITS (texts);
    ${fill(bench, 'heirs', (n) => bench.text(`${hex(`h${n}`)}${pairs[n % 2]}`), { a: whole, more: whole })}
    CREATE UNLOGGED TABLE large (id uuid PRIMARY KEY, a text);
    INSERT INTO large SELECT md5(i::text)::uuid, repeat('wide ', 20000) || ${bench.text(`${hex('a')}${pairs[0]}${hex('b')}`)} FROM generate_series(1, 5) i;`;
}

/** The script of a database with all of it. */
export const plant = (bench: Bench): string =>
  ({ SQLite: plantSqlite, MariaDB: plantMariaDb, PostgreSQL: plantPostgres })[bench.dialect](bench);
