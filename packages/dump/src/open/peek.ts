import { HEAD, isDecided } from './signature.js';
import type { Source } from './source.js';

/** An input, and how it begins. */
export interface Peeked {
  readonly source: Source;
  readonly head: Uint8Array;
}

/**
 * Reads as much of an input as tells what it is. Text is decided by its first bytes, so that a line
 * typed on a terminal need not wait for a second one.
 *
 * @returns A source that begins with these bytes again.
 */
export async function peek(source: Source): Promise<Peeked> {
  const memory = new Uint8Array(HEAD);
  let length = 0;
  while (length < HEAD && !isDecided(memory.subarray(0, length))) {
    const count = await source.read(memory.subarray(length), length);
    if (count === 0) break;
    length += count;
  }
  const head = memory.subarray(0, length);
  return { source: source.size === undefined ? new Rewound(source, head) : source, head };
}

/** A source of which some bytes were read already. */
class Rewound implements Source {
  readonly name: string;
  readonly size = undefined;
  readonly #source: Source;
  #head: Uint8Array;

  constructor(source: Source, head: Uint8Array) {
    this.name = source.name;
    this.#source = source;
    this.#head = head;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    if (this.#head.length === 0) return this.#source.read(into, position);
    const part = this.#head.subarray(0, into.length);
    into.set(part);
    this.#head = this.#head.subarray(part.length);
    return part.length;
  }

  verify(): Promise<void> {
    return this.#source.verify();
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
