import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Bytes, Fault } from '@utf8/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import { codecFor, Detector, detect, type Label, labels, type Report } from '../src/index.js';
import { count } from './counter.js';

const hex = (text: string): Uint8Array =>
  Uint8Array.from(text.split(/\s+/).filter(Boolean), (byte) => Number.parseInt(byte, 16));
const join = (...parts: readonly (string | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => [...(typeof part === 'string' ? Buffer.from(part) : part)]),
  );

const PAIR = hex('ED A0 BD ED B8 80');
const HIGH = hex('ED A0 BD');
const LOW = hex('ED B8 80');
const FOUR = hex('F0 9F 98 80');
const NUL = hex('C0 80');
const FIVE = hex('F8 88 80 80 80');
const SIX = hex('FC 84 80 80 80 80');

function push(chunks: Iterable<Bytes>): Report {
  const detector = new Detector();
  for (const chunk of chunks) detector.push(chunk);
  return detector.finish();
}

/** Returns the report, after comparing it with every split, with the codecs and with the counter. */
function check(input: Uint8Array): Report {
  const bytes = Uint8Array.from(input);
  const report = detect(bytes);
  for (let i = 0; i <= bytes.length; i++) {
    match(push([bytes.subarray(0, i), bytes.subarray(i)]), report);
  }
  match(push(Array.from(bytes, (byte) => Uint8Array.of(byte))), report);
  confirm(bytes, report);
  return report;
}

/** Fails if two values differ. Calls `expect` only then, since it is slow. */
function match(actual: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(actual, wanted)) expect(actual).toEqual(wanted);
}

/** Compares the report with the codecs and with the counter. */
function confirm(bytes: Uint8Array, report: Report): void {
  const dull = count(bytes);
  const { unassigned, verdict } = report;
  const held = labels.filter((label) => codecFor(label).isValid(bytes));
  const actual = {
    ...report,
    unassigned: [(unassigned?.pairs ?? 0) + (unassigned?.fourByte ?? 0), unassigned?.offset],
  };
  match(actual, {
    bytes: bytes.length,
    isAscii: bytes.every((byte) => byte < 0x80),
    hasBom: Buffer.from(bytes.subarray(0, 3)).equals(hex('EF BB BF')),
    counts: dull.counts,
    firsts: dull.firsts,
    unassigned: [dull.unassigned.length, dull.unassigned[0]],
    variants: labels.map((label) => {
      const codec = codecFor(label);
      const fault = codec.findFault(bytes);
      return {
        label,
        name: codec.name,
        isWellFormed: held.includes(label),
        fault: fault && { ...fault, hex: format(bytes, fault) },
      };
    }),
    verdict: { ...verdict, label: held[0], nearest: held[0] ?? verdict.nearest },
    warnings: report.warnings,
  });
  // The only full stop ends the sentence.
  if (/^[^.]+\.$/.test(verdict.sentence) && !clumsy.test(verdict.sentence)) return;
  expect.fail(verdict.sentence);
}

const clumsy = /undefined|NaN|\b1 \S+ (pairs|sequences|surrogates)|\b1 places/;

const format = (bytes: Uint8Array, { offset, length }: Fault): string =>
  Buffer.from(bytes.subarray(offset, offset + length))
    .toString('hex')
    .toUpperCase()
    .replace(/..(?!$)/g, '$& ');

