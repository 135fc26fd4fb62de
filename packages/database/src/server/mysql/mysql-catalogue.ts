/** What the catalogue of MySQL or MariaDB says about the tables of a database. */
import { InputError } from '@utf8/dump';
import type { Effect, Table, TextColumn, TextReference, UniqueKey } from '../table.js';
import { findObstacle, isLimited, isUtf8, mayContainUtf8, readOther } from './mysql-columns.js';
import type { MysqlConnection } from './mysql-connection.js';
import { type Definition, findJsonColumns, parseDefinition } from './mysql-definition.js';
import { type Grant, hasPrivilege, parseGrant, showsAllColumns } from './mysql-grants.js';
import { findKeyKind, type KeyColumn, quoteName, toLabel } from './mysql-literal.js';
import { PROGRESS_TABLE } from './mysql-progress.js';

/** What the implementation needs of a table besides {@link Table}. */
export interface MysqlTable extends Table {
  /** The columns of the key with how they are compared. */
  readonly keyColumns: readonly KeyColumn[] | undefined;
  /** The index to read pages by. */
  readonly keyIndex: string | undefined;
  /** All columns that are not generated, and the expressions that read them to be compared. */
  readonly readers: ReadonlyMap<string, string>;
  /** Those that the server would set to the time of an UPDATE. */
  readonly updatedColumns: readonly string[];
  /** By name of the unique key: how many characters or bytes of a column are compared, if not all. */
  readonly prefixes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Whether the key contains a TIMESTAMP, whose words depend on the time zone. */
  readonly hasTimestampKey: boolean;
  /** Foreign keys of any kind, by all their columns. */
  readonly allReferences: readonly MysqlReference[];
  /** Its columns that have to be altered, by their statements. */
  readonly obstructed: ReadonlyMap<string, string>;
}

/** A foreign key. Either of its tables may be in another database. */
export interface MysqlReference extends TextReference {
  readonly childSql: string;
  readonly parentSql: string;
}

interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  readonly dataType: string;
  readonly charset: string | undefined;
  readonly collation: string | undefined;
  readonly characters: number | undefined;
  readonly bytes: number | undefined;
  readonly isNullable: boolean;
  readonly isGenerated: boolean;
  readonly isUpdated: boolean;
  readonly isRowEnd: boolean;
}

interface IndexColumn {
  /** Undefined for an expression. */
  readonly column: string | undefined;
  readonly prefix: number | undefined;
}

export interface Catalogue {
  /** As the server spells it, which may be in lower case. */
  readonly database: string;
  readonly tables: ReadonlyMap<string, MysqlTable>;
  readonly grants: readonly Grant[];
}

/** Runs a query; NULL is empty. */
export type Read = (sql: string) => Promise<string[][]>;

/** What the catalogue says about the tables of a database, by table. */
interface Sources {
  readonly database: string;
  readonly isMariaDb: boolean;
  readonly columns: ReadonlyMap<string, string[][]>;
  readonly indexes: ReadonlyMap<string, string[][]>;
  readonly triggers: ReadonlyMap<string, string[][]>;
  readonly checks: ReadonlyMap<string, string[][]>;
  readonly references: readonly MysqlReference[];
  readonly transactional: ReadonlySet<string>;
  readonly grants: readonly Grant[];
}

export const createRead =
  (connection: MysqlConnection): Read =>
  async (sql) => {
    const rows = await connection.demand(sql);
    return rows.map((row) => row.map((cell) => cell?.toString() ?? ''));
  };

/** Reads the catalogue of the connection's database. */
export async function readCatalogue(connection: MysqlConnection): Promise<Catalogue> {
  const read = createRead(connection);
  const sources = await readSources(read, connection.isMariaDb);
  const rows = await read(
    `SELECT TABLE_NAME, TABLE_TYPE, ENGINE, TABLE_ROWS FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')`,
  );
  const tables = new Map<string, MysqlTable>();
  for (const row of rows.sort(byName)) {
    const table = await describeTable(read, sources, row);
    if (table) tables.set(table.name, table);
  }
  const { database, grants } = sources;
  return { database, tables, grants };
}

