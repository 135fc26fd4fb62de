import { codecFor } from '@utf8/detect';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import {
  createRepairer,
  findMojibake,
  mayContainMojibake,
  RepairOptionError,
} from '../src/index.js';
import { readLegacyByte } from '../src/legacy-encoding.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

type Read = (byte: number) => number;
const readWindows1252: Read = (byte) => readLegacyByte('windows-1252', byte);
const readings: Readonly<Record<string, Read>> = {
  'Windows-1252': readWindows1252,
  'ISO 8859-1': (byte) => byte,
};

/** Reads bytes as one character each, and encodes these. */
const misread = (bytes: Uint8Array, read: Read = readWindows1252): Uint8Array =>
  encode(Array.from(bytes, (byte) => String.fromCodePoint(read(byte))).join(''));

const repair = createRepairer({ from: 'cesu-8+utf-8', mojibake: 'repair', nul: 'keep' });
const keep = createRepairer({ from: 'cesu-8+utf-8', nul: 'keep' });
const repaired = (text: string): string => decode(repair(encode(text)).bytes);

const sentences = [
  'café',
  'Österreich, Straße',
  'El niño mañana',
  'não há coração',
  '“quoted” — and more…',
  'don’t',
  '10°C, 3m², €5',
  'привет, мир',
  'Ελλάδα',
  'שלום עולם',
  'مرحبا',
  'हिन्दी',
  'ไทย',
  '日本語テキスト',
  '한국어',
  'Việt Nam',
  'zażółć gęślą jaźń',
  'příliš žluťoučký',
  'İstanbul güneş',
  '😀 ok 👍🏽',
  '═══╗',
  'x → y ≤ z',
  '© 2020',
  '\uFEFFid',
];

describe('a misreading', () => {
  for (const [name, read] of Object.entries(readings)) {
    it.each(sentences)(`as ${name} is undone, once, twice and three times: %s`, (sentence) => {
      let bytes = encode(sentence);
      for (let layers = 1; layers <= 3; layers++) {
        bytes = misread(bytes, read);
        expect(decode(repair(bytes).bytes), `${layers}`).toBe(sentence);
        // By default it is text like any other.
        expect(keep(bytes).bytes).toBe(bytes);
        expect(mayContainMojibake(bytes)).toBe(true);
      }
    });
  }

  it('is undone where both took turns', () => {
    const bytes = misread(misread(encode('“日本”'), readings['ISO 8859-1']));
    expect(decode(repair(bytes).bytes)).toBe('“日本”');
  });

  it('of CESU-8 is undone, and of its mojibake', () => {
    const pair = codecFor('cesu-8').encode('ok 😀');
    expect(decode(repair(misread(pair)).bytes)).toBe('ok 😀');
    expect(decode(repair(misread(misread(pair))).bytes)).toBe('ok 😀');
    const toCesu = createRepairer({ from: 'utf-8', to: 'cesu-8', mojibake: 'repair' });
    expect(toCesu(misread(pair)).bytes).toEqual(pair);
  });

  it('is undone beside what other policies repair', () => {
    const bytes = Buffer.concat([
      misread(encode('é')),
      codecFor('cesu-8').encode('😀'),
      misread(encode('ñandú')),
    ]);
    const { bytes: result, findings } = repair(bytes);
    expect(decode(result)).toBe('é😀ñandú');
    expect(findings.map(({ kind, offset, length }) => [kind, offset, length])).toEqual([
      ['mojibake', 0, 4],
      ['pair', 4, 6],
      ['mojibake', 10, 4],
      ['mojibake', 17, 4],
    ]);
  });

  it('that legacy bytes complete is one finding with them', () => {
    const both = createRepairer({ from: 'utf-8', mojibake: 'repair', errors: 'windows-1252' });
    const { bytes, findings } = both(
      Buffer.concat([encode('caf\u00c3'), Uint8Array.of(0xa9, 0x20)]),
    );
    expect(decode(bytes)).toBe('café ');
    expect(findings.map(({ kind, offset, length }) => [kind, offset, length])).toEqual([
      ['mojibake', 3, 3],
    ]);
    expect(both(bytes).bytes).toBe(bytes);
  });

  it('to a character that the target does not have is kept', () => {
    const toThree = createRepairer({ from: 'utf-8', to: 'utf8mb3', mojibake: 'repair' });
    const bytes = misread(encode('😀'));
    expect(toThree(bytes).bytes).toBe(bytes);
  });

  it('stays among as many characters that were not misread', () => {
    for (const text of ['« Ã© » au lieu de « é »', 'Ã© 日本語']) expect(repaired(text)).toBe(text);
    expect(repaired('été\nÃ©tÃ©')).toBe('été\nété');
    expect(repaired('été\\nÃ©tÃ©')).toBe('été\\nété');
    // Documented: these are taken for texts that were misread.
    expect(repaired('cafÃ© is mojibake')).toBe('café is mojibake');
    expect(repaired('« Ã©tÃ© » is mojibake')).toBe('« été » is mojibake');
  });

  it('is repaired as far as it is whole', () => {
    const text = decode(misread(encode('Россия и Казань, привет')));
    expect(repaired(text.replaceAll('\x8f', '\uFFFD'))).toBe('РоссиÑ\uFFFD и Казань, привет');
  });
});

