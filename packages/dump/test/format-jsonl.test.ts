import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { findFormat } from '../src/format/registry.js';
import {
  bytesOf,
  catchError,
  cell,
  cesu,
  character,
  expectSameCut,
  readAll,
  readRows,
  sizes,
} from './format-reading.js';

const format = findFormat('jsonl');

const ADVICE = "; correct the line, or use `format: 'lines'`";

/** Advice after the error for a line that ends too early. */
const GOES_ON =
  "; if a value has several lines, use `format: 'json'` for an array, or `format: 'lines'`";

/** The strings of a value as `JSON.parse` reads it, with the column of each. */
function stringsOf(value: unknown, path = ''): [string | undefined, string][] {
  if (typeof value === 'string') return [[path || undefined, value]];
  if (Array.isArray(value)) return value.flatMap((item, i) => stringsOf(item, `${path}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const isPlain = /^[\p{L}\p{N}_$-]+$/u.test(key);
    const step = isPlain ? (path ? `.${key}` : key) : `[${JSON.stringify(key)}]`;
    const inner = `${path}${step}`;
    return [[`key ${inner}`, key] as [string, string], ...stringsOf(item, inner)];
  });
}

const unescapeText = (text: string): string =>
  JSON.parse(`"${Buffer.from(text, 'latin1').toString()}"`);

describe('jsonl', () => {
  it('has a field for each string, with its path', () => {
    const text = `{"id": 7, "user" :{"names":["a",null,"${cesu.emoji}"],"a b":"x\\"y"},"${cesu.high}":"z"}\n`;
    expect(readAll(format, text)[0]?.fields.map(({ text, column }) => [column, text])).toEqual([
      ['key id', 'id'],
      ['key user', 'user'],
      ['key user.names', 'names'],
      ['user.names[0]', 'a'],
      ['user.names[2]', cesu.emoji],
      ['key user["a b"]', 'a b'],
      ['user["a b"]', 'x\\"y'],
      ['key ["\ufffd"]', cesu.high],
      ['["\ufffd"]', 'z'],
    ]);
  });

  it('numbers strings from 1, all of them text', () => {
    const [piece] = readAll(format, '["a",1,{"b":"c"}]');
    expect(piece?.fields.map(({ number, kind }) => [number, kind])).toEqual([
      [1, 'text'],
      [2, 'text'],
      [3, 'text'],
    ]);
  });

  it('has no path for a value that is a string itself', () => {
    expect(readAll(format, ' "a" \r\n')[0]?.fields).toEqual([
      { text: 'a', kind: 'text', column: undefined, number: 1 },
    ]);
  });

  it('unescapes keys', () => {
    const columns = readAll(format, '{"\\u0061\\n":"1","b\tc":"2"}')[0]?.fields.map(
      (f) => f.column,
    );
    expect(columns).toEqual(['key ["a\\n"]', '["a\\n"]', 'key ["b\\tc"]', '["b\\tc"]']);
  });

  it('has no fields in other values and blank lines', () => {
    const text = 'null\ntrue\r\nfalse\n-0.5e+10\n0\n[]\n{}\n[ ]\n\n \t\r\n10E2\n[[],{},[{}]]';
    expect(readRows(format, text)).toEqual(Array(12).fill([]));
  });

  it('accepts raw control characters in strings, which repairs look for', () => {
    expect(readRows(format, '"a\0\t"\n')).toEqual([['a\0\t']]);
  });

  it.each([
    ['{"a":"b}', 6, 'unterminated string'],
    ['"a\\"', 1, 'unterminated string'],
    ['"a\\x00"', 3, 'invalid escape'],
    ['"\\u12g4"', 2, 'invalid escape'],
    ['"\\u123', 2, 'invalid escape'],
    ['"\\', 2, 'invalid escape'],
    ['["a" "b"]', 6, 'expected "," or "]"'],
    ['{"a":1', 7, 'expected "," or "}"'],
    ['[1}', 3, 'expected "," or "]"'],
    ['{a:1}', 2, 'expected a key in double quotes'],
    ['{"a":1,}', 8, 'expected a key in double quotes'],
    ['{"a" 1}', 6, 'expected ":"'],
    ['[1,]', 4, 'expected a JSON value'],
    ['nul', 1, 'expected a JSON value'],
    ['NaN', 1, 'expected a JSON value'],
    ['-a', 2, 'expected a digit'],
    ['1.', 3, 'expected a digit'],
    ['1e+', 4, 'expected a digit'],
    ['01', 2, 'unexpected text after the JSON value'],
    ['"a",1', 4, 'unexpected text after the JSON value'],
    ['truer', 5, 'unexpected text after the JSON value'],
  ])('reports what is wrong with %s', (text, column, sentence) => {
    const error = catchError(() => readAll(format, `1\n${text}\n2\n`));
    const advice = column > text.length ? GOES_ON : ADVICE;
    expect(error.in('FILE').message).toBe(`FILE:2: byte ${column}: ${sentence}${advice}`);
  });

  it.each(['[', ' {\r', '[{"a":1},', '[{"a": 1}, ', '{"a":'])('refuses a first line %j', (line) => {
    const text = bytesOf(`${line}\n1\n`);
    for (const run of [
      () => format.createReader().skip(text, false),
      () => [...format.createReader().read(text)],
      () => format.createScanner(format.createReader().state).push(text, false),
    ]) {
      expect(catchError(run).message).toBe(
        "line 1: the first value continues on the next line; use `format: 'json'` for an array, or `format: 'lines'`",
      );
    }
    expect(format.createReader().skip(bytesOf(`1\n${line}\n`), false)).toBe(line.length + 3);
  });

  it('parses no line whose fields are not read', () => {
    const reader = format.createReader();
    expect([...reader.read(bytesOf('no JSON\n{\n'))]).toHaveLength(2);
    expect(reader.state.record).toBe(3);
  });

  it('reads values nested 30,000 deep', () => {
    const depth = 30_000;
    const text = `${'[{"a":'.repeat(depth)}"${cesu.high}"${'}]'.repeat(depth)}\n`;
    const fields = [...format.createReader().read(bytesOf(text))][0]?.fields;
    expect(fields).toHaveLength(depth + 1);
    // The names of all of them would take a thousand times the room of the value.
    expect(fields?.at(-1)?.column).toBe(`…${'[0].a'.repeat(20)}`);
  });

  it('spells code units, and U+0000', () => {
    expect(format.escapeUnit?.(0xd83d)).toBe('\\ud83d');
    expect(format.escapeUnit?.(0)).toBe('\\u0000');
    expect(format.quote('\\xED"')).toBe('\\\\xED\\"');
    expect(format.nuls.map(String)).toEqual(['\\u0000']);
    expect(format.isLineBased).toBe(true);
  });

  it('reads what JSON.parse reads', () => {
    const line = fc.json({ stringUnit: character, maxDepth: 4 });
    const space = fc.constantFrom('', ' ', '\t');
    fc.assert(
      fc.property(line, space, (text, space) => {
        // Keys that are numbers change their order in an object of JavaScript.
        fc.pre(!/"\d+"\s*:/.test(text));
        const value: unknown = JSON.parse(text);
        const spaced = Buffer.from(JSON.stringify(value, undefined, space).replaceAll('\n', space));
        const [piece] = readAll(format, spaced.toString('latin1'));
        const strings = piece?.fields.map(({ column, text }) => [column, unescapeText(text)]);
        expect(strings).toEqual(stringsOf(value));
      }),
      { numRuns: scale(200) },
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const soup = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        'a',
        '\\',
        'u0061',
        '1',
        '0',
        '-',
        '.',
        'e',
        ' ',
        'null',
        '"k":',
        '"s"',
      ),
      { maxLength: 8 },
    );
    const accepts = (run: () => unknown): boolean => {
      try {
        run();
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('');
        fc.pre(text.trim() !== '');
        expect(accepts(() => readAll(format, text))).toBe(accepts(() => JSON.parse(text)));
      }),
      { numRuns: scale(5000) },
    );
  });

  it('reads the same however it is cut', () => {
    const quoted = cell.map(
      (text) => `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`,
    );
    const line = fc.tuple(quoted, quoted, fc.constantFrom('\n', '\r\n', ' \n\n'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 9 }), sizes, (rows, cuts) => {
        const text = rows.map(([key, value, end]) => `{${key}:[${value},1]}${end}`).join('');
        expectSameCut(format, text, cuts);
        expect(readRows(format, text).filter((row) => row.length > 0)).toEqual(
          rows.map(([key, value]) => [key.slice(1, -1), value.slice(1, -1)]),
        );
      }),
      { numRuns: scale(200) },
    );
  });
});
