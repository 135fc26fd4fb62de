/** Faults of CESU-8 and its profiles, by section 6 of the design. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as lite from '@utf8/cesu8/lite';
import * as mixed from '@utf8/cesu8/mixed';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  fromHex,
  testFaultTable,
  testLargestCodePoint,
  testLoneSurrogatesAreErrors,
  testReasons,
} from '../../../tooling/conformance/src/fault-table.js';
import { scale, seed } from '../../../tooling/tiers/tier.js';

const SMILE = '\u{1f600}';

testFaultTable('CESU-8', [cesu8, lite], {
  '00': '\0',
  'C0 80': ['overlong', 2],
  'C1 81': ['overlong', 2],
  'E0 80 80': ['overlong', 3],
  'ED A0 80': ['surrogate', 1],
  'ED B0 80': ['surrogate', 1],
  'ED A0 BD ED B8 80': SMILE,
  'F0 9F 98 80': ['wrong-form', 4],
  'F4 90 80 80': ['too-large', 4],
  'F8 88 80 80 80': ['too-large', 5],
  'FC 84 80 80 80 80': ['too-large', 6],
  FE: ['invalid-lead', 1],
  FF: ['invalid-lead', 1],
  'E2 82': ['truncated', 1],
});

testReasons('CESU-8', [cesu8, lenient], {
  'F0 9F': 'wrong-form',
  F0: 'wrong-form',
  'F4 8F': 'wrong-form',
  'F0 80': 'overlong',
  'F4 90': 'too-large',
  F5: 'too-large',
});

it.each([
  ['CESU-8', cesu8],
  ['CESU-8, lite', lite],
  ['CESU-8 + UTF-8', mixed],
])('%s ends a fault at an unpaired surrogate, truncated or not', (_, codec) => {
  expect([...codec.faults(fromHex('ED B0 41'))]).toEqual([
    { offset: 0, length: 2, reason: 'surrogate', incomplete: false },
  ]);
  const bytes = fromHex('ED A0 BD ED A0 BD ED B8 80 ED A0 BD ED 95 9C');
  expect(codec.decode(bytes, { errors: 'replace' })).toBe(`\ufffd${SMILE}\ufffd한`);
});

it('a truncated pair at the end is an unpaired surrogate in CESU-8, and incomplete', () => {
  expect(cesu8.findFault(fromHex('ED A0 BD ED B8'))).toEqual({
    offset: 0,
    length: 3,
    reason: 'surrogate',
    incomplete: true,
  });
});

it('CESU-8 (lenient) decodes and encodes lone surrogates', () => {
  const bytes = fromHex('ED A0 BD 41 ED B8 80');
  expect(lenient.decode(bytes)).toBe('\ud83dA\ude00');
  expect(lenient.encode('\ud83dA\ude00')).toEqual(bytes);
});

it('CESU-8 + UTF-8 decodes characters above U+FFFF in six and in four bytes, and encodes four', () => {
  const bytes = fromHex('ED A0 BD ED B8 80 F0 9F 98 80');
  expect(mixed.decode(bytes)).toBe(SMILE + SMILE);
  expect(mixed.encode(SMILE)).toEqual(fromHex('F0 9F 98 80'));
  expect(mixed.findFault(fromHex('ED A0 BD'))?.reason).toBe('surrogate');
});

testLoneSurrogatesAreErrors('CESU-8', cesu8);
testLoneSurrogatesAreErrors('CESU-8 + UTF-8', mixed);
testLargestCodePoint('CESU-8', [cesu8, mixed, lenient]);

it('CESU-8 encodes a character above U+FFFF in six bytes', () => {
  expect(cesu8.encode(SMILE)).toEqual(fromHex('ED A0 BD ED B8 80'));
});

it('CESU-8 under replace is CESU-8 (lenient) under replace, made well-formed', () => {
  const parts = fc.constantFrom(0xed, 0xa0, 0xaf, 0xb0, 0xbf, 0x80, 0x41, 0xff);
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.nat(255)), { maxLength: 40 }), (list) => {
      const bytes = Uint8Array.from(list);
      const errors = 'replace';
      expect(cesu8.decode(bytes, { errors })).toBe(
        lenient.decode(bytes, { errors }).toWellFormed(),
      );
    }),
    { seed, numRuns: scale(20000) },
  );
});

it('CESU-8 (lenient) escapes a lone surrogate byte by byte under surrogateescape', () => {
  const errors = 'surrogateescape';
  expect(lenient.decode(fromHex('ED B2 80'), { errors })).toBe('\udced\udcb2\udc80');
  expect(lenient.decode(fromHex('80'), { errors })).toBe('\udc80');
});
