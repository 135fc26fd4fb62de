/** What the repair of a text breaks: lengths that precede strings. */

/** Finds lengths in bytes before strings, as PHP's `serialize` writes them, and checks them. */
export function findPrefixes(value: Uint8Array): { text: string; fits: boolean }[] {
  const latin = Buffer.from(value).toString('latin1');
  // Inside another string, the quotes have backslashes.
  const matches = latin.matchAll(/s:(\d+):(\\?)"/g);
  let units: EscapedUnits | undefined;
  return Array.from(matches, ({ 0: all, 1: length = '', 2: slash = '', index }) => {
    const start = index + all.length;
    if (slash) units ??= new EscapedUnits(latin);
    const end = units && slash ? units.skip(start, Number(length)) : start + Number(length);
    return { text: `s:${length}:`, fits: latin.startsWith(`${slash}"`, end) };
  });
}

/** The bytes of a text in which an escape sequence counts as one. */
class EscapedUnits {
  /** Where each begins, and the number of the one that begins at an index or before it. */
  readonly #starts: Int32Array;
  readonly #numbers: Int32Array;
  #count = 0;

  constructor(latin: string) {
    this.#starts = new Int32Array(latin.length + 1);
    this.#numbers = new Int32Array(latin.length + 1);
    for (let i = 0; i < latin.length; ) {
      const end = Math.min(latin.length, i + (latin[i] === '\\' ? 2 : 1));
      this.#starts[this.#count] = i;
      for (; i < end; i++) this.#numbers[i] = this.#count;
      this.#count++;
    }
    this.#starts[this.#count] = latin.length;
    this.#numbers[latin.length] = this.#count;
  }

  /** Returns the index after so many of them; the end if there are fewer. */
  skip(start: number, length: number): number {
    const number = Math.min(this.#count, (this.#numbers[start] as number) + length);
    return this.#starts[number] as number;
  }
}

/** Finds the lengths that a repair makes wrong: their indices among those of the value, and texts. */
export function findBroken(before: Uint8Array, after: Uint8Array): [index: number, text: string][] {
  const then = findPrefixes(after);
  // A repair neither adds nor removes a length, so indices match.
  return findPrefixes(before).flatMap(({ text, fits }, i) =>
    fits && then[i]?.text === text && !then[i].fits ? [[i, text]] : [],
  );
}

/** Finds the indices of all lengths in the text as the file spells it. */
export function locatePrefixes(text: Uint8Array): number[] {
  const latin = Buffer.from(text).toString('latin1');
  return Array.from(latin.matchAll(/s:\d+:\\*"/g), (match) => match.index);
}