const cases: readonly (readonly [string, Uint8Array, Label | undefined, string])[] = [
  ['nothing', hex(''), 'utf-8', 'empty'],
  ['ASCII', join('plain text, long enough to be read by words'), 'utf-8', 'ASCII'],
  ['ASCII with raw 00', hex('41 00 42 00 43 43 43 43'), 'utf-8', 'no raw 00 (found: 2)'],
  ['letters of Europe', join('Größe, привет'), 'utf-8', 'No character above U+FFFF'],
  [
    'Hangul',
    join('한글은 힣까지 ', hex('ED 80 80'), hex('ED 9F BF')),
    'utf-8',
    'No character above',
  ],
  [
    'bytes that a loose regular expression mistakes for a pair',
    hex('EE DA A0 ED 9F BF EE 80 80'),
    undefined,
    'truncated (EE)',
  ],
  ['four-byte sequences', join('x😀y😀'), 'utf-8', '2 four-byte sequences'],
  ['pairs', join('x', PAIR, 'y', PAIR), 'cesu-8', 'Modified UTF-8'],
  ['pairs and Hangul', join('한', PAIR, '글'), 'cesu-8', '1 six-byte pair and'],
  ['pairs and raw 00', join(PAIR, hex('00')), 'cesu-8', 'as in CESU-8.'],
  [
    'pairs and four-byte sequences',
    join(PAIR, FOUR, PAIR),
    'cesu-8+utf-8',
    '2 six-byte pairs and 1 four',
  ],
  ['C0 80', join('a', NUL, 'b'), 'mutf-8', 'C0 80 in 1 place'],
  ['C0 80 and pairs', join(PAIR, NUL), 'mutf-8', 'with 1 six-byte pair.'],
  [
    'C0 80, pairs and surrogates',
    join(NUL, PAIR, LOW, HIGH),
    'mutf-8',
    'pair and 2 lone surrogates',
  ],
  ['C strings of Modified UTF-8', join(NUL, 'a', hex('00')), 'mutf-8-lenient', 'C strings'],
  ['a lone high surrogate', join('a', HIGH, 'b'), 'cesu-8-lenient', 'mutf-8'],
  ['a lone low surrogate', join('a', LOW, 'b'), 'cesu-8-lenient', '1 lone surrogate: CESU-8'],
  ['surrogates in the wrong order', join(LOW, HIGH), 'cesu-8-lenient', '2 lone surrogates'],
  [
    'a surrogate before a pair',
    join(HIGH, PAIR),
    'cesu-8-lenient',
    '1 lone surrogate and 1 six-byte pair',
  ],
  ['a surrogate at the end', join(PAIR, HIGH), 'cesu-8-lenient', 'may end inside a pair'],
  [
    'a surrogate and raw 00',
    join(LOW, hex('00')),
    'cesu-8-lenient',
    'cesu-8-lenient, mutf-8-lenient, wtf-8, wtf-8-generalized and rfc2279-lax accept',
  ],
  [
    'pairs, a lone surrogate and four-byte sequences',
    join(PAIR, PAIR, LOW, FOUR, FOUR),
    'wtf-8-generalized',
    'which only wtf-8-generalized, mutf-8-android and rfc2279-lax accept; a mixture of UTF-8 and CESU-8 with a pair cut in two is more likely',
  ],
  [
    'the same and raw 00',
    join(PAIR, PAIR, LOW, FOUR, FOUR, hex('00')),
    'wtf-8-generalized',
    'which only wtf-8-generalized and rfc2279-lax accept; a mixture',
  ],
  [
    'pairs, a lone surrogate, four-byte sequences and raw 00',
    join(PAIR, PAIR, LOW, FOUR, FOUR, hex('00')),
    'wtf-8-generalized',
    'which only wtf-8-generalized and rfc2279-lax accept; a mixture',
  ],
  [
    'a surrogate and four-byte sequences',
    join(FOUR, HIGH, FOUR),
    'wtf-8',
    'and 2 four-byte sequences, but',
  ],
  [
    'a surrogate, a four-byte sequence and raw 00',
    join(FOUR, LOW, hex('00')),
    'wtf-8',
    '1 lone surrogate and 1 four',
  ],
  ['a path in overlongs', hex('2F C0 AE 2E 2F'), 'mutf-8-lenient', 'a known bypass for filters'],
  ['overlongs in three bytes', hex('E0 80 AF E0 9F BF'), 'mutf-8-lenient', '2 overlong sequences'],
  ['overlongs in four bytes', hex('F0 80 80 AF'), undefined, 'overlong (F0)'],
  ['overlongs in five bytes', hex('F8 87 BF BF BF 41'), undefined, 'too-large (F8)'],
  ['overlongs in six bytes', hex('FC 83 BF BF BF BF 41'), undefined, 'too-large (FC)'],
  ['five bytes', join('a', FIVE), 'rfc2279', '1 five-byte sequence above'],
  ['six bytes', join(SIX, hex('FD BF BF BF BF BF')), 'rfc2279', '2 six-byte sequences above'],
  ['above U+10FFFF', hex('F4 90 80 80 F7 BF BF BF'), 'rfc2279', '2 four-byte sequences above'],
  [
    'all of RFC 2279',
    join(FOUR, hex('F5 80 80 80'), FIVE, SIX),
    'rfc2279',
    'sequence, 1 five-byte sequence and',
  ],
  ['five bytes and a pair', join(FIVE, PAIR), 'rfc2279-lax', 'which only rfc2279-lax accepts'],
  [
    'C0 80 and four-byte sequences',
    join(NUL, FOUR, FOUR),
    'mutf-8-android',
    'with 2 four-byte sequences:',
  ],
  [
    'C0 80, four-byte sequences and surrogates',
    join(NUL, FOUR, LOW, PAIR),
    'mutf-8-android',
    'with 1 four-byte sequence, 1 six-byte pair and 1 lone surrogate:',
  ],
  [
    'C0 80, raw 00 and four-byte sequences',
    join(NUL, FOUR, hex('00')),
    undefined,
    'utf-8 comes closest',
  ],
  [
    'a mixture with a byte of Latin-1',
    join('grün ', FOUR, PAIR, LOW, hex('FC'), 'ber'),
    undefined,
    'UTF-8 with 1 six-byte pair, 1 lone surrogate and 1 malformed sequence',
  ],
  ['a byte order mark', join('\ufeffé'), 'utf-8', 'U+FEFF at the start'],
  ['a byte order mark and ASCII', join('\ufeffe'), 'utf-8', 'U+FEFF at the start'],
  [
    'truncated in a character',
    hex('41 C3 A9 E2 82'),
    undefined,
    'Well-formed in utf-8 up to byte 3',
  ],
  [
    'truncated in a pair',
    join(PAIR, hex('ED A0 BD ED B8')),
    undefined,
    'Well-formed in cesu-8 up to byte 6',
  ],
  [
    'a pair, then a truncated four-byte sequence',
    join(PAIR, hex('F0 9F')),
    undefined,
    'cesu-8+utf-8 up to byte 6',
  ],
  ['Latin-1', Buffer.from('caf\xe9 au lait', 'latin1'), undefined, 'ISO 8859-1'],
  [
    'UTF-16 little-endian, with its byte order mark',
    Buffer.from('\ufeffhi', 'utf16le'),
    undefined,
    'UTF-16, little-endian',
  ],
  [
    'UTF-16 big-endian, with its byte order mark',
    hex('FE FF 00 68 00 69'),
    undefined,
    'UTF-16, big-endian',
  ],
  [
    'UTF-32 little-endian, with its byte order mark',
    hex('FF FE 00 00 68 00 00 00'),
    undefined,
    'UTF-32, little-endian',
  ],
  [
    'UTF-32 big-endian, with its byte order mark',
    hex('00 00 FE FF 00 00 00 68'),
    undefined,
    'UTF-32, big-endian',
  ],
  ['binary data', hex('00 FF 00 80 9C FE 00 41 C1 81'), undefined, 'binary data'],
  [
    'well-formed text with one invalid byte',
    join('Größe', hex('FF'), 'x'),
    undefined,
    'byte 7: invalid-lead (FF).',
  ],
];

