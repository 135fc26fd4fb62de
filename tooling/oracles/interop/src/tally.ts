/** How often each answer came, and the first of its kind: what a test shows of answers to many questions. */
export class Tally {
  readonly #found = new Map<string, { count: number; readonly first: string }>();

  /**
   * Counts an answer.
   *
   * @param kind - What all answers have that count as one; the answer itself by default.
   */
  add(answer: string, kind: string = answer): void {
    const known = this.#found.get(kind);
    if (known) known.count++;
    else this.#found.set(kind, { count: 1, first: answer });
  }

  /** Lists the first answer of each kind behind their number, in the order in which they came. */
  list(between = ': '): string[] {
    return Array.from(this.#found.values(), ({ count, first }) => `${count}${between}${first}`);
  }
}
