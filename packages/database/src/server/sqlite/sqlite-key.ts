/** The columns that identify rows, and order them, in SQL. */
import type { Key, KeyValue } from '../table.js';
import type { SqlValue } from './sqlite-driver.js';
import { quoteName, toKeyValue, toLiteral, toParameter, typedValue } from './sqlite-literal.js';

/** A column of a key, as the index has it. */
export interface KeyColumn {
  readonly name: string;
  /** Undefined for a rowid, which is an integer. */
  readonly collation: string | undefined;
  readonly isDescending: boolean;
}

/** A condition with its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A key of a table: `rowid`, or the primary key of a table without. */
export class RowKeySql {
  readonly columns: readonly KeyColumn[];
  /** True if the key is the rowid, by any name. */
  readonly isRowid: boolean;
  /** Expressions to select of a row, for {@link readKey}. */
  readonly selected: string;
  readonly width: number;
  readonly orderBy: string;

  constructor(columns: readonly KeyColumn[]) {
    this.columns = columns;
    this.isRowid = columns[0]?.collation === undefined;
    this.selected = columns
      .map(({ name }) => (this.isRowid ? `'integer', ${nameOf(name)}` : typedValue(nameOf(name))))
      .join(', ');
    this.width = 2 * columns.length;
    this.orderBy = columns
      .map((column) => `${collated(column)}${column.isDescending ? ' DESC' : ''}`)
      .join(', ');
  }

  /** Reads a key from a row that begins with {@link selected}. */
  readKey(row: readonly SqlValue[]): Key {
    return this.columns.map((_, i) =>
      toKeyValue(row[2 * i] as SqlValue, row[2 * i + 1] as SqlValue),
    );
  }

  /** The row with a key. */
  equals(key: Key, prefix = ''): Condition {
    const values: SqlValue[] = [];
    const terms = this.columns.map((column, i) => {
      const { sql, value } = toParameter(this.#valueOf(key, i));
      values.push(value);
      return `${collated(column, prefix)} = ${sql}`;
    });
    return { sql: terms.join(' AND '), values };
  }

  /** The row with a key, without parameters. */
  equalsLiteral(key: Key): string {
    return this.columns
      .map((column, i) => `${collated(column)} = ${toLiteral(this.#valueOf(key, i))}`)
      .join(' AND ');
  }

  /** @throws RangeError if it is a key of another table, as an undo log could have it. */
  #valueOf(key: Key, i: number): KeyValue {
    const value = key[i];
    if (value === undefined || key.length !== this.columns.length)
      throw new RangeError(`expected ${this.columns.length} values in a key, not ${key.length}`);
    return value;
  }

  /**
   * The rows after a key: one condition after the other, each of which is one range of the index. Comparing
   * whole rows, as in `(a, b) > (?, ?)`, would read the index from its start if there are collations.
   */
  after(key: Key): Condition[] {
    return this.columns
      .map((_, depth) => {
        const values: SqlValue[] = [];
        const terms = this.columns.slice(0, depth + 1).map((column, i) => {
          const { sql, value } = toParameter(this.#valueOf(key, i));
          values.push(value);
          const operator = i < depth ? '=' : column.isDescending ? '<' : '>';
          return `${collated(column)} ${operator} ${sql}`;
        });
        return { sql: terms.join(' AND '), values };
      })
      .reverse();
  }
}

/** The names of a rowid are not quoted: quotes would make column names of them. */
const nameOf = (name: string): string => (rowidNames.includes(name) ? name : quoteName(name));

/** In the order in which they are tried; a column may have any of them. */
export const rowidNames: readonly string[] = ['rowid', 'oid', '_rowid_'];

const collated = ({ name, collation }: KeyColumn, prefix = ''): string =>
  `${prefix}${nameOf(name)}${collation === undefined ? '' : ` COLLATE ${quoteName(collation)}`}`;
