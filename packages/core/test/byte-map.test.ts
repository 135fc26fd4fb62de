import { defineGrammar } from '@utf8/core';
import { expect, it } from 'vitest';
import { deriveByteMap } from '../src/grammar/byte-map.js';

it('knows what each byte leads, and whether it is a trail', () => {
  const map = deriveByteMap(
    defineGrammar(
      'scalar values',
      `
      U+0000..U+007F    = 00-7F
      U+0080..U+07FF    = C2-DF 80-BF
      U+0800..U+0FFF    = E0    A0-BF 80-BF
      U+1000..U+CFFF    = E1-EC 80-BF 80-BF
      U+D000..U+D7FF    = ED    80-9F 80-BF
      U+E000..U+FFFF    = EE-EF 80-BF 80-BF
      U+10000..U+10FFFF = ED    A0-AF 80-BF + ED B0-BF 80-BF
    `,
    ),
  );
  const wanted = Array.from(map, () => ({ leads: [] as number[], isTrail: false }));
  const fill = (from: number, to: number, leads: number[], isTrail: boolean) =>
    wanted.fill({ leads, isTrail }, from, to + 1);
  fill(0x00, 0x7f, [0], false);
  fill(0x80, 0xbf, [], true);
  fill(0xc2, 0xdf, [1], false);
  fill(0xe0, 0xe0, [2], false);
  fill(0xe1, 0xec, [3], false);
  // The first byte of the second half follows others, but is no trail.
  fill(0xed, 0xed, [4, 6], false);
  fill(0xee, 0xef, [5], false);
  expect(map).toEqual(wanted);
});
