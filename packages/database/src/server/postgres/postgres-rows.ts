/** How statements find a row, and what they change about it. */
import type { Change } from '../server.js';
import type { Key } from '../table.js';
import type { Details } from './postgres-catalogue.js';
import type { Cells } from './postgres-connection.js';
import { bytesOfKey, type Column, keyOf, Parameters, type Sql } from './postgres-sql.js';

/** Where statements get bytes from: as parameters, or written out. */
type Place = (bytes: Uint8Array) => string;

const literal: Place = (bytes) =>
  `pg_catalog.decode('${Buffer.from(bytes).toString('hex')}', 'hex')`;

/** The parts of statements about rows, which are called `t`. */
export class Rows {
  readonly sql: Sql;

  constructor(sql: Sql) {
    this.sql = sql;
  }

  column({ columns }: Details, name: string): Column {
    return columns.find((column) => column.name === name) as Column;
  }

  /** A row without generated columns, as text. */
  hash({ columns }: Details, without: readonly string[] = []): string {
    const names = columns
      .filter(({ name, expression }) => expression === undefined && !without.includes(name))
      .map(({ sql }) => `t.${sql}`);
    return `pg_catalog.md5(${this.sql.bytes(`ROW(${names.join(', ')})`)})`;
  }

  /** The cells of a key. */
  readKey(details: Details): string {
    const { keyColumns } = details;
    if (!keyColumns) return `t.ctid::pg_catalog.text, ${this.hash(details)}`;
    return keyColumns.map((column) => this.sql.readKey(`t.${column.sql}`, column)).join(', ');
  }

  keyOf({ keyColumns }: Details, cells: Cells): Key {
    return keyColumns ? keyOf(cells, keyColumns) : (cells.slice(0, 2) as string[]);
  }

  /** The condition that a row has a key. */
  isAt(details: Details, key: Key, place: Place): string {
    const { keyColumns } = details;
    const values = key.map((value) => place(bytesOfKey(value)));
    const [address, hash] = values as [string, string];
    if (!keyColumns) {
      return `t.ctid = ${this.sql.address(address)} AND ${this.hash(details)} = ${this.sql.text(hash)}`;
    }
    return keyColumns
      .map((column, i) => `t.${column.sql} = ${this.sql.keyValue(values[i] as string, column)}`)
      .join(' AND ');
  }

  /** The condition that a row still has its old values, byte for byte. */
  hasOld(details: Details, changes: readonly Change[], place: Place): string {
    return changes
      .map(({ column: { name }, old }) => {
        const column = this.column(details, name);
        return `${this.sql.bytes(`t.${column.sql}`)} = ${this.sql.stored(place(old), column)}`;
      })
      .join(' AND ');
  }

  /** Assigns the new values. */
  assign(details: Details, changes: readonly Change[], place: Place): string {
    return changes
      .map(({ column: { name }, new: bytes }) => {
        const column = this.column(details, name);
        return `${column.sql} = ${this.sql.value(place(bytes), column)}`;
      })
      .join(', ');
  }

  /** A statement that changes the row only if it still has its old values. */
  formatUpdate(details: Details, key: Key, changes: readonly Change[]): string {
    return [
      `UPDATE ${details.table.sql} t SET ${this.assign(details, changes, literal)}`,
      ` WHERE ${this.isAt(details, key, literal)}`,
      ` AND ${this.hasOld(details, changes, literal)};`,
    ].join('');
  }

  /** The condition and the values of a row that is looked for by its key. */
  find(details: Details, key: Key): { condition: string; parameters: Parameters } {
    const parameters = new Parameters();
    return { condition: this.isAt(details, key, (bytes) => parameters.add(bytes)), parameters };
  }
}
