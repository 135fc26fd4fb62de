/** A transaction of MySQL or MariaDB: rows change with a lock on them, or not at all. */
import { UsageError } from '@utf8/dump';
import type { Change, ChangeOptions, Outcome, Progress, Transaction } from '../server.js';
import type { Key, KeyValue } from '../table.js';
import type { MysqlReference, MysqlTable } from './mysql-catalogue.js';
import { assign, matchBytes, readBytes } from './mysql-columns.js';
import type { Cells, MysqlConnection } from './mysql-connection.js';
import { describeFault, findRefusal, MysqlTransientError } from './mysql-fault.js';
import { matchKey, quoteName, text } from './mysql-literal.js';
import { formatProgress } from './mysql-progress.js';

/** The assignments that keep `ON UPDATE CURRENT_TIMESTAMP` from changing a column. */
const keepColumns = (table: MysqlTable, changes: readonly Change[]): string[] =>
  table.updatedColumns
    .filter((name) => !changes.some(({ column }) => column.name === name))
    .map((name) => `${quoteName(name)} = ${quoteName(name)}`);

/** The statements that change a row, if its values are still the old ones; the last is the UPDATE. */
export function formatChange(
  table: MysqlTable,
  key: Key,
  changes: readonly Change[],
  maxPacket: number,
): readonly string[] {
  const { before, values } = assign(changes, maxPacket);
  const assignments = [
    ...changes.map(({ column }, i) => `${column.sql} = ${values[i]}`),
    ...keepColumns(table, changes),
  ].join(', ');
  const keyColumns = table.keyColumns ?? [];
  // A key has the bytes already, and MySQL 8.0 takes a condition that it finds twice for false.
  const others = changes.filter(({ column }) =>
    keyColumns.every(({ name }) => name !== column.name),
  );
  const conditions = [matchKey(keyColumns, key), ...matchBytes(others, maxPacket)].join(' AND ');
  return [...before, `UPDATE ${table.sql} SET ${assignments} WHERE ${conditions}`];
}

/** The key that a row has after changes. */
function deriveKey(table: MysqlTable, key: Key, changes: readonly Change[]): Key {
  return (table.keyColumns ?? []).map(({ name }, i): KeyValue => {
    const change = changes.find(({ column }) => column.name === name);
    if (!change) return key[i] as KeyValue;
    return { hex: Buffer.from(change.new).toString('hex'), is: 'text' };
  });
}

/** Parts of the server that a transaction needs. */
export interface TransactionContext {
  readonly name: string;
  readonly connection: MysqlConnection;
  /** Finds a table in the catalogue; undefined if it belongs to another database. */
  findTable(name: string): MysqlTable | undefined;
  /** Reason why the user may not see all rows that refer to others; undefined if the user may. */
  readonly referencesHidden: string | undefined;
}

export class MysqlTransaction implements Transaction {
  readonly #context: TransactionContext;
  readonly #changed: { readonly table: MysqlTable; readonly changes: readonly Change[] }[] = [];
  #isDeferred = false;
  #zone: string | undefined;

  constructor(context: TransactionContext) {
    this.#context = context;
  }

