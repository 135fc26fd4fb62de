/** Numbers that look random and come again with the seed: mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** An integer from 0 to below a limit of at most 2³². */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** An integer from the first to the last, both included. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** One of some items. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
