/** What a conversion did to a stretch of a file, as it takes to undo it. */
import { Gatherer } from './gather.js';

/** How many numbers make an edit. */
const WIDTH = 3;

/** Edits as plain data, which can be sent from a thread. */
export interface EditList {
  /** For each edit: where in the output, how many bytes there, and how many bytes they were. */
  readonly numbers: readonly number[];
  /** The bytes that they were, one edit's behind the other's. */
  readonly originals: Uint8Array;
}

/** Gathers edits. */
export class Edits {
  #numbers: number[] = [];
  readonly #originals = new Gatherer();

  /**
   * Adds an edit, without what is alike at both its ends.
   *
   * @param at - Where in the output the result is, in bytes.
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
    const length = original.length - start - end;
    this.#numbers.push(at + start, result.length - start - end, length);
    this.#originals.add(original.subarray(start, start + length));
  }

  /** What has been added, which is forgotten. */
  take(): EditList {
    const list = { numbers: this.#numbers, originals: this.#originals.release() };
    this.#numbers = [];
    return list;
  }
}

/** An edit of an {@link EditList}. */
export interface Edit {
  /** Where in the output, in bytes. */
  readonly at: number;
  /** How many bytes there, which were the original ones. */
  readonly length: number;
  readonly original: Uint8Array;
}

/** The edits of a list, one by one. */
export function* each({ numbers, originals }: EditList): Generator<Edit, void> {
  let start = 0;
  for (let i = 0; i < numbers.length; i += WIDTH) {
    const end = start + (numbers[i + 2] as number);
    const original = originals.subarray(start, end);
    yield { at: numbers[i] as number, length: numbers[i + 1] as number, original };
    start = end;
  }
}