async function readSources(read: Read, isMariaDb: boolean): Promise<Sources> {
  const schema = 'TABLE_SCHEMA = DATABASE()';
  const database = (await read('SELECT DATABASE()'))[0]?.[0] ?? '';
  const columns = await read(
    `SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, CHARACTER_SET_NAME, COLLATION_NAME,
     CHARACTER_MAXIMUM_LENGTH, CHARACTER_OCTET_LENGTH, IS_NULLABLE, EXTRA, GENERATION_EXPRESSION
     FROM information_schema.COLUMNS WHERE ${schema} ORDER BY TABLE_NAME, ORDINAL_POSITION`,
  );
  const indexes = await read(
    `SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SUB_PART FROM information_schema.STATISTICS
     WHERE ${schema} AND NON_UNIQUE = 0
     ORDER BY TABLE_NAME, INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX`,
  );
  const triggers = await read(
    `SELECT EVENT_OBJECT_TABLE, TRIGGER_NAME FROM information_schema.TRIGGERS
     WHERE EVENT_OBJECT_SCHEMA = DATABASE() AND EVENT_MANIPULATION = 'UPDATE' ORDER BY TRIGGER_NAME`,
  );
  const checks = isMariaDb
    ? await read(
        `SELECT TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS
         WHERE CONSTRAINT_SCHEMA = DATABASE()`,
      )
    : [];
  const engines = await read(
    `SELECT ENGINE FROM information_schema.ENGINES
     WHERE TRANSACTIONS = 'YES' AND SAVEPOINTS = 'YES'`,
  );
  return {
    database,
    isMariaDb,
    columns: group(columns),
    indexes: group(indexes),
    triggers: group(triggers),
    checks: group(checks),
    references: await readReferences(read, database, group(columns)),
    transactional: new Set(engines.flat()),
    grants: (await read('SHOW GRANTS')).flatMap(([line = '']) => parseGrant(line) ?? []),
  };
}

/** Puts together what is known about a table; undefined if it has no text, or is ours. */
async function describeTable(
  read: Read,
  sources: Sources,
  [name = '', type = '', engine = '', rows = '']: readonly string[],
): Promise<MysqlTable | undefined> {
  const all = (sources.columns.get(name) ?? []).map(readColumn);
  const own = all.filter(({ isGenerated }) => !isGenerated);
  const texts = own.filter(isText);
  if (texts.length === 0 || name === PROGRESS_TABLE) return undefined;
  const sql = quoteName(name);
  const label = toLabel(name);
  const definition = texts.some(({ charset }) => isLimited(charset))
    ? await readDefinition(read, sql)
    : undefined;
  const jsons = findJsonColumns((sources.checks.get(name) ?? []).flat());
  const columns = texts.map((column) => ({
    ...toTextColumn(sql, column, jsons, definition),
    refusesMalformed: !sources.isMariaDb && isUtf8(column.charset),
  }));
  const textNames = new Set(columns.map((column) => column.name));
  const hasText = (names: readonly string[]): boolean => names.some((each) => textNames.has(each));
  const unique = groupIndexes(sources.indexes.get(name) ?? [], all);
  const key = findKey(unique, all);
  const keyNames = key?.columns.map((column) => column.name) ?? [];
  const references = sources.references.filter(
    ({ child, parent }) => child === label || parent === label,
  );
  const triggers = (sources.triggers.get(name) ?? []).flat();
  const isTold = hasPrivilege(sources.grants, 'TRIGGER', sources.database, name);
  const refusal = findTableRefusal(sources, name, engine);
  return {
    name: label,
    sql,
    columns,
    otherColumns: own.filter((column) => !textNames.has(column.name)).map((each) => each.name),
    key: key && { names: keyNames, isStable: true },
    uniqueKeys: listUniqueKeys(unique).filter((each) => hasText(each.columns)),
    references: references
      .filter(
        ({ child, childColumns, parent, parentColumns }) =>
          (child === label && hasText(childColumns)) ||
          (parent === label && hasText(parentColumns)),
      )
      .map(({ childSql: _, parentSql: __, ...reference }) => reference),
    effects: findEffects(triggers, type, isTold),
    rows: rows ? Number(rows) : undefined,
    ...(refusal ? { refusal } : {}),
    keyColumns: key?.columns,
    keyIndex: key?.index,
    readers: new Map(own.map((column) => [column.name, readOther(column.name, column.dataType)])),
    updatedColumns: own.filter(({ isUpdated }) => isUpdated).map((column) => column.name),
    prefixes: new Map([...unique].map(([index, parts]) => [index, listPrefixes(parts)])),
    hasTimestampKey: own.some(
      (column) => column.dataType === 'timestamp' && keyNames.includes(column.name),
    ),
    allReferences: references,
    obstructed: new Map(
      columns.flatMap(({ name: column, obstacle }) =>
        obstacle ? [[obstacle.statement, column]] : [],
      ),
    ),
  };
}

