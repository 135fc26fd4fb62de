/** Known ways in which text of several encodings comes to lie in one column. */
import { encode as encodePairs } from '@utf8/cesu8';
import { encode } from '@utf8/strict';
import type { Random } from './random.js';

/** The characters of 80 to 9F in Windows-1252; undefined bytes become C1 controls, as in browsers. */
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const UNDEFINED = /[\x81\x8d\x8f\x90\x9d]/g;

const readLatin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const readWindows1252 = (bytes: Uint8Array): string =>
  readLatin1(bytes).replace(
    /[\x80-\x9f]/g,
    (control) => HIGH[control.charCodeAt(0) - 0x80] as string,
  );

/** Encodes in Windows-1252; undefined if a character is not in it. */
function writeWindows1252(text: string): Uint8Array | undefined {
  const bytes = Array.from(text, (character) => {
    const code = character.codePointAt(0) as number;
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
    return HIGH.includes(character) && code > 0xff ? 0x80 + HIGH.indexOf(character) : -1;
  });
  return bytes.includes(-1) ? undefined : Uint8Array.from(bytes);
}

type Damage = (text: string, random: Random) => Uint8Array | undefined;

/** Misreads text once or more. */
const misread =
  (...readings: readonly ((bytes: Uint8Array) => string)[]): Damage =>
  (text) =>
    readings.reduce((bytes, read) => encode(read(bytes)), encode(text) as Uint8Array);

/** Each returns undefined for texts that it cannot damage. */
export const damages: Readonly<Record<string, Damage>> = {
  'UTF-8 read as Windows-1252': misread(readWindows1252),
  'UTF-8 read as ISO 8859-1': misread(readLatin1),
  'twice as Windows-1252': misread(readWindows1252, readWindows1252),
  'as ISO 8859-1, then as Windows-1252': misread(readLatin1, readWindows1252),
  'three times as Windows-1252': misread(readWindows1252, readWindows1252, readWindows1252),
  'CESU-8 pairs read as Windows-1252': (text) => encode(readWindows1252(encodePairs(`${text} 😀`))),
  'undefined bytes of Windows-1252 lost': (text) =>
    encode(readWindows1252(encode(text)).replace(UNDEFINED, '\uFFFD')),
  'a line of two read as Windows-1252': (text) =>
    Buffer.concat([encode(`${text}\n`), encode(readWindows1252(encode(text)))]),
  'all bytes in Windows-1252': (text) => writeWindows1252(text),
  'words in Windows-1252 among UTF-8': (text, random) => {
    const words = text.split(' ');
    const bytes = words.map((word) =>
      random.below(2) === 0 ? (writeWindows1252(word) ?? encode(word)) : encode(word),
    );
    return Buffer.concat(bytes.flatMap((word, i) => (i === 0 ? [word] : [Buffer.from(' '), word])));
  },
};

/** The text that a damaged one was before. */
export function original(damage: string, text: string): string {
  if (damage.startsWith('CESU-8')) return `${text} 😀`;
  return damage.startsWith('a line') ? `${text}\n${text}` : text;
}
