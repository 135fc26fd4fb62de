import { codecFor, labels } from '@utf8/detect';
import { vectors } from '@utf8/vectors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { explain, type Note, Notes, showCharacter, split } from '../src/index.js';

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

it('Notes name the programs that write such bytes', () => {
  const notes = new Notes();
  for (const sequence of split(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)))
    notes.add(sequence);
  const [{ kind, origin, paragraphs } = {} as Note] = notes.list();
  expect([kind, origin]).toEqual(['pair', 'Oracle, SAP HANA and Java']);
  expect(paragraphs.join()).toContain(`come from ${origin}`);
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

describe('explain returns kind, code point and decisive section', () => {
  it.each([
    ['a pair as one character', 'EDA0BDEDB880', 'pair', 0x1f600, 'UTR #26 §2'],
    ['an unpaired high surrogate', 'EDA0BD', 'highSurrogate', 0xd83d, 'RFC 3629 §3'],
    ['an unpaired low surrogate', 'EDB880', 'lowSurrogate', 0xde00, 'RFC 3629 §3'],
    ['a four-byte sequence', 'F09F9880', 'fourByte', 0x1f600, 'RFC 3629 §4'],
    ['a sequence above U+10FFFF', 'F4908080', 'beyondUnicode', 0x110000, 'RFC 3629 §3'],
    ['a five-byte sequence', 'F888808080', 'fiveByte', 0x200000, 'RFC 3629 §3'],
    ['a six-byte sequence', 'FDBFBFBFBFBF', 'sixByte', 0x7fffffff, 'RFC 3629 §3'],
    ['C0 80', 'C080', 'modifiedNul', 0, 'JVMS §4.4.7'],
    ['a raw NUL', '00', 'nul', 0, 'RFC 3629 §4'],
    ['a byte order mark', 'EFBBBF', 'bom', 0xfeff, 'RFC 3629 §6'],
    ['U+FFFD', 'EFBFBD', 'replacement', 0xfffd, 'Unicode 23.8'],
    ['an overlong encoding of a surrogate', 'F08DA080', 'overlong', 0xd800, 'RFC 3629 §3'],
    ['a lead alone', 'E282', 'truncated', null, 'RFC 3629 §4'],
    ['a trail byte alone', '82', 'unexpectedContinuation', null, 'RFC 3629 §4'],
    ['a byte of no variant', 'FE', 'invalidLead', null, 'RFC 3629 §1'],
  ])('of %s', (_, digits, kind, codePoint, section) => {
    const [first, ...others] = explain(parse(digits));
    expect(others).toEqual([]);
    expect(first).toMatchObject({ offset: 0, length: digits.length / 2, kind, codePoint });
    expect(first?.sections[0]).toBe(section);
  });
});

/** One sequence of each kind, and truncated ones. */
const EVERYTHING =
  'EFBBBF 41 00 C3A9 EAB080 F09F9880 EDA0BDEDB880 EDA0BD EDB880 C080 C0AE E08081 F0808081 EFBFBD F4908080 F888808080 FC8480808080 C222 E282 80 FE FF E28241 EDA0';

it('explanations of random sequences agree with the codecs on the whole input', () => {
  const pieces = EVERYTHING.split(' ').map(parse);
  const damaged = fc.tuple(
    fc.constantFrom(...pieces),
    fc.nat(7),
    fc.nat(5),
    fc.integer({ min: 0x80, max: 0xff }),
  );
  const input = fc.array(damaged, { maxLength: 40 }).map((chosen) =>
    chosen.flatMap(([piece, cut, change, byte]) => {
      const bytes = [...piece.subarray(0, cut < 3 ? 1 + cut : piece.length)];
      return change < bytes.length ? bytes.with(change, byte) : bytes;
    }),
  );
  fc.assert(
    fc.property(input, (values) => {
      const bytes = Uint8Array.from(values);
      const explanations = [...explain(bytes)];
      for (const label of labels) {
        const codec = codecFor(label);
        expect(
          explanations.flatMap(({ variants }) => variants[label].faults),
          label,
        ).toEqual(
          Array.from(codec.faults(bytes), ({ offset, length, reason }) => {
            return { offset, length, reason };
          }),
        );
        for (const { variants, codePoint, offset, length } of explanations) {
          if (!variants[label].isWellFormed) continue;
          const decoded = codec.decodeCodePoints(bytes.subarray(offset, offset + length));
          expect([...decoded]).toEqual([codePoint]);
        }
      }
    }),
    { seed, numRuns: scale(300) },
  );
});
