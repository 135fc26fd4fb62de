/** Files, or a range of one, cut for several threads. */
import { statSync } from 'node:fs';
import { type Range, WHOLE } from './range.js';

/** In bytes: enough that a cut costs nothing beside it, and little enough for each thread to hold. */
const MOST = 1 << 20;
const LEAST = 1 << 16;

/** A file, and the number of its first segment. */
interface Part {
  readonly file: string;
  readonly first: number;
}

/** One of the pieces, cut anywhere; {@link alignRange} moves both ends to boundaries. */
export interface Segment {
  readonly file: string;
  readonly range: Range;
  readonly endsFile: boolean;
}

/** The sizes of files, in bytes. */
export const measureEach = (files: readonly string[]): readonly number[] =>
  files.map((file) => statSync(file).size);

/** All segments, which are counted from 0 in the order of the files. */
export class Segments {
  readonly count: number;
  readonly #range: Range;
  readonly #size: number;
  readonly #parts: readonly Part[];

  /**
   * @param sizes - Of the files, in bytes.
   * @param jobs - Among how many threads they are shared.
   */
  constructor(
    files: readonly string[],
    sizes: readonly number[],
    range: Range | undefined,
    jobs: number,
  ) {
    const { from, to } = range ?? WHOLE;
    const lengths = sizes.map((size) => Math.max(0, Math.min(to, size) - from));
    const total = lengths.reduce((sum, length) => sum + length, 0);
    this.#range = { from, to };
    this.#size = Math.min(Math.max(Math.ceil(total / (4 * jobs)), LEAST), MOST);
    const parts: Part[] = [];
    let count = 0;
    for (const [i, file] of files.entries()) {
      parts.push({ file, first: count });
      // A file may have more in it than its size says, as those in /proc have.
      count += Math.max(1, Math.ceil((lengths[i] as number) / this.#size));
    }
    this.#parts = parts;
    this.count = count;
  }

  /** The segment of a number. */
  at(index: number): Segment {
    const next = this.#parts.findIndex(({ first }) => first > index);
    const { file, first } = this.#parts.at(next === -1 ? -1 : next - 1) as Part;
    const from = this.#range.from + (index - first) * this.#size;
    const endsFile = index + 1 === (next === -1 ? this.count : this.#parts[next]?.first);
    const to = endsFile ? this.#range.to : from + this.#size;
    return { file, range: { from, to }, endsFile };
  }
}