/** Reads what a table was declared with. */
export async function readDefinition(read: Read, sql: string): Promise<Definition> {
  const [row] = await read(`SHOW CREATE TABLE ${sql}`);
  const definition = parseDefinition(row?.[1] ?? '');
  if (!definition) throw unreadable(sql);
  return definition;
}

const unreadable = (sql: string): InputError =>
  new InputError(`the definition of the table ${sql} cannot be read; report this as a defect`);

/** Without transactions nothing can be taken back, and what is hidden could change unseen. */
function findTableRefusal(
  { transactional, grants, database }: Sources,
  name: string,
  engine: string,
): string | undefined {
  if (!transactional.has(engine)) {
    return `${engine} has no transactions; run ALTER TABLE ${quoteName(name)} ENGINE = InnoDB first`;
  }
  return showsAllColumns(grants, database, name)
    ? undefined
    : 'the user may not see all of its columns; grant SELECT on the whole table';
}

const listUniqueKeys = (unique: ReadonlyMap<string, readonly IndexColumn[]>): UniqueKey[] =>
  [...unique]
    // Only the server knows the value of an expression.
    .filter(([, parts]) => parts.every(({ column }) => column !== undefined))
    .map(([name, parts]) => ({ name, columns: parts.flatMap(({ column }) => column ?? []) }));

const listPrefixes = (parts: readonly IndexColumn[]): ReadonlyMap<string, number> =>
  new Map(
    parts.flatMap(({ column, prefix }) => (column && prefix ? [[column, prefix] as const] : [])),
  );

