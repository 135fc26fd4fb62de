/** Gathers bytes in memory that is used again. */
export class Gatherer {
  #memory: Uint8Array;
  #length = 0;

  /** @param size - Bytes to make room for at first. */
  constructor(size = 0) {
    this.#memory = new Uint8Array(size);
  }

  get length(): number {
    return this.#length;
  }

  /** A view, valid until more is added or all is cleared. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#memory.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Adds a part of bytes; short parts without a view, which takes longer than to copy 32 bytes. */
  addRange(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > 32) {
      this.add(bytes.subarray(start, end));
      return;
    }
    this.#reserve(end - start);
    for (let i = start; i < end; i++) this.#memory[this.#length++] = bytes[i] as number;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Drops what was added since it had a length. */
  cut(length: number): void {
    this.#length = length;
  }

  #reserve(more: number): void {
    const length = this.#length + more;
    if (length <= this.#memory.length) return;
    const grown = new Uint8Array(Math.max(length, 1.5 * this.#memory.length) | 0);
    grown.set(this.bytes);
    this.#memory = grown;
  }
}
