import type { KindSet } from './kind.js';

/** One place that refers to a Utf8. */
export interface Use {
  readonly kind: KindSet;
  /** The index of the Utf8. */
  readonly index: number;
  /** Where the index stands, in bytes from the start of the file. */
  readonly offset: number;
}

/** What refers to the Utf8s of a pool. */
export class Uses {
  readonly #kinds: Uint16Array;
  readonly #places: Use[] | undefined;

  /**
   * @param count - The size of the pool.
   * @param places - Gets each use, where the places are of interest and not the kinds alone.
   */
  constructor(count: number, places?: Use[]) {
    this.#kinds = new Uint16Array(count);
    this.#places = places;
  }

  add(kind: KindSet, index: number, offset: number): void {
    (this.#kinds[index] as number) |= kind;
    this.#places?.push({ kind, index, offset });
  }

  /** What a Utf8 is used for. */
  kindsOf(index: number): KindSet {
    return this.#kinds[index] as KindSet;
  }
}
