/**
 * A limit that keeps reading linear in the size of a file. Both formats refer to items by offset, so a file
 * of one megabyte can contain a hundred thousand references to one item of half a megabyte.
 */

/** Number of times a file's size that may be read through shared items. Files from compilers stay below 1. */
const TIMES = 4;

/** Least budget of any file, in bytes: small files share more. */
const FLOOR = 0x1_0000;

export class Budget {
  readonly #share: number;
  #left: number;
  #leftOfShare: number;

  /**
   * @param size - The size of the file, in bytes.
   * @param shares - Number of parts of the file that may each spend all that a file may: one by default.
   */
  constructor(size: number, shares = 1) {
    this.#share = size * TIMES + FLOOR;
    this.#left = this.#share * shares;
    this.#leftOfShare = this.#left;
  }

  /** Begins a part of the file, which may spend one share. Returns false if nothing is left. */
  openShare(): boolean {
    this.#leftOfShare = this.#share;
    return this.#left >= 0;
  }

  /** Subtracts bytes from the budget. Returns false if fewer are left. */
  spend(bytes: number): boolean {
    this.#leftOfShare -= bytes;
    if (this.#leftOfShare < 0) return false;
    this.#left -= bytes;
    return this.#left >= 0;
  }
}
