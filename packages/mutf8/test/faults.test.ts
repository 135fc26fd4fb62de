/** Faults of Modified UTF-8 and its profiles, by section 6 of the design. */
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import * as lite from '@utf8/mutf8/lite';
import { expect, it } from 'vitest';
import {
  fromHex,
  testFaultTable,
  testLargestCodePoint,
  testReasons,
} from '../../../tooling/conformance/src/fault-table.js';

const SMILE = '\u{1f600}';

testFaultTable('Modified UTF-8', [mutf8, lite], {
  '00': ['wrong-form', 1],
  'C0 80': '\0',
  'C1 81': ['overlong', 2],
  'E0 80 80': ['overlong', 3],
  'ED A0 80': '\ud800',
  'ED B0 80': '\udc00',
  'ED A0 BD ED B8 80': SMILE,
  'F0 9F 98 80': ['wrong-form', 4],
  'F4 90 80 80': ['too-large', 4],
  'F8 88 80 80 80': ['too-large', 5],
  'FC 84 80 80 80 80': ['too-large', 6],
  FE: ['invalid-lead', 1],
  FF: ['invalid-lead', 1],
  'E2 82': ['truncated', 1],
});

testReasons('Modified UTF-8', [mutf8, dataInput], {
  'F0 9F': 'wrong-form',
  F0: 'wrong-form',
  'F4 8F': 'wrong-form',
  'F0 80': 'overlong',
  'F4 90': 'too-large',
  F5: 'too-large',
});

it('Modified UTF-8 (DataInput) decodes raw 00 and overlong sequences of two and three bytes', () => {
  expect(dataInput.decode(fromHex('00 C0 80 C1 81 E0 80 80 E0 9F BF'))).toBe('\0\0A\0\u07ff');
  expect(dataInput.encode('\0')).toEqual(fromHex('C0 80'));
  expect(dataInput.isValid(fromHex('F0 9F 98 80'))).toBe(false);
});

it('Modified UTF-8 encodes a lone surrogate in three bytes, and a pair in six', () => {
  for (const codec of [mutf8, dataInput]) {
    expect(codec.encode('\ud83d')).toEqual(fromHex('ED A0 BD'));
  }
  expect(mutf8.encode(SMILE)).toEqual(fromHex('ED A0 BD ED B8 80'));
});

testLargestCodePoint('Modified UTF-8', [mutf8]);

it('Modified UTF-8 escapes a lone surrogate byte by byte, and a raw 00, under surrogateescape', () => {
  const errors = 'surrogateescape';
  expect(mutf8.decode(fromHex('ED B2 80'), { errors })).toBe('\udced\udcb2\udc80');
  expect(mutf8.decode(fromHex('80'), { errors })).toBe('\udc80');
  expect(mutf8.decode(fromHex('00'), { errors })).toBe('\udc00');
  expect(mutf8.encode('\udc00', { errors })).toEqual(fromHex('00'));
  expect(() => mutf8.encode('\udc41', { errors })).toThrow('lone surrogate');
});

it.each(['F0 9F 98 80', 'F4 8F BF BF', '00'])('the error at %s names the form of UTF-8', (hex) => {
  expect(() => mutf8.decode(fromHex(hex))).toThrow(
    `Malformed Modified UTF-8 at byte 0: wrong-form (${hex.slice(0, 2)}), UTF-8's form.`,
  );
});
