/** A window on a file that arrives in chunks. Readers are generators, which ask for more bytes by {@link MORE}. */
import { DataError, type DataForm, type DataReason } from './error.js';
import type { Place } from './path.js';

/** Asks for the next chunk. */
export const MORE: unique symbol = Symbol('more');

/** Steps of a reader that needs bytes. */
export type Steps<Result = void> = Generator<typeof MORE, Result, undefined>;

/** Least size of the window, in bytes. */
const LEAST = 1 << 16;

export class Input {
  readonly form: DataForm;
  #memory = new Uint8Array(LEAST);
  #view = new DataView(this.#memory.buffer);
  #start = 0;
  #end = 0;
  /** Offset of the window's first byte in the file. */
  #base = 0;
  #isWhole = false;

  constructor(form: DataForm) {
    this.form = form;
  }

  /** Offset of the next byte, from the start of the file. */
  get offset(): number {
    return this.#base + this.#start;
  }

  /** Appends a chunk, which is copied. */
  push(chunk: Uint8Array): void {
    const left = this.#end - this.#start;
    const needed = left + chunk.length;
    const old = this.#memory;
    // Doubled, so that a long string costs time in proportion to its length.
    if (needed > old.length) {
      this.#memory = new Uint8Array(Math.max(needed, 2 * old.length));
      this.#view = new DataView(this.#memory.buffer);
    }
    this.#memory.set(old.subarray(this.#start, this.#end));
    this.#memory.set(chunk, left);
    this.#base += this.#start;
    this.#start = 0;
    this.#end = needed;
  }

  /** Marks the end of the file. */
  finish(): void {
    this.#isWhole = true;
  }

  /** Waits for a number of bytes. Check {@link has} first, which is cheaper. */
  *need(count: number, path: Place): Steps {
    while (!this.has(count)) {
      if (this.#isWhole) this.#failToRead(count, path);
      yield MORE;
    }
  }

  has(count: number): boolean {
    return this.#end - this.#start >= count;
  }

  /** Tells whether the file ends here. */
  *isAtEnd(): Steps<boolean> {
    while (!this.has(1)) {
      if (this.#isWhole) return true;
      yield MORE;
    }
    return false;
  }

  /** Skips bytes, which need not fit into the window. */
  *skip(count: number, path: Place): Steps {
    let left = count;
    for (;;) {
      const here = Math.min(left, this.#end - this.#start);
      this.#start += here;
      left -= here;
      if (left === 0) return;
      if (this.#isWhole) this.#failToRead(left, path);
      yield MORE;
    }
  }

  /** Reads a number, whose bytes must be in the window. */
  u1(): number {
    return this.#memory[this.#start++] as number;
  }

  u2(): number {
    this.#start += 2;
    return this.#view.getUint16(this.#start - 2);
  }

  u4(): number {
    this.#start += 4;
    return this.#view.getUint32(this.#start - 4);
  }

  i4(): number {
    return this.u4() | 0;
  }

  /** Reads bytes into memory of their own. */
  *bytes(count: number, path: Place): Steps<Uint8Array> {
    if (!this.has(count)) yield* this.need(count, path);
    this.#start += count;
    return this.#memory.slice(this.#start - count, this.#start);
  }

  /**
   * Creates an error.
   *
   * @param back - Bytes from the wrong value's start to here.
   */
  error(reason: DataReason, path: Place, what: string, back = 0): DataError {
    return new DataError(this.form, reason, this.offset - back, `${path}`, what);
  }

  #failToRead(count: number, path: Place): never {
    const missing = count - (this.#end - this.#start);
    const bytes = missing === 1 ? '1 byte is missing' : `at least ${missing} bytes are missing`;
    this.#start = this.#end;
    throw this.error('truncated', path, `the file ends, and ${bytes}`);
  }
}
