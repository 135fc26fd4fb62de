/** Tables of a database, from the catalogue of MySQL or MariaDB. */
import { InputError } from '@utf8/dump';
import type { RecordOf } from '../record.js';
import type { Effect, Table, TextColumn, TextReference, UniqueKey } from '../table.js';
import { type Cell, numberIfAny, text, textIfAny } from './mysql-cell.js';
import { findNarrowness, isLimited, isUtf8, mayContainUtf8, readOther } from './mysql-columns.js';
import type { MysqlConnection } from './mysql-connection.js';
import { type Definition, findJsonColumns, parseDefinition } from './mysql-definition.js';
import { type Grant, hasPrivilege, parseGrant, showsAllColumns } from './mysql-grants.js';
import { findKeyKind, type KeyColumn, quoteName, toLabel } from './mysql-literal.js';
import { PROGRESS_TABLE } from './mysql-progress.js';

/** A {@link Table} with details that only this implementation needs. */
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
  /** True if the key contains a TIMESTAMP, whose words depend on the time zone. */
  readonly hasTimestampKey: boolean;
  /** Foreign keys of any kind, by all their columns. */
  readonly allReferences: readonly MysqlReference[];
  /** Its columns that have to be altered, by their statements. */
  readonly narrowColumns: ReadonlyMap<string, string>;
}

/** A foreign key. Either of its tables may be in another database. */
export interface MysqlReference extends TextReference {
  readonly childSql: string;
  readonly parentSql: string;
}

interface CatalogueColumn {
  readonly tableName: string;
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

export interface Catalogue {
  /** As the server spells it, which may be in lower case. */
  readonly database: string;
  readonly tables: ReadonlyMap<string, MysqlTable>;
  readonly grants: readonly Grant[];
}

type Grouped<Item> = ReadonlyMap<string, readonly Item[]>;

/** Contents of the catalogue, by table. */
interface Sources {
  readonly database: string;
  readonly isMariaDb: boolean;
  readonly columns: Grouped<CatalogueColumn>;
  readonly indexes: Grouped<IndexPart>;
  readonly triggers: Grouped<{ readonly name: string }>;
  readonly checks: Grouped<{ readonly clause: string }>;
  readonly references: readonly MysqlReference[];
  readonly transactional: ReadonlySet<string>;
  readonly grants: readonly Grant[];
}

/** A table as the catalogue lists it. */
const LISTED = { name: text, type: text, engine: text, rows: numberIfAny };
type Listed = RecordOf<Cell, typeof LISTED>;

/** A part of a unique index: a column, or an expression, which has none. */
const INDEX_PART = {
  tableName: text,
  index: text,
  column: textIfAny,
  prefix: numberIfAny,
};
type IndexPart = RecordOf<Cell, typeof INDEX_PART>;

/** Reads the catalogue of the connection's database. */
export async function readCatalogue(connection: MysqlConnection): Promise<Catalogue> {
  const sources = await readSources(connection);
  const listed = await connection.records(
    `SELECT TABLE_NAME AS name, TABLE_TYPE AS type, ENGINE AS engine, TABLE_ROWS AS \`rows\`
     FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')`,
    LISTED,
  );
  const tables = new Map<string, MysqlTable>();
  for (const each of listed.sort(byName)) {
    const table = await describeTable(connection, sources, each);
    if (table) tables.set(table.name, table);
  }
  const { database, grants } = sources;
  return { database, tables, grants };
}

async function readSources(connection: MysqlConnection): Promise<Sources> {
  const { isMariaDb } = connection;
  const [current] = await connection.records('SELECT DATABASE() AS name', { name: text });
  const database = current?.name ?? '';
  const columns = group(await readColumns(connection));
  const indexes = await connection.records(
    `SELECT TABLE_NAME AS tableName, INDEX_NAME AS \`index\`, COLUMN_NAME AS \`column\`,
       SUB_PART AS prefix
     FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0
     ORDER BY TABLE_NAME, INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX`,
    INDEX_PART,
  );
  const triggers = await connection.records(
    `SELECT EVENT_OBJECT_TABLE AS tableName, TRIGGER_NAME AS name FROM information_schema.TRIGGERS
     WHERE EVENT_OBJECT_SCHEMA = DATABASE() AND EVENT_MANIPULATION = 'UPDATE' ORDER BY TRIGGER_NAME`,
    { tableName: text, name: text },
  );
  const checks = isMariaDb
    ? await connection.records(
        `SELECT TABLE_NAME AS tableName, CHECK_CLAUSE AS clause
         FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()`,
        { tableName: text, clause: text },
      )
    : [];
  const engines = await connection.records(
    `SELECT ENGINE AS name FROM information_schema.ENGINES
     WHERE TRANSACTIONS = 'YES' AND SAVEPOINTS = 'YES'`,
    { name: text },
  );
  // Of one column, whose name contains the user's.
  const grants = await connection.demand('SHOW GRANTS');
  return {
    database,
    isMariaDb,
    columns,
    indexes: group(indexes),
    triggers: group(triggers),
    checks: group(checks),
    references: await readReferences(connection, database, columns),
    transactional: new Set(engines.map(({ name }) => name)),
    grants: grants.flatMap(([line = null]) => parseGrant(text(line)) ?? []),
  };
}

/** Combines the catalogue's data about a table; undefined if it has no text, or is ours. */
async function describeTable(
  connection: MysqlConnection,
  sources: Sources,
  { name, type, engine, rows }: Listed,
): Promise<MysqlTable | undefined> {
  const all = sources.columns.get(name) ?? [];
  const own = all.filter(({ isGenerated }) => !isGenerated);
  const texts = own.filter(isText);
  if (texts.length === 0 || name === PROGRESS_TABLE) return undefined;
  const sql = quoteName(name);
  const label = toLabel(name);
  const definition = texts.some(({ charset }) => isLimited(charset))
    ? await readDefinition(connection, sql)
    : undefined;
  const jsons = findJsonColumns((sources.checks.get(name) ?? []).map(({ clause }) => clause));
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
  const triggers = (sources.triggers.get(name) ?? []).map((trigger) => trigger.name);
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
    rows,
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
    narrowColumns: new Map(
      columns.flatMap(({ name: column, narrowness }) =>
        narrowness ? [[narrowness.statement, column]] : [],
      ),
    ),
  };
}

