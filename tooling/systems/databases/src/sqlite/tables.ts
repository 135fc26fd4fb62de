/** Every kind of table, column and value that SQLite has. */
import { text } from './session.js';

/** Each as a function of a number, so that values of a unique column differ. */
export const values: Readonly<Record<string, (n: number) => string>> = {
  null: () => 'NULL',
  integer: (n) => String(n),
  'large integer': (n) => String(9_007_199_254_740_993n + BigInt(n)),
  real: (n) => `${n}.1`,
  'exact real': (n) => `${n} / 3.0`,
  'blob that looks like a pair': (n) => `X'${toHex(n)}EDA0BDEDB880'`,
  'empty text': () => "''",
  ASCII: (n) => `'plain ${n}'`,
  'four bytes': (n) => text(`${toHex(n)}F09F9880`),
  pair: (n) => text(`${toHex(n)}EDA0BDEDB880`),
  'pairs among text': (n) => text(`EDA0BDEDB880C3A9${toHex(n)}EDA0BDEDB880`),
  'lone surrogate': (n) => text(`${toHex(n)}EDA0BD`),
  'U+0000 in two bytes': (n) => text(`${toHex(n)}C08041`),
  'U+0000 and a pair': (n) => text(`${toHex(n)}00EDA0BDEDB88000`),
  'no UTF-8 and a pair': (n) => text(`${toHex(n)}FF92EDA0BDEDB880E282`),
  'quotes and a pair': (n) => text(`${toHex(n)}2722600A0D5C2D2DEDA0BDEDB880`),
  'long text with a pair': (n) => text(`${'6162'.repeat(5000)}${toHex(n)}EDA0BDEDB880`),
};

const toHex = (n: number): string => Buffer.from(`v${n} `).toString('hex');

/** Columns that take any value. */
const anyColumns: Readonly<Record<string, string>> = {
  t_text: 'TEXT',
  t_varchar: 'VARCHAR(4)',
  t_none: '',
  t_blob: 'BLOB',
  t_integer: 'INTEGER',
  t_real: 'REAL',
  t_numeric: 'DECIMAL(5, 2)',
  t_nocase: 'TEXT COLLATE NOCASE',
  t_rtrim: 'TEXT COLLATE RTRIM',
  't "quoted"': "TEXT DEFAULT 'x, COLLATE y' /* COLLATE z */",
  t_unique: 'TEXT UNIQUE',
  t_indexed: 'TEXT',
};

const strictColumns: Readonly<Record<string, string>> = {
  s_text: 'TEXT',
  s_any: 'ANY',
  s_any_nocase: 'ANY COLLATE NOCASE',
};

const toDefinition = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, type]) => `"${name.replaceAll('"', '""')}" ${type}`)
    .join(', ');

interface Kind {
  readonly create: string;
  readonly columns: readonly string[];
  /** The key of row `n`, as SQL by column; of some, `n` is a text with a pair. */
  readonly key?: (n: number) => Readonly<Record<string, string>>;
}

const kind = (before: string, after = '', key?: Kind['key'], columns = anyColumns): Kind => ({
  create: `(${before}${before && ', '}${toDefinition(columns)}${after}`,
  columns: Object.keys(columns),
  ...(key && { key }),
});

const damaged = (n: number): string => text(`${toHex(n)}${n % 2 === 0 ? 'EDA0BDEDB880' : '7A'}`);

