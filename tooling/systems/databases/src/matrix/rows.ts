/** Rows for all tables of a database, damaged in every column of text, as a script for its server. */
import type { Column } from './column.js';
import { createBlob, createText, PAIR, type Place, SOUND } from './damage.js';
import type { Engine } from './engine.js';

/** The rows of a database. */
export interface Rows {
  /** INSERT statements, in ASCII. */
  readonly script: string;
  readonly count: number;
}

/** Creates rows for tables. A row refers to the row of the same number in every table. */
export function createRows(columns: readonly Column[], engine: Engine, seed: number): Rows {
  const tables = new Map<string, Column[]>();
  for (const column of columns) {
    tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  }
  const roots = new Map(columns.map((column) => [`${column.table}.${column.name}`, column]));
  const own = new Map(
    [...tables].map(([table, columns]) => [
      table,
      columns.filter((column) => isDamaged(column, engine) && column.references === undefined),
    ]),
  );
  const last = SOUND + Math.max(...[...own.values()].map(({ length }) => length), 9);
  const statements: string[] = [];
  for (const [table, columns] of tables) {
    const damaged = own.get(table) as Column[];
    for (let row = 1; row <= last; row++) {
      // Nothing in this row could be refused, while the rows that it refers to are.
      if (row > SOUND && damaged.length === 0) break;
      const values = columns.map((column) => {
        const root = findRoot(column, roots);
        const list = own.get(root.table) as Column[];
        const isLone = row > SOUND && list[(row - SOUND - 1) % list.length] === root;
        const isNull =
          (row === 6 && column.isNullable && root === column) ||
          (row > SOUND && root.isNullable && !isLone && row % 3 === 0);
        if (isNull && column.isNullable) return 'NULL';
        const limit = Math.min(column.limit ?? 60, root.limit ?? 60, 60);
        const domain = `${root.table}.${root.name}`;
        const place = { row, domain, engine, seed, limit };
        return engine === 'postgres'
          ? spellForPostgres(root, place, isLone)
          : spellForMariaDb(root, place, isLone);
      });
      const names = columns.map(({ name }) => quoteName(name, engine));
      const target = engine === 'postgres' ? table : quoteName(table, engine);
      statements.push(
        `INSERT INTO ${target} (${names.join(', ')}) VALUES (${values.join(', ')});\n`,
      );
    }
  }
  return { script: statements.join(''), count: statements.length };
}

/** Follows references to the column that has the values. */
function findRoot(column: Column, all: ReadonlyMap<string, Column>): Column {
  let root = column;
  for (let i = 0; i < 9 && root.references !== undefined; i++) {
    const next = all.get(root.references);
    if (!next || next === root) break;
    root = next;
  }
  return root;
}

const textTypes: Readonly<Record<Engine, ReadonlySet<string>>> = {
  postgres: new Set([
    ...[
      'text',
      'varchar',
      'bpchar',
      'name',
      'citext',
      'json',
      'jsonb',
      '_text',
      '_varchar',
      'hstore',
      'couple',
    ],
    ...['_couple', 'tsvector', '_json', 'words', '_words', '_hstore'],
  ]),
  mariadb: new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext']),
};

/** Tells whether damage is planted in a column. */
const isDamaged = ({ type, charset }: Column, engine: Engine): boolean =>
  textTypes[engine].has(type) && (engine === 'postgres' || /^utf8mb[34]$/.test(charset));

const quoteName = (name: string, engine: Engine): string =>
  engine === 'postgres' ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``;

const hexOf = (value: string): string => Buffer.from(value, 'latin1').toString('hex');

/** A literal of PostgreSQL, in ASCII. */
const literal = (value: string): string =>
  `E'${value.replaceAll(/[^ -&(-[\]-~]/g, (c) => `\\x${hexOf(c)}`)}'`;

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

function spellForPostgres({ type }: Column, place: Place, isLone: boolean): string {
  const { row } = place;
  const text = (part = ''): string => createText({ ...place, domain: place.domain + part }, isLone);
  const blob = (part = ''): string =>
    `\\x${hexOf(createBlob({ ...place, domain: place.domain + part }))}`;
  const simple = simpleValues[type];
  if (simple) return `'${simple(row)}'`;
  const composite = (): string => `(${quoted(text('1'))},${quoted(blob())},${row})`;
  switch (type) {
    case 'bytea':
      return literal(blob());
    case '_bytea':
      return literal(`{${quoted(blob('1'))},NULL,${quoted(blob('2'))}}`);
    case 'text':
    case 'varchar':
    case 'bpchar':
    case 'citext':
    case 'name':
    case 'words':
      return literal(text());
    case 'char':
      return `'${'abc"'[row % 4]}'`;
    case 'label':
    case 'mpaa_rating': {
      const labels =
        type === 'label'
          ? ['plain', PAIR, "it's", '\xed\x95\x9c\xea\xb8\x80']
          : ['G', 'PG', 'PG-13', 'R'];
      return literal(labels[row % 4] as string);
    }
    case '_label':
      return literal(`{plain,${quoted(PAIR)},NULL,"it's"}`);
    case 'json':
      return literal(createJson(text, '\\ud83d\\ude00'));
    case 'jsonb':
      return literal(createJson(text, 'x'));
    case '_json':
      return literal(`{${quoted(createJson(text, '\\ud83d\\ude00'))},NULL,"{}"}`);
    case '_text':
    case '_varchar':
    case '_words':
      return literal(`{${quoted(text('1'))},NULL,${quoted(text('2'))},plain}`);
    case 'hstore':
      return literal(
        `${quoted(text('1'))}=>${quoted(text('2'))}, plain=>NULL, ${quoted('a b')}=>""`,
      );
    case '_hstore':
      return literal(`{${quoted(`${quoted(text('1'))}=>${quoted(text('2'))}`)}}`);
    case 'couple':
      return literal(composite());
    case '_couple':
      return literal(`{${quoted(composite())},NULL}`);
    case 'tsvector':
      return literal(`'${text().replaceAll(/['\\]/g, '$&$&')}':1,3 'plain':2A`);
    case 'xml':
      return literal(`<a b="${row}">'\xed\x95\x9c&amp;\xf0\x9f\x98\x80\\</a>`);
    default:
      throw new Error(`no value for the type ${type} of PostgreSQL`);
  }
}

