/** What the repair of a text breaks: lengths that precede strings, and planes without characters. */
import { type Codec, formatCodePoint } from '@utf8/core';

/** Finds lengths in bytes before strings, as PHP's `serialize` writes them, and whether they are right. */
export function findPrefixes(value: Uint8Array): { text: string; fits: boolean }[] {
  const latin = Buffer.from(value).toString('latin1');
  // Inside another string, the quotes have backslashes.
  const matches = latin.matchAll(/s:(\d+):(\\?)"/g);
  return Array.from(matches, ({ 0: all, 1: length = '', 2: slash = '', index }) => {
    let end = index + all.length;
    if (!slash) end += Number(length);
    // An escape sequence counts as one byte.
    else
      for (let i = 0; i < Number(length) && end < latin.length; i++)
        end += latin[end] === '\\' ? 2 : 1;
    return { text: `s:${length}:`, fits: latin.startsWith(`${slash}"`, end) };
  });
}

/** Finds the lengths that a repair makes wrong: their indices among those of the value, and texts. */
export function findBroken(before: Uint8Array, after: Uint8Array): [index: number, text: string][] {
  const then = findPrefixes(after);
  // A repair neither adds nor removes a length, so indices match.
  return findPrefixes(before).flatMap(({ text, fits }, i) =>
    fits && then[i]?.text === text && !then[i].fits ? [[i, text]] : [],
  );
}

/** Finds the index of a length in the text as the file spells it. */
export function locatePrefix(text: Uint8Array, index: number): number {
  const latin = Buffer.from(text).toString('latin1');
  return Array.from(latin.matchAll(/s:\d+:\\*"/g), (match) => match.index)[index] ?? 0;
}

/** Finds the code point of a repaired pair or four-byte form if its plane has no characters. */
export function findStray(
  becomes: Uint8Array,
  to: Codec,
): { plane: number; character: string } | undefined {
  const [lead = 0, second = 0] = becomes;
  // 11110ppp 10pp____, and 11101101 1010pppp for plane pppp + 1; all encodings share these.
  const plane =
    lead >= 0xf0 ? ((lead & 0b111) << 2) | ((second >> 4) & 0b11) : (second & 0b1111) + 1;
  // Unicode 16.0, section 2.8
  if (plane < 4 || plane > 13 || (lead < 0xf0 && lead !== 0xed)) return undefined;
  return { plane, character: formatCodePoint(to.decodeCodePoints(becomes)[0] ?? 0) };
}
