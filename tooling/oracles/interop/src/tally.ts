/** Counts of each answer, and the first of each kind: the summary that a test shows of many answers. */
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

  /** Lists the number and the first answer of each kind, in the order of the first answers. */
  list(between = ': '): string[] {
    return Array.from(this.#found.values(), ({ count, first }) => `${count}${between}${first}`);
  }
}
