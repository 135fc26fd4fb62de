/** Little-endian numbers, as DEX files and resources have them. */

import type { Budget } from './budget.js';

/** Refuses a file: what is wrong as the end of a sentence, and where. */
export type Refuse = (
  reason: 'truncated' | 'invalid-value' | 'overlap',
  offset: number,
  what: string,
) => never;

/** Reads numbers one after another, and never beyond the end of what is being read. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly #refuse: Refuse;
  readonly #budget: Budget;
  /** Where the next number is, in bytes from the start of the file. */
  offset: number;
  /** Where what is being read ends. */
  readonly end: number;

  /** @param budget - What is read is taken off. */
  constructor(
    bytes: Uint8Array,
    refuse: Refuse,
    budget: Budget,
    offset = 0,
    end: number = bytes.length,
  ) {
    this.bytes = bytes;
    this.#refuse = refuse;
    this.#budget = budget;
    this.offset = offset;
    this.end = end;
  }

  u1(): number {
    return this.bytes[this.#take(1)] as number;
  }

  u2(): number {
    return readU2(this.bytes, this.#take(2));
  }

  u4(): number {
    return readU4(this.bytes, this.#take(4));
  }

  /** A number of up to 32 bits, seven in a byte, the lowest first. */
  uleb128(): number {
    const start = this.offset;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u1();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value <= 0xffff_ffff) return value;
        break;
      }
    }
    this.#refuse('invalid-value', start, 'a uleb128 exceeds 32 bits');
  }

  /** A signed number of 32 bits, likewise. */
  sleb128(): number {
    const start = this.offset;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u1();
      value |= (byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      return shift < 28 && byte & 0x40 ? value | (-1 << (shift + 7)) : value;
    }
    this.#refuse('invalid-value', start, 'an sleb128 exceeds 32 bits');
  }

  skip(wanted: number): void {
    this.#take(wanted);
  }

  /** Where the next bytes are, which are passed over. */
  #take(wanted: number): number {
    const { offset } = this;
    if (wanted > this.end - offset) {
      const left = Math.max(this.end - offset, 0);
      this.#refuse('truncated', offset, `${wanted} bytes needed, but ${left} left`);
    }
    if (!this.#budget.spend(wanted)) {
      const what = 'items share others so often that reading them takes too long';
      this.#refuse('overlap', offset, what);
    }
    this.offset = offset + wanted;
    return offset;
  }
}

/** A number of two bytes, which are there. */
export const readU2 = (bytes: Uint8Array, offset: number): number =>
  (bytes[offset] as number) | ((bytes[offset + 1] as number) << 8);

/** A number of four bytes, which are there. */
export const readU4 = (bytes: Uint8Array, offset: number): number =>
  readU2(bytes, offset) + readU2(bytes, offset + 2) * 0x1_0000;
