/** Reads rows in the order of their key, and leaves out those in which nothing can be wrong. */
import { InputError } from '@utf8/dump';
import type { Page, PageOptions, Row } from '../server.js';
import type { Key, TextColumn } from '../table.js';
import type { Details } from './postgres-catalogue.js';
import { bytesOf } from './postgres-cell.js';
import type { Cells, Connection } from './postgres-connection.js';
import type { Rows } from './postgres-rows.js';
import { type Column, EQUAL, own, Parameters, type Sql } from './postgres-sql.js';

/** The most bytes of text in a page, except where one row has more. */
const PAGE_BYTES = 2 ** 24;

/** The most bytes of a row: hex of more is longer than a string can be. */
const ROW_BYTES = 2 ** 27;

/** From here on, four bytes for each can be more than the server allows in a value, which is 1 GiB. */
const ESCAPED_BYTES = 2 ** 28 - 16;

/** From here on, the characters of a value are more than that: a regular expression needs four bytes each. */
const MATCHED_BYTES = 2 ** 26;

/** Chooses names of our own that no column of the table has. */
export function chooseNames(columns: readonly Pick<Column, 'name'>[]) {
  let prefix = 'utf8#';
  for (let i = 1; columns.some(({ name }) => name.startsWith(prefix)); i++) prefix = `utf8#${i}#`;
  const [NUMBER, COUNT, SUM, SIZE, IS_HIT, ADDRESS] = OWN.map((name) => `"${prefix}${name}"`);
  return { NUMBER, COUNT, SUM, SIZE, IS_HIT, ADDRESS };
}

const OWN = ['number', 'count', 'sum', 'size', 'is hit', 'ctid'] as const;

/** Number of cells that precede the key. */
const HEAD = 4;

/** The address of the last row that a block may have. */
const lastOf = (block: number): string => `(${block},65535)`;

const blockOf = (address: Key | undefined): number =>
  Number(/\d+/.exec(String(address?.[0]))?.[0] ?? 0);

/** Reads pages. */
export class PageReader {
  readonly #connection: Connection;
  readonly #rows: Rows;
  readonly #blockSize: number;
  /** Rows in a block, by table: how many blocks a page reads. */
  readonly #densities = new Map<number, number>();

  constructor(connection: Connection, rows: Rows, blockSize: number) {
    this.#connection = connection;
    this.#rows = rows;
    this.#blockSize = blockSize;
  }

  async read(
    details: Details,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    options: PageOptions,
  ): Promise<Page> {
    if (!details.keyColumns) return this.#readBlocks(details, columns, after, limit, options);
    const { keyColumns } = details;
    const names = keyColumns.map(({ sql }) => `t.${sql}`);
    const parameters = new Parameters();
    const add = (bytes: Uint8Array): string => parameters.add(bytes);
    const start = after ? `WHERE ${this.#rows.isAfter(keyColumns, after, add)}` : '';
    const order = `${start} ORDER BY ${names.join(', ')} LIMIT ${limit}`;
    const found = await this.#ask(details, columns, order, parameters, options);
    const isLast = !found.isCut && found.count < limit;
    return { ...found, isLast };
  }

