/** Pages of rows, in the order of a key, without the rows in which nothing can be wrong. */
import { isAscii } from 'node:buffer';
import type { Page, PageOptions, Row } from '../server.js';
import type { Key, TextColumn } from '../table.js';
import type { SqliteTable } from './sqlite-catalogue.js';
import type { Connection, SqlValue } from './sqlite-driver.js';
import type { Condition } from './sqlite-key.js';
import { textOf } from './sqlite-literal.js';

/** A page ends after a row with which it has this much text, so that it fits in memory. */
const PAGE_BYTES = 4 << 20;

/** SQLite's limit for the depth of an expression is 1000. */
const MOST_JOINED = 200;

/** Share of rows to read in full above which joining their text first is slower. */
const DIRTY_PART = 1 / 3;

/** Number of pages that are then read in full, before joining is tried again. */
const FULL_PAGES = 50;

/** True only for bytes in which nothing can be wrong, if they are one text or several with line feeds between them. */
export type CleanTest = (bytes: Uint8Array) => boolean;

const isPlain: CleanTest = (bytes) =>
  isAscii(bytes) && Buffer.prototype.indexOf.call(bytes, 0) === -1;

export class PageReader {
  readonly #connection: Connection;
  /** By table, how many pages are left to be read in full. */
  readonly #full = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Reads a page. A million rows of three texts, 300 bytes each, take 1.1 s if the texts of a row are joined by
   * SQLite and tested at once, 2.5 s if they are fetched one by one, and 2.5 s if SQLite tests them with
   * GLOB (Node 24).
   */
  read(
    table: SqliteTable,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    { isClean = isPlain, readsEscapes = false }: PageOptions = {},
  ): Page {
    if (columns.length === 0) return { rows: [], last: undefined, isLast: true, count: 0 };
    const { name } = table.table;
    const left = this.#full.get(name) ?? 0;
    if (left > 0 || columns.length > MOST_JOINED || !table.key) {
      this.#full.set(name, left - 1);
      return this.#readFull(table, columns, after, limit);
    }
    const page = this.#readJoined(table, columns, after, limit, isClean, readsEscapes);
    if (page.rows.length > page.count * DIRTY_PART) this.#full.set(name, FULL_PAGES);
    return page;
  }

  #readFull(
    table: SqliteTable,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
  ): Page {
    const { key } = table;
    const selected = columns.map(({ sql }) => textOf(sql));
    const width = key?.width ?? 0;
    const rows: Row[] = [];
    // Without a key, rows are counted.
    const start = key ? 0 : Number(after?.[0] ?? 0);
    let size = 0;
    for (const row of this.#rows(table, selected, after, limit)) {
      const values = row.slice(width) as (Uint8Array | null)[];
      rows.push({ key: key ? key.readKey(row) : [start + rows.length + 1], values });
      for (const value of values) size += value?.length ?? 0;
      if (size > PAGE_BYTES) break;
    }
    return {
      rows,
      last: rows.at(-1)?.key,
      isLast: rows.length < limit && size <= PAGE_BYTES,
      count: rows.length,
    };
  }

  #readJoined(
    table: SqliteTable,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    isClean: CleanTest,
    readsEscapes: boolean,
  ): Page {
    const key = table.key as NonNullable<typeof table.key>;
    const dirty: Key[] = [];
    let count = 0;
    let size = 0;
    let last: Key | undefined;
    let lastRow: SqlValue[] | undefined;
    for (const row of this.#rows(table, [joinTexts(columns, readsEscapes)], after, limit)) {
      count++;
      lastRow = row;
      const text = row[key.width] as Uint8Array;
      if (isClean(text)) continue;
      dirty.push(key.readKey(row));
      size += text.length;
      if (size > PAGE_BYTES) break;
    }
    if (lastRow) last = key.readKey(lastRow);
    const selected = columns.map(({ sql }) => textOf(sql)).join(', ');
    const rows = dirty.flatMap((rowKey): Row[] => {
      const { sql, values } = key.equals(rowKey);
      const row = this.#connection
        .prepare(`SELECT ${selected} FROM ${table.table.sql} WHERE ${sql}`)
        .get(values);
      // Another program may have deleted it.
      return row ? [{ key: rowKey, values: row as (Uint8Array | null)[] }] : [];
    });
    return { rows, last, isLast: count < limit && size <= PAGE_BYTES, count };
  }

  /** Rows from a key on: the columns of the key, and then the requested ones. */
  *#rows(
    { table, key }: SqliteTable,
    selected: readonly string[],
    after: Key | undefined,
    limit: number,
  ): Generator<SqlValue[]> {
    const all = key ? [key.selected, ...selected] : selected;
    const ranges: Condition[] = after && key ? key.after(after) : [{ sql: '1', values: [] }];
    const order = key ? ` ORDER BY ${key.orderBy}` : '';
    const offset = key ? 0n : BigInt(after ? (after[0] as number) : 0);
    let left = limit;
    for (const { sql, values } of ranges) {
      if (left === 0) return;
      const statement = this.#connection.prepare(
        `SELECT ${all.join(', ')} FROM ${table.sql} WHERE ${sql}${order} LIMIT ? OFFSET ?`,
      );
      for (const row of statement.iterate([...values, BigInt(left), offset])) {
        left--;
        yield row;
      }
    }
  }
}

/** All text of a row, with line feeds between, which no sequence of bytes goes across. */
function joinTexts(columns: readonly TextColumn[], readsEscapes: boolean): string {
  const texts = columns.map(({ sql, structure }) => {
    const text = `iif(typeof(${sql}) = 'text', ${sql}, '')`;
    // An escape may need a repair; FF needs one in any encoding.
    return structure || readsEscapes
      ? `${text} || iif(typeof(${sql}) = 'text' AND instr(${sql}, '\\'), CAST(X'FF' AS TEXT), '')`
      : text;
  });
  return `CAST(${texts.join(' || char(10) || ')} AS BLOB)`;
}
