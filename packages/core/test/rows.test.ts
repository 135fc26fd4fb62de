import { defineGrammar, formatRow, pairSurrogates } from '@utf8/core';
import { decodeByRows, encodeByRows } from '@utf8/core/internal';
import { describe, expect, it } from 'vitest';

describe('pairSurrogates', () => {
  it('reads Modified UTF-8 as characters', () => {
    const { domain, rows } = pairSurrogates(
      defineGrammar(
        'code units',
        `
        U+0000         = C0 80
        U+0001..U+007F = 01-7F
        U+0080..U+07FF = C2-DF 80-BF
        U+0800..U+0FFF = E0    A0-BF 80-BF
        U+1000..U+FFFF = E1-EF 80-BF 80-BF
      `,
      ),
    );
    expect(domain).toBe('scalar values');
    expect(rows.map(formatRow)).toEqual([
      'U+0000 = C0 80',
      'U+0001..U+007F = 01-7F',
      'U+0080..U+07FF = C2-DF 80-BF',
      'U+0800..U+0FFF = E0 A0-BF 80-BF',
      'U+1000..U+CFFF = E1-EC 80-BF 80-BF',
      'U+D000..U+D7FF = ED 80-9F 80-BF',
      'U+E000..U+FFFF = EE-EF 80-BF 80-BF',
      'U+10000..U+10FFFF = ED A0-AF 80-BF + ED B0-BF 80-BF',
    ]);
  });

  it('splits rows that do not meet the surrogates at a whole byte', () => {
    // The high halves begin inside a row, and the low halves are two rows.
    const grammar = defineGrammar(
      'code units',
      `
      U+0000..U+DBFF = 00-DB 00-FF
      U+DC00..U+DC7F = DC    00-7F
      U+DC80..U+DFFF = DD-E3 80-FF
      U+E000..U+FFFF = E4-F3 00-FF 00-01
    `,
    );
    const paired = pairSurrogates(grammar);
    const both = (codePoint: number) => {
      const high = encodeByRows(grammar, 0xd800 + ((codePoint - 0x10000) >> 10));
      const low = encodeByRows(grammar, 0xdc00 + ((codePoint - 0x10000) & 0x3ff));
      return [...(high ?? []), ...(low ?? [])];
    };
    for (let codePoint = 0x10000; codePoint <= 0x10ffff; codePoint += 0xff7) {
      const bytes = encodeByRows(paired, codePoint) as number[];
      const isSame = bytes.join() === both(codePoint).join();
      if (!isSame || decodeByRows(paired, bytes, 0)?.codePoint !== codePoint)
        expect.fail(codePoint.toString(16));
    }
    expect(encodeByRows(paired, 0xd800)).toBeUndefined();
  });
});