  async change(
    { name }: { readonly name: string },
    key: Key,
    changes: readonly Change[],
    { allowsEffects = false }: ChangeOptions = {},
  ): Promise<Outcome> {
    const table = this.#context.findTable(name);
    if (!table?.keyColumns) return refuse('nothing identifies the row');
    if (table.refusal) return refuse(table.refusal);
    await this.#setZone(table);
    const before = await this.#readRow(table, key, changes);
    if (!before || !isSame(before, changes, 'old')) return { is: 'overtaken' };
    await this.#run('SAVEPOINT utf8_row');
    const { connection } = this.#context;
    const statements = formatChange(table, key, changes, connection.maxPacket);
    const update = statements.at(-1) as string;
    for (const statement of statements.slice(0, -1)) await this.#run(statement);
    let found: number;
    try {
      found = await connection.write(update);
    } catch (error) {
      const refusal = findRefusal(error);
      if (!refusal) throw describeFault(this.#context.name, error);
      await this.#run('ROLLBACK TO SAVEPOINT utf8_row');
      return { is: 'refused', ...refusal };
    }
    // The row is locked, so no one else can have changed it meanwhile.
    const newKey = deriveKey(table, key, changes);
    const after = found === 1 ? await this.#readRow(table, newKey, changes) : undefined;
    const effect = findEffect(table, changes, before, after);
    if (effect && !(effect.isOther && allowsEffects)) {
      await this.#run('ROLLBACK TO SAVEPOINT utf8_row');
      return { is: 'refused', reason: 'effect', message: effect.message };
    }
    if (this.#isDeferred) this.#changed.push({ table, changes });
    return { is: 'changed', key: newKey };
  }

  async deferReferences(): Promise<void> {
    if (this.#isDeferred) return;
    const { referencesHidden } = this.#context;
    if (referencesHidden) throw new UsageError(referencesHidden);
    // Without checks nothing cascades either, so the children can be changed, and recorded, one by one.
    await this.#run('SET foreign_key_checks = 0');
    this.#isDeferred = true;
  }

  async saveProgress(progress: Progress): Promise<void> {
    await this.#run(formatProgress(progress));
  }

  /**
   * Checks constraints that the server did not check, before the COMMIT.
   *
   * @throws MysqlTransientError if another writer has added a row that refers to an old value.
   */
  async checkReferences(): Promise<void> {
    for (const { table, changes } of this.#changed) {
      for (const reference of table.allReferences) {
        if (reference.parent === table.name) {
          await this.#checkRows(reference, reference.parentColumns, changes, 'old');
        }
        if (reference.child === table.name) {
          await this.#checkRows(reference, reference.childColumns, changes, 'new');
        }
      }
    }
  }

  /** Restores the settings that the transaction has changed. */
  async reset(): Promise<void> {
    if (this.#isDeferred) await this.#run('SET foreign_key_checks = 1');
    if (this.#zone) await this.#run('SET time_zone = @utf8_time_zone');
  }

  /** Looks for children that have a value, and no parent. */
  async #checkRows(
    reference: MysqlReference,
    columns: readonly string[],
    changes: readonly Change[],
    side: 'old' | 'new',
  ): Promise<void> {
    const { child, childColumns, childSql, parentColumns, parentSql } = reference;
    const values = columns.flatMap((name, i) => {
      const change = changes.find(({ column }) => column.name === name);
      if (!change) return [];
      const value = text(change[side], change.column.charset ?? 'utf8mb4');
      return [`c.${quoteName(childColumns[i] as string)} = ${value}`];
    });
    if (values.length === 0) return;
    const present = childColumns.map((name) => `c.${quoteName(name)} IS NOT NULL`);
    const equal = childColumns.map(
      (name, i) => `p.${quoteName(parentColumns[i] as string)} = c.${quoteName(name)}`,
    );
    const [orphan] = await this.#run(
      `SELECT 1 FROM ${childSql} c WHERE ${[...values, ...present].join(' AND ')}
       AND NOT EXISTS (SELECT 1 FROM ${parentSql} p WHERE ${equal.join(' AND ')})
       LIMIT 1 LOCK IN SHARE MODE`,
    );
    if (orphan) {
      throw new MysqlTransientError(
        `${this.#context.name}: rows of ${child} refer by ${reference.name} to a row that changes; try again`,
      );
    }
  }

  async #readRow(
    table: MysqlTable,
    key: Key,
    changes: readonly Change[],
  ): Promise<Cells | undefined> {
    const names = changes.map(({ column }) => column.name);
    const others = listOthers(table, names).map((name) => table.readers.get(name));
    const expressions = [...changes.map(({ column }) => readBytes(column)), ...others];
    const rows = await this.#run(
      `SELECT ${expressions.join(', ')} FROM ${table.sql}
       WHERE ${matchKey(table.keyColumns ?? [], key)} FOR UPDATE`,
    );
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** The words of a TIMESTAMP in a key are in UTC; triggers otherwise see the server's own zone. */
  async #setZone({ hasTimestampKey }: MysqlTable): Promise<void> {
    const zone = hasTimestampKey ? "'+00:00'" : '@utf8_time_zone';
    if (zone === (this.#zone ?? '@utf8_time_zone')) return;
    if (!this.#zone) await this.#run('SET @utf8_time_zone = @@time_zone');
    await this.#run(`SET time_zone = ${zone}`);
    this.#zone = zone;
  }

  #run(sql: string): Promise<readonly Cells[]> {
    return this.#context.connection.demand(sql);
  }
}

const refuse = (message: string): Outcome => ({ is: 'refused', reason: 'other', message });

/** The columns of a row that must stay as they are, except those of these names. */
const listOthers = (table: MysqlTable, names: readonly string[]): string[] =>
  [...table.readers.keys()].filter((name) => !names.includes(name));

const isSame = (cells: Cells, changes: readonly Change[], side: 'old' | 'new'): boolean =>
  changes.every((change, i) => cells[i] && Buffer.compare(cells[i], change[side]) === 0);

/** Finds changes of an UPDATE other than the requested ones. */
function findEffect(
  table: MysqlTable,
  changes: readonly Change[],
  before: Cells,
  after: Cells | undefined,
): { readonly message: string; readonly isOther: boolean } | undefined {
  const names = changes.map(({ column }) => column.name);
  if (!after || !isSame(after, changes, 'new')) {
    const message = `the server, or a trigger, changed the new value of ${names.join(', ')}`;
    return { message, isOther: false };
  }
  const others = listOthers(table, names).filter((_, i) => {
    const [a, b] = [before[changes.length + i], after[changes.length + i]];
    return a && b ? Buffer.compare(a, b) !== 0 : a !== b;
  });
  if (others.length === 0) return undefined;
  return { message: `${others.join(', ')} changed too, perhaps by a trigger`, isOther: true };
}
