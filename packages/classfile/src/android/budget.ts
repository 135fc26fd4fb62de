/**
 * A limit that keeps reading linear in the size of a file. Both formats refer to items by offset, so a file
 * of one megabyte can contain a hundred thousand references to one item of half a megabyte.
 */

/** Number of times a file's size that may be read through shared items. Files from compilers stay below 1. */
const TIMES = 4;

/** Least budget of any file, in bytes: small files share more. */
const FLOOR = 0x1_0000;

export class Budget {
  #left: number;

  /** @param size - The size of the file, in bytes. */
  constructor(size: number) {
    this.#left = size * TIMES + FLOOR;
  }

  /** Subtracts bytes from the budget. Returns false if fewer are left. */
  spend(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }
}
