/** Faults of WTF-8, by section 6 of the design. */
import * as wtf8 from '@utf8/wtf8';
import * as lite from '@utf8/wtf8/lite';
import { expect, it } from 'vitest';
import { fromHex, testFaultTable } from '../../../tooling/conformance/src/fault-table.js';

testFaultTable('WTF-8', [wtf8, lite], {
  '00': '\0',
  'C0 80': ['overlong', 2],
  'C1 81': ['overlong', 2],
  'E0 80 80': ['overlong', 3],
  'ED A0 80': '\ud800',
  'ED B0 80': '\udc00',
  'ED A0 BD ED B8 80': ['wrong-form', 1],
  'F0 9F 98 80': '\u{1f600}',
  'F4 90 80 80': ['too-large', 4],
  'F8 88 80 80 80': ['too-large', 5],
  'FC 84 80 80 80 80': ['too-large', 6],
  FE: ['invalid-lead', 1],
  FF: ['invalid-lead', 1],
  'E2 82': ['truncated', 1],
});

it('the error at a pair in six bytes does not name the form of UTF-8, which has none', () => {
  expect(() => wtf8.decode(fromHex('ED A0 BD ED B8 80'))).toThrow(
    'Malformed WTF-8 at byte 0: wrong-form (ED A0 BD ED B8 80).',
  );
});
