/** Changes rows, each in a savepoint of its own. */
import type { Change, ChangeOptions, Outcome, Progress, Transaction } from '../server.js';
import type { Key, Table } from '../table.js';
import type { Details } from './postgres-catalogue.js';
import type { Connection } from './postgres-connection.js';
import { describeError, findRefusal, isOfServer } from './postgres-error.js';
import type { Progresses } from './postgres-progress.js';
import type { Rows } from './postgres-rows.js';
import { EQUAL, Parameters, type Place } from './postgres-sql.js';

/** Parts of the database that transactions need. */
export interface Surroundings {
  readonly connection: Connection;
  readonly rows: Rows;
  readonly progresses: Progresses;
  /** Foreign keys that can be checked at the end. */
  readonly deferrable: readonly string[];
  readonly find: (table: Table) => Promise<Details>;
}

const SAVEPOINT = 'SAVEPOINT utf8';
const RELEASE = 'RELEASE SAVEPOINT utf8';
const ROLLBACK = 'ROLLBACK TO SAVEPOINT utf8';

const refuse = (message: string, reason: 'effect' | 'reference' = 'effect'): Outcome => ({
  is: 'refused',
  reason,
  message,
});

/** A transaction that reads rows as others have committed them, so that every change sees the latest row. */
export class PostgresTransaction implements Transaction {
  readonly #surroundings: Surroundings;
  /** True if there is a savepoint, which the next row releases in the same message that sets its own. */
  #hasSavepoint = false;