describe('clean text', () => {
  it.each([
    ...[
      'AMANHÃ…',
      'IRMÃ”',
      'AMANHÃ»',
      'MAÇÃ®',
      'LÃ\u00A0!',
      'VOCÊ…',
      '“AMANHÃ”',
      'IRMÃ’s',
      'IRMÃ´s',
    ],
    ...[
      'É\u00A0!',
      'QUALITÉ»',
      'CAFÉ™',
      'NESTLÉ®',
      'JOSÉ†',
      'a chanté…»',
      'allé\u00A0»',
      'à\u00A0»',
    ],
    ...['ÚŽAS', 'VÝŠKA', 'MÔŽE', 'NÍŽE', 'PÍŠE', 'Úžas', 'PÅ”', 'SÅ…', 'Ä…Ä…Ä…', 'KYLLÄ…', 'MENÜ…'],
    ...['Å²', '120 Å³', '3Å·s', 'Å±2', '2×½', '×²', 'Ø½', 'Ø²', 'Ñ°', 'Â²', '½', 'ð²', 'É²'],
    ...[
      'PERÚ”',
      'SÍ…',
      'ASÍ”',
      'ESTÓ¡QUE',
      'QUÉ¿',
      'così™—È²!',
      'letter Â…',
      'ÂŞIK',
      'kâğıt',
      'NHÃ',
    ],
    ...sentences,
    ...sentences.map((text) => text.toUpperCase()),
  ])('stays the very same bytes: %s', (text) => {
    for (const place of [
      text,
      `${text} x`,
      `x ${text}`,
      `(${text})`,
      `\\n${text}`,
      `\\u000a${text}`,
    ]) {
      const bytes = encode(place);
      expect(repair(bytes).bytes).toBe(bytes);
    }
  });

  // One letter alone proves little, except Latin and Greek ones and signs.
  const stay = (first: number, last: number, kept: number): void => {
    const counts = new Map<string, number>();
    for (let codePoint = first; codePoint <= last; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const bytes = encode(String.fromCodePoint(codePoint));
      if (repair(bytes).bytes !== bytes) expect.fail(codePoint.toString(16));
      for (const [name, read] of Object.entries(readings)) {
        const text = misread(bytes, read);
        const result = repair(text).bytes;
        if (result === text) counts.set(name, (counts.get(name) ?? 0) + 1);
        else if (Buffer.compare(result, bytes) !== 0) expect.fail(codePoint.toString(16));
      }
    }
    expect(Object.fromEntries(counts)).toEqual({ 'Windows-1252': kept, 'ISO 8859-1': kept });
  };

  it('of one character up to U+2FFF stays, and is all that its misreading becomes', () =>
    stay(0x80, 0x2fff, 8952));

  it(
    'of one character from U+3000 stays, and is all that its misreading becomes',
    {
      tags: ['slow'],
    },
    () => stay(0x3000, 0xffff, 50_879),
  );

  it('of two sequences stays if they touch and are of two scripts', () => {
    // D4 B1, an Armenian capital, or D1 B1, a Cyrillic letter; then D0 B0, a Cyrillic letter.
    expect(repaired('Ô±Ð°')).toBe('Ô±Ð°');
    expect(repaired('Ñ±Ð°')).toBe('ѱа');
  });

  it('of two characters stays unless both rules say so', () => {
    let changed = 0;
    for (let lead = 0xc2; lead <= 0xf4; lead++) {
      for (let trail = 0x80; trail <= 0xbf; trail++) {
        const text = `A${String.fromCodePoint(lead, readWindows1252(trail))}B`;
        if (repaired(text) !== text) changed++;
      }
    }
    expect(changed).toMatchInlineSnapshot(`110`);
  });
});

