/** Wrong characters as a whole: where the sequence that a lead announces begins and ends, in any encoding. */
import type { Codec } from '@utf8/core';
import { classify, classLength } from '@utf8/detect/internal';

/** Trail bytes after which another one belongs to no sequence: none is longer than a surrogate pair. */
const MOST_TRAILS = 6;

const isTrail = (byte: number | undefined): boolean => ((byte ?? 0) & 0b1100_0000) === 0x80;

/** Measures a malformed character, such as all six bytes of a surrogate pair, from its first fault on. */
export function measureMalformed(
  bytes: Uint8Array,
  { offset, length }: { readonly offset: number; readonly length: number },
): number {
  return Math.max(length, classLength(classify(bytes, offset, bytes.length)));
}

/** Finds the last start of a sequence at an index or before it. Bytes up to the index decide. */
export function floorSequence(bytes: Uint8Array, index: number): number {
  if (index >= bytes.length) return bytes.length;
  let start = index;
  while (start > 0 && index - start < MOST_TRAILS && isTrail(bytes[start])) start--;
  if (isTrail(bytes[start])) return index;
  // U+10000..U+10FFFF = ED A0-AF 80-BF + ED B0-BF 80-BF: the second unit begins no sequence.
  const isInPair = start >= 3 && classLength(classify(bytes, start - 3, bytes.length)) === 6;
  return isInPair && bytes[start] === 0xed ? start - 3 : start;
}

/** Finds the first start of a sequence at an index or after it. */
export function ceilSequence(bytes: Uint8Array, index: number): number {
  let end = index;
  while (end < bytes.length && floorSequence(bytes, end) !== end) end++;
  return end;
}

/** Counts characters; a malformed one counts once, however many faults it has. */
export function countCharacters(bytes: Uint8Array, codec: Codec): number {
  if (codec.isValid(bytes)) return codec.countCodePoints(bytes);
  let count = 0;
  for (let i = 0; i < bytes.length; count++) i += classLength(classify(bytes, i, bytes.length));
  return count;
}
