import type { Source } from './source.js';

/** In bytes. */
const SIZE = 1 << 17;

/** Reads a source in order, by lengths that the reader chooses. */
export class Intake {
  readonly #source: Source;
  #memory: Uint8Array = new Uint8Array(SIZE);
  /** What is read and not yet taken: from `#start` to `#end` in the memory. */
  #start = 0;
  #end = 0;
  #position = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Returns at least so many bytes without taking them, fewer at the end. Valid until the next call. */
  async peek(length: number): Promise<Uint8Array> {
    while (this.#end - this.#start < length && (await this.#read(length)));
    return this.#memory.subarray(this.#start, this.#end);
  }

  /** Takes so many bytes, fewer at the end, in memory of their own. */
  async take(length: number): Promise<Uint8Array> {
    const taken = new Uint8Array(length);
    let done = 0;
    while (done < length && (this.#end > this.#start || (await this.#read(1)))) {
      const part = this.#memory.subarray(this.#start, this.#end).subarray(0, length - done);
      taken.set(part, done);
      done += part.length;
      this.#start += part.length;
    }
    return taken.subarray(0, done);
  }

  /** Takes all bytes; undefined if there are more than `most`. Valid until the next call. */
  async takeAll(most: number): Promise<Uint8Array | undefined> {
    let wanted = Math.min(this.#source.size ?? SIZE, most) + 1;
    for (;;) {
      const bytes = await this.peek(wanted);
      if (bytes.length > most) return undefined;
      if (bytes.length < wanted) {
        this.#start = this.#end;
        return bytes;
      }
      wanted = Math.min(2 * wanted, most + 1);
    }
  }

  /**
   * Skips bytes.
   *
   * @returns Whether there were so many.
   */
  async skip(length: number): Promise<boolean> {
    let left = length;
    while (left > 0 && (this.#end > this.#start || (await this.#read(1)))) {
      const count = Math.min(left, this.#end - this.#start);
      this.#start += count;
      left -= count;
    }
    return left === 0;
  }

  /** Reads on, with room for so many bytes; false at the end. */
  async #read(length: number): Promise<boolean> {
    const kept = this.#memory.subarray(this.#start, this.#end);
    if (length > this.#memory.length) this.#memory = new Uint8Array(length);
    this.#memory.set(kept);
    this.#start = 0;
    this.#end = kept.length;
    const count = await this.#source.read(this.#memory.subarray(this.#end), this.#position);
    this.#position += count;
    this.#end += count;
    return count > 0;
  }
}