describe('verdicts', () => {
  for (const [name, bytes, label, words] of cases) {
    test(name, () => {
      const { verdict } = check(bytes);
      expect(verdict.label).toBe(label);
      expect(verdict.sentence).toContain(words);
    });
  }

  test('the sentences of all verdicts match the snapshot', () => {
    const sentences = cases.map(([name, bytes]) => `${name}: ${detect(bytes).verdict.sentence}`);
    expect(sentences.join('\n')).toMatchSnapshot();
    const report = detect(join(PAIR, hex('FF')));
    expect(JSON.parse(JSON.stringify(report)).verdict).toEqual(report.verdict);
  });

  test('nearest is the variant that refuses the fewest sequences', () => {
    expect(detect(join(NUL, FOUR, FOUR, hex('00'))).verdict.nearest).toBe('utf-8');
    expect(detect(join(NUL, NUL, PAIR, hex('FF'))).verdict.nearest).toBe('mutf-8');
    expect(detect(join(PAIR, FOUR, FOUR, hex('FF'), PAIR)).verdict.nearest).toBe('cesu-8+utf-8');
    expect(detect(join('é', hex('FF'))).verdict.nearest).toBe('utf-8');
    expect(detect(join(PAIR, hex('FF'))).verdict.nearest).toBe('cesu-8');
  });

  test('nearest is the mixture of UTF-8 and CESU-8, where only variants of special programs refuse less', () => {
    const mixture = join('é', FOUR, PAIR, LOW, hex('FC'), 'a');
    expect(detect(mixture).verdict.nearest).toBe('cesu-8+utf-8');
    expect(detect(join('é', LOW, hex('FC'), 'a')).verdict.nearest).toBe('cesu-8+utf-8');
  });

  test('Hangul syllables are not evidence of any variant', () => {
    const syllables = Array.from({ length: 11_172 }, (_, i) => String.fromCharCode(0xac00 + i));
    const report = detect(join(syllables.join('')));
    expect(report.firsts).toEqual({});
    expect(report.counts.threeByte).toBe(11_172);
    expect(report.variants.every(({ isWellFormed }) => isWellFormed)).toBe(true);
  });

  test('ASCII is well-formed in all variants, except raw 00 in Modified UTF-8', () => {
    const ascii = Uint8Array.from({ length: 127 }, (_, i) => i + 1);
    expect(check(ascii).variants.every(({ isWellFormed }) => isWellFormed)).toBe(true);
    const refusing = check(join(ascii, hex('00'))).variants.filter(({ fault }) => fault);
    expect(refusing.map(({ label }) => label)).toEqual(['mutf-8', 'mutf-8-android']);
    expect(refusing[0]?.fault).toEqual({
      offset: 127,
      length: 1,
      reason: 'wrong-form',
      incomplete: false,
      hex: '00',
    });
  });
});

