/**
 * Encodes and decodes WTF-8, and concatenates it: functions, coders and streams, to be imported one by one.
 *
 * @packageDocumentation
 */
import type { Bytes, OwnBytes } from '@utf8/core';
import { createConcat } from './concat.js';
import { decodeCodePoints, encodeCodePoints, findFault } from './generated/index.js';

export * from './generated/index.js';

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
 * @function
 */
export const concat: (a: Bytes, b: Bytes) => OwnBytes = /* @__PURE__ */ createConcat({
  decodeCodePoints,
  encodeCodePoints,
  findFault,
});
