/** Tables of a SQLite database. */
import type { Fields, RecordOf } from '../record.js';
import type { Effect, Table, TextColumn, TextReference } from '../table.js';
import { bytes, flag, integer, text, textIfAny } from './sqlite-cell.js';
import type { Connection, SqlValue } from './sqlite-driver.js';
import { readSqliteError } from './sqlite-failure.js';
import { type KeyColumn, RowKeySql, rowidNames } from './sqlite-key.js';
import { quoteName, quoteString } from './sqlite-literal.js';
import { PROGRESS_TABLE } from './sqlite-progress.js';
import {
  mentions,
  readCreateIndex,
  readCreateTable,
  readCreateVirtualTable,
  readUpdateTrigger,
} from './sqlite-schema.js';

/** A table, with details for our SQL that the interface does not have. */
export interface SqliteTable {
  readonly table: Table;
  readonly key: RowKeySql | undefined;
  /** All columns that are not generated. */
  readonly columns: readonly string[];
  /** Columns that store a text that looks like a number as a number. */
  readonly numeric: ReadonlySet<string>;
  readonly uniqueIndexes: readonly UniqueIndex[];
  /** Foreign keys that end here. */
  readonly parents: readonly ForeignKey[];
}

/** A unique index. */
export interface UniqueIndex {
  readonly name: string;
  /** Columns by their names, and expressions. */
  readonly terms: readonly { readonly sql: string; readonly collation: string }[];
  readonly columns: readonly string[];
  readonly where: string | undefined;
}

/** A foreign key, by which the server may change a child when the parent changes. */
export interface ForeignKey extends TextReference {
  readonly onUpdate: string;
}

/** All tables by their names, and the omitted ones. */
export interface Catalogue {
  readonly tables: ReadonlyMap<string, SqliteTable>;
  readonly notices: readonly string[];
}

/** A table of the schema, with the data that is read first. */
interface Entry {
  readonly name: string;
  readonly sql: string;
  readonly isVirtual: boolean;
  readonly isWithoutRowid: boolean;
  readonly isStrict: boolean;
  readonly columns: readonly Column[];
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** Its place in the primary key, from 1; 0 if it is not in it. */
  readonly keyPosition: number;
  readonly isGenerated: boolean;
}

/** Suffixes of the tables of full-text indexes. SQLite reports them only for indexes that it can open. */
const FTS3 = ['content', 'segments', 'segdir', 'docsize', 'stat'];
const SHADOWS: Readonly<Record<string, readonly string[]>> = {
  fts3: FTS3,
  fts4: FTS3,
  fts5: ['data', 'idx', 'content', 'docsize', 'config'],
};

/** Reads the whole schema. */
export function readCatalogue(connection: Connection): Catalogue {
  return new CatalogueReader(connection).read();
}

class CatalogueReader {
  readonly #connection: Connection;
  readonly #notices: string[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  read(): Catalogue {
    const entries = this.#readEntries();
    const external = new Map<string, string>();
    const contentless: Entry[] = [];
    const tables: Entry[] = [];
    for (const entry of entries) {
      if (!entry.isVirtual) {
        tables.push(entry);
        continue;
      }
      const { module, content } = readCreateVirtualTable(entry.sql);
      if (!(module in SHADOWS)) {
        this.#notices.push(`table ${entry.name} is left out: it is virtual (${module})`);
        continue;
      }
      if (content === undefined) tables.push(entry);
      else if (content === '') contentless.push(entry);
      else external.set(entry.name, content);
    }
    const foreignKeys = tables.flatMap((entry) => this.#readForeignKeys(entry, tables));
    const found = new Map<string, SqliteTable>();
    for (const entry of tables) {
      const effects = this.#readEffects(entry, external, contentless);
      const table = this.#describe(entry, foreignKeys, effects);
      if (table.table.columns.length > 0) found.set(entry.name, table);
    }
    for (const { name } of contentless)
      this.#notices.push(
        `${name} is a full-text index that stores no text; rebuild it from its source after the repair`,
      );
    return { tables: found, notices: this.#notices };
  }

