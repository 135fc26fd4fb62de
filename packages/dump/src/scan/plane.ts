import { type Codec, formatCodePoint } from '@utf8/core';

/** The planes without characters, first and last. @see Unicode 16.0, section 2.8 */
const [FIRST, LAST] = [4, 13];

/** A code point in a plane without characters. */
export interface Stray {
  readonly plane: number;
  /** Such as `U+50000`. */
  readonly character: string;
}

/** Finds the code point of a repaired pair or four-byte form if its plane has no characters. */
export function findStray(becomes: Uint8Array, to: Codec): Stray | undefined {
  const [lead = 0, second = 0] = becomes;
  // 11110ppp 10pp____, and 11101101 1010pppp for plane pppp + 1; all encodings share these.
  const plane =
    lead >= 0xf0 ? ((lead & 0b111) << 2) | ((second >> 4) & 0b11) : (second & 0b1111) + 1;
  if (plane < FIRST || plane > LAST || (lead < 0xf0 && lead !== 0xed)) return undefined;
  return { plane, character: formatCodePoint(to.decodeCodePoints(becomes)[0] ?? 0) };
}
