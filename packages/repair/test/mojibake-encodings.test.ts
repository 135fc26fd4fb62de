/** Mojibake through the legacy encodings of many languages: what is found, and that clean text stays. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Random } from '../../../tooling/oracles/interop/src/random.js';
import {
  heldOut,
  regional,
  tuning,
  writeText,
} from '../../../tooling/oracles/interop/src/sentences.js';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { createRepairer, findMojibake, mayContainMojibake } from '../src/index.js';
import { type LegacyEncoding, legacyEncodings, readLegacyByte } from '../src/legacy-encoding.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const repair = createRepairer({ from: 'cesu-8+utf-8', mojibake: 'repair', nul: 'keep' });

/** Reads bytes as one character each, and encodes these; undefined if one has no character. */
function misread(bytes: Uint8Array, name: string): Uint8Array | undefined {
  const characters = Array.from(bytes, (byte) =>
    name === 'iso-8859-1' ? byte : readLegacyByte(name as LegacyEncoding, byte),
  );
  return characters.includes(0xfffd) ? undefined : encode(String.fromCodePoint(...characters));
}

const languages = { ...tuning, ...heldOut, ...regional };
const random = new Random(seed);
const write = (language: string, count: number): string[] =>
  Array.from({ length: count }, () =>
    writeText(random, languages[language as keyof typeof languages] as (typeof tuning)[string]),
  );

/** Languages, and the encodings that they were written in. */
const homes: Readonly<Record<string, readonly LegacyEncoding[]>> = {
  Russian: ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic'],
  Ukrainian: ['windows-1251', 'koi8-u'],
  Bulgarian: ['windows-1251'],
  Serbian: ['windows-1251', 'iso-8859-5'],
  Belarusian: ['windows-1251'],
  Polish: ['windows-1250', 'iso-8859-2'],
  Czech: ['windows-1250', 'iso-8859-2'],
  Hungarian: ['windows-1250', 'iso-8859-2'],
  Croatian: ['windows-1250', 'iso-8859-2'],
  Greek: ['windows-1253', 'iso-8859-7'],
  Turkish: ['windows-1254'],
  Hebrew: ['windows-1255'],
  Arabic: ['windows-1256'],
  Persian: ['windows-1256'],
  Latvian: ['windows-1257', 'iso-8859-13', 'iso-8859-4'],
  Lithuanian: ['windows-1257', 'iso-8859-13'],
  Vietnamese: ['windows-1258'],
  Thai: ['windows-874'],
  French: ['cp437', 'cp850', 'macintosh', 'iso-8859-15'],
  German: ['cp437', 'cp850', 'macintosh', 'iso-8859-15'],
};

describe('clean text', () => {
  it(`of each language stays the very same bytes (seed ${seed})`, () => {
    const changed = Object.keys(languages).flatMap((language) =>
      write(language, scale(300)).filter((text) => findMojibake(encode(text)).length > 0),
    );
    expect(changed).toEqual([]);
  });

  it.each(['déšť', 'PÓŁNOC', 'MŮŽE', 'l’école d’été', 'Азії', 'НІ', 'ORĂŞEL', 'PÄŤ', '├── café'])(
    'stays, though it is UTF-8 in another encoding: %s',
    (text) => {
      for (const place of [text, `${text} ${text}`, `${text}\n${text}`, `(${text})`]) {
        expect(findMojibake(encode(place))).toEqual([]);
      }
    },
  );
});

