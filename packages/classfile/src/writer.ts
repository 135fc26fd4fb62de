import type { OwnBytes } from '@utf8/core';
import type { Pool } from './pool.js';
import { Tag } from './tag.js';
import type { Use } from './uses.js';

/** How many constants there are at most, and one: the number has two bytes. */
const MOST_CONSTANTS = 0xffff;

/** Where the number of constants is, in bytes from the start of the file. */
const COUNT_OFFSET = 8;

/** Writes a class file again with some strings of its pool replaced, and others added. No index changes. */
export class PoolWriter {
  readonly #pool: Pool;
  /** By index, what comes in place of the text. */
  readonly #replaced = new Map<number, Uint8Array>();
  /** By the index of the string that stays, the index of the new one. */
  readonly #moved = new Map<number, number>();
  readonly #appended: Uint8Array[] = [];

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Puts a text in place of another. */
  replace(index: number, text: Uint8Array): void {
    this.#replaced.set(index, text);
  }

  /**
   * Adds a text, for some uses of another.
   *
   * @throws RangeError where the pool is full.
   */
  append(index: number, text: Uint8Array): void {
    const added = this.#pool.count + this.#appended.length;
    if (added >= MOST_CONSTANTS) {
      throw new RangeError(
        `The text in place of the constant ${index} needs a constant of its own, but the pool is full: it holds up to ${MOST_CONSTANTS - 1}.`,
      );
    }
    this.#moved.set(index, added);
    this.#appended.push(text);
  }

  /**
   * Writes the file.
   *
   * @param uses - What refers to added texts from now on, where there is one for its string.
   */
  finish(uses: readonly Use[]): OwnBytes {
    const pool = this.#pool;
    const file = pool.bytes.slice();
    for (const { index, offset } of uses) {
      const added = this.#moved.get(index);
      if (added !== undefined) write2(file, offset, added);
    }
    write2(file, COUNT_OFFSET, pool.count + this.#appended.length);
    const parts: Uint8Array[] = [];
    let from = 0;
    // The map is in the order of the pool, as its strings were gone through in it.
    for (const [index, text] of this.#replaced) {
      parts.push(file.subarray(from, pool.offsets[index]), ...spell(text));
      from = pool.startOf(index) + pool.lengthOf(index);
    }
    parts.push(file.subarray(from, pool.end), ...this.#appended.flatMap(spell));
    parts.push(file.subarray(pool.end));
    return join(parts);
  }
}

/** A `CONSTANT_Utf8`: its head and its text. */
function spell(text: Uint8Array): [head: Uint8Array, text: Uint8Array] {
  const head = Uint8Array.of(Tag.Utf8, 0, 0);
  write2(head, 1, text.length);
  return [head, text];
}

function write2(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >> 8;
  bytes[offset + 1] = value;
}

function join(parts: readonly Uint8Array[]): OwnBytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
