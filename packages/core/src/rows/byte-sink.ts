import type { OwnBytes } from '../argument/bytes.js';
import { type PreparedRow, writeSequence } from './prepared-row.js';

/**
 * Collects encoded bytes in memory that grows. It may start in a kernel's scratch, which costs nothing and is
 * never returned.
 */
export class ByteSink {
  memory: Uint8Array;
  length = 0;

  /** @param memory - The first memory to fill. */
  constructor(memory: Uint8Array) {
    this.memory = memory;
  }

  /** Makes room for at least `count` more bytes. */
  reserve(count: number): void {
    const { length } = this.memory;
    const least = this.length + count;
    if (least <= length) return;
    const grown = allocate(Math.max(least, 2 * length));
    grown.set(this.memory);
    this.memory = grown;
  }

  /** Appends a byte. */
  push(byte: number): void {
    this.reserve(1);
    this.memory[this.length++] = byte;
  }

  /** Appends the sequence of a code point, which the row contains. */
  write(row: PreparedRow, codePoint: number): void {
    this.reserve(row.length);
    writeSequence(row, codePoint, this.memory, this.length);
    this.length += row.length;
  }

  /** Returns the bytes, in memory of their own. */
  finish(): OwnBytes {
    return this.memory.slice(0, this.length);
  }
}

/** Appends bytes to a sink. */
export function append(sink: ByteSink, bytes: Uint8Array): void {
  sink.reserve(bytes.length);
  sink.memory.set(bytes, sink.length);
  sink.length += bytes.length;
}

/** Counts bytes without keeping them: the same memory is reused. */
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
 * @throws RangeError if the platform cannot allocate that much.
 */
export const allocate = (length: number): OwnBytes => new Uint8Array(length);
