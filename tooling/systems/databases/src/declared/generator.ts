/**
 * Random dumps: format, declaration, bytes, columns and policies are chosen independently, as years of use leave them.
 */
import { Random } from '@utf8/oracles/interop/random';
import type { Case } from './check.js';
import type { Dump, Format, Origin, Value } from './dump.js';
import { emoji, encodeLegacy, toCesu8, toHex, toMojibake, words } from './texts.js';

/** Names that servers and decoders have for single-byte encodings. */
const legacy: Readonly<Record<Format, Readonly<Record<string, string>>>> = {
  mysqldump: {
    latin1: 'windows-1252',
    cp1251: 'windows-1251',
    latin2: 'iso-8859-2',
    greek: 'iso-8859-7',
    koi8r: 'koi8-r',
  },
  pg_dump: {
    LATIN1: 'windows-1252',
    WIN1252: 'windows-1252',
    WIN1251: 'windows-1251',
    LATIN2: 'iso-8859-2',
    KOI8R: 'koi8-r',
  },
};

const declarations: Readonly<Record<Format, readonly (string | undefined)[]>> = {
  mysqldump: [
    'utf8mb4',
    'utf8mb4',
    'utf8',
    'utf8mb3',
    'latin1',
    'latin1',
    'binary',
    'cp1251',
    'latin2',
    'greek',
    'koi8r',
    undefined,
  ],
  pg_dump: [
    'UTF8',
    'UTF8',
    'SQL_ASCII',
    'LATIN1',
    'WIN1252',
    'WIN1251',
    'LATIN2',
    'KOI8R',
    undefined,
  ],
};

const charsets = [
  'utf8mb4',
  'utf8mb4',
  'utf8mb3',
  'latin1',
  'latin1',
  'cp1251',
  'latin2',
  'ascii',
  '',
];

/** Their bytes are not text in a dump that passes bytes. */
const wideCharsets = ['ucs2', 'utf16'];

interface Column {
  readonly name: string;
  readonly definition: string;
  readonly kind: 'text' | 'json' | 'binary';
  /** Introducer before a literal. */
  readonly introducer: string;
}

interface Plan {
  readonly name: string;
  readonly format: Format;
  readonly connection: string | undefined;
  readonly isCopy: boolean;
  readonly header: string;
  readonly columns: readonly Column[];
  readonly values: readonly Value[];
}

/** A random case, and the same with only one of its values. */
export interface Generated extends Case {
  shrink(place: { readonly row: number; readonly column: string }): Case;
}

/** Generates a case. */
export function generate(seed: number): Generated {
  const random = new Random(seed);
  const format = random.pick(['mysqldump', 'mysqldump', 'pg_dump'] as const);
  const connection = random.pick(declarations[format]);
  const plan: Plan = {
    name: `seed ${seed}`,
    format,
    connection,
    isCopy: format === 'pg_dump' && random.below(3) > 0,
    header:
      format === 'mysqldump'
        ? declareMySql(connection, random)
        : declarePostgres(connection, random),
    columns: Array.from({ length: random.between(1, 3) }, (_, i) =>
      format === 'mysqldump'
        ? createMySqlColumn(i, connection, random)
        : createPostgresColumn(i, random),
    ),
    values: [],
  };
  const rows = random.between(1, 3);
  // Most dumps have one history.
  const history = random.pick(histories);
  const values = Array.from({ length: rows }, (_, i) =>
    plan.columns.map((column) =>
      createValue(
        { row: i + 1, column, history: random.below(6) ? history : random.pick(histories) },
        plan,
        random,
      ),
    ),
  ).flat();
  const errors = random.pick(['fail', 'fail', 'windows-1252', 'replace'] as const);
  const mojibake = random.pick(['keep', 'repair'] as const);
  const variant = { errors, mojibake, fixesHeader: random.below(2) > 0 };
  return {
    dump: render({ ...plan, values }),
    variant,
    shrink: ({ row, column }) => {
      const only = {
        columns: plan.columns.filter(({ name }) => name === column),
        values: values.filter((value) => value.row === row && value.column === column),
      };
      return { dump: render({ ...plan, ...only }), variant };
    },
  };
}