  private constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  static async run<Result>(
    surroundings: Surroundings,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const { connection } = surroundings;
    const transaction = new PostgresTransaction(surroundings);
    try {
      // A unique key that is checked at the end would fail the batch and not the row.
      await connection.run('BEGIN ISOLATION LEVEL READ COMMITTED; SET CONSTRAINTS ALL IMMEDIATE');
      const result = await work(transaction);
      const command = await connection.run('COMMIT');
      if (command !== 'COMMIT') throw new Error('the server rolled the transaction back');
      return result;
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => {});
      throw isOfServer(error) ? describeError(connection.name, error, true) : error;
    }
  }

  async change(
    table: Table,
    key: Key,
    changes: readonly Change[],
    options: ChangeOptions = {},
  ): Promise<Outcome> {
    const { connection, find } = this.#surroundings;
    const details = await find(table);
    const columns = changes.map(({ column }) => column.name);
    const reset = details.resets.find((each) =>
      each.columns.some((name) => columns.includes(name)),
    );
    if (reset)
      return refuse(
        `foreign key ${reset.name} would reset the references to this row`,
        'reference',
      );
    // Functions that may run resolve names by the role's own search path.
    const runsFunctions = table.effects.length > 0;
    const begin = runsFunctions ? `${SAVEPOINT}; ${connection.unpin}` : SAVEPOINT;
    await connection.run(this.#hasSavepoint ? `${RELEASE}; ${begin}` : begin);
    this.#hasSavepoint = true;
    let outcome: Outcome;
    try {
      outcome = await this.#attempt(details, key, changes, options.allowsEffects ?? false);
    } catch (error) {
      const refusal = findRefusal(error, details.hasRules);
      if (!refusal) throw describeError(table.name, error, true);
      outcome = { is: 'refused', ...refusal };
    }
    if (outcome.is === 'refused') await connection.run(ROLLBACK);
    else if (runsFunctions) await connection.run(connection.pin);
    return outcome;
  }

  async deferReferences(): Promise<void> {
    const { connection, deferrable } = this.#surroundings;
    if (deferrable.length === 0) return;
    await this.#settle();
    await connection.run(`SET CONSTRAINTS ${deferrable.join(', ')} DEFERRED`);
  }

  async saveProgress(progress: Progress): Promise<void> {
    await this.#settle();
    await this.#surroundings.progresses.save(progress);
  }

  /** Makes the next statements independent of the row before them. */
  async #settle(): Promise<void> {
    if (!this.#hasSavepoint) return;
    await this.#surroundings.connection.run(RELEASE);
    this.#hasSavepoint = false;
  }

  /**
   * Locks the row if its values are still the old ones, changes it, and compares it with itself, in one
   * statement: three, one after the other, take twice the time.
   */
  async #attempt(
    details: Details,
    key: Key,
    changes: readonly Change[],
    allowsEffects: boolean,
  ): Promise<Outcome> {
    const { connection, rows } = this.#surroundings;
    const { table, hasTriggers, columns } = details;
    const parameters = new Parameters();
    // A value that occurs in several places is sent once.
    const places = new Map<Uint8Array, string>();
    const place: Place = (bytes) => {
      const known = places.get(bytes) ?? parameters.add(bytes);
      places.set(bytes, known);
      return known;
    };
    const changed = changes.map(({ column }) => column.name);
    const rest = columns.filter(
      ({ name, expression }) => expression === undefined && !changed.includes(name),
    );
    const condition = `${rows.isAt(details, key, place)} AND ${rows.hasOld(details, changes, place)}`;
    const hash = hasTriggers && !allowsEffects ? rows.hash(details, changed) : 'NULL';
    const restOfRow = `ROW(${rest.map(({ sql }) => `t.${sql}`).join(', ')})`;
    // Compares the bytes of any values, those of types without equality as well.
    const isSame = allowsEffects ? 'true' : `o.r OPERATOR(pg_catalog.*=) ${restOfRow}`;
    const isNew = this.#isNew(details, changes, place);
    const [row] = await connection.ask(
      `WITH o AS MATERIALIZED (
         SELECT ${restOfRow} AS r, ${hash} AS h FROM ${table.sql} t WHERE ${condition}
         FOR NO KEY UPDATE
       )
       UPDATE ${table.sql} t SET ${rows.assign(details, changes, place)} FROM o WHERE ${condition}
       RETURNING ${isNew}, ${isSame}, o.h, ${rows.readKey(details)}`,
      parameters.values,
    );
    if (!row) return this.#explain(details, key, changes);
    const [hasNew, hasSame, oldHash] = row;
    if (hasNew !== 't') return refuse('the server stored a value other than the repaired one');
    if (hasSame !== 't') return refuse('the server changed another column of the row');
    const newKey = rows.keyOf(details, row.slice(3));
    if (hasTriggers) {
      const message = await this.#compare(details, newKey, changes, oldHash ?? undefined);
      if (message) return refuse(message);
    }
    return { is: 'changed', key: newKey };
  }

  #isNew(details: Details, changes: readonly Change[], place: Place): string {
    const { rows } = this.#surroundings;
    return changes
      .map(({ column: { name }, new: bytes }) => {
        const column = rows.column(details, name);
        const value = rows.sql.bytes(`t.${column.sql}`, column);
        return `${value} ${EQUAL} ${rows.sql.stored(bytes, column, place)}`;
      })
      .join(' AND ');
  }

  /** Finds out why no row was changed: none has the old values, or something suppresses the update. */
  async #explain(details: Details, key: Key, changes: readonly Change[]): Promise<Outcome> {
    const { connection, rows } = this.#surroundings;
    const { condition, parameters } = rows.find(details, key);
    const hasOld = rows.hasOld(details, changes, (bytes) => parameters.add(bytes));
    const found = await connection.ask(
      `SELECT 1 FROM ${details.table.sql} t WHERE ${condition} AND ${hasOld}`,
      parameters.values,
    );
    return found.length > 0 && (details.hasTriggers || details.hasRules)
      ? refuse('a trigger or a rule prevents the change')
      : { is: 'overtaken' };
  }

  /** Compares a row once more after triggers that run last. */
  async #compare(
    details: Details,
    key: Key,
    changes: readonly Change[],
    hash: string | undefined,
  ): Promise<string | undefined> {
    const { connection, rows } = this.#surroundings;
    const { condition, parameters } = rows.find(details, key);
    const isNew = this.#isNew(details, changes, (bytes) => parameters.add(bytes));
    const changed = changes.map(({ column }) => column.name);
    const [row] = await connection.ask(
      `SELECT ${isNew}, ${rows.hash(details, changed)} FROM ${details.table.sql} t WHERE ${condition}`,
      parameters.values,
    );
    if (row?.[0] !== 't') return 'a trigger changed the repaired value, or moved the row';
    return hash === undefined || row[1] === hash
      ? undefined
      : 'a trigger changed another column of the row';
  }
}
