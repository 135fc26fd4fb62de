/** What a conversion did to a stretch of a file, as needed to undo it. */
import { Gatherer } from './gatherer.js';

/** Numbers of an edit. */
export const EDIT_WIDTH = 3;

/** Edits as plain data, which threads can send. */
export interface EditList {
  /** For each edit: index in the output, length there, and length before, in bytes. */
  readonly numbers: Float64Array;
  /** The bytes before, of all edits in order. */
  readonly originals: Uint8Array;
}

/** Gathers edits in memory that is used again. */
export class Edits {
  #numbers = new Float64Array(1 << 10);
  #used = 0;
  readonly #originals = new Gatherer();

  /**
   * Adds an edit, without what is alike at both its ends.
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

  /** What {@link cut} needs to drop the edits from here on. */
  get end(): readonly [used: number, originals: number] {
    return [this.#used, this.#originals.length];
  }

  cut([used, originals]: readonly [used: number, originals: number]): void {
    this.#used = used;
    this.#originals.cut(originals);
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
