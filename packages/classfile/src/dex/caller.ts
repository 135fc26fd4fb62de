/** The callers of call sites. */

import type { DexMember, Ids } from './ids.js';
import { Place } from './place.js';
import type { Walk } from './walk.js';

/** An instruction that calls a bootstrap method. */
export interface DexCaller {
  /** The class, in the internal form. */
  readonly className: string;
  /** The method that contains the instruction. */
  readonly member: DexMember;
  /** The line of the source; undefined if the file does not contain it. */
  readonly line: number | undefined;
}

/** Numbers stored for each call: the call site, the class, the method, and the line plus one. */
const WIDTH = 4;

/** The calls of a part, found on first access. Stored as numbers, since there may be many. */
export class Callers {
  readonly #walk: Walk;
  #calls: Uint32Array | undefined;
  /** The calls in the order of their call sites. */
  #order = new Uint32Array(0);
  /** Start of each call site's calls in that order. */
  #starts = new Uint32Array(1);
  /** One list per call site, shared by all its arguments. */
  readonly #lists = new Map<number, readonly DexCaller[]>();

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** Returns the calls of a call site, in the order of the file. */
  listCallers(callSite: number): readonly DexCaller[] {
    const known = this.#lists.get(callSite);
    if (known) return known;
    const calls = this.#find();
    const { ids } = this.#walk;
    const callers = this.#order.subarray(this.#starts[callSite], this.#starts[callSite + 1]);
    const list = Array.from(callers, (call) => createCaller(ids, calls.subarray(call * WIDTH)));
    this.#lists.set(callSite, list);
    return list;
  }

  #find(): Uint32Array {
    if (this.#calls) return this.#calls;
    const { callSites } = this.#walk.ids.part;
    const starts = new Uint32Array(callSites.size + 1);
    let calls = new Uint32Array(64 * WIDTH);
    let count = 0;
    for (const { callSite, type, method, line } of this.#walk.calls()) {
      if (callSite >= callSites.size) continue;
      if (calls.length === count * WIDTH) calls = grow(calls);
      calls.set([callSite, type, method, line === undefined ? 0 : line + 1], count * WIDTH);
      starts[callSite + 1] = (starts[callSite + 1] as number) + 1;
      count++;
    }
    for (let i = 1; i < starts.length; i++) {
      (starts[i] as number) += starts[i - 1] as number;
    }
    this.#starts = starts;
    this.#order = sort(calls, count, starts);
    this.#calls = calls;
    return calls;
  }
}

/** Sorts the indices of calls by call site. */
function sort(calls: Uint32Array, count: number, starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const order = new Uint32Array(count);
  const next = starts.slice();
  for (let call = 0; call < count; call++) {
    const callSite = calls[call * WIDTH] as number;
    const place = next[callSite] as number;
    order[place] = call;
    next[callSite] = place + 1;
  }
  return order;
}

function grow(calls: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array((Math.floor((calls.length / WIDTH) * 1.5) + 1) * WIDTH);
  more.set(calls);
  return more;
}

function createCaller(ids: Ids, call: Uint32Array): DexCaller {
  const [, type = 0, method, line = 0] = call;
  const place = new Place(ids, type, 'method', method);
  return {
    className: place.className as string,
    member: place.member as DexMember,
    line: line === 0 ? undefined : line - 1,
  };
}
