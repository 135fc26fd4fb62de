import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFormat } from '../src/format/registry.js';
import { countLineFeeds } from '../src/format/shared/line-feeds.js';
import { cesu, expectSameCut, readAll, readCut, sizes } from './format-reading.js';

describe('countLineFeeds', () => {
  it('counts as a loop over bytes does, at any alignment', () => {
    const byte = fc.constantFrom(0x00, 0x0a, 0x0b, 0x8a, 0x0a, 0x80, 0xff, 0x09, 0x7f);
    const bytes = fc
      .uint8Array({ minLength: 0, maxLength: 40 })
      .chain((some) =>
        fc.array(byte, { maxLength: 9 }).map((others) => Uint8Array.from([...some, ...others])),
      );
    fc.assert(
      fc.property(
        bytes,
        fc.nat(3),
        fc.nat(5),
        fc.integer({ min: 1, max: 99 }),
        (part, at, from, times) => {
          const whole = new Uint8Array(at + part.length * times);
          for (let i = 0; i < times; i++) whole.set(part, at + i * part.length);
          const view = whole.subarray(at);
          const start = Math.min(from, view.length);
          expect(countLineFeeds(view, start, view.length)).toBe(
            view.subarray(start).filter((byte) => byte === 0x0a).length,
          );
        },
      ),
    );
  });

  it('counts more line feeds than fit into a byte of a sum', () => {
    expect(countLineFeeds(new Uint8Array(5000).fill(0x0a), 1, 4999)).toBe(4998);
  });
});

describe('lines', () => {
  const format = findFormat('lines');

  it('has one field a line, without the line end', () => {
    const pieces = readAll(format, `a\tb\n\r\n${cesu.emoji}\r\nlast\r`);
    expect(pieces.map(({ number, line, fields }) => [number, line, fields])).toEqual([
      [1, 1, [{ text: 'a\tb', kind: 'text', column: undefined, number: 1 }]],
      [2, 2, [{ text: '', kind: 'text', column: undefined, number: 1 }]],
      [3, 3, [{ text: cesu.emoji, kind: 'text', column: undefined, number: 1 }]],
      [4, 4, [{ text: 'last\r', kind: 'text', column: undefined, number: 1 }]],
    ]);
  });

  it('keeps U+FEFF apart at the start only', () => {
    const pieces = readAll(format, '\xef\xbb\xbfa\n\xef\xbb\xbfb');
    expect(pieces.map(({ kind, text, number }) => [kind, text, number])).toEqual([
      ['other', '\xef\xbb\xbf', 0],
      ['record', 'a\n', 1],
      ['record', '\xef\xbb\xbfb', 2],
    ]);
    expect(pieces[0]?.fields).toEqual([]);
    expect(readAll(format, '\xef\xbb\xbf')).toHaveLength(1);
  });

  it('starts at any line', () => {
    const reader = format.createReader({ line: 40, record: 40, context: null });
    expect([...reader.read(Buffer.from('x\ny'))].length).toBe(2);
    expect(reader.state).toEqual({ line: 41, record: 42, context: null });
  });

  it('cuts after the last line feed', () => {
    const reader = format.createReader();
    expect(reader.skip(Buffer.from('ab'), false)).toBe(0);
    expect(reader.skip(Buffer.from('a\nb\nc'), false)).toBe(4);
    expect(reader.state).toEqual({ line: 3, record: 3, context: null });
    expect(reader.skip(Buffer.from('c'), true)).toBe(1);
    expect(reader.state).toEqual({ line: 3, record: 4, context: null });
    expect(readCut(format, Buffer.of(), [1])).toEqual([]);
  });

  it('has no escapes', () => {
    expect([format.isLineBased, format.quote('\\uD83D'), format.nuls]).toEqual([
      true,
      '\\uD83D',
      [],
    ]);
  });

  it('reads the same however it is cut', () => {
    const line = fc.array(fc.constantFrom('a', '\r', '\xff', cesu.high, '\xef\xbb\xbf', '\n'));
    fc.assert(
      fc.property(line, sizes, (parts, cuts) => {
        expectSameCut(format, parts.join(''), cuts);
      }),
    );
  });
});