  /**
   * Runs a pragma as a statement, since a table or a view of the file could have the name of its
   * table-valued function. Its columns have the names that SQLite documents.
   */
  #pragma<Own extends Fields<SqlValue>>(
    name: string,
    fields: Own,
    argument?: string,
  ): RecordOf<SqlValue, Own>[] {
    const of = argument === undefined ? '' : `(${quoteString(argument)})`;
    return this.#connection.records(`PRAGMA main.${name}${of}`, fields);
  }

  #readEntries(): Entry[] {
    // Of the names' bytes as well: SQL that we write is UTF-8, and cannot have any others.
    const listed = new Map(
      this.#pragma('table_list', { name: text, type: text, wr: flag, strict: flag }).map(
        (table) => [table.name, table],
      ),
    );
    const rows = this.#connection.records(
      `SELECT name, CAST(name AS BLOB) AS spelled, sql FROM main.sqlite_schema
       WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
      { name: text, spelled: bytes, sql: text },
    );
    const shadows: string[] = [];
    const entries: Entry[] = [];
    for (const { name, spelled, sql } of rows) {
      const { type, wr = false, strict = false } = listed.get(name) ?? {};
      const isVirtual = type === 'virtual';
      // Others are the own tables of virtual ones.
      if (name.toLowerCase() === PROGRESS_TABLE || !(isVirtual || type === 'table')) continue;
      if (!isSpelled(name, spelled)) {
        this.#notices.push(`table ${name} is left out: its name is not UTF-8`);
        continue;
      }
      let columns: Column[] | undefined;
      try {
        columns = this.#readColumns(name);
        // Fails without the collation of its key, which only the application may have.
        const readable = columns?.filter(({ isGenerated }) => !isGenerated) ?? [];
        const names = readable.map((column) => quoteName(column.name));
        this.#connection.prepare(`SELECT ${['1', ...names].join(', ')} FROM ${quoteName(name)}`);
      } catch (error) {
        if (readSqliteError(error)?.code !== 'ERROR') throw error;
        const parts = isVirtual && SHADOWS[readCreateVirtualTable(sql).module];
        if (parts) shadows.push(...parts.map((part) => `${name}_${part}`));
        this.#notices.push(`table ${name} is left out: ${(error as Error).message}`);
        continue;
      }
      if (!columns) continue;
      entries.push({
        name,
        sql,
        isVirtual,
        isWithoutRowid: wr,
        isStrict: strict,
        columns,
      });
    }
    return entries.filter(({ name }) => !shadows.includes(name));
  }

  /** Undefined, with a notice, if a name cannot be written. */
  #readColumns(table: string): Column[] | undefined {
    const columns: Column[] = [];
    const fields = { name: text, type: text, pk: integer, hidden: integer };
    for (const { name, type, pk, hidden } of this.#pragma('table_xinfo', fields, table)) {
      // Hidden columns of virtual tables have no text.
      if (hidden === 1) continue;
      // The driver decodes malformed bytes to U+FFFD.
      if (name.includes('\ufffd')) {
        this.#notices.push(
          `table ${table} is left out: the name of its column ${name} is not UTF-8, or contains U+FFFD`,
        );
        return undefined;
      }
      columns.push({
        name,
        type,
        keyPosition: pk,
        isGenerated: hidden !== 0,
      });
    }
    return columns;
  }

  #readForeignKeys(entry: Entry, tables: readonly Entry[]): ForeignKey[] {
    if (entry.isVirtual) return [];
    const keys = new Map<
      number,
      ForeignKey & { childColumns: string[]; parentColumns: string[] }
    >();
    const rows = this.#pragma(
      'foreign_key_list',
      { id: integer, seq: integer, table: text, from: text, to: textIfAny, on_update: text },
      entry.name,
    );
    // In the order of their declaration.
    rows.sort((a, b) => b.id - a.id || a.seq - b.seq);
    for (const { id, seq, table, from, to, on_update: onUpdate } of rows) {
      const parent = tables.find(({ name }) => isSame(name, table));
      if (!parent) continue;
      const primary = parent.columns.find(({ keyPosition }) => keyPosition === seq + 1);
      const find = (columns: readonly Column[], name = ''): string =>
        columns.find((column) => isSame(column.name, name))?.name ?? name;
      const key = keys.get(id) ?? {
        name: '',
        child: entry.name,
        childColumns: [],
        parent: parent.name,
        parentColumns: [],
        cascades: onUpdate === 'CASCADE',
        onUpdate,
      };
      key.childColumns.push(find(entry.columns, from));
      key.parentColumns.push(find(parent.columns, to ?? primary?.name));
      keys.set(id, key);
    }
    const ofText = [...keys.values()].filter(({ parent, parentColumns, childColumns }) =>
      parentColumns.some((column, i) => {
        const owner = tables.find(({ name }) => name === parent) as Entry;
        return isText(owner, column) && isText(entry, childColumns[i] as string);
      }),
    );
    return ofText.map((key) => ({
      ...key,
      name: `${key.child}(${key.childColumns.join(', ')}) REFERENCES ${key.parent}(${key.parentColumns.join(', ')})`,
    }));
  }

  #readEffects(
    entry: Entry,
    external: ReadonlyMap<string, string>,
    contentless: readonly Entry[],
  ): Effect[] {
    const effects: Effect[] = [];
    const triggers = this.#connection.records(
      `SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ${quoteString(entry.name)} COLLATE NOCASE ORDER BY name`,
      { name: text, sql: text },
    );
    const fired = triggers.filter(({ sql }) => {
      const columns = readUpdateTrigger(sql);
      return columns === 'all' || columns?.some((name) => isText(entry, name));
    });
    for (const { name } of fired) effects.push({ kind: 'trigger', name: `trigger ${name}` });
    const isKept = (index: string): boolean => fired.some(({ sql }) => mentions(sql, index));
    for (const [index, source] of external) {
      if (isSame(source, entry.name) && !isKept(index))
        effects.push({
          kind: 'trigger',
          name: `full-text index ${index}, which no trigger keeps up to date`,
        });
    }
    for (const index of contentless) {
      // Nothing states which columns it indexes; usually, columns of the same names.
      const isSource = index.columns.every(({ name }) => isText(entry, name));
      if (isSource && !isKept(index.name))
        effects.push({
          kind: 'trigger',
          name: `full-text index ${index.name}, which stores no text and which no trigger keeps up to date`,
        });
    }
    return effects;
  }

  #describe(
    entry: Entry,
    foreignKeys: readonly ForeignKey[],
    effects: readonly Effect[],
  ): SqliteTable {
    const { name } = entry;
    const { collations, json } = readCreateTable(entry.sql);
    const indexes = entry.isVirtual ? [] : this.#readIndexes(entry);
    const columns = entry.columns.filter(({ isGenerated }) => !isGenerated);
    const rowid = entry.isWithoutRowid ? undefined : findRowidColumn(entry, indexes);
    const textColumns = columns
      .filter((column) => column !== rowid && mayContainText(entry, column))
      .map(
        (column): TextColumn => ({
          name: column.name,
          sql: quoteName(column.name),
          type: column.type,
          structure:
            isSame(column.type, 'json') || json.has(column.name.toLowerCase())
              ? { is: 'json' }
              : undefined,
          charset: undefined,
          collation: entry.isVirtual
            ? undefined
            : (collations.get(column.name.toLowerCase()) ?? 'BINARY'),
          // VARCHAR(40) does not limit the length here.
          characters: undefined,
          bytes: undefined,
          isGenerated: false,
          narrowness: undefined,
        }),
      );
    const textNames = textColumns.map((column) => column.name);
    const references = foreignKeys.filter(({ child, parent }) => child === name || parent === name);
    const uniqueIndexes = indexes.filter(
      (index) =>
        index.isUnique &&
        (index.columns.length < index.terms.length ||
          index.columns.some((column) => textNames.includes(column))),
    );
    const key = this.#findKey(entry, rowid, indexes);
    return {
      table: {
        name,
        sql: quoteName(name),
        columns: textColumns,
        otherColumns: columns
          .map((column) => column.name)
          .filter((column) => !textNames.includes(column)),
        key: key && {
          names: key.columns.map((column) => column.name),
          isStable: true,
        },
        uniqueKeys: uniqueIndexes.map((index) => ({ name: index.name, columns: index.columns })),
        references: references.map(({ onUpdate: _, ...reference }) => reference),
        effects,
        rows: entry.isVirtual ? undefined : this.#estimateRows(name, key),
      },
      key,
      columns: columns.map((column) => column.name),
      numeric: new Set(
        columns.filter((column) => isNumeric(entry, column)).map((column) => column.name),
      ),
      uniqueIndexes,
      parents: foreignKeys.filter(({ parent }) => parent === name),
    };
  }

  #findKey(
    entry: Entry,
    rowid: Column | undefined,
    indexes: readonly Index[],
  ): RowKeySql | undefined {
    let columns: readonly KeyColumn[];
    if (entry.isWithoutRowid) {
      columns = indexes.find(({ origin }) => origin === 'pk')?.keyColumns ?? [];
    } else {
      const taken = entry.columns.map((column) => column.name.toLowerCase());
      const name = rowid?.name ?? rowidNames.find((candidate) => !taken.includes(candidate));
      columns = name === undefined ? [] : [{ name, collation: undefined, isDescending: false }];
    }
    if (columns.length === 0) {
      this.#notices.push(
        `table ${entry.name} cannot be repaired: its columns use every name of the rowid`,
      );
      return undefined;
    }
    return new RowKeySql(columns);
  }

  #readIndexes({ name }: Entry): Index[] {
    const list = this.#pragma('index_list', { name: text, unique: flag, origin: text }, name);
    list.sort((a, b) => (a.name < b.name ? -1 : 1));
    return list.map(({ name: index, unique, origin }) => {
      const [declared] = this.#connection.records(
        `SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ${quoteString(index)}`,
        { sql: textIfAny },
      );
      const { terms: texts, where } = declared?.sql
        ? readCreateIndex(declared.sql)
        : { terms: [], where: undefined };
      const terms = this.#pragma(
        'index_xinfo',
        { name: textIfAny, desc: flag, coll: text, key: flag },
        index,
      ).filter(({ key }) => key);
      return {
        name: index,
        origin,
        isUnique: unique,
        where,
        terms: terms.map((term, i) => ({
          sql: term.name === undefined ? `(${texts[i]})` : quoteName(term.name),
          collation: term.coll,
        })),
        columns: terms.flatMap((term) => term.name ?? []),
        keyColumns: terms.map((term) => ({
          name: term.name ?? '',
          collation: term.coll,
          isDescending: term.desc,
        })),
      };
    });
  }

  /** By what ANALYZE has counted, or by the rowids, unless these are too far apart. */
  #estimateRows(table: string, key: RowKeySql | undefined): number | undefined {
    const [analyzed] = this.#connection.records(
      "SELECT name FROM main.sqlite_schema WHERE name = 'sqlite_stat1'",
      { name: text },
    );
    if (analyzed) {
      const [counted] = this.#connection.records(
        `SELECT CAST(stat AS INTEGER) AS rows FROM sqlite_stat1
         WHERE tbl = ${quoteString(table)} LIMIT 1`,
        { rows: integer },
      );
      if (counted) return counted.rows;
    }
    if (!key?.isRowid) return undefined;
    const select = (order: string): { readonly id: number } | undefined =>
      this.#connection.records(
        `SELECT ${key.orderBy} AS id FROM ${quoteName(table)} ORDER BY ${key.orderBy} ${order} LIMIT 1`,
        { id: integer },
      )[0];
    const last = select('DESC');
    if (!last) return 0;
    const count = last.id - (select('ASC')?.id ?? 0) + 1;
    const [pages] = this.#pragma('page_count', { page_count: integer });
    const [page] = this.#pragma('page_size', { page_size: integer });
    // A row has four bytes at least.
    const most = ((pages?.page_count ?? 0) * (page?.page_size ?? 0)) / 4;
    return count <= most ? count : undefined;
  }
}

interface Index extends UniqueIndex {
  /** `pk` if it belongs to a PRIMARY KEY. */
  readonly origin: string;
  readonly isUnique: boolean;
  readonly keyColumns: readonly KeyColumn[];
}

/** SQLite compares names without the case of ASCII letters. */
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isSpelled = (name: string, bytes: Uint8Array): boolean => Buffer.from(name).equals(bytes);

/** The column that is the rowid: a PRIMARY KEY of type INTEGER, which has no index. */
function findRowidColumn({ columns }: Entry, indexes: readonly Index[]): Column | undefined {
  if (indexes.some(({ origin }) => origin === 'pk')) return undefined;
  return columns.find(({ keyPosition }) => keyPosition === 1);
}

/** A column of any type may contain text, except in STRICT tables. */
const mayContainText = ({ isStrict }: Entry, { type }: Column): boolean =>
  !isStrict || /^(?:text|any)$/i.test(type);

const isText = (entry: Entry, column: string): boolean =>
  entry.columns.some(
    (other) =>
      isSame(other.name, column) &&
      !other.isGenerated &&
      mayContainText(entry, other) &&
      !(other.keyPosition === 1 && isSame(other.type, 'integer') && !entry.isWithoutRowid),
  );

/** Tells whether a column stores `'12'` as 12: https://www.sqlite.org/datatype3.html, section 3.1 */
const isNumeric = ({ isStrict }: Entry, { type }: Column): boolean =>
  !isStrict && (/int/i.test(type) || !/char|clob|text|blob|^$/i.test(type));
