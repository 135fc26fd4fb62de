import type { OwnBytes } from '../argument/bytes.js';
import { type Spelling, writeSpelling } from '../read/spelling.js';

/**
 * Where encoded bytes gather: memory that grows. It may begin in a kernel's scratch, which costs nothing
 * and is never handed out.
 */
export class ByteSink {
  memory: Uint8Array;
  length = 0;

  /** @param memory - Where to begin. */
  constructor(memory: Uint8Array) {
    this.memory = memory;
  }

  /** Makes room for at least `count` more bytes. */
  reserve(count: number): void {
    if (this.memory.length - this.length >= count) return;
    const grown = allocate(Math.max(this.length + count, this.memory.length * 1.5));
    grown.set(this.memory.subarray(0, this.length));
    this.memory = grown;
  }

  /** Appends bytes. */
  append(bytes: ArrayLike<number>): void {
    this.reserve(bytes.length);
    this.memory.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends a code point of a row. */
  spell(spelling: Spelling, codePoint: number): void {
    this.reserve(spelling.length);
    writeSpelling(spelling, codePoint, this.memory, this.length);
    this.length += spelling.length;
  }

  /** Returns the bytes, in memory of their own. */
  finish(): OwnBytes {
    return this.memory.slice(0, this.length);
  }
}

/** Counts bytes without keeping them: the same memory is written to again and again. */
export class CountingSink extends ByteSink {
  #before = 0;

  get total(): number {
    return this.#before + this.length;
  }

  override reserve(count: number): void {
    if (this.memory.length - this.length >= count) return;
    this.#before += this.length;
    this.length = 0;
    super.reserve(count);
  }
}

/**
 * Allocates memory for a result.
 *
 * @throws RangeError if the platform has not that much.
 */
export const allocate = (length: number): OwnBytes => new Uint8Array(length);
