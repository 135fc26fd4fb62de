import { createCodec, defineGrammar, GrammarError } from '@utf8/core';
import { type Automaton, deriveAutomaton } from '@utf8/core/internal';
import { expect, it } from 'vitest';

const derive = (text: string): Automaton => deriveAutomaton(defineGrammar('code units', text));
const states = ({ transitions, width }: Automaton): number => transitions.length / width;

it('has one state for each different future, however the rows are cut', () => {
  const whole = derive(`
    U+0000..U+007F = 00-7F
    U+0080..U+07FF = C2-DF 80-BF
    U+0800..U+0FFF = E0    A0-BF 80-BF
    U+1000..U+FFFF = E1-EF 80-BF 80-BF
  `);
  const cut = derive(`
    U+0000..U+003F = 00-3F
    U+0040..U+007F = 40-7F
    U+0080..U+00BF = C2    80-BF
    U+00C0..U+07FF = C3-DF 80-BF
    U+0800..U+0FFF = E0    A0-BF 80-BF
    U+1000..U+CFFF = E1-EC 80-BF 80-BF
    U+D000..U+D7FF = ED    80-9F 80-BF
    U+D800..U+DFFF = ED    A0-BF 80-BF
    U+E000..U+FFFF = EE-EF 80-BF 80-BF
  `);
  // Start and acceptance, one trail to come, two, the two behind E0, and rejection.
  expect(states(whole)).toBe(5);
  expect(cut).toEqual(whole);
});

it('sums code points that do not follow the bytes within a class', () => {
  const swapped = defineGrammar(
    'code units',
    `
    U+0000..U+003F = 00-3F
    U+0040         = 41
    U+0041         = 40
    U+0042..U+007F = 42-7F
    U+0080..U+07FF = C2-DF 80-BF
    U+0800..U+0FFF = E0    A0-BF 80-BF
    U+1000..U+FFFF = E1-EF 80-BF 80-BF
  `,
  );
  const { classes } = deriveAutomaton(swapped);
  expect(classes[0x41]).toBe(classes[0x3f]);
  const codec = createCodec('swapped', swapped);
  expect(codec.decode(Uint8Array.of(0x3f, 0x40, 0x41, 0x42))).toBe('?A@B');
  expect(codec.encode('?A@B')).toEqual(Uint8Array.of(0x3f, 0x40, 0x41, 0x42));
});

it('refuses rows that need more cells than a byte can name', () => {
  // After every lead other trails may follow, so each is a future of its own.
  const rows = Array.from({ length: 256 }, (_, lead) => ({
    first: lead * 256,
    last: lead * 257,
    units: [
      [
        { first: lead, last: lead },
        { first: 0, last: lead },
      ],
    ],
    writes: true,
  }));
  expect(() => deriveAutomaton({ rows })).toThrow(GrammarError);
  expect(() => deriveAutomaton({ rows })).toThrow('256 cells are the limit');
});
