import { toUint8Array } from '../argument/bytes.js';
import type { Codec } from '../codec/codec.js';
import { readCharacter } from '../read/character.js';
import type { Engine } from '../read/engine.js';
import type { Sequence } from '../read/sequence.js';
import { findBoundary } from './boundary.js';

export function createCompare(engine: Engine): Codec['compare'] {
  return (a, b) => {
    const x = toUint8Array(a);
    const y = toUint8Array(b);
    let i = findCommonBoundary(engine, x, y);
    let j = i;
    while (i < x.length && j < y.length) {
      const left = readCharacter(engine, x, i);
      const right = readCharacter(engine, y, j);
      const difference = orderOf(left) - orderOf(right);
      if (difference !== 0) return Math.sign(difference);
      i += left.length;
      j += right.length;
    }
    return Math.sign(x.length - i - (y.length - j));
  };
}

/** A boundary in both, before which they are the same. */
function findCommonBoundary(engine: Engine, x: Uint8Array, y: Uint8Array): number {
  const shorter = Math.min(x.length, y.length);
  let same = 0;
  while (same < shorter && x[same] === y[same]) same++;
  // Far enough back for no byte that differs to have a say in where characters begin.
  const before = same - 2 * engine.packed.longest;
  return before > 0 ? findBoundary(engine, x, before) : 0;
}

/** A fault stands where U+FFFD does, which is what every reader that replaces it would sort by. */
const orderOf = ({ codePoint }: Sequence): number => (codePoint < 0 ? 0xfffd : codePoint);
