import { defineGrammar, GrammarError } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { planKernel } from '../src/kernel-plan.js';

const rows = [
  'U+0000..U+007F = 00-7F',
  'U+0080..U+07FF = C2-DF 80-BF',
  'U+0800..U+0FFF = E0 A0-BF 80-BF',
  'U+1000..U+FFFF = E1-EF 80-BF 80-BF',
];
const plan = (...lines: string[]) => planKernel(defineGrammar('code units', lines.join('\n')));

describe('the compiler', () => {
  it('accepts a lead byte and six-bit trail bytes, the second byte of which may be restricted', () => {
    expect(() => plan(...rows)).not.toThrow();
    expect(() => plan(...rows, 'U+0000..U+003F <= C0 80-BF')).not.toThrow();
  });

  it.each([
    ['a restricted third byte', 'U+0000..U+000F <= E0 80 80-8F'],
    ['a third byte without its first trail', 'U+0001..U+003F <= E0 80 81-BF'],
    ['trails of seven bits', 'U+0000..U+007F <= F8 80-FF'],
    ['trails below 80', 'U+0000..U+003F <= F8 40-7F'],
    ['another lead', 'U+0000..U+003F <= C1 80-BF'],
    ['other steps', 'U+0000..U+001F <= F8-F9 80-8F'],
    ['seven bytes', 'U+0000 <= FE 80 80 80 80 80 80'],
    ['pairs of other code points', 'U+0000..U+003F <= F8 80-9F + 80-81'],
    ['three units', 'U+0000 <= F8 80 + F8 80 + F8 80'],
  ])('refuses %s', (_, row) => {
    const compile = () => plan(...rows, row);
    expect(compile).toThrow(GrammarError);
    expect(compile).toThrow(
      `Row "${row}" is not a lead byte and six-bit trail bytes; use createCodec instead of the compiler.`,
    );
  });

  it('accepts a ! row of all pairs, and refuses one of fewer pairs', () => {
    const pairs = 'U+10000..U+10FFFF ! ED A0-AF 80-BF + ED B0-BF 80-BF';
    expect(() => plan(...rows, pairs)).not.toThrow();
    const few = 'U+10000..U+4FFFF ! ED A0-A3 80-BF + ED B0-BF 80-BF';
    expect(() => plan(...rows, few)).toThrow(
      `Row "${few}" is not a lead byte and six-bit trail bytes`,
    );
  });

  it('keeps overlong forms of five bytes out of kernels, which end at four', () => {
    const ucs4 = [
      ...rows.slice(0, 3),
      'U+1000..U+CFFF = E1-EC 80-BF 80-BF',
      'U+D000..U+D7FF = ED 80-9F 80-BF',
      'U+E000..U+FFFF = EE-EF 80-BF 80-BF',
      'U+10000..U+3FFFF = F0 90-BF 80-BF 80-BF',
      'U+40000..U+1FFFFF = F1-F7 80-BF 80-BF 80-BF',
      'U+200000..U+FFFFFF = F8 88-BF 80-BF 80-BF 80-BF',
      'U+1000000..U+3FFFFFF = F9-FB 80-BF 80-BF 80-BF 80-BF',
      'U+4000000..U+3FFFFFFF = FC 84-BF 80-BF 80-BF 80-BF 80-BF',
      'U+40000000..U+7FFFFFFF = FD 80-BF 80-BF 80-BF 80-BF 80-BF',
    ];
    const overlong = 'U+40000..U+7FFFF <= F8 81 80-BF 80-BF 80-BF';
    const planOf = (lines: string[]) => planKernel(defineGrammar('ucs-4', lines.join('\n')));
    expect(planOf([...ucs4, overlong])).toEqual(planOf(ucs4));
  });
});