describe('the points of a sequence', () => {
  /** Worth one point, of the two that decide. */
  const WEAK = 'Â´';
  const text = (...bytes: number[]): string => decode(misread(Uint8Array.from(bytes)));
  const isRepaired = (line: string): boolean => repaired(line) !== line;

  /** All trails after leads of two bytes, and one of each kind after those of three. */
  const sequences: string[] = [];
  for (const lead of [0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xcc, 0xce, 0xcf, 0xd0, 0xd7]) {
    for (let trail = 0x80; trail <= 0xbf; trail++) sequences.push(text(lead, trail));
  }
  const kinds = [0x80, 0x85, 0x86, 0x8a, 0xa0, 0xb0, 0xb1, 0xbf];
  for (const lead of [0xe1, 0xe2, 0xe3, 0xea, 0xef]) {
    for (const one of kinds) for (const two of kinds) sequences.push(text(lead, one, two));
  }

  it('depend on the characters around it', () => {
    const table: Record<string, string> = {};
    for (const before of ' Aa1-') {
      for (const after of ' Aas-') {
        const points = [0, 0, 0];
        for (const sequence of sequences) {
          const line = ` ${before}${sequence}${after}`;
          const isEnough = isRepaired(line);
          const found = isEnough ? 2 : isRepaired(`${WEAK}${line}`) ? 1 : 0;
          points[found] = (points[found] as number) + 1;
        }
        table[`${before}…${after}`] = points.join(' ');
      }
    }
    expect(table).toMatchInlineSnapshot(`
      {
        " … ": "526 189 245",
        " …-": "527 189 244",
        " …A": "680 30 250",
        " …a": "615 30 315",
        " …s": "618 30 312",
        "-… ": "526 189 245",
        "-…-": "527 189 244",
        "-…A": "680 30 250",
        "-…a": "615 30 315",
        "-…s": "618 30 312",
        "1… ": "521 183 256",
        "1…-": "522 183 255",
        "1…A": "675 24 261",
        "1…a": "610 24 326",
        "1…s": "613 24 323",
        "A… ": "779 45 136",
        "A…-": "779 45 136",
        "A…A": "773 45 142",
        "A…a": "722 45 193",
        "A…s": "725 45 190",
        "a… ": "594 40 326",
        "a…-": "594 40 326",
        "a…A": "594 40 326",
        "a…a": "594 40 326",
        "a…s": "594 40 326",
      }
    `);
  });

  it('are those of a word if sequences touch that may be of one script', () => {
    const others = [0xaa, 0xb9];
    for (let one = 0xc2; one <= 0xec; one++) {
      for (let two = 0xc2; two <= 0xec; two++) {
        const [first, second] = [one, two].map((lead) =>
          text(lead, ...(lead < 0xe0 ? others.slice(1) : others)),
        ) as [string, string];
        // Only letters, which are worth nothing alone; not marks above letters.
        if ([one, two].some((lead) => lead === 0xcc || lead === 0xcd)) continue;
        if ([first, second].some((each) => isRepaired(`${WEAK} ${each}`))) continue;
        const isScript = one < 0xe0 ? two < 0xe0 && Math.abs(one - two) <= 2 : two >= 0xe0;
        expect.soft(isRepaired(first + second), `${first}${second}`).toBe(isScript);
        expect.soft(isRepaired(`${first} ${second}`), `${first} ${second}`).toBe(false);
      }
    }
  });

  it('decide against characters that were not misread if they are four, and two for each of these', () => {
    for (let misreadings = 1; misreadings < 7; misreadings++) {
      for (let others = 0; others < 7; others++) {
        const line = `${'Ã¤b '.repeat(misreadings)}${'ä '.repeat(others)}`;
        const isEnough = others === 0 || (misreadings >= 2 && misreadings >= others);
        expect.soft(isRepaired(line), line).toBe(isEnough);
        // Each line is weighed by itself.
        expect.soft(isRepaired(`${'ä'.repeat(20)}\n${line}\n${'ä'.repeat(20)}`)).toBe(isEnough);
      }
    }
  });

  it('decide against a byte outside of ASCII that is no character, whichever it is', () => {
    const line = encode('Ã¤b ');
    expect(findMojibake(line)).toHaveLength(1);
    for (let byte = 0x80; byte < 0x100; byte++) {
      expect.soft(findMojibake(Buffer.of(...line, byte)), String(byte)).toEqual([]);
    }
  });
});

