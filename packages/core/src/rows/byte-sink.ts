import type { OwnBytes } from '../argument/bytes.js';
import { type Spelling, writeSpelling } from './spelling.js';

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
    const grown = allocate(2 * (this.length + count));
    grown.set(this.memory);
    this.memory = grown;
  }

  /** Appends a byte. */
  push(byte: number): void {
    this.reserve(1);
    this.memory[this.length++] = byte;
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

/** Appends bytes to a sink. */
export function append(sink: ByteSink, bytes: Uint8Array): void {
  sink.reserve(bytes.length);
  sink.memory.set(bytes, sink.length);
  sink.length += bytes.length;
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
