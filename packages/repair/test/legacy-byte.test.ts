import { describe, expect, it } from 'vitest';
import {
  createRepairer,
  decodeLegacyByte,
  errorsPolicies,
  legacyEncodings,
  type Repair,
} from '../src/index.js';

const hex = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const repair = createRepairer({ from: 'cesu-8+utf-8', errors: 'windows-1252' });
const kindsOf = ({ findings }: Repair): string[] => findings.map(({ kind }) => kind);
const textOf = ({ bytes, status }: Repair): string =>
  status === 'rejected' ? 'refused' : Buffer.from(bytes).toString();

describe('a legacy byte', () => {
  it('is each byte from 80 to FF alone, and between ASCII', () => {
    for (let byte = 0x80; byte <= 0xff; byte++) {
      for (const around of ['', ' ', 'A', '.']) {
        const bytes = Buffer.concat([
          Buffer.from(around),
          Uint8Array.of(byte),
          Buffer.from(around),
        ]);
        const result = repair(bytes);
        expect(kindsOf(result)).toEqual(['legacy-byte']);
        const codePoint = decodeLegacyByte('windows-1252', byte);
        expect(textOf(result)).toBe(
          codePoint ? `${around}${String.fromCodePoint(codePoint)}${around}` : 'refused',
        );
      }
    }
  });

  it.each([
    ['a text of them', 'E9 74 E9', 'été'],
    ['the last letter of a word', '63 61 66 E9', 'café'],
    ['quotes', '93 61 94', '“a”'],
    ['a lead before ASCII', 'C3 2E', 'Ã.'],
    ['the start of a sequence within a text', 'E2 82 41', 'â‚A'],
    ['the same at the end, after another', 'E9 74 E2 82', 'étâ‚'],
    ['a byte among UTF-8', 'C3 A9 20 E9 20 41', 'é é A'],
    ['what is well-formed stays', 'C3 A9', 'é'],
    ['a capital after a capital', '41 4D 41 4E 48 C3', 'AMANHÃ'],
  ])('is %s: %s', (_, bytes, text) => {
    expect(textOf(repair(hex(bytes)))).toBe(text);
  });

  it.each([
    ['a character cut off at the end', 'E2 82', ['other']],
    ['even one of a byte, in text that has others', 'C3 A9 20 C3', ['other']],
    ['a capital after a small letter, at the end', '63 61 66 C3', ['other']],
    ['a sequence above U+10FFFF', 'F4 90 80 80', Array(4).fill('other')],
    ['an overlong form', 'C0 AF', ['overlong']],
  ])('is not %s: %s, which is refused', (_, bytes, kinds) => {
    const result = repair(hex(bytes));
    expect(kindsOf(result)).toEqual(kinds);
    expect(result.status).toBe('rejected');
    expect(result.bytes).toEqual(hex(bytes));
  });

  it('is not a pair that the source refuses, nor a character that the target does not have', () => {
    const strict = createRepairer({ from: 'utf-8', errors: 'windows-1252' });
    expect(strict(hex('ED A0 BD ED B8 80')).status).toBe('rejected');
    const toThree = createRepairer({ from: 'utf-8', to: 'utf8mb3', errors: 'windows-1252' });
    expect(toThree(hex('F0 9F 98 80')).status).toBe('rejected');
  });

  it('is subject to all policies', () => {
    for (const errors of errorsPolicies) {
      const { findings, status } = createRepairer({ from: 'utf-8', errors })(hex('41 E9 42'));
      expect(findings).toMatchObject([{ kind: 'legacy-byte', offset: 1, length: 1 }]);
      expect(status).toBe(errors === 'fail' ? 'rejected' : 'changed');
    }
  });

  it('is refused if it is not a character of Windows-1252', () => {
    // Lower-cased Latin-1: Ã and a byte that is undefined became ã and the same byte.
    const text = hex('4D 41 59 41 47 E3 9C 45 5A 20 E3 81');
    const { status, findings } = repair(text);
    expect(status).toBe('rejected');
    expect(findings.map(({ offset, becomes }) => [offset, becomes !== undefined])).toEqual([
      [5, true],
      [10, false],
    ]);
    for (const byte of [0x81, 0x8d, 0x8f, 0x90, 0x9d]) {
      expect(repair(Uint8Array.of(0x41, byte)).status).toBe('rejected');
    }
  });

  it('is found after a backslash', () => {
    const syntax = { quote: (text: string) => text.replaceAll('\\', '\\\\'), nuls: [] };
    const escaping = createRepairer({ from: 'utf-8', errors: 'escape', syntax });
    expect(kindsOf(escaping(hex('5C E9 41')))).toEqual(['legacy-byte']);
  });
});