/** Reads the declaration of a table. */
export async function readDefinition(
  connection: MysqlConnection,
  sql: string,
): Promise<Definition> {
  const [row] = await connection.records(`SHOW CREATE TABLE ${sql}`, { 'Create Table': text });
  const definition = parseDefinition(row?.['Create Table'] ?? '');
  if (!definition) throw unreadable(sql);
  return definition;
}

const unreadable = (sql: string): InputError =>
  new InputError(`the definition of the table ${sql} cannot be read; report this as a defect`);

/** Without transactions, no change can be rolled back, and hidden columns could change unnoticed. */
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

const listUniqueKeys = (unique: Grouped<IndexPart>): UniqueKey[] =>
  [...unique]
    // Only the server knows the value of an expression.
    .filter(([, parts]) => parts.every(({ column }) => column !== undefined))
    .map(([name, parts]) => ({ name, columns: parts.flatMap(({ column }) => column ?? []) }));

const listPrefixes = (parts: readonly IndexPart[]): ReadonlyMap<string, number> =>
  new Map(
    parts.flatMap(({ column, prefix }) => (column && prefix ? [[column, prefix] as const] : [])),
  );

/** In the same order everywhere, regardless of the server's collation. */
const byName = ({ name: a }: Listed, { name: b }: Listed): number => (a < b ? -1 : a > b ? 1 : 0);

/** Groups rows by their table. */
function group<Item extends { readonly tableName: string }>(items: readonly Item[]): Grouped<Item> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const list = groups.get(item.tableName);
    if (list) list.push(item);
    else groups.set(item.tableName, [item]);
  }
  return groups;
}