describe('mojibake', () => {
  it.each(
    Object.entries(homes).flatMap(([language, names]) => names.map((name) => [language, name])),
  )(`of %s through %s is found, once and twice (seed ${seed})`, (language, name) => {
    let total = 0;
    let restored = 0;
    for (const text of write(language as string, scale(300))) {
      for (let bytes = misread(encode(text), name as string), layers = 1; layers <= 2; layers++) {
        if (!bytes || decode(bytes) === text) break;
        total++;
        if (decode(repair(bytes).bytes) === text) restored++;
        bytes = misread(bytes, name as string);
      }
    }
    // Words of a letter or two are not enough, and encodings of one region share characters.
    expect(restored).toBeGreaterThanOrEqual(Math.floor(0.75 * total));
  });

  it.each([
    ['windows-1250', 'KrakĂłw', 'Kraków'],
    ['windows-1250', 'DvoĹ™Ăˇk', 'Dvořák'],
    ['windows-1251', 'РџСЂРёРІРµС‚', 'Привет'],
    ['windows-1251', 'donвЂ™t', 'don’t'],
    ['koi8-r', 'п÷я─п╦п╡п╣я┌', 'Привет'],
    ['ibm866', '╨Я╤А╨╕╨▓╨╡╤В', 'Привет'],
    ['cp850', 'caf├®', 'café'],
    ['macintosh', 'caf√©', 'café'],
    ['windows-1254', 'Ğ¿Ñ€Ğ¸Ğ²ĞµÑ‚', 'привет'],
  ])('through %s is told with its encoding: %s', (name, text, wanted) => {
    const found = findMojibake(encode(text));
    expect(new Set(found.flatMap(({ through }) => through))).toEqual(new Set([name]));
    expect(decode(repair(encode(text)).bytes)).toBe(wanted);
  });

  it('through several encodings is told with one for each layer, the last first', () => {
    const once = misread(encode('привет, мир'), 'windows-1251') as Uint8Array;
    const [finding] = findMojibake(misread(once, 'windows-1252') as Uint8Array);
    expect(finding?.through).toEqual(['windows-1252', 'windows-1251']);
  });

  it('is left to Windows-1252 if it explains as much', () => {
    // Its rule does not repair these, which Windows-1254 reads in the same way.
    for (const text of ['AMANHÃ…', 'IRMÃ”', 'Å²']) expect(findMojibake(encode(text))).toEqual([]);
    expect(findMojibake(encode('cafÃ©')).map(({ through }) => through)).toEqual([['windows-1252']]);
  });

  it('is left alone if Windows-1252 has a character that is kept', () => {
    // U+F300, for private use, is U+FF24 in ISO 8859-15.
    for (const text of ['ïŒ€', 'aïŒ€b']) expect(findMojibake(encode(text))).toEqual([]);
  });

  it('of one letter of another script is left alone', () => {
    for (const text of ['ж°°', '5 €é', ' Â°é']) expect(findMojibake(encode(text))).toEqual([]);
  });

  it('is not repaired among as many other characters', () => {
    expect(findMojibake(encode('Привет: РџСЂРё'))).toEqual([]);
  });
});

describe('laws', () => {
  const encodings = fc.constantFrom(...legacyEncodings, 'iso-8859-1');
  const texts = fc.constantFrom(...Object.keys(languages).flatMap((name) => write(name, 3)));
  const damaged = fc.array(fc.tuple(texts, fc.array(encodings, { maxLength: 2 })), {
    minLength: 1,
    maxLength: 3,
  });
  const runs = { seed, numRuns: scale(3000) };
  const inflict = (parts: readonly (readonly [string, readonly string[]])[]): Uint8Array =>
    Buffer.concat(
      parts.map(([text, names]) =>
        names.reduce((bytes, name) => misread(bytes, name) ?? bytes, encode(text)),
      ),
    );
  const law = (name: string, test: (bytes: Uint8Array) => void): void =>
    it(`${name} (seed ${seed})`, () => {
      fc.assert(
        fc.property(damaged, (parts) => test(Uint8Array.from(inflict(parts)))),
        runs,
      );
    });

  law('reading the result in the encodings of a finding gives the text again', (bytes) => {
    for (const { offset, length, becomes, through = [] } of findMojibake(bytes)) {
      const original = decode(bytes.subarray(offset, offset + length));
      const layers = through.toReversed();
      const again = layers.reduce(
        (text: Uint8Array | undefined, name) => text && misread(text, name),
        becomes,
      );
      // A part that is the same in fewer layers was read in the others with the rest.
      if (layers.length === 1) expect(again && decode(again)).toBe(original);
      else expect(original.length).toBeGreaterThan(decode(becomes as Uint8Array).length);
    }
  });

  law('a second repair changes nothing, and the screen passes nothing', (bytes) => {
    const { bytes: result } = repair(bytes);
    expect(repair(result).bytes).toBe(result);
    if (!mayContainMojibake(bytes)) expect(result).toBe(bytes);
  });
});

describe('the screen', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.resetModules();
  });

  it('searches clean text once for each of four bytes', async () => {
    const search = vi.spyOn(Buffer.prototype, 'indexOf');
    vi.resetModules();
    const { mayContainMojibake } = await import('../src/index.js');
    const isFound = (text: string): number => {
      search.mockClear();
      expect(mayContainMojibake(encode(text.repeat(1000)))).toBe(false);
      return search.mock.calls.length;
    };
    for (const text of ['plain text ', 'чистый текст ', '日本語', 'text zdarma ']) {
      expect(isFound(text), text).toBe(4);
    }
  });
});