describe('counts', () => {
  test('counts contain each kind of sequence, and firsts its first offset', () => {
    const report = check(
      join(
        'é',
        PAIR,
        FOUR,
        '한',
        HIGH,
        NUL,
        hex('00 C1 BF E0 80 80 F4 90 80 80'),
        FIVE,
        SIX,
        hex('FF'),
      ),
    );
    expect(report.counts).toEqual({
      twoByte: 1,
      threeByte: 1,
      pairs: 1,
      fourByte: 1,
      loneSurrogates: 1,
      modifiedNul: 1,
      rawNul: 1,
      overlongs: 2,
      beyondUnicode: 1,
      fiveByte: 1,
      sixByte: 1,
      malformed: 1,
    });
    expect(report.firsts).toMatchObject({
      pairs: 2,
      fourByte: 8,
      loneSurrogates: 15,
      overlongs: 21,
    });
  });

  test('hasBom is true only for a byte order mark at the start', () => {
    expect(check(hex('EF BB BF')).hasBom).toBe(true);
    expect(check(hex('41 EF BB BF')).hasBom).toBe(false);
    expect(check(hex('EF BB')).hasBom).toBe(false);
  });

  test('unassigned contains planes 4 to 13, but not their neighbours', () => {
    for (const codec of [codecFor('utf-8'), codecFor('cesu-8')]) {
      for (const [codePoint, isOut] of [
        [0x3ffff, false],
        [0x40000, true],
        [0xdffff, true],
        [0xe0000, false],
        [0x100372, false],
      ] as const) {
        const report = check(join('a', codec.encodeCodePoints([codePoint])));
        expect(report.unassigned?.codePoint).toBe(isOut ? codePoint : undefined);
        expect(report.warnings.length).toBe(isOut ? 1 : 0);
      }
    }
    const report = check(
      join(PAIR, codecFor('cesu-8').encode('\u{9abcd}'), codecFor('utf-8').encode('\u{50000}')),
    );
    expect(report.unassigned).toEqual({ pairs: 1, fourByte: 1, codePoint: 0x9abcd, offset: 6 });
    expect(report.warnings).toMatchInlineSnapshot(`
      [
        "1 six-byte pair and 1 four-byte sequence would decode to planes 4 to 13, which have no characters (the first: U+9ABCD at byte 6); the repair is probably wrong.",
      ]
    `);
  });

  test('warnings mention UTF-16 without a byte order mark', () => {
    expect(check(Buffer.from('hello', 'utf16le')).warnings).toMatchInlineSnapshot(`
      [
        "All 5 raw 00 in 10 bytes are at odd offsets, as in UTF-16, little-endian.",
      ]
    `);
    expect(check(Buffer.from('hello', 'utf16le').swap16()).warnings[0]).toContain('big-endian');
    expect(check(hex('41 00 00 42 00')).warnings).toEqual([]);
    expect(check(hex('41 00')).warnings).toEqual([]);
  });
});

