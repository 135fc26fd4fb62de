/** What the repair of a text breaks: lengths that precede strings, and planes without characters. */
import { type Codec, formatCodePoint } from '@utf8/core';
import type { FindingDetail } from './scan-finding.js';

/** Finds lengths in bytes before strings, as PHP's `serialize` writes them, and checks them. */
export function findPrefixes(value: Uint8Array): { text: string; fits: boolean }[] {
  const latin = Buffer.from(value).toString('latin1');
  // Inside another string, the quotes have backslashes.
  const matches = latin.matchAll(/s:(\d+):(\\?)"/g);
  return Array.from(matches, ({ 0: all, 1: length = '', 2: slash = '', index }) => {
    const start = index + all.length;
    const end = slash ? skipEscaped(latin, start, Number(length)) : start + Number(length);
    return { text: `s:${length}:`, fits: latin.startsWith(`${slash}"`, end) };
  });
}

/** The index after so many bytes, where an escape sequence counts as one. */
function skipEscaped(latin: string, start: number, length: number): number {
  let i = start;
  for (let done = 0; done < length && i < latin.length; done++) i += latin[i] === '\\' ? 2 : 1;
  return i;
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
export function findStray(becomes: Uint8Array, to: Codec): FindingDetail | undefined {
  const [lead = 0, second = 0] = becomes;
  // 11110ppp 10pp____, and 11101101 1010pppp for plane pppp + 1; all encodings share these.
  const plane =
    lead >= 0xf0 ? ((lead & 0b111) << 2) | ((second >> 4) & 0b11) : (second & 0b1111) + 1;
  // Unicode 16.0, section 2.8
  if (plane < 4 || plane > 13 || (lead < 0xf0 && lead !== 0xed)) return undefined;
  const character = formatCodePoint(to.decodeCodePoints(becomes)[0] ?? 0);
  return { kind: 'unassigned plane', plane, character };
}
