/** Searches for escapes, compared with expressions of the test's own. */
import { describe, expect, it } from 'vitest';
import { hasByteEscape, hasUnitEscape } from '../src/index.js';

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Yields all texts of up to `length` of these parts. */
function* combine(parts: readonly string[], length: number): Generator<string> {
  yield '';
  if (length === 0) return;
  for (const rest of combine(parts, length - 1)) for (const part of parts) yield part + rest;
}

const BARE_PAIR = /(?<!\\)(?:\\\\)*\\ud[89ab]..\\ud[c-f]../gi;
const BARE_UNIT = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;
/** Both halves have the same number of backslashes, a power of two. */
const DOUBLED_PAIR = /(?<!\\)(\\|\\\\|\\{4}|\\{8})ud[89ab]..\1ud[c-f]../gi;
const ANY_UNIT = /\\u(?:0000|d[89a-f])/i;

describe('an escape of U+0000 or of an unpaired surrogate', () => {
  const parts = ['\\', '\\\\', '\\ud83d', '\\uDE00', '\\u0000', '\\u0041', 'u', '\n'];

  it('is found unless its partner follows it', () => {
    for (const text of combine(parts, 5)) {
      const isFound = ANY_UNIT.test(text.replace(DOUBLED_PAIR, '!'));
      if (hasUnitEscape(latin(text)) !== isFound) expect.fail(JSON.stringify(text));
    }
  });

  it('is no escape after an even number of backslashes that nothing doubles', () => {
    for (const text of combine(parts, 5)) {
      const isFound = BARE_UNIT.test(text.replace(BARE_PAIR, '!'));
      // More than one backslash before each half: the search does not tell which of them are text.
      if (!isFound && /\\{3}u/.test(text)) continue;
      if (hasUnitEscape(latin(text), true) !== isFound) expect.fail(JSON.stringify(text));
    }
  });

  it('has any digits that spell one', () => {
    for (let unit = 0; unit < 0x10000; unit++) {
      const digits = unit.toString(16).padStart(4, '0');
      const isFound = unit === 0 || (unit >= 0xd800 && unit < 0xe000);
      for (const each of [digits, digits.toUpperCase()]) {
        if (hasUnitEscape(latin(`{"a": "\\u${each}"}`)) !== isFound) expect.fail(each);
      }
    }
  });

  it('has four digits', () => {
    expect(hasUnitEscape(latin('\\u000'))).toBe(false);
    expect(hasUnitEscape(latin('\\u'))).toBe(false);
  });
});

describe('the code of a byte', () => {
  it('begins with any of these characters', () => {
    const found = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) =>
      hasByteEscape(Uint8Array.of(0x5c, byte, 0x31)),
    );
    const high = Array.from({ length: 128 }, (_, i) => 128 + i);
    expect(found).toEqual([...latin('0234567Ux'), ...high]);
  });

  it('is found at every place, and not after an escaped backslash', () => {
    for (let before = 0; before < 60; before++) {
      for (let between = 0; between < 60; between++) {
        const [start, middle] = ['a'.repeat(before), 'a'.repeat(between)];
        for (const end of ['', 'b']) {
          const found = [
            `${start}\\xe9`,
            `${start}\\t${middle}\\355${end}`,
            `${start}\\\\\\x${end}`,
            `${start}\\t${middle}\\\\\\0${end}`,
          ];
          const others = [
            `${start}x${end}`,
            `${start}\\t${middle}\\`,
            `${start}\\\\xe9${end}`,
            `${start}\\t${middle}\\\\0${end}`,
          ];
          for (const text of found) if (!hasByteEscape(latin(text))) expect.fail(text);
          for (const text of others) if (hasByteEscape(latin(text))) expect.fail(text);
        }
      }
    }
  });
});