/** In the same order everywhere, whatever the server's collation. */
const byName = ([a = '']: readonly string[], [b = '']: readonly string[]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** Groups rows by their first cell, and removes it. */
function group(rows: readonly string[][]): Map<string, string[][]> {
  const groups = new Map<string, string[][]>();
  for (const [name = '', ...rest] of rows) {
    const list = groups.get(name);
    if (list) list.push(rest);
    else groups.set(name, [rest]);
  }
  return groups;
}

function readColumn(cells: readonly string[]): CatalogueColumn {
  const [name = '', type = '', dataType = '', charset, collation, characters, bytes] = cells;
  const [nullable, extra = '', expression] = cells.slice(7);
  const number = (digits: string | undefined): number | undefined =>
    digits ? Number(digits) : undefined;
  return {
    name,
    type,
    dataType: dataType.toLowerCase(),
    charset: charset || undefined,
    collation: collation || undefined,
    characters: number(characters),
    bytes: number(bytes),
    isNullable: nullable === 'YES',
    // DEFAULT_GENERATED of MySQL is a default.
    isGenerated: Boolean(expression) || /\b(VIRTUAL|STORED|PERSISTENT)\b/i.test(extra),
    isUpdated: /\bon update\b/i.test(extra),
    isRowEnd: expression === 'ROW END',
  };
}

/** ENUM and SET are not values of rows: their text is in the definition of the table. */
const isText = ({ dataType, charset }: CatalogueColumn): boolean =>
  dataType === 'json' ||
  (/(char|text)$/.test(dataType) && charset !== undefined && mayContainUtf8(charset));

function toTextColumn(
  table: string,
  column: CatalogueColumn,
  jsons: ReadonlySet<string>,
  definition: Definition | undefined,
): TextColumn {
  const { name, type, dataType, charset, collation, characters, bytes } = column;
  const sql = quoteName(name);
  const isChars = /char$/.test(dataType);
  // A character of the server is a byte unless the column is in UTF-8.
  const isBytes = isChars && !/^utf8/.test(charset ?? '');
  const own = definition?.parts.find((part) => part.column === name);
  if (definition && !own) throw unreadable(table);
  return {
    name,
    sql,
    type: dataType === 'json' ? 'json' : type,
    syntax: dataType === 'json' || jsons.has(name) ? { is: 'json' } : undefined,
    charset: dataType === 'json' ? 'utf8mb4' : charset,
    collation,
    characters: isChars && !isBytes ? characters : undefined,
    bytes: isBytes ? characters : isChars ? undefined : bytes,
    isGenerated: false,
    obstacle: findObstacle(table, { charset, collation }, own),
  };
}

/** Groups the columns of indexes, without those that MariaDB adds for versions of rows. */
function groupIndexes(
  rows: readonly string[][],
  columns: readonly CatalogueColumn[],
): Map<string, IndexColumn[]> {
  const groups = new Map<string, IndexColumn[]>();
  for (const [index = '', column = '', prefix = ''] of rows) {
    if (columns.some((each) => each.isRowEnd && each.name === column)) continue;
    const part = { column: column || undefined, prefix: prefix ? Number(prefix) : undefined };
    groups.set(index, [...(groups.get(index) ?? []), part]);
  }
  return groups;
}

/** Finds the primary key, or else the first unique key by whole columns that are never NULL. */
function findKey(
  unique: ReadonlyMap<string, readonly IndexColumn[]>,
  columns: readonly CatalogueColumn[],
): { readonly index: string; readonly columns: readonly KeyColumn[] } | undefined {
  for (const [index, parts] of unique) {
    const found = parts.flatMap(({ column, prefix }): KeyColumn[] => {
      const own = columns.find(({ name }) => name === column);
      if (!own || own.isNullable || own.isGenerated || prefix !== undefined) return [];
      const kind = findKeyKind(own.dataType, own.charset);
      return kind ? [{ name: own.name, kind }] : [];
    });
    if (found.length === parts.length && found.length > 0) return { index, columns: found };
  }
  return undefined;
}

function findEffects(triggers: readonly string[], type: string, isTold: boolean): Effect[] {
  const effects: Effect[] = triggers.map((name) => ({ kind: 'trigger', name: `trigger ${name}` }));
  if (!isTold && effects.length === 0) {
    const name = 'triggers, if there are any: the user lacks the privilege TRIGGER to see them';
    effects.push({ kind: 'trigger', name });
  }
  if (type === 'SYSTEM VERSIONED') effects.push({ kind: 'history', name: 'system versioning' });
  return effects;
}

/** @param all - The columns of the database, by table. */
async function readReferences(
  read: Read,
  database: string,
  all: ReadonlyMap<string, string[][]>,
): Promise<MysqlReference[]> {
  const columns = await read(
    `SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, TABLE_SCHEMA, COLUMN_NAME,
     REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
     FROM information_schema.KEY_COLUMN_USAGE
     WHERE REFERENCED_TABLE_NAME IS NOT NULL
       AND (TABLE_SCHEMA = DATABASE() OR REFERENCED_TABLE_SCHEMA = DATABASE())
     ORDER BY CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`,
  );
  if (columns.length === 0) return [];
  const label = (schema: string, table: string): string =>
    schema === database ? toLabel(table) : `${toLabel(schema)}.${toLabel(table)}`;
  const references = new Map<
    string,
    MysqlReference & { childColumns: string[]; parentColumns: string[] }
  >();
  for (const cells of columns) {
    const [schema, table = '', name = '', childSchema = '', column = ''] = cells;
    const [parentSchema = '', parent = '', parentColumn = ''] = cells.slice(5);
    const id = JSON.stringify([schema, table, name]);
    const reference = references.get(id) ?? {
      name,
      child: label(childSchema, table),
      childSql: `${quoteName(childSchema)}.${quoteName(table)}`,
      childColumns: [],
      parent: label(parentSchema, parent),
      parentSql: `${quoteName(parentSchema)}.${quoteName(parent)}`,
      parentColumns: [],
      // Whatever the rule is: rows move without foreign_key_checks, and nothing cascades then.
      cascades: false,
    };
    reference.childColumns.push(column);
    // MySQL writes it in lower case.
    const own = parentSchema === database ? (all.get(parent) ?? []) : [];
    const spelled = own.find(([each = '']) => each.toLowerCase() === parentColumn.toLowerCase());
    reference.parentColumns.push(spelled?.[0] ?? parentColumn);
    references.set(id, reference);
  }
  return [...references.values()];
}
