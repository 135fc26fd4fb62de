/** Keys that a repair puts into another order. */

import type { Other, Relation } from './finding.js';
import { compareKeys, type Part } from './key.js';

/** A record's key, as it is and as it would be. */
export interface Keyed {
  readonly table: string | undefined;
  readonly before: readonly Part[];
  readonly after: readonly Part[];
  readonly isChanged: boolean;
  readonly describe: () => Other;
}

/** How two neighbours stand to each other. */
export interface Turn {
  readonly other: Other;
  readonly before: Relation;
  readonly after: Relation;
}

/** Compares each key with that of the record before, as UTF-16 and code points may order them otherwise. */
export class OrderWatch {
  #last: Keyed | undefined;

  /** Adds the next key; what it says is kept until the one behind it comes. */
  add(next: Keyed): Turn | undefined {
    const last = this.#last;
    this.#last = next;
    if (!last || last.table !== next.table || !(last.isChanged || next.isChanged)) return undefined;
    const before = relate(compareKeys(next.before, last.before));
    const after = relate(compareKeys(next.after, last.after));
    // Those that become equal are found with all others, which need not be neighbours.
    if (before === after || after === 'equal') return undefined;
    return { other: last.describe(), before, after };
  }
}

const relate = (order: number): Relation => (order < 0 ? 'less' : order > 0 ? 'greater' : 'equal');
