/** Strings after their length in bytes, as PHP's `serialize` writes them: `s:6:"…"`. */

/** The quotes have backslashes inside another string: `s:6:\"…\"`. */
const PREFIX = /s:(\d+):(\\?)"/g;

/** A length and whether its string is that long. */
export interface LengthPrefix {
  /** Such as `s:6:`. */
  readonly text: string;
  readonly fits: boolean;
}

/** Tells whether a text may contain lengths. */
export const mayHavePrefix = (text: Uint8Array): boolean =>
  Buffer.from(text.buffer, text.byteOffset, text.length).includes('s:');

/** Finds all lengths in a value, in order. */
export function findPrefixes(value: Uint8Array): readonly LengthPrefix[] {
  const latin = Buffer.from(value).toString('latin1');
  return Array.from(latin.matchAll(PREFIX), ({ 0: all, 1: length = '', 2: slash = '', index }) => {
    const start = index + all.length;
    const end = slash ? skipEscaped(latin, start, Number(length)) : start + Number(length);
    return { text: `s:${length}:`, fits: latin.startsWith(`${slash}"`, end) };
  });
}

/**
 * Finds the lengths that a repair makes wrong.
 *
 * @param before - The value before the repair.
 * @param after - The value after it.
 * @returns Their indices among the lengths of the value, and their texts.
 */
export function findBroken(
  before: Uint8Array,
  after: Uint8Array,
): readonly (readonly [index: number, text: string])[] {
  const then = findPrefixes(after);
  // A repair neither adds nor removes a length, so indices match.
  return findPrefixes(before).flatMap(({ text, fits }, i) =>
    fits && then[i]?.text === text && !then[i].fits ? [[i, text] as const] : [],
  );
}

/** Finds the index of a length in the text as the file spells it. */
export function locatePrefix(text: Uint8Array, index: number): number {
  const latin = Buffer.from(text).toString('latin1');
  return Array.from(latin.matchAll(/s:\d+:\\*"/g), (match) => match.index)[index] ?? 0;
}

/** The index after so many bytes, where an escape sequence counts as one. */
function skipEscaped(latin: string, start: number, length: number): number {
  let i = start;
  for (let done = 0; done < length && i < latin.length; done++) i += latin[i] === '\\' ? 2 : 1;
  return i;
}
