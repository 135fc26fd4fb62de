import { toUint8Array } from './argument/bytes.js';
import { refuse } from './argument/check.js';
import { findBoundary } from './boundary.js';
import { readCharacter } from './character.js';
import type { Codec } from './codec/codec.js';
import type { Encoding } from './encoding.js';
import type { Sequence } from './rows/sequence.js';

export function createCompare(encoding: Encoding): Codec['compare'] {
  return (a, b, order = 'code points') => {
    const byCodeUnits = order === 'code units';
    if (!byCodeUnits && order !== 'code points') refuse('code points or code units', order);
    const x = toUint8Array(a);
    const y = toUint8Array(b);
    let i = findCommonBoundary(encoding, x, y);
    let j = i;
    while (i < x.length && j < y.length) {
      const left = readCharacter(encoding, x, i);
      const right = readCharacter(encoding, y, j);
      const [l, r] = [orderOf(encoding, left, byCodeUnits), orderOf(encoding, right, byCodeUnits)];
      i += left.length;
      j += right.length;
      if (l === r) continue;
      const [first, other] = byCodeUnits ? [firstCodeUnit(l), firstCodeUnit(r)] : [l, r];
      if (first !== other) return Math.sign(first - other);
      // Both begin with the same high surrogate; in one of them it may be unpaired.
      const [second, third] = [
        secondCodeUnit(encoding, l, x, i),
        secondCodeUnit(encoding, r, y, j),
      ];
      return Math.sign(second - third);
    }
    return Math.sign(x.length - i - (y.length - j));
  };
}

/** Finds a boundary of both inputs, before which they are equal. */
function findCommonBoundary(encoding: Encoding, x: Uint8Array, y: Uint8Array): number {
  const shorter = Math.min(x.length, y.length);
  let same = 0;
  while (same < shorter && x[same] === y[same]) same++;
  // Far enough back that differing bytes cannot move a boundary.
  const before = same - 2 * encoding.packed.longest;
  return before > 0 ? findBoundary(encoding, x, before) : 0;
}

/** Returns the first UTF-16 code unit of a character. */
const firstCodeUnit = (codePoint: number): number =>
  codePoint > 0xffff ? 0xd7c0 + (codePoint >> 10) : codePoint;

/**
 * Returns the UTF-16 code unit after the first: the low surrogate, or the first of the next character; -1 at
 * the end.
 */
function secondCodeUnit(
  encoding: Encoding,
  codePoint: number,
  bytes: Uint8Array,
  next: number,
): number {
  if (codePoint > 0xffff) return 0xdc00 + (codePoint & 0b11_1111_1111);
  return next < bytes.length
    ? firstCodeUnit(orderOf(encoding, readCharacter(encoding, bytes, next), true))
    : -1;
}

/**
 * Returns the code point to sort by: U+FFFD for a fault and, by code units, for a code point that no string
 * contains.
 */
const orderOf = (encoding: Encoding, { codePoint }: Sequence, byCodeUnits: boolean): number =>
  codePoint < 0 || (byCodeUnits && !encoding.isText(codePoint)) ? 0xfffd : codePoint;
