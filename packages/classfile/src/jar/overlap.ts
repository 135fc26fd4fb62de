/** Whether the entries of an archive share bytes. */
import type { JarError } from './error.js';
import type { Entry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';

/** Counts what the entries of one archive claim to take of it. */
export class Overlap {
  readonly #path: string;
  readonly #run: Run;
  #taken = 0;

  /** @param path - Of the archive. */
  constructor(path: string, run: Run) {
    this.#path = path;
    this.#run = run;
  }

  /**
   * Counts an entry that is about to be read.
   *
   * @throws {@link JarError} where all of them together claim more than there is.
   */
  take({ compressedSize, offset }: Entry, path: string, { size }: Region): void {
    // What runs over the end is not read.
    if (compressedSize <= size - offset) this.#taken += compressedSize;
    if (this.#taken <= size) return;
    throw this.fail(`its entries up to ${path} claim ${this.#taken} bytes, but it has ${size}`);
  }

  fail(what: string): JarError {
    const why = 'they overlap, as in a zip bomb; do not trust it';
    return this.#run.fail('overlap', this.#path, `${what}: ${why}`);
  }
}