async function readColumns(connection: MysqlConnection): Promise<CatalogueColumn[]> {
  const columns = await connection.records(
    `SELECT TABLE_NAME AS tableName, COLUMN_NAME AS name, COLUMN_TYPE AS type,
       DATA_TYPE AS dataType, CHARACTER_SET_NAME AS charset, COLLATION_NAME AS collation,
       CHARACTER_MAXIMUM_LENGTH AS characters, CHARACTER_OCTET_LENGTH AS bytes,
       IS_NULLABLE AS nullable, EXTRA AS extra, GENERATION_EXPRESSION AS expression
     FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()
     ORDER BY TABLE_NAME, ORDINAL_POSITION`,
    {
      tableName: text,
      name: text,
      type: text,
      dataType: (cell: Cell): string => text(cell).toLowerCase(),
      charset: textIfAny,
      collation: textIfAny,
      characters: numberIfAny,
      bytes: numberIfAny,
      nullable: text,
      extra: text,
      expression: text,
    },
  );
  return columns.map(({ nullable, extra, expression, ...column }) => ({
    ...column,
    isNullable: nullable === 'YES',
    // DEFAULT_GENERATED of MySQL is a default.
    isGenerated: expression !== '' || /\b(VIRTUAL|STORED|PERSISTENT)\b/i.test(extra),
    isUpdated: /\bon update\b/i.test(extra),
    isRowEnd: expression === 'ROW END',
  }));
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
    structure: dataType === 'json' || jsons.has(name) ? { is: 'json' } : undefined,
    charset: dataType === 'json' ? 'utf8mb4' : charset,
    collation,
    characters: isChars && !isBytes ? characters : undefined,
    bytes: isBytes ? characters : isChars ? undefined : bytes,
    isGenerated: false,
    narrowness: findNarrowness(table, { charset, collation }, own),
  };
}

/** Groups the columns of indexes, without those that MariaDB adds for versions of rows. */
function groupIndexes(
  parts: readonly IndexPart[],
  columns: readonly CatalogueColumn[],
): Map<string, IndexPart[]> {
  const groups = new Map<string, IndexPart[]>();
  for (const part of parts) {
    const { index, column } = part;
    if (columns.some((each) => each.isRowEnd && each.name === column)) continue;
    groups.set(index, [...(groups.get(index) ?? []), part]);
  }
  return groups;
}

/** Finds the primary key, or the first unique key by whole columns that are never NULL. */
function findKey(
  unique: Grouped<IndexPart>,
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
  connection: MysqlConnection,
  database: string,
  all: Grouped<CatalogueColumn>,
): Promise<MysqlReference[]> {
  const columns = await connection.records(
    `SELECT CONSTRAINT_SCHEMA AS constraintSchema, CONSTRAINT_NAME AS name,
       TABLE_SCHEMA AS childSchema, TABLE_NAME AS child, COLUMN_NAME AS childColumn,
       REFERENCED_TABLE_SCHEMA AS parentSchema, REFERENCED_TABLE_NAME AS parent,
       REFERENCED_COLUMN_NAME AS parentColumn
     FROM information_schema.KEY_COLUMN_USAGE
     WHERE REFERENCED_TABLE_NAME IS NOT NULL
       AND (TABLE_SCHEMA = DATABASE() OR REFERENCED_TABLE_SCHEMA = DATABASE())
     ORDER BY CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`,
    {
      constraintSchema: text,
      name: text,
      childSchema: text,
      child: text,
      childColumn: text,
      parentSchema: text,
      parent: text,
      parentColumn: text,
    },
  );
  const label = (schema: string, table: string): string =>
    schema === database ? toLabel(table) : `${toLabel(schema)}.${toLabel(table)}`;
  const references = new Map<
    string,
    MysqlReference & { childColumns: string[]; parentColumns: string[] }
  >();
  for (const column of columns) {
    const { name, childSchema, child, parentSchema, parent, parentColumn } = column;
    const id = JSON.stringify([column.constraintSchema, child, name]);
    const reference = references.get(id) ?? {
      name,
      child: label(childSchema, child),
      childSql: `${quoteName(childSchema)}.${quoteName(child)}`,
      childColumns: [],
      parent: label(parentSchema, parent),
      parentSql: `${quoteName(parentSchema)}.${quoteName(parent)}`,
      parentColumns: [],
      // Whatever the rule is: rows move without foreign_key_checks, and nothing cascades then.
      cascades: false,
    };
    reference.childColumns.push(column.childColumn);
    // MySQL writes it in lower case.
    const own = parentSchema === database ? (all.get(parent) ?? []) : [];
    const spelled = own.find((each) => each.name.toLowerCase() === parentColumn.toLowerCase());
    reference.parentColumns.push(spelled?.name ?? parentColumn);
    references.set(id, reference);
  }
  return [...references.values()];
}
