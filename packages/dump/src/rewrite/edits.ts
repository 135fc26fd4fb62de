/** Output and edits of a conversion of a part of a file, as needed to undo it. */

/** Numbers of an edit. */
export const EDIT_WIDTH = 3;

/** Edits as plain data, which threads can send. */
export interface EditList {
  /** For each edit: index in the output, length there, and length before, in bytes. */
  readonly numbers: Float64Array;
  /** The bytes before, of all edits in order. */
  readonly originals: Uint8Array;
}

/** Gathers bytes in memory that is used again. */
export class Gatherer {
  #memory: Uint8Array;
  #length = 0;

  /** @param size - The initial capacity in bytes. */
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

  #reserve(more: number): void {
    const length = this.#length + more;
    if (length <= this.#memory.length) return;
    const grown = new Uint8Array(Math.max(length, 1.5 * this.#memory.length) | 0);
    grown.set(this.bytes);
    this.#memory = grown;
  }
}

/** Gathers edits in memory that is used again. */
export class Edits {
  #numbers = new Float64Array(1 << 10);
  #used = 0;
  readonly #originals = new Gatherer();

  /**
   * Adds an edit, without equal bytes at its two ends.
   *
   * @param at - Index of the result in the output.
   */
  add(at: number, original: Uint8Array, result: Uint8Array): void {
    const least = Math.min(original.length, result.length);
    let start = 0;
    while (start < least && original[start] === result[start]) start++;
    let end = 0;
    while (
      end < least - start &&
      original[original.length - 1 - end] === result[result.length - 1 - end]
    )
      end++;
    if (this.#used + EDIT_WIDTH > this.#numbers.length) {
      const grown = new Float64Array(2 * this.#numbers.length);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[this.#used++] = at + start;
    this.#numbers[this.#used++] = result.length - start - end;
    this.#numbers[this.#used++] = original.length - start - end;
    this.#originals.addRange(original, start, original.length - end);
  }

  /** All edits since they were cleared, valid until the next one. */
  get list(): EditList {
    return {
      numbers: this.#numbers.subarray(0, this.#used),
      originals: this.#originals.bytes,
    };
  }

  clear(): void {
    this.#used = 0;
    this.#originals.clear();
  }
}

/** An edit of an {@link EditList}. */
export interface Edit {
  /** Index in the output, and length there, in bytes. */
  readonly at: number;
  readonly length: number;
  readonly original: Uint8Array;
}

/** The edits of a list, one by one. */
export function* eachEdit({ numbers, originals }: EditList): Generator<Edit, void> {
  let start = 0;
  for (let i = 0; i < numbers.length; i += EDIT_WIDTH) {
    const end = start + (numbers[i + 2] as number);
    const original = originals.subarray(start, end);
    yield { at: numbers[i] as number, length: numbers[i + 1] as number, original };
    start = end;
  }
}
