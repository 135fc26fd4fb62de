/** A check whether the entries of an archive share bytes. */
import type { JarError } from './error.js';
import type { Entry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';

/** Counts the bytes that the entries of one archive claim. */
export class Overlap {
  readonly #path: string;
  readonly #run: Run;
  #taken = 0;

  /** @param path - The path of the archive. */
  constructor(path: string, run: Run) {
    this.#path = path;
    this.#run = run;
  }

  /**
   * Counts an entry that is about to be read.
   *
   * @throws {@link JarError} if all of them together claim more bytes than the archive has.
   */
  take({ compressedSize, offset }: Entry, path: string, { size }: Region): void {
    // Bytes past the end are not read.
    if (compressedSize <= size - offset) this.#taken += compressedSize;
    // A false claim that fits the archive leaves as much for the other entries, if errors are skipped.
    if (this.#taken <= (this.#run.isLenient ? 2 * size : size)) return;
    // A wrong claim costs only its entry, if errors are skipped.
    if (this.#run.isLenient) this.#taken -= compressedSize;
    throw this.fail(`its entries up to ${path} claim ${this.#taken} bytes, but it has ${size}`);
  }

  fail(what: string): JarError {
    const why = 'they overlap, as in a zip bomb; do not trust it';
    return this.#run.fail('overlap', this.#path, `${what}: ${why}`);
  }
}
