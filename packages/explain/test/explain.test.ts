import { codecFor, labels } from '@utf8/detect';
import { vectors } from '@utf8/vectors';
import { describe, expect, it } from 'vitest';
import { explain, Notes, showCharacter, split } from '../src/index.js';

const parse = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('explain, with each vector', () => {
  it.each(vectors.map(({ id, bytes }) => [id, parse(bytes)] as const))('%s', (_, bytes) => {
    const explanations = [...explain(bytes)];
    let next = 0;
    for (const { offset, length, bytes: hex, bits } of explanations) {
      expect(offset).toBe(next);
      expect(parse(hex.replaceAll(' ', ''))).toEqual(bytes.slice(offset, offset + length));
      const read = bits.split(' ').map((byte) => Number.parseInt(byte.replace('|', ''), 2));
      expect(Uint8Array.from(read)).toEqual(bytes.slice(offset, offset + length));
      next += length;
    }
    expect(next).toBe(bytes.length);
    for (const label of labels) {
      const found = explanations.flatMap(({ variants }) => variants[label].faults);
      const expected = Array.from(codecFor(label).faults(bytes), ({ offset, length, reason }) => {
        return { offset, length, reason };
      });
      expect(found, label).toEqual(expected);
    }
    expect(JSON.parse(JSON.stringify(explanations))).toEqual(explanations);
  });
});

it('explain accepts a Uint8Array and nothing else', () => {
  expect([...explain(new Uint8Array())]).toEqual([]);
  expect(() => [...explain('é' as unknown as Uint8Array)]).toThrow(TypeError);
});

it('showCharacter returns abbreviations for characters without a glyph', () => {
  expect(
    Array.from([0, 0x7f, 0x85, 0x202e, 0xfeff, 0x41, 0xd800, 0x110000], showCharacter),
  ).toEqual(['NUL', 'DEL', 'NEL', 'RLO', 'BOM', 'A', '', '']);
});

it('Notes lists nothing for plain text', () => {
  expect(new Notes().list()).toEqual([]);
});

describe('split', () => {
  const format = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const list = (text: string, offset = 0, isLast = true): string[] =>
    Array.from(split(parse(text), offset, isLast), ({ kind, bytes }) => `${kind} ${format(bytes)}`);

  it('names U+FEFF at the start, and U+FFFD', () => {
    expect(list('efbbbfefbbbfefbfbd')).toEqual([
      'bom efbbbf',
      'threeByte efbbbf',
      'replacement efbfbd',
    ]);
    expect(list('efbbbf', 3)).toEqual(['threeByte efbbbf']);
  });

  it('returns offset, code point and next byte', () => {
    expect([...split(parse('edb880eda0bdedb88041'), 5, true)].slice(1)).toEqual([
      { kind: 'pair', offset: 8, bytes: parse('eda0bdedb880'), codePoint: 0x1f600, next: 0x41 },
      { kind: 'ascii', offset: 14, bytes: parse('41'), codePoint: 0x41, next: undefined },
    ]);
    expect([...split(parse('e282'))]).toEqual([
      { kind: 'truncated', offset: 0, bytes: parse('e282'), codePoint: undefined, next: undefined },
    ]);
  });

  it('returns only sequences that later bytes cannot change, except at the end of a line', () => {
    expect(list('41eda0bdedb8', 0, false)).toEqual([]);
    expect(list('4142eda0bdedb880', 0, false)).toEqual(['ascii 41', 'ascii 42']);
    expect(list('e2820a', 0, false)).toEqual(['truncated e282', 'ascii 0a']);
  });
});
