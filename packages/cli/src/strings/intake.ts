/** Whole inputs in memory. */
import { InputFailure } from '../failure.js';
import type { Source } from '../source.js';

/** How large one may be, in bytes, as in archives: classes have some megabytes at the most. */
const LIMIT = 64 << 20;

/** An input that is looked at before it is read. */
export class Intake {
  readonly #source: Source;
  #memory = new Uint8Array(1 << 12);
  #length = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** The first bytes; fewer where there are no more. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.#length < count && (await this.#read()) > 0);
    return this.#memory.subarray(0, this.#length);
  }

  /**
   * All bytes.
   *
   * @throws {@link InputFailure} where they are too many, or cannot be read.
   */
  async readAll(): Promise<Uint8Array> {
    this.#grow(this.#source.size ?? 0);
    do {
      // There has to be room for the end to show itself.
      if (this.#length === this.#memory.length) this.#grow(2 * this.#length);
    } while ((await this.#read()) > 0);
    return this.#memory.subarray(0, this.#length);
  }

  async #read(): Promise<number> {
    const count = await this.#source.read(this.#memory.subarray(this.#length), this.#length);
    this.#length += count;
    return count;
  }

  #grow(length: number): void {
    if (this.#length > LIMIT || (this.#source.size ?? 0) > LIMIT) {
      const { name } = this.#source;
      throw new InputFailure(`${name}: has more than ${LIMIT} bytes, as no class has; check it`);
    }
    if (length <= this.#memory.length) return;
    const grown = new Uint8Array(length);
    grown.set(this.#memory.subarray(0, this.#length));
    this.#memory = grown;
  }
}
