import { formats } from '@utf8/dump/internal';
import { describe, expect, it } from 'vitest';
import { describeError, nameFlag, spellPhrase } from '../src/option/flag.js';

describe('options of the libraries', () => {
  it.each([
    ['output', undefined, '-o'],
    ['fixHeader', undefined, '--fix-header'],
    ['wantsStats', undefined, '--stats'],
    ['keys', undefined, '--key'],
    ['format', 'csv', '--format csv'],
    ['tables', 'SOURCE=TARGET', '--table SOURCE=TARGET'],
    ['delimiter', ';', "--delimiter ';'"],
    ['delimiter', '\\t', "--delimiter '\\t'"],
  ])('%s, with the value %s, is %s', (option, value, flag) => {
    expect(spellPhrase(['use ', { option, value }])).toBe(`use ${flag}`);
  });

  it('that are on by default have a flag that turns them off', () => {
    for (const { name, isOn = false } of formats.flatMap(({ options }) => options)) {
      expect(nameFlag(name).startsWith('no-'), name).toBe(isOn);
    }
  });
});

it('an error without parts keeps its message', () => {
  expect(describeError(new Error('a --b'))).toBe('a --b');
  expect(describeError(Object.assign(new Error('`a`'), { phrase: [{ option: 'a' }] }))).toBe('--a');
});
