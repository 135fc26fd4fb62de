import { toUint8Array } from './argument/bytes.js';
import { refuse } from './argument/check.js';
import { findBoundary } from './boundary.js';
import { readCharacter } from './character.js';
import type { Codec } from './codec/codec.js';
import type { Encoding } from './encoding.js';
import type { Sequence } from './rows/sequence.js';

export function createCompare(encoding: Encoding): Codec['compare'] {
  return (a, b, order = 'code points') => {
    const byUnits = order === 'code units';
    if (!byUnits && order !== 'code points') refuse('code points or code units', order);
    const x = toUint8Array(a);
    const y = toUint8Array(b);
    let i = findCommonBoundary(encoding, x, y);
    let j = i;
    while (i < x.length && j < y.length) {
      const left = readCharacter(encoding, x, i);
      const right = readCharacter(encoding, y, j);
      const [l, r] = [orderOf(encoding, left, byUnits), orderOf(encoding, right, byUnits)];
      i += left.length;
      j += right.length;
      if (l === r) continue;
      const [first, other] = byUnits ? [firstUnit(l), firstUnit(r)] : [l, r];
      if (first !== other) return Math.sign(first - other);
      // Both begin with the same high surrogate; in one of them it may be unpaired.
      const [second, third] = [secondUnit(encoding, l, x, i), secondUnit(encoding, r, y, j)];
      return Math.sign(second - third);
    }
    return Math.sign(x.length - i - (y.length - j));
  };
}

/** A boundary in both, before which they are the same. */
function findCommonBoundary(encoding: Encoding, x: Uint8Array, y: Uint8Array): number {
  const shorter = Math.min(x.length, y.length);
  let same = 0;
  while (same < shorter && x[same] === y[same]) same++;
  // Far enough back for no byte that differs to have a say in where characters begin.
  const before = same - 2 * encoding.packed.longest;
  return before > 0 ? findBoundary(encoding, x, before) : 0;
}

/** Returns the first UTF-16 code unit of a character. */
const firstUnit = (codePoint: number): number =>
  codePoint > 0xffff ? 0xd7c0 + (codePoint >> 10) : codePoint;

/** Returns the UTF-16 code unit after that: the low surrogate, or what follows in the bytes; -1 at their end. */
function secondUnit(
  encoding: Encoding,
  codePoint: number,
  bytes: Uint8Array,
  next: number,
): number {
  if (codePoint > 0xffff) return 0xdc00 + (codePoint & 0b11_1111_1111);
  return next < bytes.length
    ? firstUnit(orderOf(encoding, readCharacter(encoding, bytes, next), true))
    : -1;
}

/** Returns the code point to sort by. A fault, and by units what no string contains, counts as U+FFFD. */
const orderOf = (encoding: Encoding, { codePoint }: Sequence, byUnits: boolean): number =>
  codePoint < 0 || (byUnits && !encoding.isText(codePoint)) ? 0xfffd : codePoint;
