/** JSON as `parseJson` reads it, against JSON.parse and a walk of what that returns. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { parseJson } from '../src/index.js';

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Lists the parts of a text, in order. */
function read(text: string, options?: { readonly allowsLines?: boolean }) {
  const events: string[] = [];
  const fault = parseJson(
    latin(text),
    {
      value: () => events.push('value'),
      open: (isArray) => events.push(isArray ? '[' : '{'),
      close: () => events.push('end'),
      key: (start, end) => events.push(`key ${text.slice(start, end)}`),
      string: (start, end) => events.push(`string ${text.slice(start, end)}`),
    },
    options,
  );
  return { fault, events };
}

/** Lists the parts of a known value. */
function walk(value: unknown): string[] {
  if (Array.isArray(value)) return ['value', '[', ...value.flatMap(walk), 'end'];
  if (typeof value === 'string') return ['value', `string ${value}`];
  if (typeof value !== 'object' || value === null) return ['value'];
  const members = Object.entries(value).flatMap(([key, own]) => [`key ${key}`, ...walk(own)]);
  return ['value', '{', ...members, 'end'];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const plain = fc.string({ unit: fc.constantFrom(...'ab1 {}[],:-'), maxLength: 3 });

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    plain,
    fc.constantFrom(true, false, null, 0, -1, 12, 1.5, -0.25, 1e30, 2e-9),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '', 'ab'), tie('value'), { maxKeys: 3 }),
  ),
}));

describe('JSON', () => {
  it('is told value by value', () => {
    fc.assert(
      fc.property(value, fc.constantFrom('', ' ', '\n', '\t', '\r\n '), (json, space) => {
        const text = `${space}${JSON.stringify(json, null, space)}${space}`;
        expect(read(text)).toEqual({ fault: undefined, events: walk(json) });
      }),
      { seed, numRuns: scale(5000) },
    );
  });

  it('is what JSON.parse accepts, whatever is changed in it', () => {
    const parts = fc.constantFrom(...'[]{},:"\\ut0123-+.eE ', 'true', 'null', 'fals', '\\u00e9');
    fc.assert(
      fc.property(value, fc.nat(), fc.nat({ max: 2 }), parts, (json, place, length, part) => {
        const whole = JSON.stringify(json);
        if (/[^ -~]/.test(whole)) return;
        const at = place % (whole.length + 1);
        const text = whole.slice(0, at) + part + whole.slice(at + length);
        expect([text, read(text).fault === undefined]).toEqual([text, isJson(text)]);
      }),
      { seed, numRuns: scale(15_000) },
    );
  });

  it.each([
    ['', 'expected a JSON value', 0],
    [' ', 'expected a JSON value', 1],
    ['tru', 'expected a JSON value', 0],
    ['nul1', 'expected a JSON value', 0],
    ['[true', 'expected "," or "]"', 5],
    ['{"a": 1', 'expected "," or "}"', 7],
    ['[1 2]', 'expected "," or "]"', 3],
    ['[1,]', 'expected a JSON value', 3],
    ['{"a" 1}', 'expected ":"', 5],
    ['{a: 1}', 'expected a key in double quotes', 1],
    ['{"a": 1,}', 'expected a key in double quotes', 8],
    ['01', 'unexpected text after the JSON value', 1],
    ['1 2', 'unexpected text after the JSON value', 2],
    ['-', 'expected a digit', 1],
    ['1.', 'expected a digit', 2],
    ['1e+', 'expected a digit', 3],
    ['["a', 'unterminated string', 1],
    ['["a\\x"]', 'invalid escape', 3],
    ['["\\u12g4"]', 'invalid escape', 2],
    ['["\\u123', 'invalid escape', 2],
    ['"\\', 'invalid escape', 1],
  ])('%j is refused: %s', (text, what, index) => {
    expect(read(text).fault).toEqual({ what, index });
  });

  it('may have lines of its own, or not', () => {
    expect(read('[\n1]', { allowsLines: false }).fault).toEqual({
      what: 'expected a JSON value',
      index: 1,
    });
    expect(read('[\r\t 1]', { allowsLines: false }).fault).toBeUndefined();
  });

  it('ends where the caller says, whatever follows', () => {
    const seen: number[] = [];
    const handler = {
      open() {},
      close() {},
      key() {},
      string: (a: number, b: number) => seen.push(a, b),
    };
    const text = latin('x"ab"c"truefalse');
    expect(parseJson(text, handler, { start: 1, end: 5 })).toBeUndefined();
    expect(seen).toEqual([2, 4]);
    expect(parseJson(text, handler, { start: 7, end: 11 })).toBeUndefined();
    expect(parseJson(text, handler, { start: 11, end: 15 })).toEqual({
      what: 'expected a JSON value',
      index: 11,
    });
    expect(parseJson(text, handler, { start: 1, end: 4 })).toEqual({
      what: 'unterminated string',
      index: 1,
    });
    expect(parseJson(latin('"\\u0041"'), handler, { end: 5 })).toEqual({
      what: 'invalid escape',
      index: 1,
    });
  });

  it('may be nested deeper than calls', () => {
    const text = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(read(text).fault).toBeUndefined();
    expect(read(text.slice(0, -1)).fault).toMatchObject({ index: 399_999 });
  });
});
