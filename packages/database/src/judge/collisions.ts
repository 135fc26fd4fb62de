/** Unique keys that only the repair makes equal. */
import { createHash } from 'node:crypto';
import type { Codec } from '@utf8/core';
import { loadFold } from '@utf8/dump/internal';
import type { Change, Server } from '../server/server.js';
import type { Table, UniqueKey } from '../server/table.js';
import type { FoundHazard } from './hazard.js';
import type { Judgement } from './judge.js';

/** Slots of 8 bytes, 8 MiB, of which half are used. */
const SLOTS = 2 ** 20;

/** A set of hashes in constant memory. */
export class HashSet {
  readonly #slots = new Float64Array(SLOTS);
  readonly #most: number;
  #size = 0;

  /** @param most - The most hashes that are kept, at most 524,288. */
  constructor(most: number = SLOTS / 2) {
    this.#most = most;
  }

  /** True if the set was full, so that hashes were left out. */
  isIncomplete = false;

  /** Adds a whole number from 1 to 2^48, unless the set is full. Returns whether it has it already. */
  add(hash: number): boolean {
    let i = hash % SLOTS;
    for (; this.#slots[i] !== 0; i = (i + 1) % SLOTS) if (this.#slots[i] === hash) return true;
    if (this.#size === this.#most) {
      this.isIncomplete = true;
      return false;
    }
    this.#slots[i] = hash;
    this.#size++;
    return false;
  }
}

/**
 * Finds rows whose unique key becomes equal to that of another row: to one in the database, which
 * the server is asked for, and to one that the repair changes as well. The set of new keys has room for
 * 524,288; among more, the second is found only when the server refuses it.
 */
export class CollisionFinder {
  readonly #server: Server;
  readonly #to: Codec;
  readonly #seen: HashSet;

  constructor(server: Server, to: Codec, seen: HashSet = new HashSet()) {
    this.#server = server;
    this.#to = to;
    this.#seen = seen;
  }

  get isIncomplete(): boolean {
    return this.#seen.isIncomplete;
  }

  async find(table: Table, { key, changes }: Judgement): Promise<FoundHazard[]> {
    const concerned = table.uniqueKeys.filter((unique) => findChanged(unique, changes));
    if (concerned.length === 0) return [];
    const name = await this.#server.findCollision(table, key, changes);
    const fold = await loadFold();
    const unique = concerned.find((each) => this.#isRepeated(table, each, changes, fold));
    const found = name ?? unique?.name;
    if (found === undefined) return [];
    const column = findChanged(
      table.uniqueKeys.find((each) => each.name === found),
      changes,
    );
    return [{ hazard: 'equal-keys', name: `unique key ${found}`, column: column?.column.name }];
  }

  /** Tells whether an earlier row gets the same key. The other values of a longer key are unknown here. */
  #isRepeated(
    table: Table,
    { name, columns }: UniqueKey,
    changes: readonly Change[],
    fold: Awaited<ReturnType<typeof loadFold>>,
  ): boolean {
    const parts = columns.map((column) => changes.find((each) => each.column.name === column));
    if (parts.includes(undefined)) return false;
    const hash = createHash('sha256').update(JSON.stringify([table.name, name]));
    for (const { column, new: bytes } of parts as Change[]) {
      const { collation } = column;
      const compared = collation === undefined ? bytes : fold(bytes, collation, this.#to);
      hash.update(`\0${compared.length}\0`).update(compared);
    }
    return this.#seen.add(hash.digest().readUIntBE(0, 6) + 1);
  }
}

/** The last change of a column in a unique key. */
export const findChanged = (
  unique: UniqueKey | undefined,
  changes: readonly Change[],
): Change | undefined =>
  changes.filter(({ column }) => unique?.columns.includes(column.name)).at(-1);
