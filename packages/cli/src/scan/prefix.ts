/** Text behind its length in bytes, as PHP's `serialize` writes it: `s:6:"…"`. */

/** The same within another string: `s:6:\"…\"`. */
const PREFIX = /s:(\d+):(\\?)"/g;

/** A length, and whether what stands behind it is as long. */
export interface Prefix {
  /** Such as `s:6:`. */
  readonly text: string;
  readonly fits: boolean;
}

/** Whether a text may have any. */
export const mayHavePrefix = (text: Uint8Array): boolean =>
  Buffer.from(text.buffer, text.byteOffset, text.length).includes('s:');

/** Finds all lengths in a value, in order. */
export function findPrefixes(value: Uint8Array): readonly Prefix[] {
  const latin = Buffer.from(value).toString('latin1');
  return Array.from(latin.matchAll(PREFIX), ({ 0: all, 1: length = '', 2: slash = '', index }) => {
    const start = index + all.length;
    const end = slash ? passEscaped(latin, start, Number(length)) : start + Number(length);
    return { text: `s:${length}:`, fits: latin.startsWith(`${slash}"`, end) };
  });
}

/**
 * Finds the lengths that are right before a repair and wrong behind it.
 *
 * @param before - The value as it is.
 * @param after - The value as it would be.
 * @returns Their numbers among all of the value, from 0, and what they are.
 */
export function findBroken(
  before: Uint8Array,
  after: Uint8Array,
): readonly (readonly [number: number, text: string])[] {
  const then = findPrefixes(after);
  // A repair puts no length in and takes none away, so they can be told by their numbers.
  return findPrefixes(before).flatMap(({ text, fits }, i) =>
    fits && then[i]?.text === text && !then[i].fits ? [[i, text] as const] : [],
  );
}

/** Where in a file's own spelling a length stands. */
export function locatePrefix(text: Uint8Array, number: number): number {
  const latin = Buffer.from(text).toString('latin1');
  const places = Array.from(latin.matchAll(/s:\d+:\\*"/g), ({ index }) => index);
  return places[number] ?? 0;
}

/** The index behind so many bytes, of which a backslash and what it escapes are one. */
function passEscaped(latin: string, start: number, length: number): number {
  let i = start;
  for (let done = 0; done < length && i < latin.length; done++) i += latin[i] === '\\' ? 2 : 1;
  return i;
}
