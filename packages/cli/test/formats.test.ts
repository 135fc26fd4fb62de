import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure, UsageFailure } from '../src/failure.js';
import { countLineFeeds } from '../src/formats/count.js';
import { FormatFailure } from '../src/formats/failure.js';
import { findFormat, formatNames } from '../src/formats/index.js';
import { cesu, expectSameCut, readAll, readCut, readRows, sizes } from './formats-reading.js';

describe('findFormat', () => {
  it.each(formatNames)('finds %s', (name) => {
    expect(findFormat(name).name).toBe(name);
  });

  it.each([
    [
      'xml',
      {},
      'there is no format "xml"; there are lines, copy, csv, tsv, jsonl, mysqldump, pg_dump',
    ],
    [
      'jsonl',
      { delimiter: ',' },
      '--delimiter is for copy, csv, tsv; leave it out with --format jsonl',
    ],
    ['copy', { quote: '"' }, '--quote is for csv, tsv; leave it out with --format copy'],
    ['lines', { header: false }, '--no-header is for csv, tsv; leave it out with --format lines'],
    [
      'pg_dump',
      { columns: ['a'] },
      '--columns is for copy, csv, tsv; leave it out with --format pg_dump',
    ],
    [
      'csv',
      { delimiter: '"' },
      '--delimiter and --quote are the same; one of them has to be another',
    ],
    [
      'csv',
      { delimiter: '§' },
      '--delimiter takes one character of ASCII that ends no line, such as ",", "\\t" or "\\x01", and not "§"',
    ],
    [
      'csv',
      { quote: '\n' },
      '--quote takes one character of ASCII that ends no line, such as ",", "\\t" or "\\x01", and not "\\n"',
    ],
    [
      'copy',
      { delimiter: '\\' },
      '--delimiter cannot be a letter, a digit or a backslash, since escapes are made of these; write the file with another',
    ],
  ])('refuses %s with %j', (name, options, message) => {
    expect(() => findFormat(name, options)).toThrow(new UsageFailure(message));
  });

  it('takes a header for granted', () => {
    expect(findFormat('lines', { header: true }).name).toBe('lines');
  });

  it('takes bytes as they are written', () => {
    for (const [delimiter, byte] of [
      ['\\t', '\t'],
      ['\t', '\t'],
      ['\\x01', '\x01'],
      ['\\x1F', '\x1f'],
      ['|', '|'],
    ] as const) {
      const format = findFormat('csv', { delimiter, header: false });
      expect(readRows(format, `a${byte}b\n`)).toEqual([['a', 'b']]);
    }
  });
});

describe('FormatFailure', () => {
  it('says where, and ends with 3', () => {
    const failure = new FormatFailure('it is wrong', 7, 3);
    expect(failure.message).toBe('line 7 column 3: it is wrong');
    const named = failure.in('a.csv');
    expect(named).toBeInstanceOf(Failure);
    expect([named.message, named.exitCode]).toEqual(['a.csv line 7 column 3: it is wrong', 3]);
  });
});

describe('countLineFeeds', () => {
  it('counts as one does byte by byte, at any alignment', () => {
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

  it('counts line feeds alone, more than a byte of a sum holds', () => {
    expect(countLineFeeds(new Uint8Array(5000).fill(0x0a), 1, 4999)).toBe(4998);
  });
});

describe('lines', () => {
  const format = findFormat('lines');

  it('has a field a line, without what ends it', () => {
    const pieces = readAll(format, `a\tb\n\r\n${cesu.emoji}\r\nlast\r`);
    expect(pieces.map(({ number, line, fields }) => [number, line, fields])).toEqual([
      [1, 1, [{ text: 'a\tb', kind: 'text', column: undefined, number: 1 }]],
      [2, 2, [{ text: '', kind: 'text', column: undefined, number: 1 }]],
      [3, 3, [{ text: cesu.emoji, kind: 'text', column: undefined, number: 1 }]],
      [4, 4, [{ text: 'last\r', kind: 'text', column: undefined, number: 1 }]],
    ]);
  });

  it('keeps the mark at the beginning apart, and none elsewhere', () => {
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

  it('cuts behind the last line feed', () => {
    const reader = format.createReader();
    expect(reader.skip(Buffer.from('ab'), false)).toBe(0);
    expect(reader.skip(Buffer.from('a\nb\nc'), false)).toBe(4);
    expect(reader.state).toEqual({ line: 3, record: 3, context: null });
    expect(reader.skip(Buffer.from('c'), true)).toBe(1);
    expect(reader.state).toEqual({ line: 3, record: 4, context: null });
    expect(readCut(format, Buffer.of(), [1])).toEqual([]);
  });

  it('has nothing to escape', () => {
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
