import type { Source } from './source.js';

/** Reads a source in order, by lengths that the reader chooses. */
export class Intake {
  readonly #source: Source;
  readonly #memory = new Uint8Array(1 << 17);
  #position = 0;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Reads so many bytes, fewer at the end, into memory of their own. */
  async take(length: number): Promise<Uint8Array> {
    const taken = new Uint8Array(length);
    let done = 0;
    for (
      let part = await this.#next(length);
      part.length > 0;
      part = await this.#next(length - done)
    ) {
      taken.set(part, done);
      done += part.length;
    }
    return taken.subarray(0, done);
  }

  /** Skips bytes, and returns whether there were so many. */
  async skip(length: number): Promise<boolean> {
    let left = length;
    for (let part = await this.#next(left); part.length > 0; part = await this.#next(left)) {
      left -= part.length;
    }
    return left === 0;
  }

  /** Takes at most so many bytes from the memory; none at the end. */
  async #next(most: number): Promise<Uint8Array> {
    if (this.#rest.length === 0 && most > 0) {
      const count = await this.#source.read(this.#memory, this.#position);
      this.#position += count;
      this.#rest = this.#memory.subarray(0, count);
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}
