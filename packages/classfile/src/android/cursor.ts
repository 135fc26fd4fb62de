/** A reader of little-endian numbers, which DEX files and resources use. */

import type { Budget } from './budget.js';

/** Refuses a file. The message is the end of a sentence. */
export type Refuse = (
  reason: 'truncated' | 'invalid-value' | 'overlap',
  offset: number,
  what: string,
) => never;

/** Reads numbers one after another, and never beyond the end of the part being read. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly #refuse: Refuse;
  readonly #budget: Budget;
  /** Offset of the next number, in bytes from the start of the file. */
  offset: number;
  /** Offset of the end of the part being read. */
  readonly end: number;

  /** @param budget - The bytes that are read are subtracted from it. */
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

  /** Reads a ULEB128 number of up to 32 bits: seven bits in each byte, the lowest first. */
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

  /** Reads a signed SLEB128 number of 32 bits. */
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

  /** Skips bytes, and returns their offset. */
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

/** Reads a two-byte number, without a check of bounds. */
export const readU2 = (bytes: Uint8Array, offset: number): number =>
  (bytes[offset] as number) | ((bytes[offset + 1] as number) << 8);

/** Reads a four-byte number, without a check of bounds. */
export const readU4 = (bytes: Uint8Array, offset: number): number =>
  readU2(bytes, offset) + readU2(bytes, offset + 2) * 0x1_0000;
