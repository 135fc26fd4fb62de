/** Without Node's `Buffer`, as in browsers, repairs are the same: everything native has a way of its own. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as inNode from '../src/index.js';

const latin = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

vi.resetModules();
vi.stubGlobal('Buffer', undefined);
const elsewhere = await import('../src/index.js');
vi.unstubAllGlobals();

afterAll(() => vi.resetModules());

const texts = [
  '',
  'plain',
  '\xed\xa0\xbd\xed\xb8\x80',
  'a\xed\xa0\xbdb\xed\xa0\xbd\xed\xb8\x80\xed\xb8\x80',
  '\xc0\x80 and \0, \xc0\xc0\x80',
  '\xc3\xa9 and \xe9',
  '\xc3\x83\xc2\xa9t\xc3\x83\xc2\xa9, \xc3\xa9',
  '\xef\xbf\xbf \xcd\xb8 \xf0\x9f\x98\x80 \xc3',
  `${'a'.repeat(70)}\\ud83d ${'\\'.repeat(3)}u0000`,
].map(latin);

const options: readonly Partial<inNode.RepairOptions>[] = [
  {},
  { nul: 'remove' },
  { unpairedSurrogates: 'replace' },
  { mojibake: 'repair' },
  { errors: 'windows-1252' },
];

describe('without Buffer', () => {
  it.each(options)('repairs with %j are the same', (asked) => {
    const whole = { from: 'cesu-8+utf-8', errors: 'replace', ...asked } as const;
    const there = elsewhere.createRepairer(whole);
    const here = inNode.createRepairer(whole);
    for (const text of texts) expect(there(text)).toEqual(here(text));
  });

  it('values in structures are the same', () => {
    const copy = {
      escaper: 0x5c,
      letters: { n: 10 },
      codes: /(?!)()|(?!)()|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
    };
    for (const inner of [
      '\\ud83d\\ude00',
      '\xed\xa0\xbd\xed\xb8\x80',
      '\\u0000',
      'x',
      '\\355\\240\\275',
      // Longer than the arguments of one call.
      `${'x'.repeat(5000)}\\ud83d\\ude00${'y'.repeat(9000)}\\u0000`,
    ]) {
      const value = latin(`{"a": "${inner.replaceAll('\\', '\\\\')}"}`);
      const asked = { from: 'cesu-8+utf-8', nul: 'remove' } as const;
      const where = { syntaxes: [copy], structure: { is: 'json' } } as const;
      expect(elsewhere.createRepairer(asked)(value, { value: where })).toEqual(
        inNode.createRepairer(asked)(value, { value: where }),
      );
    }
  });

  it('finds the same escapes', () => {
    for (const text of [
      '\\u',
      '\\ud83d',
      'a\\\\u0000',
      '\\\\\\355',
      `\\n${'b'.repeat(40)}\\xed`,
      '\\n\\',
    ]) {
      const bytes = latin(text);
      expect([text, elsewhere.hasUnitEscape(bytes)]).toEqual([text, inNode.hasUnitEscape(bytes)]);
      expect([text, elsewhere.hasByteEscape(bytes)]).toEqual([text, inNode.hasByteEscape(bytes)]);
    }
  });
});