const histories = [
  'as declared',
  'as declared',
  'utf-8',
  'utf-8',
  'cesu-8',
  'legacy',
  'mojibake',
] as const;

function declareMySql(connection: string | undefined, random: Random): string {
  const settings = "/*!40101 SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;\n";
  // Forms that mysqldump of different ages writes, and that people write.
  const names = random.pick([
    '/*!40101 SET NAMES X */;\n',
    '/*!50503 SET NAMES X */;\n',
    'SET NAMES X;\n',
    "SET NAMES 'X';\n",
  ]);
  return `${connection === undefined ? '' : names.replace('X', connection)}${random.below(4) ? settings : ''}`;
}

function declarePostgres(connection: string | undefined, random: Random): string {
  const names = random.pick(["SET client_encoding = 'X';\n", "SET client_encoding TO 'X';\n"]);
  return `${connection === undefined ? '' : names.replace('X', connection)}SET standard_conforming_strings = on;\n`;
}

function createMySqlColumn(i: number, connection: string | undefined, random: Random): Column {
  const name = `c${i}`;
  const kind = random.pick([
    'text',
    'text',
    'text',
    'text',
    'text',
    'text',
    'json',
    'binary',
  ] as const);
  if (kind === 'binary') {
    const definition = random.pick(['blob', 'varbinary(200)']);
    return { name, kind, definition, introducer: random.pick(['', '_binary ']) };
  }
  const type =
    kind === 'json' ? 'longtext' : random.pick(['varchar(200)', 'char(90)', 'text', 'mediumtext']);
  const set =
    kind === 'json'
      ? 'utf8mb4'
      : random.pick(connection === 'binary' ? charsets : [...charsets, ...wideCharsets]);
  const charset = set && ` CHARACTER SET ${set}`;
  const check = kind === 'json' ? ` CHECK (json_valid(\`${name}\`))` : '';
  return { name, kind, definition: `${type}${charset} DEFAULT NULL${check}`, introducer: '' };
}

function createPostgresColumn(i: number, random: Random): Column {
  const type = random.pick(['text', 'text', 'character varying(200)', 'json', 'bytea']);
  const kind = type === 'bytea' ? 'binary' : type === 'json' ? 'json' : 'text';
  return { name: `c${i}`, kind, definition: type, introducer: '' };
}

interface Place {
  readonly row: number;
  readonly column: Column;
  readonly history: Origin;
}

function createValue(
  { row, column, history }: Place,
  { format, connection }: Plan,
  random: Random,
): Value {
  const place = { row, column: column.name };
  const wrap = (text: string): string => (column.kind === 'json' ? `{"a":"${text}"}` : text);
  const text = wrap(random.below(5) ? random.pick(words) : random.pick(['plain', ...emoji]));
  const utf8 = toHex(text);
  if (column.kind === 'binary') {
    const bytes = random.pick([utf8, toCesu8(wrap('😀')), 'e4fc80ff']);
    return { ...place, origin: 'binary', text: '', bytes };
  }
  const label = connection && legacy[format][connection];
  const spell = (): readonly [Origin, string, string] => {
    if (history === 'cesu-8') {
      const pair = wrap(random.pick(emoji));
      return [history, toHex(pair), toCesu8(pair)];
    }
    if (history === 'mojibake') return [history, utf8, toMojibake(text)];
    // A declared encoding that lacks the text is that of a program that wrote UTF-8 all the same.
    const bytes = history === 'as declared' ? label && encodeLegacy(text, label) : undefined;
    if (bytes) return [history, utf8, bytes];
    if (history !== 'legacy') return ['utf-8', utf8, utf8];
    const [known, fits] = random.pick(
      words.flatMap((word) =>
        ['windows-1252', 'windows-1252', 'windows-1251', 'iso-8859-2'].flatMap((each) => {
          const spelled = encodeLegacy(wrap(word), each);
          return spelled === undefined ? [] : [[toHex(wrap(word)), spelled] as const];
        }),
      ),
    );
    return [history, known, fits];
  };
  const [origin, meant, bytes] = spell();
  return { ...place, origin, text: meant, bytes };
}

