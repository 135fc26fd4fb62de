import { codecFor } from '@utf8/detect';
import { describe, expect, it } from 'vitest';
import { findUnassigned, mayContainUnassigned } from '../src/index.js';

const encodings = ['utf-8', 'cesu-8', 'mutf-8', 'rfc2279'].map((label) => codecFor(label));

describe('a noncharacter, or a code point in a plane without characters,', () => {
  it('is found in every encoding, and no other', () => {
    // Every code point of the planes that have both, and the ends of the others.
    for (let codePoint = 0x80; codePoint <= 0x10_ffff; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      if (codePoint > 0x2_0000 && ((codePoint + 4) & 0xffff) > 8 && codePoint % 997 > 0) continue;
      const isPlane = codePoint >= 0x4_0000 && codePoint < 0xe_0000;
      const isNoncharacter =
        (codePoint & 0xffff) >= 0xfffe || (codePoint >= 0xfdd0 && codePoint <= 0xfdef);
      for (const codec of encodings) {
        const bytes = codec.encodeCodePoints([0x41, codePoint, 0xe9]);
        const found = [...findUnassigned(bytes)];
        const length = bytes.length - 3;
        const expected = isPlane || isNoncharacter ? [{ offset: 1, length, codePoint }] : [];
        if (found.length !== expected.length || expected[0]) expect(found).toEqual(expected);
        if (expected[0] && !mayContainUnassigned(bytes)) expect.unreachable(`${codePoint}`);
      }
    }
  });

  it('is not suspected in text without one', () => {
    for (const text of ['', 'abc', 'é日本語', '한국어', '😀', 'ﾊﾟ', '\uFEFF\uFFFD', 'بﺏ']) {
      expect(mayContainUnassigned(new TextEncoder().encode(text), false)).toBe(false);
    }
  });
});
