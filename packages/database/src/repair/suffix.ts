/** Makes a key unique that a repair has made equal to another one: `name~2`, `name~3` and so on. */
import type { Codec } from '@utf8/core';
import { findChanged } from '../judge/collisions.js';
import { judgeChange } from '../judge/judge.js';
import type { Change } from '../server/server.js';
import type { Table } from '../server/table.js';

/** The last suffix that is tried. */
const LAST = 999;

/** The suffixes of one row. */
export class Suffixes {
  readonly #table: Table;
  readonly #changes: readonly Change[];
  readonly #to: Codec;
  readonly #numbers = new Map<string, number>();

  constructor(table: Table, changes: readonly Change[], to: Codec) {
    this.#table = table;
    this.#changes = changes;
    this.#to = to;
  }

  /**
   * Makes the next attempt.
   *
   * @param collision - The unique key that the last one violates, if the server knows.
   * @returns Undefined if there is none: a suffix would exceed the column, or is not valid in its structure.
   */
  next(collision: string | undefined): readonly Change[] | undefined {
    const { uniqueKeys } = this.#table;
    const violated =
      uniqueKeys.find(({ name }) => name === collision) ??
      uniqueKeys.find((unique) => findChanged(unique, this.#changes));
    const change = findChanged(violated, this.#changes);
    if (!change || change.column.structure) return undefined;
    const { name } = change.column;
    const number = (this.#numbers.get(name) ?? 1) + 1;
    if (number > LAST) return undefined;
    this.#numbers.set(name, number);
    const changes = this.#changes.map((each) => this.#add(each));
    return changes.some((each) => judgeChange(each).some(({ hazard }) => hazard === 'too-long'))
      ? undefined
      : changes;
  }

  #add(change: Change): Change {
    const number = this.#numbers.get(change.column.name);
    if (number === undefined) return change;
    return { ...change, new: Buffer.concat([change.new, this.#to.encode(`~${number}`)]) };
  }
}
