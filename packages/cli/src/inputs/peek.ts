/** The first bytes of an input, which is then read as if nobody had looked. */
import type { Source } from '../source.js';
import { GLANCE, HEAD } from './kind.js';

/** An input, and how it begins. */
export interface Peeked {
  readonly source: Source;
  readonly head: Uint8Array;
}

/** Reads as much of an input as tells what it is. Who types lines need not type more than the first. */
export async function peek(source: Source): Promise<Peeked> {
  const memory = new Uint8Array(HEAD);
  let length = 0;
  for (let wanted = GLANCE; length < wanted; ) {
    const count = await source.read(memory.subarray(length), length);
    if (count === 0) break;
    length += count;
    if (isBinary(memory.subarray(0, length))) wanted = HEAD;
  }
  const head = memory.subarray(0, length);
  // Read from any place, it has lost nothing.
  return { source: source.size === undefined ? new Rewound(source, head) : source, head };
}

/** Whether there are bytes that text does not begin with: those below the tab. */
const isBinary = (bytes: Uint8Array): boolean => bytes.some((byte) => byte < 0x09);

/** Gives what has been read of a source once more. */
class Rewound implements Source {
  readonly name: string;
  readonly size = undefined;
  readonly isPrompt: boolean;
  readonly #source: Source;
  #head: Uint8Array;

  constructor(source: Source, head: Uint8Array) {
    this.name = source.name;
    this.isPrompt = source.isPrompt;
    this.#source = source;
    this.#head = head;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    if (this.#head.length === 0) return this.#source.read(into, position);
    const taken = this.#head.subarray(0, into.length);
    into.set(taken);
    this.#head = this.#head.subarray(taken.length);
    return taken.length;
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
