/** Where an engine has no accelerator, rows serve, whatever ways a codec is put together of. */
import { createCodec, defineGrammar } from '@utf8/core';
import {
  createDecode,
  createEncode,
  createEncodeInto,
  createFindFault,
  createIsValid,
  decodeWay,
  Engine,
  encodeWay,
  validateWay,
} from '@utf8/core/make';
import { expect, it } from 'vitest';

const grammar = defineGrammar(
  'code units',
  `
  U+0000..U+007F = 00-7F
  U+0080..U+07FF = C2-DF 80-BF
  U+0800..U+0FFF = E0    A0-BF 80-BF
  U+1000..U+FFFF = E1-EF 80-BF 80-BF
  `,
);
const codec = createCodec('UTF-8 to U+FFFF', grammar);
const { packed } = (codec as unknown as { engine: Engine }).engine;
const engine = new Engine('UTF-8 to U+FFFF', [], packed);

it.each([1, 30, 700, 30_000])('rows read and write %i characters', (times) => {
  const text = '\u00e9\ud800'.repeat(times);
  const bytes = codec.encode(text);
  expect(Buffer.compare(createEncode(engine, encodeWay)(text), bytes)).toBe(0);
  const target = new Uint8Array(bytes.length);
  expect(createEncodeInto(engine, encodeWay)(text, target)).toEqual({
    read: text.length,
    written: bytes.length,
  });
  expect(Buffer.compare(target, bytes)).toBe(0);
  expect(createDecode(engine, decodeWay)(bytes)).toBe(text);
  const isValid = createIsValid(engine, validateWay);
  const findFault = createFindFault(engine, validateWay);
  expect([isValid(bytes), findFault(bytes)]).toEqual([true, undefined]);
  const cut = bytes.subarray(0, -1);
  expect(isValid(cut)).toBe(false);
  expect(findFault(cut)).toMatchObject({ offset: cut.length - 2, length: 2 });
});
