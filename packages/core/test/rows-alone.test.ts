/** Without loops and kernel, rows convert everything. */
import { createCodec, defineGrammar } from '@utf8/core';
import { expect, it } from 'vitest';

const codec = createCodec(
  'UTF-8 to U+FFFF',
  defineGrammar(
    'code units',
    `
    U+0000..U+007F = 00-7F
    U+0080..U+07FF = C2-DF 80-BF
    U+0800..U+0FFF = E0    A0-BF 80-BF
    U+1000..U+FFFF = E1-EF 80-BF 80-BF
    `,
  ),
);

it.each([1, 30, 700, 30_000])('rows read and write %i characters', (times) => {
  const text = 'a\u00e9\ud800'.repeat(times);
  const bytes = codec.encode(text);
  expect(Buffer.from(bytes).equals(Buffer.from('61c3a9eda080'.repeat(times), 'hex'))).toBe(true);
  const target = new Uint8Array(bytes.length);
  expect(codec.encodeInto(text, target)).toEqual({ read: text.length, written: bytes.length });
  expect(Buffer.compare(target, bytes)).toBe(0);
  expect(codec.decode(bytes)).toBe(text);
  expect([codec.isValid(bytes), codec.findFault(bytes)]).toEqual([true, undefined]);
  const cut = bytes.subarray(0, -1);
  expect(codec.isValid(cut)).toBe(false);
  expect(codec.findFault(cut)).toMatchObject({ offset: cut.length - 2, length: 2 });
});
