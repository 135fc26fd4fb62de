/** A guess at what an input is, by a few places of it: looking at all costs as much as an answer. */
import { decide, ways } from './ways.js';

/** Up to how many bytes or code units the platform's ways, of 30 to 200 ns for a call, are only rarely faster. */
export const SHORT = 512;

/** Greater than any byte. */
const SURROGATE = 0x100;

/** How a text is best encoded, or at least tried first. */
export type Kind =
  /** By the platform, and probably each code unit is one byte. */
  | 'ascii'
  /** By the platform. */
  | 'native'
  /** By WebAssembly. */
  | 'other';

/**
 * Looks at some places of bytes for what is rare and matters: at fewer, every other text that only looks
 * like ASCII would be decoded slowly.
 *
 * @returns The greatest first byte of a sequence; more than a byte at a surrogate.
 */
export function findGreatest(source: Uint8Array, length: number): number {
  const step = Math.floor(length / (length <= SHORT ? 4 : 16 + (length >> 11))) + 1;
  let greatest = 0;
  for (let i = length - 1; i >= 0; i -= step) {
    let at = i;
    // From the middle of a sequence to its start.
    while (at > 0 && at > i - 3 && ((source[at] as number) & 0xc0) === 0x80) at--;
    const byte = source[at] as number;
    if (byte === 0xed && (source[at + 1] as number) >= 0xa0) return SURROGATE;
    if (byte > greatest) greatest = byte;
  }
  return greatest;
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
  const step = Math.floor(length / (length <= SHORT ? 4 : 32 + (length >> 10))) + 1;
  let seen = 0;
  // Not at regular places: what is rare may come at regular ones.
  for (let i = length - 1; i >= 0; i -= step + (i & 3)) {
    const codeUnit = text.charCodeAt(i);
    if (!takesPairs && (codeUnit & 0xf800) === 0xd800) return 'other';
    seen |= codeUnit;
  }
  if (seen < 0x80) return 'ascii';
  return (seen < 0x100 ? encodesLatin1 : encodesOthers) ? 'native' : 'other';
}