function render(plan: Plan): Dump {
  const { name, format, connection, columns, values } = plan;
  return {
    name,
    format,
    connection,
    table: 't',
    columns: columns.map((column) => ({ name: column.name, isBinary: column.kind === 'binary' })),
    values,
    bytes: Buffer.from(write(plan, false), 'latin1'),
    valueByValue: Buffer.from(write(plan, true), 'latin1'),
  };
}

function write(
  { format, header, columns, values, isCopy, name }: Plan,
  isValueByValue: boolean,
): string {
  const rows = [...new Set(values.map(({ row }) => row))].map((row) =>
    columns.map((column) => ({
      column,
      value: values.find((each) => each.row === row && each.column === column.name) as Value,
    })),
  );
  const ids = rows.map(([first]) => first?.value.row);
  if (format === 'mysqldump') {
    const set = new Random(name.length + values.length).pick(['utf8mb4', 'latin1', 'utf8mb3']);
    const defined = columns.map((column) => `,\n  \`${column.name}\` ${column.definition}`);
    const table = `CREATE TABLE \`t\` (\n  \`id\` int NOT NULL${defined.join('')},\n  PRIMARY KEY (\`id\`)\n) ENGINE=MyISAM DEFAULT CHARSET=${set};\n`;
    const spell = ({ column, value }: Cell): string =>
      `${column.introducer}'${escapeMySql(value.bytes)}'`;
    if (isValueByValue) return header + table + update('t', rows, spell);
    const tuples = rows.map((row, i) => `(${[ids[i], ...row.map(spell)].join(',')})`);
    return `${header}${table}INSERT INTO \`t\` VALUES ${tuples.join(',')};\n`;
  }
  const defined = columns.map((column) => `,\n    ${column.name} ${column.definition}`).join('');
  const table = `CREATE TABLE public.t (\n    id integer NOT NULL${defined}\n);\n`;
  const listed = ['id', ...columns.map((column) => column.name)].join(', ');
  const spell = ({ column, value }: Cell): string =>
    column.kind === 'binary' ? `'\\x${value.bytes}'` : `'${latin1(value.bytes)}'`;
  if (isValueByValue) return header + table + update('public.t', rows, spell);
  if (isCopy) {
    const lines = rows.map((row, i) => `${[ids[i], ...row.map(toCopy)].join('\t')}\n`);
    return `${header}${table}COPY public.t (${listed}) FROM stdin;\n${lines.join('')}\\.\n`;
  }
  const inserts = rows.map(
    (row, i) =>
      `INSERT INTO public.t (${listed}) VALUES (${[ids[i], ...row.map(spell)].join(', ')});\n`,
  );
  return header + table + inserts.join('');
}

interface Cell {
  readonly column: Column;
  readonly value: Value;
}

/** Statements for one value each. */
const update = (
  table: string,
  rows: readonly (readonly Cell[])[],
  spell: (cell: Cell) => string,
): string =>
  rows
    .map((row) => {
      const id = row[0]?.value.row;
      const updates = row.map(
        (cell) => `UPDATE ${table} SET ${cell.column.name} = ${spell(cell)} WHERE id = ${id};\n`,
      );
      return `INSERT INTO ${table} (id) VALUES (${id});\n${updates.join('')}`;
    })
    .join('');

// None of the texts has a tab, a line feed, a quote or a backslash.
const toCopy = ({ column, value }: Cell): string =>
  column.kind === 'binary' ? `\\\\x${value.bytes}` : latin1(value.bytes);

const latin1 = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');

const escapeMySql = (hex: string): string => latin1(hex).replace(/['"\\]/g, '\\$&');
