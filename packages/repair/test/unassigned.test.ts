import { codecFor } from '@utf8/detect';
import { describe, expect, it } from 'vitest';
import { findUnassigned, mayContainUnassigned } from '../src/index.js';

const encodings = ['utf-8', 'cesu-8', 'mutf-8', 'rfc2279'].map((label) => codecFor(label));

describe('a noncharacter, or a code point in a plane without characters,', () => {
  it('is found in every encoding, and no other', () => {
    // The edges of blocks and planes, and some between them.
    for (let codePoint = 0x80; codePoint <= 0x10_ffff; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const step = codePoint > 0x2_0000 ? 997 : 7;
      const toEdge = (codePoint + 4) & (codePoint > 0x2_0000 ? 0xffff : 0xff);
      if (toEdge > 8 && codePoint % step > 0 && codePoint >> 8 !== 0xfd) continue;
      const isPlane = codePoint >= 0x4_0000 && codePoint < 0xe_0000;
      const isNoncharacter =
        (codePoint & 0xffff) >= 0xfffe || (codePoint >= 0xfdd0 && codePoint <= 0xfdef);
      for (const codec of encodings) {
        const bytes = codec.encodeCodePoints([0x41, codePoint, 0xe9]);
        const found = [...findUnassigned(bytes)];
        const length = bytes.length - 3;
        const kind = isNoncharacter ? 'noncharacter' : 'unassigned';
        const expected = isPlane || isNoncharacter ? [{ offset: 1, length, codePoint, kind }] : [];
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