describe('laws', () => {
  const runs = { seed, numRuns: scale(5000) };
  const pieces = [
    ...sentences,
    ...[
      'Ã',
      'Â',
      'â',
      '€',
      '™',
      '©',
      '\u00A0',
      '\u0082',
      'ð',
      'Ÿ',
      ' ',
      '\n',
      'a',
      'Z',
      '\\',
      'í',
      '­',
    ],
  ];
  const text = fc
    .array(fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 0, max: 3 }), fc.boolean()), {
      maxLength: 6,
    })
    .map((parts) =>
      Buffer.concat(
        parts.map(([part, layers, isLatin]) => {
          let bytes: Uint8Array = encode(part);
          for (let i = 0; i < layers; i++) {
            bytes = misread(bytes, isLatin ? readings['ISO 8859-1'] : readWindows1252);
          }
          return bytes;
        }),
      ),
    );
  const mixed = fc
    .tuple(text, fc.uint8Array({ maxLength: 4 }), text)
    .map((parts) => Uint8Array.from(Buffer.concat(parts)));
  const both = createRepairer({
    from: 'cesu-8+utf-8',
    mojibake: 'repair',
    errors: 'windows-1252',
    nul: 'remove',
    unpairedSurrogates: 'replace',
  });

  const law = (name: string, test: (bytes: Uint8Array) => void): void =>
    it(`${name} (seed ${seed})`, () => fc.assert(fc.property(mixed, test), runs));

  law('a second repair changes nothing', (bytes) => {
    const { status, bytes: result } = both(bytes);
    if (status !== 'rejected') expect(both(result).bytes).toBe(result);
  });

  law('findings are in order, and make the result', (bytes) => {
    const { bytes: result, findings } = both(bytes);
    const parts: Uint8Array[] = [];
    let end = 0;
    for (const { offset, length, becomes } of findings) {
      expect(offset).toBeGreaterThanOrEqual(end);
      parts.push(bytes.subarray(end, offset), becomes ?? bytes.subarray(offset, offset + length));
      end = offset + length;
    }
    parts.push(bytes.subarray(end));
    expect(Buffer.concat(parts)).toEqual(Buffer.from(result));
  });

  it(`a sentence misread as a whole comes back exactly, or in fewer layers (seed ${seed})`, () => {
    const readers = fc.array(fc.constantFrom(...Object.values(readings)), { maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...sentences), readers, (sentence, some) => {
        const layers = [encode(sentence)];
        for (const read of some) layers.push(misread(layers.at(-1) as Uint8Array, read));
        const { bytes } = repair(layers.at(-1) as Uint8Array);
        expect(layers.map((layer) => decode(layer))).toContain(decode(bytes));
      }),
      runs,
    );
  });

  law('what the screen passes has none', (bytes) => {
    if (!mayContainMojibake(bytes)) expect(findMojibake(bytes)).toEqual([]);
    if (repair.isClean(bytes)) expect(repair(bytes).bytes).toBe(bytes);
  });
});

it('refuses an unknown policy', () => {
  const policy = 'fix' as 'repair';
  expect(() => createRepairer({ from: 'utf-8', mojibake: policy })).toThrow(RepairOptionError);
});
