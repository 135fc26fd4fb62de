import type { Source } from '../source.js';

/** In bytes, of what is read at once. */
const SIZE = 1 << 17;

/** Gives a source in portions of a length that is known before. */
export class Intake {
  readonly #source: Source;
  readonly #memory = new Uint8Array(SIZE);
  #position = 0;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: Source) {
    this.#source = source;
  }

  /** So many bytes, in memory of their own; less at the end. */
  async take(length: number): Promise<Uint8Array> {
    const taken = new Uint8Array(length);
    let done = 0;
    while (done < length && (await this.#fill())) {
      const part = this.#rest.subarray(0, length - done);
      taken.set(part, done);
      done += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return taken.subarray(0, done);
  }

  /**
   * Passes over bytes.
   *
   * @returns Whether there were so many.
   */
  async skip(length: number): Promise<boolean> {
    let left = length;
    while (left > 0 && (await this.#fill())) {
      const count = Math.min(left, this.#rest.length);
      this.#rest = this.#rest.subarray(count);
      left -= count;
    }
    return left === 0;
  }

  /** Reads on where nothing is left; false at the end. */
  async #fill(): Promise<boolean> {
    if (this.#rest.length > 0) return true;
    const count = await this.#source.read(this.#memory, this.#position);
    this.#position += count;
    this.#rest = this.#memory.subarray(0, count);
    return count > 0;
  }
}
