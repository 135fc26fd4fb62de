/** Labels of a `switch` over strings, which compilers translate to a switch over hash codes and comparisons. */
import { setOf } from '../kind.js';
import type { Pool } from '../pool/pool.js';
import { NumberList } from './numbers.js';
import { type Code, Opcode } from './opcode.js';
import type { PlaceList } from './places.js';
import type { Walk } from './walk.js';

const literal = setOf('literal');
const label = setOf('switch-label');

/** Finds the labels among the strings that a method compares, which may come before the switch. */
export class Labels {
  /** Offsets of switches over hash codes. */
  readonly #switches = new NumberList(Float64Array);
  /** The strings that are compared: the index of the Utf8, and the position in the list. */
  readonly #texts = new NumberList(Uint16Array);
  readonly #places = new NumberList(Float64Array);
  /** Hash codes by the index of a Utf8, once they are computed. */
  #hashes: Int32Array | undefined;
  #isHashed = new Uint8Array(0);

  addSwitch(offset: number): void {
    this.#switches.push(offset);
  }

  /** Records a string that is compared, which is the last in the list of places. */
  addLoad(index: number, list: PlaceList | undefined): void {
    this.#texts.push(index);
    if (list) this.#places.push(list.length - 1);
  }

  /** Settles the kinds of the strings that one method compares. */
  finish({ pool, places }: Walk, code: Code): void {
    const { length } = this.#texts;
    if (length > 0) {
      const cases = this.#switches.length > 0 ? this.#readCases(code) : undefined;
      for (let i = 0; i < length; i++) {
        const index = this.#texts.at(i);
        const isLabel = cases?.has(this.#hash(pool, index));
        places.settle(isLabel ? label : literal, index, this.#places.at(i));
      }
    }
    this.#switches.length = 0;
    this.#texts.length = 0;
    this.#places.length = 0;
  }

  #readCases(code: Code): Ranges {
    const switches = Array.from(this.#switches.items.subarray(0, this.#switches.length));
    const count = (at: number): number =>
      code.bytes[at] === Opcode.tableswitch ? 1 : code.i4(code.operandsOf(at) + 4);
    const ranges = new Ranges(switches.reduce((sum, at) => sum + count(at), 0));
    for (const at of switches) {
      const operands = code.operandsOf(at);
      if (code.bytes[at] === Opcode.tableswitch) {
        ranges.add(code.i4(operands + 4), code.i4(operands + 8));
        continue;
      }
      for (let i = 0; i < count(at); i++) {
        const key = code.i4(operands + 8 + 8 * i);
        ranges.add(key, key);
      }
    }
    ranges.sort();
    return ranges;
  }

  /** Returns `String.hashCode` of a Utf8, computed once. */
  #hash(pool: Pool, index: number): number {
    if (!this.#hashes) {
      this.#hashes = new Int32Array(pool.count);
      this.#isHashed = new Uint8Array(pool.count);
    }
    if (!this.#isHashed[index]) {
      this.#isHashed[index] = 1;
      this.#hashes[index] = hashCode(pool.textOf(index));
    }
    return this.#hashes[index] as number;
  }
}

function hashCode(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

/** Ranges of numbers, which may overlap. */
class Ranges {
  readonly #firsts: Int32Array;
  readonly #lasts: Int32Array;
  #count = 0;

  constructor(count: number) {
    this.#firsts = new Int32Array(count);
    this.#lasts = new Int32Array(count);
  }

  add(first: number, last: number): void {
    this.#firsts[this.#count] = first;
    this.#lasts[this.#count++] = last;
  }

  sort(): void {
    this.#firsts.sort();
    this.#lasts.sort();
  }

  /** Tells whether a range contains a number: more ranges begin up to it than end before it. */
  has(value: number): boolean {
    return countBelow(this.#firsts, value + 1) > countBelow(this.#lasts, value);
  }
}

/** Counts the numbers of a sorted list that are less than a limit. */
function countBelow(numbers: Int32Array, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
