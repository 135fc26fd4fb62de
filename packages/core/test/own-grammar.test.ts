/** Codecs of grammars that no package contains: a few lines define a codec that passes the suite. */
import { createCodec, defineGrammar } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { testCodec, testShortInputs } from '../../../tooling/conformance/src/index.js';

const fiveLines = createCodec(
  'UTF-8 of units',
  defineGrammar(
    'code units',
    `
    U+0000..U+007F = 00-7F
    U+0080..U+07FF = C2-DF 80-BF
    U+0800..U+0FFF = E0    A0-BF 80-BF
    U+1000..U+EFFF = E1-EE 80-BF 80-BF
    U+F000..U+FFFF = EF    80-BF 80-BF
    `,
  ),
);

// Unlike UTF-8 above ASCII: no gaps for overlongs, and pairs of units of different lengths.
const withoutGaps = createCodec(
  'UTF-8 without gaps',
  defineGrammar(
    'scalar values',
    `
    U+0000..U+007F    = 00-7F
    U+0080..U+087F    = C0-DF 80-BF
    U+0880..U+C87F    = E0-EB 80-BF 80-BF
    U+C880..U+D7FF    = EC    80-BD 80-BF
    U+E000..U+FFFF    = ED-EE 80-BF 80-BF
    U+10000..U+10FFFF = F0-FF 80-BF + EF 80-8F 80-BF
    `,
  ),
);

for (const [title, codec] of Object.entries({ fiveLines, withoutGaps })) {
  testCodec(`own grammar: ${title}`, codec, { isSampled: true });
  testShortInputs(`own grammar: ${title}`, codec, { third: 3, isSampled: true });
}

describe('own grammar: UTF-16BE, whose bytes do not identify the start of a character', () => {
  const utf16be = createCodec(
    'UTF-16BE',
    defineGrammar(
      'scalar values',
      `
      U+0000..U+D7FF    = 00-D7 00-FF
      U+E000..U+FFFF    = E0-FF 00-FF
      U+10000..U+10FFFF = D8-DB 00-FF + DC-DF 00-FF
    `,
    ),
  );
  const text = 'Aé\u{1f600}한\u{10ffff}';
  const bytes = utf16be.encode(text);

  it('UTF-16BE of an own grammar encodes and decodes', () => {
    const swapped = Buffer.from(text, 'utf16le').swap16();
    expect(Buffer.compare(bytes, swapped)).toBe(0);
    expect(utf16be.decode(bytes)).toBe(text);
    expect(utf16be.decode(bytes.subarray(4, 6), { errors: 'replace' })).toBe('\ufffd');
  });

  it('UTF-16BE of an own grammar finds boundaries from the beginning', () => {
    const ceil = Array.from(bytes, (_, i) => utf16be.ceilBoundary(bytes, i));
    expect(ceil).toEqual([0, 2, 2, 4, 4, 8, 8, 8, 8, 10, 10, 14, 14, 14]);
  });
});
