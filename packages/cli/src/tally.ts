/** How many there are of each. */
export class Tally {
  readonly #counts = new Map<string, number>();

  /** @param keys - What is reported even where there is none of it. */
  constructor(keys: readonly string[] = []) {
    for (const key of keys) this.#counts.set(key, 0);
  }

  get total(): number {
    let total = 0;
    for (const count of this.#counts.values()) total += count;
    return total;
  }

  add(key: string, number = 1): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + number);
  }

  /** Adds what another has counted, as JSON has it. */
  merge(counts: Readonly<Record<string, number>>): void {
    for (const [key, number] of Object.entries(counts)) this.add(key, number);
  }

  /** What has been counted, as JSON has it, which is forgotten. */
  take(): Record<string, number> {
    const counts = this.toJSON();
    this.#counts.clear();
    return counts;
  }

  /** As JSON has it. */
  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  /** As a sentence has it: `surrogate 2, truncated 1`. */
  toString(): string {
    return Array.from(this.#counts, ([key, count]) => `${key} ${count}`).join(', ');
  }
}

/** A number with its noun: `1 fault`, `2 faults`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
