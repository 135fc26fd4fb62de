import type { Source } from './source.js';

/** In bytes: half of a processor's own cache. */
const SIZE = 1 << 17;

/**
 * Reads a source from beginning to end, in constant memory. Chunks end anywhere, and the next one
 * overwrites the memory of the last.
 *
 * @param source - The source, which stays open.
 * @returns The chunks, of up to 128 KiB.
 * @throws InputError (`ERR_UTF8_INPUT`) if the source cannot be read.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { chunks, openInput } from '@utf8/dump/internal';
 *
 * writeFileSync('long.txt', 'a'.repeat(200_000));
 * const source = await openInput('long.txt');
 * let length = 0;
 * for await (const chunk of chunks(source)) length += chunk.length;
 * await source.close();
 * length; // => 200_000
 * ```
 */
export async function* chunks(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  const memory = new Uint8Array(SIZE);
  for (let position = 0; ; ) {
    const count = await source.read(memory, position);
    if (count === 0) return;
    position += count;
    yield memory.subarray(0, count);
  }
}

/** Reads a source in order, by lengths that the reader chooses. */
export class Intake {
  readonly #chunks: AsyncGenerator<Uint8Array, void, undefined>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: Source) {
    this.#chunks = chunks(source);
  }

  /** Reads this many bytes, fewer at the end, into memory of their own. */
  async take(length: number): Promise<Uint8Array> {
    const taken = new Uint8Array(length);
    let done = 0;
    for (let part = await this.#next(length); part.length > 0; ) {
      taken.set(part, done);
      done += part.length;
      part = await this.#next(length - done);
    }
    return taken.subarray(0, done);
  }

  /** Skips bytes. Returns false if there were fewer. */
  async skip(length: number): Promise<boolean> {
    let left = length;
    for (let part = await this.#next(left); part.length > 0; part = await this.#next(left)) {
      left -= part.length;
    }
    return left === 0;
  }

  /** Returns at most this many of the bytes in memory; none at the end. */
  async #next(most: number): Promise<Uint8Array> {
    if (this.#rest.length === 0 && most > 0) {
      const { value } = await this.#chunks.next();
      if (value) this.#rest = value;
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}
