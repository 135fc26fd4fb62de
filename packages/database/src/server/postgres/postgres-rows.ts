/** Conditions that find a row, and assignments that change it. */
import type { Change } from '../server.js';
import type { Key, KeyValue } from '../table.js';
import type { Details } from './postgres-catalogue.js';
import type { Cells } from './postgres-connection.js';
import {
  bytesOfKey,
  type Column,
  EQUAL,
  type KeyColumn,
  keyOf,
  Parameters,
  type Place,
  type Sql,
} from './postgres-sql.js';

/** A type of the server itself. */
const BUILT_IN = { isBuiltIn: true };

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
    return `pg_catalog.md5(${this.sql.bytes(`ROW(${names.join(', ')})`, BUILT_IN)})`;
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
    const values = key.map(bytesOfKey);
    if (!keyColumns) {
      const [address, hash] = values.map(place) as [string, string];
      return `t.ctid ${EQUAL} ${this.sql.address(address)} AND ${this.hash(details)} ${EQUAL} ${this.sql.text(hash)}`;
    }
    return keyColumns
      .map((column, i) => {
        const value = this.sql.keyValue(values[i] as Uint8Array, column, place);
        return `${this.sql.operand(`t.${column.sql}`, column)} ${column.equal} ${value}`;
      })
      .join(' AND ');
  }

  /** The condition that a row follows another one in the order of its key. */
  isAfter(keyColumns: readonly KeyColumn[], key: Key, place: Place): string {
    const names = keyColumns.map((column) => this.sql.operand(`t.${column.sql}`, column));
    const values = keyColumns.map((column, i) =>
      this.sql.keyValue(bytesOfKey(key[i] as KeyValue), column, place),
    );
    const [first] = keyColumns as readonly [KeyColumn];
    if (keyColumns.every(({ greater }) => greater === first.greater)) {
      return `(${names.join(', ')}) ${first.greater} (${values.join(', ')})`;
    }
    // A comparison of rows has one operator for all columns.
    return keyColumns.reduceRight((rest, { equal, greater }, i) => {
      const isGreater = `${names[i]} ${greater} ${values[i]}`;
      return rest ? `(${isGreater} OR (${names[i]} ${equal} ${values[i]} AND ${rest}))` : isGreater;
    }, '');
  }

  /** The condition that a row still has its old values, byte for byte. */
  hasOld(details: Details, changes: readonly Change[], place: Place): string {
    return changes
      .map(({ column: { name }, old }) => {
        const column = this.column(details, name);
        return `${this.sql.bytes(`t.${column.sql}`, column)} ${EQUAL} ${this.sql.stored(old, column, place)}`;
      })
      .join(' AND ');
  }

  /** Assigns the new values. */
  assign(details: Details, changes: readonly Change[], place: Place): string {
    return changes
      .map(({ column: { name }, new: bytes }) => {
        const column = this.column(details, name);
        return `${column.sql} = ${this.sql.value(bytes, column, place)}`;
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
