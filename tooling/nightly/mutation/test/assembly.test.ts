import { expect, it } from 'vitest';
import { apply, mutate } from '../src/assembly.mjs';

const source = `@inline export function isAscii(p: usize, n: usize): bool {
  v128.store(p + n, i8x16.splat(0x20));
  return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 4))) && p >= 1;
}
`;

it('changes operators, numbers, calls and statements, one at a time', () => {
  const lines = source.split('\n');
  const changed = mutate(source).map((mutant) => {
    const after = apply(source, mutant).split('\n');
    const differing = lines.flatMap((line, i) => (line === after[i] ? [] : [after[i]?.trim()]));
    expect(differing).toHaveLength(1);
    expect(lines[mutant.start.line - 1]).not.toBe(after[mutant.start.line - 1]);
    return differing[0];
  });
  expect(changed).toEqual([
    '',
    'v128.store(p - n, i8x16.splat(0x20));',
    'v128.store(p + n, i8x16.splat(33));',
    'v128.store(p + n, i8x16.splat(31));',
    'v128.store(p + n, i8x16.splat(0));',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 4))) || p >= 1;',
    'return i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 4))) && p >= 1;',
    'return !i8x16.bitmask(v128.and(a, i8x16.shr_u(b, 4))) && p >= 1;',
    'return !i8x16.bitmask(v128.andnot(i8x16.shr_u(b, 4), a)) && p >= 1;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shl(b, 4))) && p >= 1;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_s(b, 4))) && p >= 1;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 5))) && p >= 1;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 3))) && p >= 1;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 0))) && p >= 1;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 4))) && p > 1;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 4))) && p < 1;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 4))) && p >= 2;',
    'return !i8x16.bitmask(v128.andnot(a, i8x16.shr_u(b, 4))) && p >= 0;',
  ]);
});
