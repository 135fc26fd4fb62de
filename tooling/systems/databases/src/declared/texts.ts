/** Texts of several scripts, and their bytes. */
import { spellPair } from '../planted.js';

export const toHex = (text: string | Uint8Array): string =>
  Buffer.from(text as string).toString('hex');

/** Words whose UTF-8 cannot be mistaken for text in a legacy encoding. */
export const words: readonly string[] = [
  'Привет мир',
  'Größe der Straße',
  'naïve café à Orléans',
  '日本語テスト',
  'Ελληνικά γράμματα',
  '한국어 문자',
  'Zażółć gęślą jaźń',
  'שלום עולם',
  'สวัสดีชาวโลก',
];

export const emoji: readonly string[] = ['Party 😀 time', '😀😁', 'a 😂 b 𠮷'];

/** UTF-8 with pairs in six bytes. */
export const toCesu8 = (text: string): string =>
  Array.from(text, (character) =>
    character.length === 2 ? toHex(spellPair(character)) : toHex(character),
  ).join('');

/** Characters of 80 to 9F in Windows-1252; controls where it has none. Some versions of Node decode ISO 8859-1 instead, 20 among them. */
const UPPER = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes a single-byte encoding of the WHATWG standard, or UTF-8 with U+FFFD for malformed bytes. */
export function decodeLegacy(hex: string, label: string): string {
  const bytes = Buffer.from(hex, 'hex');
  if (label !== 'windows-1252') return new TextDecoder(label).decode(bytes);
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (each) => UPPER.charAt(each.charCodeAt(0) - 0x80));
}

/** Encodings that are a single byte, by the name that a decoder knows. */
const tables = new Map<string, ReadonlyMap<string, number>>();

/** The bytes of a text in a single-byte encoding of the WHATWG standard; undefined if it lacks a character. */
export function encodeLegacy(text: string, label: string): string | undefined {
  let table = tables.get(label);
  if (!table) {
    const all = Array.from(
      { length: 256 },
      (_, byte) => [decodeLegacy(toHex(Uint8Array.of(byte)), label), byte] as const,
    );
    // Those without a character become controls, which no text has.
    table = new Map(all.filter(([character]) => !/[\x80-\x9f\ufffd]/.test(character)));
    tables.set(label, table);
  }
  const bytes = Array.from(text, (character) => table.get(character));
  return bytes.includes(undefined) ? undefined : toHex(Uint8Array.from(bytes as number[]));
}

/** UTF-8 that was read as Windows-1252, in which each byte is a character, and encoded again. */
export const toMojibake = (text: string): string =>
  toHex(decodeLegacy(toHex(text), 'windows-1252'));