/** Rows of a table. */
export const kinds: Readonly<Record<string, Kind>> = {
  rowid: kind('', ')'),
  'integer primary key': kind('id INTEGER PRIMARY KEY', ')', (n) => ({ id: String(n * 7 - 20) })),
  'large rowids': kind('', ')', (n) => ({
    rowid: String(-9_223_372_036_854_775_808n + BigInt(n)),
  })),
  'no rowid by that name': kind('rowid TEXT, "OID" TEXT', ')', (n) => ({ _rowid_: String(n + 5) })),
  'generated columns': kind(
    'g1 TEXT GENERATED ALWAYS AS (t_text || t_none) VIRTUAL, g2 AS (upper(t_text)) STORED',
    ')',
  ),
  'integer without rowid': kind('id INT PRIMARY KEY', ') WITHOUT ROWID', (n) => ({
    id: String(n),
  })),
  'text without rowid': kind('id TEXT PRIMARY KEY', ') WITHOUT ROWID', (n) => ({ id: damaged(n) })),
  'descending text without rowid': kind(
    'id TEXT COLLATE NOCASE, n INT',
    ', PRIMARY KEY (id DESC, n)) WITHOUT ROWID',
    (n) => ({ id: damaged(n), n: String(n) }),
  ),
  'blob without rowid': kind('id BLOB PRIMARY KEY', ') WITHOUT ROWID', (n) => ({
    id: `X'${toHex(n)}EDA0BDEDB880'`,
  })),
  'real without rowid': kind('id REAL PRIMARY KEY', ') WITHOUT ROWID', (n) => ({
    id: n === 0 ? '9e999' : `${n} / 7.0`,
  })),
  'anything without rowid': kind(
    'a, b COLLATE RTRIM, c',
    ', PRIMARY KEY (a, b COLLATE NOCASE DESC, c)) WITHOUT ROWID',
    (n) => ({
      a: ['1', '1.5', "'1'", "X'31'", damaged(2)][n % 5] as string,
      b: ['2', damaged(n % 3), "X'00'"][n % 3] as string,
      c: n % 2 ? String(n) : damaged(n),
    }),
  ),
  strict: kind('n INT, r REAL, b BLOB', ') STRICT', undefined, strictColumns),
  'strict without rowid': kind(
    'id TEXT PRIMARY KEY',
    ') STRICT, WITHOUT ROWID',
    (n) => ({ id: damaged(n) }),
    strictColumns,
  ),
};

/** Creates a table of every kind in which each column has every value, and full-text indexes. */
export function writeScript(): string {
  const statements: string[] = [
    'PRAGMA user_version = 42;',
    'PRAGMA application_id = 77;',
    'BEGIN;',
  ];
  for (const [name, { create, columns, key }] of Object.entries(kinds)) {
    statements.push(`CREATE TABLE "${name}" ${create};`);
    if (columns.includes('t_indexed'))
      statements.push(
        `CREATE INDEX "${name} plain" ON "${name}" (t_indexed, t_none DESC);`,
        `CREATE INDEX "${name} partial" ON "${name}" (t_text COLLATE NOCASE) WHERE t_varchar IS NOT NULL;`,
        `CREATE UNIQUE INDEX "${name} expression" ON "${name}" (substr(t_unique, 1, 99999), typeof(t_none));`,
      );
    let n = 0;
    for (const [i, column] of columns.entries()) {
      for (const value of Object.values(values)) {
        if (column === 's_text' && !/^(?:NULL$|'|CAST)/.test(value(n))) continue;
        // One row for each; other columns have text with and without damage.
        const row: Record<string, string> = { ...key?.(n), [column]: value(n) };
        const other = columns[(i + 1 + (n % (columns.length - 1))) % columns.length] as string;
        row[other] = damaged(n);
        const names = Object.keys(row).map((each) =>
          each === '_rowid_' || each === 'rowid' ? each : `"${each.replaceAll('"', '""')}"`,
        );
        statements.push(
          `INSERT INTO "${name}" (${names.join(', ')}) VALUES (${Object.values(row).join(', ')});`,
        );
        n++;
      }
    }
  }
  for (const module of ['fts3', 'fts4', 'fts5']) {
    statements.push(`CREATE VIRTUAL TABLE "${module} index" USING ${module}(title, body);`);
    Object.entries(values).forEach(([name, value], n) => {
      // SQLite 3.53 spells its 16th digit, so that it misses words in an index of 3.40.
      if (name === 'exact real') return;
      statements.push(
        `INSERT INTO "${module} index" (rowid, title, body) VALUES (${n * 3 + 1}, ${value(n)}, ${damaged(n)});`,
      );
    });
  }
  statements.push(`CREATE VIEW seen AS SELECT t_text FROM "rowid";`, 'COMMIT;');
  return statements.join('\n');
}
