import type { OwnBytes } from '@utf8/core';
import type { Pool } from './pool.js';
import { Tag } from './tag.js';

/** Most constants of a pool plus one: the count has two bytes. */
const MOST_CONSTANTS = 0xffff;

/** Offset of the number of constants, in bytes from the start of the file. */
const COUNT_OFFSET = 8;

/** Writes a class file with some strings of its pool replaced, and constants added. No index changes. */
export class PoolWriter {
  readonly #pool: Pool;
  /** The input, at its old size. */
  readonly #file: Uint8Array;
  /** Replacement texts by index. */
  readonly #replaced = new Map<number, Uint8Array>();
  readonly #added: Uint8Array[] = [];
  /** The index of the next constant that is added. */
  next: number;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#file = pool.bytes.slice();
    this.next = pool.count;
  }

  /** Replaces a text. Calls must follow the order of the pool. */
  replace(index: number, text: Uint8Array): void {
    this.#replaced.set(index, text);
  }

  /**
   * Adds a `CONSTANT_Utf8` that replaces another for some of its uses.
   *
   * @returns Its index.
   * @throws RangeError if the pool is full.
   */
  addText(index: number, text: Uint8Array): number {
    const head = Uint8Array.of(Tag.Utf8, 0, 0);
    write2(head, 1, text.length);
    return this.#add(index, head, text);
  }

  /** Adds a `CONSTANT_String` that replaces another for some of its uses. */
  addString(index: number, text: number): number {
    const constant = Uint8Array.of(Tag.String, 0, 0);
    write2(constant, 1, text);
    return this.#add(index, constant);
  }

  /** Writes a one-byte index at an offset from the start of the file. */
  write1(offset: number, index: number): void {
    this.#file[offset] = index;
  }

  write2(offset: number, index: number): void {
    write2(this.#file, offset, index);
  }

  /** Writes the file. */
  finish(): OwnBytes {
    const pool = this.#pool;
    const file = this.#file;
    write2(file, COUNT_OFFSET, this.next);
    const parts: Uint8Array[] = [];
    let from = 0;
    for (const [index, text] of this.#replaced) {
      const start = pool.startOf(index);
      const length = new Uint8Array(2);
      write2(length, 0, text.length);
      parts.push(file.subarray(from, start - 2), length, text);
      from = start + pool.lengthOf(index);
    }
    parts.push(file.subarray(from, pool.end), ...this.#added, file.subarray(pool.end));
    return join(parts);
  }

  #add(index: number, ...parts: Uint8Array[]): number {
    if (this.next >= MOST_CONSTANTS) {
      throw new RangeError(
        `The new text of the constant ${index} needs a constant of its own, but the pool is full: a class file has at most ${MOST_CONSTANTS - 1}.`,
      );
    }
    this.#added.push(...parts);
    return this.next++;
  }
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