const date = (row: number): string => `2020-01-${String((row % 28) + 1).padStart(2, '0')}`;

const simpleValues: Readonly<Record<string, (row: number) => string>> = {
  int2: String,
  int4: (row) => String(row),
  int8: (row) => String(row),
  year: (row) => String(2000 + row),
  xid: String,
  oid: (row) => String(4711 + (row % 2)),
  numeric: (row) => `${row}.25`,
  float4: (row) => `${row}.5`,
  float8: (row) => `${row}.125`,
  money: (row) => `${row}.10`,
  bool: (row) => (row % 2 ? 't' : 'f'),
  bit: (row) => row.toString(2).padStart(13, '0'),
  varbit: (row) => row.toString(2),
  date,
  time: (row) => `10:11:${String(row).padStart(2, '0')}.5`,
  timetz: (row) => `10:11:${String(row).padStart(2, '0')}+02`,
  timestamp: (row) => `${date(row)} 10:11:12.345`,
  timestamptz: (row) => `${date(row)} 10:11:12+00`,
  interval: (row) => `${row} days 2 hours`,
  uuid: (row) => `a0eebc99-9c0b-4ef8-bb6d-${String(row).padStart(12, '0')}`,
  inet: (row) => `192.168.0.${row}`,
  cidr: (row) => `10.${row}.0.0/16`,
  macaddr: (row) => `08:00:2b:01:02:${String(row).padStart(2, '0')}`,
  point: (row) => `(${row},2)`,
  box: (row) => `(${row},2),(0,0)`,
  circle: (row) => `<(${row},2),3>`,
  int4range: (row) => `[1,${row + 1})`,
  tstzrange: (row) => `[${date(1)},${date(row % 20)}]`,
  _int4: (row) => `{${row},NULL,3}`,
  pg_lsn: (row) => `0/${row.toString(16)}`,
};

/** A document with damage in a key, a value and a list; its escapes stand for characters. */
function createJson(text: (part: string) => string, emoji: string): string {
  const string = (part: string): string => JSON.stringify(text(part).replaceAll('\0', ''));
  return `{${string('1')}: ${string('2')}, "list": [${string('3')}, 1.50, null, "\\"${emoji}\\n"], "a": {}}`;
}

function spellForMariaDb({ type, charset, name }: Column, place: Place, isLone: boolean): string {
  const { row } = place;
  const hex = (value: string): string => `X'${hexOf(value)}'`;
  switch (type) {
    case 'enum':
      return String((row % 4) + 1);
    case 'set':
      return String(row % 8);
    case 'bit':
      return String(row * 111);
    case 'geometry':
    case 'point':
      return `ST_GeomFromText('POINT(${row} 2.5)')`;
    case 'year':
      return String(2000 + row);
    case 'decimal':
    case 'float':
    case 'double':
      return `${row}.25`;
    case 'date':
      return `'${date(row)}'`;
    case 'time':
      return `'10:11:12.${String(row).padStart(6, '0')}'`;
    case 'datetime':
    case 'timestamp':
      return `'${date(row)} 10:11:12.5'`;
    case 'uuid':
      return `'a0eebc99-9c0b-4ef8-bb6d-${String(row).padStart(12, '0')}'`;
    case 'inet6':
      return `'2001:db8::${row}'`;
    case 'tinyint':
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'bigint':
      return String(row);
    case 'binary':
    case 'varbinary':
    case 'tinyblob':
    case 'blob':
    case 'mediumblob':
    case 'longblob':
      return hex(createBlob(place));
    default:
      if (charset === 'binary') return hex(createBlob(place));
      if (charset === 'latin1')
        return `_latin1 ${hex(row % 2 ? `${row} gr\xfc\xdf'\\` : `${row} plain`)}`;
      if (charset === 'ascii') return `_ascii ${hex(`${row} 'plain' \\`)}`;
      if (charset === 'utf16') return `_utf8mb4 ${hex(`${row}\xed\x95\x9c'\xf0\x9f\x98\x80`)}`;
      if (charset === 'ucs2') return `_utf8mb4 ${hex(`${row}\xed\x95\x9c'\\`)}`;
      if (type === 'longtext' && name === 'g') {
        const text = (part: string): string =>
          createText({ ...place, domain: place.domain + part }, isLone);
        return `_utf8mb4 ${hex(createJson(text, '\\ud83d\\ude00'))}`;
      }
      if (charset === 'utf8mb3') {
        // The column cannot store characters in four bytes.
        const text = createText(place, isLone).replaceAll(/[\xf0-\xf4][\x80-\xbf]{3}/g, 'x');
        return `_utf8mb3 ${hex(text)}`;
      }
      return `_utf8mb4 ${hex(createText(place, isLone))}`;
  }
}
