/** Faults of UTF-8 and of its three-byte profile, by section 6 of the design. */
import * as strict from '@utf8/strict';
import * as lite from '@utf8/strict/lite';
import * as mb3 from '@utf8/strict/mb3';
import * as mb3Lite from '@utf8/strict/mb3/lite';
import { expect, it } from 'vitest';
import {
  fromHex,
  testFaultTable,
  testLargestCodePoint,
  testLoneSurrogatesAreErrors,
  testReasons,
} from '../../../tooling/conformance/src/fault-table.js';

const SMILE = '\u{1f600}';
const shared = {
  '00': '\0',
  'C0 80': ['overlong', 2],
  'C1 81': ['overlong', 2],
  'E0 80 80': ['overlong', 3],
  'ED A0 80': ['surrogate', 3],
  'ED B0 80': ['surrogate', 3],
  'ED A0 BD ED B8 80': ['surrogate', 6],
  'F4 90 80 80': ['too-large', 4],
  'F8 88 80 80 80': ['too-large', 5],
  'FC 84 80 80 80 80': ['too-large', 6],
  FE: ['invalid-lead', 1],
  FF: ['invalid-lead', 1],
  'E2 82': ['truncated', 1],
} as const;

testFaultTable('UTF-8', [strict, lite], { ...shared, 'F0 9F 98 80': SMILE });
testFaultTable('UTF-8 (mb3)', [mb3, mb3Lite], { ...shared, 'F0 9F 98 80': ['too-large', 4] });

testReasons('UTF-8', [strict, lite], {
  C0: 'overlong',
  C1: 'overlong',
  'E0 80': 'overlong',
  'E0 9F': 'overlong',
  'F0 80': 'overlong',
  'F0 8F': 'overlong',
  'ED A0': 'surrogate',
  'ED BF': 'surrogate',
  'F4 90': 'too-large',
  F5: 'too-large',
  FD: 'too-large',
  FE: 'invalid-lead',
  '80': 'unexpected-continuation',
  BF: 'unexpected-continuation',
  'C2 41': 'truncated',
  'F0 9F 98 41': 'truncated',
});

it.each([
  ['C0 80', ['overlong', 'unexpected-continuation']],
  ['ED A0 80', ['surrogate', 'unexpected-continuation', 'unexpected-continuation']],
])('the reasons of %s in UTF-8 are %j', (digits, reasons) => {
  expect(Array.from(strict.faults(fromHex(digits)), ({ reason }) => reason)).toEqual(reasons);
});

testLoneSurrogatesAreErrors('UTF-8', strict);
testLargestCodePoint('UTF-8', [strict]);

it('UTF-8 encodes a character above U+FFFF in four bytes', () => {
  expect(strict.encode(SMILE)).toEqual(fromHex('F0 9F 98 80'));
});

it('UTF-8 escapes as Python does under surrogateescape, but no byte below 80', () => {
  const errors = 'surrogateescape';
  // b"\xc3(\xff".decode(errors="surrogateescape")
  expect(strict.decode(fromHex('C3 28 FF'), { errors })).toBe('\udcc3(\udcff');
  expect(() => strict.encode('\udc41', { errors })).toThrow('lone surrogate');
});

it('UTF-8 in three bytes escapes what is above U+FFFF in eight digits, as Python does', () => {
  const escaped = mb3.encode('\u{1f600}\u{10ffff}', { errors: 'backslashreplace' });
  expect(Buffer.from(escaped).toString()).toBe('\\U0001f600\\U0010ffff');
});
