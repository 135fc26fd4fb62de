/** Reads rows in pages: in the order of the key, or in one pass if there is none. */
import { InputError } from '@utf8/dump';
import type { Page, PageOptions, Row } from '../server.js';
import { hasShapeOfUtf8 } from '../shape.js';
import type { Key, TextColumn } from '../table.js';
import type { MysqlTable } from './mysql-catalogue.js';
import { isPlain, isUtf8, lengthOf, readBytes } from './mysql-columns.js';
import type { Cells, MysqlConnection } from './mysql-connection.js';
import { followKey, matchKey, parseKeyValue, quoteName, readKeyColumn } from './mysql-literal.js';

/** About how many bytes of values a page has. */
const PAGE = 0x100_0000;

/** Rows that one statement reads. */
const ROWS = 1000;

/** Values of more bytes are read one by one, so that the rows of a statement fit in memory: in 64 MiB. */
const findMost = (columns: number): number =>
  Math.max(0x400, Math.min(0x1_0000, Math.floor(0x400_0000 / ROWS / columns)));

/** Stands for a value that is too long to come with the others; an empty one is always plain. */
const isMark = (value: Buffer | null | undefined): boolean => value?.length === 0;

/**
 * The expression for a value of a page: NULL if it is plain, nothing if it is too long. A condition that
 * the server cannot evaluate, as for a value beyond `max_allowed_packet`, is NULL, and counts as false.
 */
function readCandidate(
  column: TextColumn,
  isMariaDb: boolean,
  most: number,
  { readsEscapes }: PageOptions,
): string {
  const plain = `WHEN ${isPlain(column, isMariaDb, readsEscapes)} THEN NULL`;
  const isShort = (column.characters ?? column.bytes ?? most + 1) * 4 <= most;
  const long = isShort ? '' : ` WHEN ${lengthOf(column)} > ${most} THEN ''`;
  return `CASE ${plain}${long} ELSE ${readBytes(column)} END`;
}

/** Text in a column that is declared as another character set is text of that character set. */
const judge = (column: TextColumn, value: Buffer | null): Buffer | null =>
  value === null || isUtf8(column.charset) || column.legacy || hasShapeOfUtf8(value) ? value : null;

/** Reads a page by key. */
export async function readKeyedPage(
  connection: MysqlConnection,
  table: MysqlTable,
  columns: readonly TextColumn[],
  after: Key | undefined,
  limit: number,
  options: PageOptions = {},
): Promise<Page> {
  const keyColumns = table.keyColumns ?? [];
  const { isMariaDb } = connection;
  const names = keyColumns.map(({ name }) => quoteName(name)).join(', ');
  const expressions = [
    ...keyColumns.map((column) => readKeyColumn(column)),
    ...columns.map((column) => readCandidate(column, isMariaDb, findMost(columns.length), options)),
  ].join(', ');
  const rows: Row[] = [];
  let last = after;
  let count = 0;
  let size = 0;
  while (count < limit && size < PAGE) {
    const want = Math.min(limit - count, ROWS);
    const condition = last ? ` WHERE ${followKey(keyColumns, last)}` : '';
    const index = quoteName(table.keyIndex ?? 'PRIMARY');
    const found = await connection.demand(
      `SELECT ${expressions} FROM ${table.sql} FORCE INDEX (${index})${condition} ORDER BY ${names} LIMIT ${want}`,
    );
    for (const cells of found) {
      const key = keyColumns.map((column, i) => parseKeyValue(column, cells[i] as Buffer));
      const values: (Buffer | null)[] = [];
      for (const [i, column] of columns.entries()) {
        const cell = cells[keyColumns.length + i] ?? null;
        const value = isMark(cell) ? await readLarge(connection, table, key, column) : cell;
        values.push(judge(column, value));
        size += value?.length ?? 0;
      }
      if (values.some((value) => value !== null)) rows.push({ key, values });
      last = key;
      count++;
      if (size >= PAGE) break;
    }
    if (found.length < want && size < PAGE) {
      return { rows, last: count > 0 ? last : undefined, isLast: true, count };
    }
  }
  return { rows, last: count > 0 ? last : undefined, isLast: false, count };
}

async function readLarge(
  connection: MysqlConnection,
  table: MysqlTable,
  key: Key,
  column: TextColumn,
): Promise<Buffer | null> {
  const condition = matchKey(table.keyColumns ?? [], key);
  const [cells] = await connection.demand(
    `SELECT ${readBytes(column)}, ${lengthOf(column)} FROM ${table.sql} WHERE ${condition}`,
  );
  // Another writer has deleted the row, or the value.
  if (!cells?.[1]) return null;
  if (cells[0] === null) throw tooLong(table, column, connection, cells[1].toString());
  return cells[0] ?? null;
}

const tooLong = (
  table: MysqlTable,
  column: TextColumn,
  { maxPacket }: MysqlConnection,
  length: string,
): InputError =>
  new InputError(
    `${table.name}.${column.name}: a value of ${length} bytes exceeds max_allowed_packet (${maxPacket}); raise it on the server`,
  );

/** A pass over a table without a key. Its rows are known by their number in this pass alone. */
export class Pass {
  readonly #connection: MysqlConnection;
  readonly #table: MysqlTable;
  readonly #columns: readonly TextColumn[];
  readonly #rows: AsyncGenerator<Cells>;
  #position = 0;

  constructor(
    connection: MysqlConnection,
    table: MysqlTable,
    columns: readonly TextColumn[],
    options: PageOptions = {},
  ) {
    this.#connection = connection;
    this.#table = table;
    this.#columns = columns;
    const { isMariaDb } = connection;
    const expressions = columns.flatMap((column) => [
      readCandidate(column, isMariaDb, connection.maxPacket, options),
      lengthOf(column),
    ]);
    this.#rows = connection.stream(`SELECT ${expressions.join(', ') || '1'} FROM ${table.sql}`);
  }

  /** Tells whether the pass has reached the start of a page. */
  isAt(table: MysqlTable, columns: readonly TextColumn[], position: number): boolean {
    return (
      table === this.#table &&
      position === this.#position &&
      columns.length === this.#columns.length &&
      columns.every((column, i) => column.name === this.#columns[i]?.name)
    );
  }

  async skip(rows: number): Promise<void> {
    for (let i = 0; i < rows; i++) {
      if ((await this.#rows.next()).done) return;
      this.#position++;
    }
  }

  async readPage(limit: number): Promise<Page> {
    const rows: Row[] = [];
    let count = 0;
    let size = 0;
    let isLast = false;
    while (count < limit && size < PAGE) {
      const { done, value: cells } = await this.#rows.next();
      if (done) {
        isLast = true;
        break;
      }
      this.#position++;
      count++;
      const values = this.#columns.map((column, i) => {
        const value = cells[2 * i] ?? null;
        if (isMark(value)) {
          throw tooLong(this.#table, column, this.#connection, String(cells[2 * i + 1]));
        }
        size += value?.length ?? 0;
        return judge(column, value);
      });
      if (values.some((value) => value !== null)) rows.push({ key: [this.#position], values });
    }
    return { rows, last: count > 0 ? [this.#position] : undefined, isLast, count };
  }

  close(): void {
    this.#connection.abort();
  }
}
