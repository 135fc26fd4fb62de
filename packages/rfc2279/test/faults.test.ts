/** Faults of RFC 2279, by section 6 of the design, and numbers that no string contains. */
import * as rfc2279 from '@utf8/rfc2279';
import * as lite from '@utf8/rfc2279/lite';
import { expect, it } from 'vitest';
import {
  fromHex,
  testFaultTable,
  testLoneSurrogatesAreErrors,
  testReasons,
} from '../../../tooling/conformance/src/fault-table.js';

const SMILE = '\u{1f600}';

testFaultTable('RFC 2279', [rfc2279, lite], {
  '00': '\0',
  'C0 80': ['overlong', 2],
  'C1 81': ['overlong', 2],
  'E0 80 80': ['overlong', 3],
  'ED A0 80': ['surrogate', 3],
  'ED B0 80': ['surrogate', 3],
  'ED A0 BD ED B8 80': ['surrogate', 6],
  'F0 9F 98 80': SMILE,
  'F4 90 80 80': ['unrepresentable', 1],
  'F8 88 80 80 80': ['unrepresentable', 1],
  'FC 84 80 80 80 80': ['unrepresentable', 1],
  FE: ['invalid-lead', 1],
  FF: ['invalid-lead', 1],
  'E2 82': ['truncated', 1],
});

testReasons('RFC 2279', [rfc2279, lite], {
  'F8 80': 'overlong',
  'F8 87': 'overlong',
  'FC 80': 'overlong',
  'FC 83': 'overlong',
  'F0 8F': 'overlong',
  C0: 'overlong',
  'ED A0': 'surrogate',
  FE: 'invalid-lead',
  'FD BF BF BF BF': 'truncated',
});

it('only decode and Decoder refuse a number above U+10FFFF', () => {
  const bytes = fromHex('41 FD BF BF BF BF BF 42');
  expect(rfc2279.isValid(bytes)).toBe(true);
  expect(rfc2279.findFault(bytes)).toBeUndefined();
  expect([...rfc2279.faults(bytes)]).toEqual([]);
  expect([...rfc2279.decodeCodePoints(bytes)]).toEqual([0x41, 0x7fffffff, 0x42]);
  expect(rfc2279.decode(bytes, { errors: 'replace' })).toBe('A\ufffdB');
  expect(rfc2279.decode(bytes, { errors: 'backslashreplace' })).toBe(
    'A\\xfd\\xbf\\xbf\\xbf\\xbf\\xbfB',
  );
});

it('the error of decode about a number above U+10FFFF recommends decodeCodePoints', () => {
  const bytes = rfc2279.encodeCodePoints([0x61, 0x7fffffff]);
  expect(() => rfc2279.decode(bytes)).toThrow(
    expect.objectContaining({ offset: 1, reason: 'unrepresentable' }),
  );
  expect(() => rfc2279.decode(bytes)).toThrow(/^(?!.*malformed).*decodeCodePoints/i);
});

testLoneSurrogatesAreErrors('RFC 2279', rfc2279);

it('RFC 2279 encodes a character above U+FFFF in four bytes', () => {
  expect(rfc2279.encode(SMILE)).toEqual(fromHex('F0 9F 98 80'));
});

it('encodeCodePoints of RFC 2279 accepts numbers up to 7FFFFFFF, except surrogates', () => {
  expect(rfc2279.encodeCodePoints([0x7fffffff])).toEqual(fromHex('FD BF BF BF BF BF'));
  for (const wrong of [0x80000000, -1, 1.5, Number.NaN, 0xd800]) {
    expect(() => rfc2279.encodeCodePoints([wrong])).toThrow(TypeError);
  }
});

it('compare by code units sorts a number above U+10FFFF as U+FFFD', () => {
  const encode = (...codePoints: number[]) => rfc2279.encodeCodePoints(codePoints);
  const [a, b] = [encode(0x110000, 0x62), encode(0x110001, 0x61)];
  expect([rfc2279.compare(a, b), rfc2279.compare(a, b, 'code units')]).toEqual([-1, 1]);
  const replaced = encode(0xfffd, 0x61);
  expect([rfc2279.compare(b, replaced), rfc2279.compare(b, replaced, 'code units')]).toEqual([
    1, 0,
  ]);
});