  /**
   * Reads a table without a key: the rows in some blocks. A row that another writer moves to a block that
   * was read is missed, and one that moves on is read twice.
   */
  async #readBlocks(
    details: Details,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    options: PageOptions,
  ): Promise<Page> {
    const { oid, table } = details;
    const [size] = await this.#connection.ask(
      `SELECT pg_catalog.pg_relation_size(${oid}) ${own('/')} ${this.#blockSize}`,
    );
    const blocks = Number(size?.[0]);
    let start = String(after?.[0] ?? '(0,0)');
    let first = blockOf(after);
    let density = this.#densities.get(oid) ?? ((table.rows || limit) / Math.max(blocks, 1) || 1);
    for (;;) {
      const end = Math.min(blocks, first + Math.max(1, Math.ceil(limit / density)));
      const parameters = new Parameters();
      const [from, to] = [start, `(${end},0)`].map((address) =>
        this.#rows.sql.address(parameters.add(Buffer.from(address))),
      );
      const range = `WHERE t.ctid ${own('>')} ${from} AND t.ctid ${own('<')} ${to} ORDER BY t.ctid LIMIT ${limit}`;
      const found = await this.#ask(details, columns, range, parameters, options);
      const isWhole = !found.isCut && found.count < limit;
      const read = isWhole ? end - first : blockOf(found.last) + 1 - first;
      // More blocks next time where all were empty.
      density = found.count > 0 ? found.count / Math.max(1, read) : density / 2;
      this.#densities.set(oid, Math.max(density, 2 ** -10));
      if (!isWhole) return { ...found, isLast: false };
      const isLast = end >= blocks;
      if (blocks === 0) return { ...found, isLast };
      if (isLast || found.count > 0) return { ...found, last: [lastOf(end - 1), ''], isLast };
      start = lastOf(end - 1);
      first = end;
    }
  }

  async #ask(
    details: Details,
    columns: readonly TextColumn[],
    order: string,
    parameters: Parameters,
    options: PageOptions,
  ): Promise<Omit<Page, 'isLast'> & { isCut: boolean }> {
    const { sql } = this.#rows;
    const { NUMBER, COUNT, SUM, SIZE, IS_HIT, ADDRESS } = chooseNames(details.columns);
    // The option for columns of JSON, which the catalogue does not know.
    const wanted = columns.map(({ name, structure }): Column => {
      const column = this.#rows.column(details, name);
      return { ...column, hasStructure: options.readsEscapes || structure !== undefined };
    });
    const keys = details.keyColumns?.map((column) => sql.readKey(`t.${column.sql}`, column)) ?? [
      `t.${ADDRESS}::pg_catalog.text`,
      `CASE WHEN t.${IS_HIT} THEN ${this.#rows.hash(details)} END`,
    ];
    const test = options.skipsWellFormed && sql.isByBytes ? isMalformed : mayBeWrong;
    const isHit = wanted.map((column) => test(column, sql)).join(' OR ') || 'false';
    const sizes = wanted.map(
      (column) =>
        `coalesce(pg_catalog.octet_length(${sql.textOf(`t.${column.sql}`, column)})::bigint, 0)`,
    );
    // The first row is read regardless of its size, if that is possible.
    const fits = `t.${IS_HIT} AND t.${SIZE} ${own('<=')} ${ROW_BYTES}
      AND (t.${SUM} ${own('<=')} ${PAGE_BYTES} OR t.${SUM} ${EQUAL} t.${SIZE})`;
    const values = wanted.map((column) => {
      const name = `t.${column.sql}`;
      return `CASE WHEN ${fits} AND NOT (${name} IS NULL) THEN ${sql.bytes(name, column)} END`;
    });
    // The row itself is passed on to where its values are read: long ones are only pointers there.
    const rows = await this.#connection.ask(
      `SELECT t.${NUMBER}, t.${SUM} ${own('-')} t.${SIZE}, t.${SIZE}, t.${IS_HIT}, ${[...keys, ...values].join(', ')}
       FROM (
         SELECT *, pg_catalog.row_number() OVER () AS ${NUMBER}, pg_catalog.count(*) OVER () AS ${COUNT},
           pg_catalog.sum(${SIZE}) OVER (ROWS UNBOUNDED PRECEDING) AS ${SUM}
         FROM (
           SELECT *, CASE WHEN ${IS_HIT} THEN ${sizes.join(` ${own('+')} `) || '0'} ELSE 0 END AS ${SIZE}
           FROM (
             SELECT t.*, t.ctid AS ${ADDRESS}, ${isHit} AS ${IS_HIT} FROM ${details.table.sql} t ${order}
           ) t
         ) t
       ) t
       WHERE t.${IS_HIT} OR t.${NUMBER} ${EQUAL} t.${COUNT}`,
      parameters.values,
    );
    const width = HEAD + keys.length;
    const keyOf = (cells: Cells): Key => {
      const key = cells.slice(HEAD, width).map((cell) => cell ?? '');
      return this.#rows.keyOf(details, key);
    };
    const cut = rows.findIndex(([, before, size]) => isOver(Number(before), Number(size)));
    const kept = cut === -1 ? rows : rows.slice(0, cut);
    const tooLong = kept.find((cells) => Number(cells[2]) > ROW_BYTES);
    if (tooLong) {
      throw new InputError(
        `${details.table.name}: the row at ${describeKey(keyOf(tooLong))} has ${tooLong[2]} bytes of text; rows of more than ${ROW_BYTES} bytes cannot be repaired`,
      );
    }
    const last = kept.at(-1);
    const hits = kept.filter((cells) => cells[3] === 't');
    return {
      rows: hits.map((cells): Row => {
        const values = columns.map((_, i) => cells[width + i] as string | null);
        return {
          key: keyOf(cells),
          values: values.map((value) => (value === null ? null : bytesOf(value))),
        };
      }),
      last: last && keyOf(last),
      count: Number(last?.[0] ?? 0),
      isCut: cut !== -1,
    };
  }
}

