/** Gathers bytes in memory that is used again. */
export class Gatherer {
  #memory: Uint8Array;
  #length = 0;

  /** @param size - How much there is room for at first, in bytes. */
  constructor(size = 0) {
    this.#memory = new Uint8Array(size);
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** A view, good until more is added or all is cleared. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#memory.length) {
      const grown = new Uint8Array(Math.max(length, 1.5 * this.#memory.length) | 0);
      grown.set(this.bytes);
      this.#memory = grown;
    }
    this.#memory.set(bytes, this.#length);
    this.#length = length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** The bytes, with the memory that they lie in; the next ones get other memory. */
  release(): Uint8Array {
    const { bytes } = this;
    this.#memory = new Uint8Array();
    this.#length = 0;
    return bytes;
  }
}
