import { describe, expect, it } from 'vitest';
import { createRepairer, decodeWindows1252, errorsPolicies, type Repair } from '../src/index.js';

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
        expect(kindsOf(result)).toEqual(['legacy byte']);
        expect(textOf(result)).toBe(
          `${around}${String.fromCodePoint(decodeWindows1252(byte))}${around}`,
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
      expect(findings).toMatchObject([{ kind: 'legacy byte', offset: 1, length: 1 }]);
      expect(status).toBe(errors === 'strict' ? 'rejected' : 'changed');
    }
  });

  it('is found after a backslash', () => {
    const syntax = { quote: (text: string) => text.replaceAll('\\', '\\\\'), nuls: [] };
    const escaping = createRepairer({ from: 'utf-8', errors: 'backslashreplace', syntax });
    expect(kindsOf(escaping(hex('5C E9 41')))).toEqual(['legacy byte']);
  });
});