/** Tells whether a row does not fit into the page any more. */
const isOver = (before: number, size: number): boolean => before > 0 && before + size > PAGE_BYTES;

const describeKey = (key: Key): string =>
  key.map((value) => (typeof value === 'object' ? value.hex : String(value))).join(', ');

/**
 * The condition that a value is more than ASCII, or has a backslash, which begins every escape of JSON.
 * `encode` makes four bytes of each byte above 7F, and two of a backslash; 0.12 s for a million values of
 * 90 bytes, where a regular expression takes 0.2 s.
 */
function mayBeWrong(column: Column, sql: Sql): string {
  return judge(column, sql, 'true');
}

/**
 * The condition that a value is malformed, or has a backslash where that may begin an escape. A million
 * values of Russian, 146 bytes each, are read in 2.0 s instead of 4.2 s.
 */
function isMalformed(column: Column, sql: Sql): string {
  const text = sql.textOf(`t.${column.sql}`, column);
  const length = `pg_catalog.octet_length(${text})`;
  const matches = `${text} COLLATE pg_catalog."C" OPERATOR(pg_catalog.!~) '${WELL_FORMED}'`;
  const hasEscape = column.hasStructure
    ? `pg_catalog.strpos(${text}, E'\\\\') ${own('>')} 0 OR `
    : '';
  return judge(column, sql, `${hasEscape}${length} ${own('>=')} ${MATCHED_BYTES} OR ${matches}`);
}

/** @param otherwise - The condition of a value that is more than ASCII, or has a backslash. */
function judge(column: Column, sql: Sql, otherwise: string): string {
  const name = `t.${column.sql}`;
  const length = `pg_catalog.octet_length(${sql.textOf(name, column)})`;
  const escaped = `pg_catalog.encode(${sql.bytes(name, column)}, 'escape')`;
  return `CASE WHEN ${name} IS NULL THEN false WHEN ${length} ${own('>=')} ${ESCAPED_BYTES} THEN true
    WHEN pg_catalog.octet_length(${escaped}) ${EQUAL} ${length} THEN false ELSE ${otherwise} END`;
}

/** UTF-8 without surrogates, where each byte is a character (The Unicode Standard, table 3-7). */
const WELL_FORMED = `^(?:${[
  String.raw`[\x01-\x7f]`,
  String.raw`[\xc2-\xdf][\x80-\xbf]`,
  String.raw`\xe0[\xa0-\xbf][\x80-\xbf]`,
  String.raw`[\xe1-\xec\xee\xef][\x80-\xbf]{2}`,
  String.raw`\xed[\x80-\x9f][\x80-\xbf]`,
  String.raw`\xf0[\x90-\xbf][\x80-\xbf]{2}`,
  String.raw`[\xf1-\xf3][\x80-\xbf]{3}`,
  String.raw`\xf4[\x80-\x8f][\x80-\xbf]{2}`,
].join('|')})*$`;
