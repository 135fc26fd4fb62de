/** A guess at what an input is, by a few places of it: looking at all costs as much as an answer. */
import { decide, ways } from './ways.js';

/** Up to how many bytes or code units the platform's ways, of 30 to 200 ns for a call, are only rarely faster. */
export const SHORT = 512;

/** How a text is best encoded, or at least tried first. */
export type Kind =
  /** By the platform, and probably each code unit is one byte. */
  | 'ascii'
  /** By the platform. */
  | 'native'
  /** By WebAssembly. */
  | 'other';

/** Returns the greatest of five bytes: at fewer, every other text that only looks like ASCII would be decoded slowly. */
export function findGreatest(source: Uint8Array, length: number): number {
  const quarter = length >> 2;
  return Math.max(
    source[0] as number,
    source[quarter] as number,
    source[2 * quarter] as number,
    source[3 * quarter] as number,
    source[length - 1] as number,
  );
}

/**
 * Guesses how a text is best encoded.
 *
 * @param takesPairs - Whether pairs of surrogates are written as the platform writes them.
 */
export function guessKind(text: string, takesPairs: boolean): Kind {
  if (!ways.platform) return 'other';
  if (!ways.isDecided) decide();
  const { length } = text;
  const { encodesLatin1, encodesOthers } = ways;
  if (length <= SHORT && !(encodesLatin1 && encodesOthers)) return 'other';
  const places = length <= SHORT ? 4 : length < 4096 ? 16 : 32;
  const step = Math.floor(length / places) + 1;
  let seen = 0;
  for (let i = length - 1; i >= 0; i -= step) {
    const codeUnit = text.charCodeAt(i);
    if (!takesPairs && (codeUnit & 0xf800) === 0xd800) return 'other';
    seen |= codeUnit;
  }
  if (seen < 0x80) return 'ascii';
  return (seen < 0x100 ? encodesLatin1 : encodesOthers) ? 'native' : 'other';
}
