/** Changes rows within a transaction, one at a time. */
import { OutputError } from '@utf8/dump';
import type { Change, ChangeOptions, Outcome, Progress, Transaction } from '../server.js';
import type { Key, Table } from '../table.js';
import type { ForeignKey, SqliteTable } from './sqlite-catalogue.js';
import type { Connection, SqlValue } from './sqlite-driver.js';
import { readRefusal } from './sqlite-failure.js';
import type { RowKeySql } from './sqlite-key.js';
import { isText, quoteName, typedValue } from './sqlite-literal.js';
import { saveProgress } from './sqlite-progress.js';

/** Lets go of one row without the others. */
const SAVEPOINT = 'utf8_row';

export class SqliteTransaction implements Transaction {
  readonly #connection: Connection;
  readonly #find: (table: Table) => SqliteTable;
  #isDeferred = false;

  constructor(connection: Connection, find: (table: Table) => SqliteTable) {
    this.#connection = connection;
    this.#find = find;
  }

  async change(
    table: Table,
    key: Key,
    changes: readonly Change[],
    { allowsEffects = false }: ChangeOptions = {},
  ): Promise<Outcome> {
    const facts = this.#find(table);
    if (!facts.key)
      return { is: 'refused', reason: 'other', message: 'nothing identifies the row' };
    this.#connection.exec(`SAVEPOINT ${SAVEPOINT}`);
    let outcome: Outcome;
    try {
      outcome = this.#change(facts, facts.key, key, changes, allowsEffects);
    } catch (error) {
      const refusal = readRefusal(error);
      if (!refusal) throw error;
      outcome = { is: 'refused', ...refusal };
    }
    try {
      if (outcome.is !== 'changed') this.#connection.exec(`ROLLBACK TO ${SAVEPOINT}`);
      this.#connection.exec(`RELEASE ${SAVEPOINT}`);
    } catch (error) {
      // RAISE(ROLLBACK) leaves no savepoint, and none of the rows before.
      const why = outcome.is === 'refused' ? `: ${outcome.message}` : '';
      throw new OutputError(`table ${table.name}: a trigger ended the transaction${why}`, {
        cause: error,
      });
    }
    return outcome;
  }

  #change(
    facts: SqliteTable,
    key: RowKeySql,
    rowKey: Key,
    changes: readonly Change[],
    allowsEffects: boolean,
  ): Outcome {
    const { table } = facts;
    const row = key.equals(rowKey);
    const old = changes.map(({ column }) => isText(column.sql)).join(' AND ');
    const values = [...row.values, ...changes.map((change) => change.old)];
    const names = changes.map(({ column }) => column.name);
    const others = facts.columns.filter((name) => !names.includes(name));
    const rest = ['1', ...others.map((name) => typedValue(quoteName(name)))].join(', ');
    const before = this.#connection
      .prepare(`SELECT ${rest} FROM ${table.sql} WHERE ${row.sql} AND ${old}`)
      .get(values);
    if (!before) return { is: 'overtaken' };
    const moved = facts.parents.find(
      (reference) =>
        reference.parentColumns.some((column) => names.includes(column)) &&
        this.#wouldMove(facts, key, rowKey, reference),
    );
    if (moved)
      return {
        is: 'refused',
        reason: 'reference',
        message: `ON UPDATE ${moved.onUpdate} would change rows of ${moved.child}`,
      };
    const set = changes.map(({ column }) => `${column.sql} = CAST(? AS TEXT)`).join(', ');
    // OR ABORT, since a constraint's own ON CONFLICT could delete the other row, or skip ours.
    this.#connection
      .prepare(`UPDATE OR ABORT ${table.sql} SET ${set} WHERE ${row.sql} AND ${old}`)
      .run([...changes.map((change) => change.new), ...values]);
    const newKey = key.columns.map(({ name }, i) => {
      const change = changes.find(({ column }) => column.name === name);
      const hex = change && Buffer.from(change.new).toString('hex');
      return hex === undefined ? (rowKey[i] ?? 0) : ({ hex, is: 'text' } as const);
    });
    if (!allowsEffects) {
      const message = this.#findEffect(facts, key.equals(newKey), changes, rest, before, others);
      if (message !== undefined) return { is: 'refused', reason: 'effect', message };
    }
    return { is: 'changed', key: newKey };
  }

  /** Returns a message if the row differs from the new text, or changed elsewhere; undefined otherwise. */
  #findEffect(
    { table, numeric }: SqliteTable,
    row: { readonly sql: string; readonly values: readonly SqlValue[] },
    changes: readonly Change[],
    rest: string,
    before: readonly SqlValue[],
    others: readonly string[],
  ): string | undefined {
    const changed = changes.map(({ column }) => isText(column.sql)).join(' AND ');
    const after = this.#connection
      .prepare(`SELECT ${rest} FROM ${table.sql} WHERE ${row.sql} AND ${changed}`)
      .get([...row.values, ...changes.map((change) => change.new)]);
    if (!after) {
      const column = changes.find((change) => numeric.has(change.column.name))?.column;
      return column
        ? `the column ${column.name} does not store the new text, or not as text`
        : 'the row does not have the new text; a trigger changes or refuses it';
    }
    const other = after.findIndex((value, i) => !isSame(value, before[i] as SqlValue));
    if (other === -1) return undefined;
    return `the column ${others[(other - 1) >> 1]} changes too`;
  }

  /** Tells whether the server would change children that the repair does not. */
  #wouldMove(
    { table }: SqliteTable,
    key: RowKeySql,
    rowKey: Key,
    { child, childColumns, parentColumns, onUpdate }: ForeignKey,
  ): boolean {
    // These two are refused by the server as long as there are children.
    if (onUpdate === 'NO ACTION' || onUpdate === 'RESTRICT') return false;
    const { sql, values } = key.equals(rowKey, 'p.');
    // The parent is on the left, for its collation and affinity.
    const same = parentColumns.map(
      (column, i) => `p.${quoteName(column)} = c.${quoteName(childColumns[i] as string)}`,
    );
    // A move expects a cascade, but not that children with other bytes, such as capitals, get the parent's.
    const differs = parentColumns.map(
      (column, i) =>
        `CAST(p.${quoteName(column)} AS BLOB) <> CAST(c.${quoteName(childColumns[i] as string)} AS BLOB)`,
    );
    const isExpected = onUpdate === 'CASCADE' && this.#isDeferred;
    const conditions = [sql, ...same, ...(isExpected ? [`(${differs.join(' OR ')})`] : [])];
    return (
      this.#connection
        .prepare(
          `SELECT 1 FROM ${table.sql} AS p, ${quoteName(child)} AS c WHERE ${conditions.join(' AND ')} LIMIT 1`,
        )
        .get(values) !== undefined
    );
  }

  async deferReferences(): Promise<void> {
    // Until the transaction ends.
    this.#connection.exec('PRAGMA defer_foreign_keys = ON');
    this.#isDeferred = true;
  }

  async saveProgress(progress: Progress): Promise<void> {
    saveProgress(this.#connection, progress);
  }
}

const isSame = (a: SqlValue, b: SqlValue): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : Object.is(a, b);