describe('a legacy encoding as a policy', () => {
  const with_ = (errors: string) =>
    createRepairer({ from: 'cesu-8+utf-8', errors: errors as 'windows-1251' });
  /** Encodes a text whose characters are all in the encoding. */
  const encode = (text: string, name: (typeof legacyEncodings)[number]): Uint8Array => {
    const bytes = Array.from({ length: 0x100 }, (_, byte) => byte);
    return Uint8Array.from(text, (character) =>
      bytes.findIndex((byte) => decodeLegacyByte(name, byte) === character.codePointAt(0)),
    );
  };

  it.each([
    ['windows-1251', 'съешь ещё этих мягких французских булок, «Азії»'],
    ['koi8-r', 'всё ещё'],
    ['koi8-u', 'їжак'],
    ['ibm866', 'рубль, РУБЛЬ'],
    ['iso-8859-5', 'Санкт-Петербург'],
    ['x-mac-cyrillic', 'Привет, мир'],
    ['windows-1250', 'zażółć gęślą jaźń, déšť'],
    ['iso-8859-2', 'příliš žluťoučký kůň'],
    ['windows-1253', 'Καλημέρα κόσμε'],
    ['windows-1254', 'İstanbul güneş ğ'],
    ['windows-1255', 'שלום עולם'],
    ['windows-1256', 'مرحبا'],
    ['windows-1257', 'Rīga, ąžuolas'],
    ['windows-874', 'สวัสดี'],
    ['iso-8859-15', '5 € für œuvre'],
    ['cp437', 'café – naïve'.replace('–', '─')],
    ['cp850', 'São Paulo, ação'],
    ['macintosh', 'Père Noël, “déjà”'],
  ] as const)('%s reads %s', (name, text) => {
    const result = with_(name)(encode(text, name));
    expect(textOf(result)).toBe(text);
    expect(new Set(kindsOf(result))).toEqual(new Set(['legacy-byte']));
    expect(with_(name)(result.bytes).bytes).toBe(result.bytes);
  });

  it('is accepted by any label of it', () => {
    expect(textOf(with_('CP1251')(hex('CF')))).toBe('П');
    expect(() => with_('windows-1259')).toThrow(/expected fail, .* such as windows-1252/);
  });

  it('refuses bytes that are not characters', () => {
    for (const name of legacyEncodings) {
      const repair = with_(name);
      for (let byte = 0x80; byte < 0x100; byte++) {
        const { status } = repair(Uint8Array.of(byte, 0x20));
        const isCharacter = decodeLegacyByte(name, byte) !== undefined;
        if (status !== (isCharacter ? 'changed' : 'rejected')) expect.fail(`${name} ${byte}`);
      }
    }
  });

  it('keeps UTF-8 beside it, and refuses what may be either', () => {
    // ё in UTF-8, and in KOI8-R after в and с.
    expect(textOf(with_('koi8-r')(hex('D1 91 20 D7 2E')))).toBe('ё в.');
    expect(textOf(with_('koi8-r')(hex('D1 91 20 D7 D3 A3 2E')))).toBe('refused');
    // é and a quotation mark of Windows-1250.
    expect(textOf(with_('windows-1250')(hex('63 61 66 C3 A9 94')))).toBe('café”');
  });
});
