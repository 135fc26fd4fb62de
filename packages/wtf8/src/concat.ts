import type { Bytes, OwnBytes } from '@utf8/core';
import { DecodeError, viewOf } from '@utf8/core/parts';
import { decodeCodePoints, encodeCodePoints, findFault, name } from './generated/index.js';

/** The length of a surrogate, in bytes. */
const SURROGATE = 3;

/**
 * Joins two WTF-8 strings. A high surrogate at the end of the first and a low one at the start of the
 * second become the four bytes of their pair, which is why appending bytes is not enough.
 *
 * @param a - Well-formed WTF-8: any buffer, or any view of one.
 * @param b - Likewise.
 * @returns Well-formed WTF-8 in memory of its own.
 * @throws DecodeError if one of the two is malformed; its offset counts bytes from the start of the malformed
 *   input.
 * @throws TypeError if an argument is neither a buffer nor a view of one.
 * @example
 * ```ts
 * import { concat } from '@utf8/wtf8';
 *
 * concat(Uint8Array.of(0xed, 0xa0, 0xbd), Uint8Array.of(0xed, 0xb8, 0x80));
 * // => Uint8Array.of(0xf0, 0x9f, 0x98, 0x80)
 * ```
 * @see https://simonsapin.github.io/wtf-8/#concatenating
 */
export function concat(a: Bytes, b: Bytes): OwnBytes {
  const left = viewOf(a).slice();
  const right = viewOf(b).slice();
  for (const bytes of [left, right]) {
    const fault = findFault(bytes);
    if (!fault) continue;
    throw new DecodeError(name, fault, bytes.subarray(fault.offset, fault.offset + fault.length));
  }
  const [joint, overlap] = joinEnds(left.subarray(-SURROGATE), right.subarray(0, SURROGATE));
  const result = new Uint8Array(left.length + right.length - 2 * overlap + joint.length);
  result.set(left.subarray(0, left.length - overlap));
  result.set(joint, left.length - overlap);
  result.set(right.subarray(overlap), left.length - overlap + joint.length);
  return result;
}

/** Returns the bytes of the pair at the junction, and the number of bytes of each input that it replaces. */
function joinEnds(end: Uint8Array, start: Uint8Array): [joint: Uint8Array, overlap: number] {
  const [high = 0] = isSurrogate(end) ? decodeCodePoints(end) : [];
  const [low = 0] = isSurrogate(start) ? decodeCodePoints(start) : [];
  const isPair = high >= 0xd800 && high <= 0xdbff && low >= 0xdc00;
  return isPair ? [encodeCodePoints([high, low]), SURROGATE] : [new Uint8Array(0), 0];
}

/** Tells whether three bytes of well-formed WTF-8 are a surrogate: ED A0..BF 80..BF. */
const isSurrogate = ([lead, second = 0]: Uint8Array): boolean => lead === 0xed && second >= 0xa0;
