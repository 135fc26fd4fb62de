/** Assignment of constants to the uses of a string if only some of them get another text. */

import type { Pool } from '../pool/pool.js';
import { Tag } from '../pool/tag.js';
import type { PoolWriter } from '../pool/writer.js';
import type { Locator } from './locator.js';

/** Users of a Utf8: wanted uses and others, and wanted ones that have its own index. */
const WANTED = 1;
const OTHER = 2;
const WANTED_DIRECT = 4;

/**
 * Users of a `CONSTANT_String`: wanted uses and others, by an index of two bytes or by the one byte of an
 * `ldc`.
 */
const WANTED_WIDE = 1;
const WANTED_NARROW = 2;
const OTHER_WIDE = 4;
const OTHER_NARROW = 8;
const ANY_WANTED = WANTED_WIDE | WANTED_NARROW;
const ANY_OTHER = OTHER_WIDE | OTHER_NARROW;

/** The greatest index that fits an `ldc`. */
const LAST_NARROW = 0xff;

/** Separates uses that get another text from the others. Instructions keep their lengths. */
export class Redirection {
  readonly #pool: Pool;
  readonly #writer: PoolWriter;
  /** Wanted uses by place: 1 if the use is wanted. */
  readonly #isWanted: Uint8Array;
  /** Users by the index of a Utf8 or of a `CONSTANT_String`. */
  readonly #users: Uint8Array;
  /** Texts for wanted uses, by the index of a Utf8. */
  readonly #texts = new Map<number, Uint8Array>();
  /** New index for wanted uses, by the index of a Utf8 or of a `CONSTANT_String`. */
  readonly #wanted: Uint16Array;
  /** New index for other uses, by the index of a Utf8 or of a `CONSTANT_String`. */
  readonly #other: Uint16Array;

  constructor(pool: Pool, writer: PoolWriter, places: number) {
    this.#pool = pool;
    this.#writer = writer;
    this.#isWanted = new Uint8Array(places);
    this.#users = new Uint8Array(pool.count);
    this.#wanted = new Uint16Array(pool.count);
    this.#other = new Uint16Array(pool.count);
  }

  /** Records the use at a locator's position. */
  add({ place, index, stringConstant, isNarrow }: Locator, isWanted: boolean): void {
    const users = this.#users;
    if (isWanted) this.#isWanted[place] = 1;
    (users[index] as number) |= isWanted ? WANTED : OTHER;
    if (stringConstant > 0) {
      const wide = isWanted ? WANTED_WIDE : OTHER_WIDE;
      (users[stringConstant] as number) |= isNarrow ? wide << 1 : wide;
    } else if (isWanted) (users[index] as number) |= WANTED_DIRECT;
  }

  /** Tells whether a Utf8 has a wanted use. */
  has(index: number): boolean {
    return ((this.#users[index] as number) & WANTED) !== 0;
  }

  /** Assigns another text to the wanted uses of a Utf8. Calls must follow the order of the pool. */
  replace(index: number, text: Uint8Array): void {
    const users = this.#users[index] as number;
    if ((users & OTHER) === 0) {
      this.#writer.replace(index, text);
      return;
    }
    this.#texts.set(index, text);
    if (users & WANTED_DIRECT) this.#addText(index);
  }

  /** Adds constants for the uses that must be separated. */
  part(): void {
    const pool = this.#pool;
    for (let index = 1; index < pool.count && this.#texts.size > 0; index++) {
      if (pool.tags[index] !== Tag.String) continue;
      const text = pool.reference(index);
      if (this.#texts.has(text)) this.#partString(index, text);
    }
  }

  /**
   * Writes the new index of the use at a locator's position.
   *
   * @returns False if the index does not fit, which only an `ldc` can cause.
   */
  write({ place, index, stringConstant, isNarrow, isConstant, offset }: Locator): boolean {
    const isWanted = this.#isWanted[place] === 1;
    if (isConstant) return true;
    const from = stringConstant || index;
    const to = (isWanted ? this.#wanted : this.#other)[from] as number;
    if (to === 0) return true;
    if (isNarrow && to > LAST_NARROW) return false;
    if (isNarrow) this.#writer.write1(offset, to);
    else this.#writer.write2(offset, to);
    return true;
  }

  #partString(index: number, text: number): void {
    const writer = this.#writer;
    const users = this.#users[index] as number;
    if ((users & ANY_WANTED) === 0) return;
    const add = (): void => {
      // Added before the text, whose index need not fit an ldc.
      this.#wanted[index] = writer.addString(index, this.#wanted[text] || writer.next + 1);
      this.#addText(text);
    };
    if ((users & ANY_OTHER) === 0) {
      writer.write2((this.#pool.offsets[index] as number) + 1, this.#addText(text));
      return;
    }
    if ((users & WANTED_NARROW) === 0 || writer.next <= LAST_NARROW) add();
    else if ((users & OTHER_NARROW) === 0) {
      writer.write2((this.#pool.offsets[index] as number) + 1, this.#addText(text));
      this.#other[index] = writer.addString(index, text);
    } else if (users & WANTED_WIDE) add();
    // No constant has this index, so no `ldc` refers to it.
    else this.#wanted[index] = 0xffff;
  }

  /** Adds the text for the wanted uses of a Utf8, unless it exists. Returns its index. */
  #addText(index: number): number {
    if (this.#wanted[index] === 0) {
      this.#wanted[index] = this.#writer.addText(index, this.#texts.get(index) as Uint8Array);
    }
    return this.#wanted[index] as number;
  }
}
