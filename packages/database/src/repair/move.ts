/** Changes a value together with all that refer to it by foreign keys. */
import { findChildren, findColumn, type Tables } from '../judge/references.js';
import { identifyRow } from '../key.js';
import type { Change, Outcome, Server, Transaction } from '../server/server.js';
import type { Key, Table, TextReference } from '../server/table.js';

/** The most rows that move with one parent, in one transaction. Their keys are held in memory. */
const MOST = 100_000;

/** A row that changed, and the foreign key by which it moved with its parent. */
export interface ChangedRow {
  readonly table: Table;
  readonly key: Key;
  readonly newKey: Key;
  readonly changes: readonly Change[];
  readonly reference: TextReference | undefined;
}

/** Thrown if a child cannot move, so that its parent must stay as well. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}

/** Task of a move. */
export interface Move {
  readonly server: Server;
  readonly transaction: Transaction;
  readonly tables: Tables;
  /** The new keys of rows that this transaction has changed, which the server may not see yet. */
  readonly moved: ReadonlyMap<string, Key>;
  readonly most?: number | undefined;
  /** Receives each row that changed, a parent before its children. */
  readonly onChange: (row: ChangedRow) => void;
}

/** A row, and the change of a value that concerns others. */
interface Node {
  readonly table: Table;
  readonly key: Key;
  readonly newKey: Key;
  readonly change: Change;
  readonly reference: TextReference;
}

/** Moves rows within a transaction in which foreign keys need to hold at its end only. */
export class Mover {
  readonly #move: Move;
  readonly #moved: Map<string, Key>;
  #rows = 0;

  constructor(move: Move) {
    this.#move = move;
    this.#moved = new Map(move.moved);
  }

  /**
   * Changes a row, and everything that refers to its values.
   *
   * @returns What became of the row itself. Unless it changed, nothing else did.
   * @throws {@link MoveError} if it changed and a child did not: the transaction must be rolled back.
   */
  async change(
    table: Table,
    key: Key,
    changes: readonly Change[],
    reference?: TextReference,
  ): Promise<Outcome> {
    const { transaction } = this.#move;
    const cascaded: Node[] = [];
    for (const change of changes) await this.#collectCascaded(table, key, change, cascaded);
    const outcome = await transaction.change(table, key, changes, {
      allowsEffects: table.effects.length > 0,
    });
    if (outcome.is !== 'changed') return outcome;
    this.#announce({ table, key, newKey: outcome.key, changes, reference });
    for (const { change, ...child } of cascaded) this.#announce({ ...child, changes: [change] });
    for (const change of changes) await this.#moveChildren(table, change);
    for (const { table, change } of cascaded) await this.#moveChildren(table, change);
    return outcome;
  }

  #announce(row: ChangedRow): void {
    this.#moved.set(identifyRow(row.table, row.key), row.newKey);
    this.#move.onChange(row);
  }

  async #moveChildren(table: Table, change: Change): Promise<void> {
    for (const reference of findChildren(table, change.column.name)) {
      if (reference.cascades) continue;
      const { child, column, keys } = await this.#findRows(reference, change);
      for (const key of keys) {
        const outcome = await this.change(child, key, [{ ...change, column }], reference);
        if (outcome.is === 'changed') continue;
        const why =
          outcome.is === 'refused'
            ? outcome.message
            : 'it has changed, or encodes the value differently';
        throw new MoveError(`a row of ${child.name} that refers to it cannot change: ${why}`);
      }
    }
  }

  /** Finds the rows that the server itself would change with a value. */
  async #collectCascaded(table: Table, key: Key, change: Change, found: Node[]): Promise<void> {
    const seen = new Set<string>([identify(table, key, change)]);
    const visit = async (table: Table, change: Change): Promise<void> => {
      for (const reference of findChildren(table, change.column.name)) {
        if (!reference.cascades) continue;
        const { child, column, keys } = await this.#findRows(reference, change);
        const childChange = { ...change, column };
        let isNew = false;
        for (const key of keys) {
          const id = identify(child, key, childChange);
          if (seen.has(id)) continue;
          seen.add(id);
          isNew = true;
          const newKey = replaceInKey(child, key, childChange);
          found.push({ table: child, key, newKey, change: childChange, reference });
        }
        if (isNew) await visit(child, childChange);
      }
    };
    await visit(table, change);
  }

  async #findRows(reference: TextReference, { old }: Change) {
    const { server, tables, most = MOST } = this.#move;
    const child = tables.get(reference.child);
    const column = child && findColumn(child, reference);
    if (!child?.key || !column || reference.childColumns.length > 1) {
      throw new MoveError(`rows that refer to it by ${reference.name} cannot change`);
    }
    const keys = await server.findRows(child, reference.childColumns, [old], most + 1);
    this.#rows += keys.length;
    if (this.#rows <= most) {
      return { child, column, keys: keys.map((key) => findCurrent(this.#moved, child, key)) };
    }
    throw new MoveError(`more than ${most} rows refer to it`);
  }
}

/**
 * The key of a row after all changes of a transaction. No row gets a key that another one has left, since
 * repaired text is not damaged.
 */
export function findCurrent(moved: ReadonlyMap<string, Key>, table: Table, key: Key): Key {
  let current = key;
  // By itself, and with the parents of two columns.
  for (let i = 0; i < 3; i++) current = moved.get(identifyRow(table, current)) ?? current;
  return current;
}

const identify = (table: Table, key: Key, { column }: Change): string =>
  `${identifyRow(table, key)} ${column.name}`;

/** The key of a row after a change. */
export function replaceInKey(table: Table, key: Key, { column, new: bytes }: Change): Key {
  const hex = Buffer.from(bytes).toString('hex');
  return key.map((value, i) =>
    table.key?.names[i] === column.name
      ? { hex, is: typeof value === 'object' ? value.is : 'text' }
      : value,
  );
}