describe('streams', () => {
  test('splits do not change the report on pairs and triples of edge bytes', () => {
    const bytes = hex(
      '00 41 7F 80 8F 90 9F A0 AF B0 BF C0 C1 C2 DF E0 E1 ED EF F0 F4 F5 F8 FC FD FE FF',
    );
    const pairs = Array.from(bytes).flatMap((a) => Array.from(bytes, (b) => [a, b]));
    for (const pair of choose(pairs, scale(2500))) check(Uint8Array.from(pair));
    const triples = pairs.flatMap((pair) => Array.from(bytes, (c) => [...pair, c]));
    for (const each of choose(triples, scale(4000))) {
      const triple = Uint8Array.from(each);
      const report = detect(triple);
      confirm(triple, report);
      match(push(each.map((byte) => Uint8Array.of(byte))), report);
    }
  });

  test('0 to 33 bytes of ASCII before a case only shift its report', () => {
    for (const [, bytes] of cases) {
      for (let n = 0; n <= 33; n++) {
        const padded = join('x'.repeat(n), bytes, 'y'.repeat(n % 9));
        confirm(padded, detect(padded));
      }
    }
  });

  const character = fc.oneof(
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10_ffff }),
  );
  const text = fc
    .array(character, { maxLength: 12 })
    .map((codePoints) => String.fromCodePoint(...codePoints));
  const part = fc.oneof(
    fc.constantFrom(
      PAIR,
      HIGH,
      LOW,
      FOUR,
      NUL,
      FIVE,
      SIX,
      hex('00'),
      hex('E0 81 81'),
      hex('F7 BF BF BF'),
    ),
    text.map((each) => codecFor('mutf-8').encode(each)),
    text.map((each) => new TextEncoder().encode(each)),
    fc
      .string({ unit: 'binary-ascii', maxLength: 40 })
      .map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 4 }),
    fc
      .constantFrom(PAIR, FOUR, SIX)
      .chain((bytes) => fc.nat(bytes.length - 1).map((n) => bytes.slice(0, n))),
  );

  test('random chunks do not change the report on random bytes', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.array(fc.nat(20), { minLength: 1, maxLength: 12 }),
        (parts, lengths) => {
          const bytes = join(...parts);
          const report = detect(bytes);
          confirm(bytes, report);
          const chunks: Uint8Array[] = [];
          for (let i = 0, n = 0; i < bytes.length; n++) {
            const length = Math.max(lengths[n % lengths.length] ?? 0, n > 100 ? 1 : 0);
            chunks.push(bytes.slice(i, i + length));
            i += length;
          }
          const detector = new Detector();
          for (const chunk of chunks) {
            detector.push(chunk);
            // The detector must not read the chunk after push.
            chunk.fill(0xed);
          }
          match(detector.finish(), report);
        },
      ),
      { seed, numRuns: scale(5000) },
    );
  });

  test('a Detector reads another stream after finish', () => {
    const detector = new Detector();
    detector.push(join(PAIR, FOUR, hex('E2')));
    detector.finish();
    expect(detector.finish()).toEqual(detect(hex('')));
    detector.push(join('é'));
    expect(detector.finish()).toEqual(detect(join('é')));
  });

  test('detect accepts buffers, shared buffers and views, and nothing else', () => {
    const bytes = join('ab', PAIR, FOUR, 'x'.repeat(20));
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const offset = new Uint8Array(bytes.length + 6);
    offset.set(bytes, 3);
    const report = detect(bytes);
    for (const input of [
      bytes.buffer,
      shared,
      shared.buffer,
      Buffer.from(bytes),
      new DataView(bytes.buffer),
      offset.subarray(3, 3 + bytes.length),
      // Of another realm, as in jsdom.
      runInNewContext(`Uint8Array.of(${bytes.join()})`),
      runInNewContext(`Uint8Array.of(${bytes.join()}).buffer`),
    ]) {
      expect(detect(input)).toEqual(report);
    }
    for (const wrong of ['text', undefined, null, 8, [0x41], {}]) {
      expect(() => detect(wrong as never)).toThrow(TypeError);
    }
  });

  test('a Detector uses constant memory for 64 MiB', () => {
    const unit = join('Größe 한글 日本語 ', PAIR, FOUR, hex('00 FF'), ' text');
    const chunk = join(...Array.from({ length: Math.ceil(65_536 / unit.length) }, () => unit));
    const detector = new Detector();
    const rounds = Math.ceil((64 * 2 ** 20) / chunk.length);
    detector.push(chunk);
    // Garbage that is not yet collected does not count.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    const before = process.memoryUsage();
    for (let i = 1; i < rounds; i++) detector.push(chunk);
    collect();
    const after = process.memoryUsage();
    const report = detector.finish();
    expect(report.bytes).toBe(rounds * chunk.length);
    expect(report.counts.pairs).toBe(rounds * (chunk.length / unit.length));
    expect(
      after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers,
    ).toBeLessThan(8 * 2 ** 20);
  });
});

test('a byte of Latin-1 at the end is no cut sequence of RFC 2279, unless others have five or six bytes', () => {
  const { verdict } = check(hex('67 72 FC'));
  expect(verdict).toMatchObject({ label: undefined, nearest: 'utf-8' });
  expect(verdict.sentence).toContain('ISO 8859-1');
  expect(check(join(FIVE, hex('F8 88'))).verdict.sentence).toContain(
    'up to byte 5, where the input ends',
  );
});
