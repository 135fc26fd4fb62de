import { createRangeError } from './error.js';

/**
 * Where encoded bytes gather: memory that grows. It may begin in a kernel's scratch, which costs nothing
 * and is never handed out.
 */
export class ByteSink {
  bytes: Uint8Array;
  length = 0;

  /** @param memory - Where to begin. */
  constructor(memory: Uint8Array) {
    this.bytes = memory;
  }

  /** Makes room for at least `count` more bytes. */
  reserve(count: number): void {
    if (this.bytes.length - this.length >= count) return;
    const grown = allocate(Math.max(this.length + count, this.bytes.length * 1.5));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  /** Appends bytes. */
  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The bytes, in memory of their own. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** Counts bytes without keeping them: the same loops run, again and again over the same memory. */
export class CountingSink extends ByteSink {
  #before = 0;

  get total(): number {
    return this.#before + this.length;
  }

  /** Room for any one character, which is all that the encoding loop depends on. */
  override reserve(): void {
    this.#before += this.length;
    this.length = 0;
  }
}

/** Memory for a result. */
export function allocate(length: number): Uint8Array {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw createRangeError('The result is longer than memory', 'Encoder', cause);
  }
}
