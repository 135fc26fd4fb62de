/**
 * What keeps the time linear in the size of a file. Both formats refer to items by offset, so that a file
 * of a megabyte can have a hundred thousand references to one item of half a megabyte.
 */

/** How many times over a file may be read by way of what is shared in it. What compilers write stays below 1. */
const TIMES = 4;

/** What any file may read, in bytes: small files share more. */
const FLOOR = 0x1_0000;

export class Budget {
  #left: number;

  /** @param size - The size of the file, in bytes. */
  constructor(size: number) {
    this.#left = size * TIMES + FLOOR;
  }

  /** Whether so many more bytes may be read; if so, they are taken off. */
  spend(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }
}
