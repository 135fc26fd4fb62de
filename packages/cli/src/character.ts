/** Characters, where each is to be seen by itself. */
import { formatCodePoint } from '@utf8/core';
import { measureText } from './wrap.js';

/** How those are called that have no shape of their own, from U+0000 and from U+007F on. */
const c0 =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP';
const c1 =
  'DEL PAD HOP BPH NBH IND NEL SSA ESA HTS HTJ VTS PLD PLU RI SS2 SS3 DCS PU1 PU2 STS CCH MW SPA EPA SOS SGC SCI CSI ST OSC PM APC NBS';

/** @see Unicode 16.0, NameAliases.txt */
const names: ReadonlyMap<number, string> = new Map<number, string>([
  ...c0.split(' ').map((name, i): [number, string] => [i, name]),
  ...c1.split(' ').map((name, i): [number, string] => [0x7f + i, name]),
  [0xad, 'SHY'],
  [0x200b, 'ZWS'],
  [0x200c, 'ZWN'],
  [0x200d, 'ZWJ'],
  [0x200e, 'LRM'],
  [0x200f, 'RLM'],
  [0x2028, 'LS'],
  [0x2029, 'PS'],
  [0x202a, 'LRE'],
  [0x202b, 'RLE'],
  [0x202c, 'PDF'],
  [0x202d, 'LRO'],
  [0x202e, 'RLO'],
  [0x2060, 'WJ'],
  [0x2066, 'LRI'],
  [0x2067, 'RLI'],
  [0x2068, 'FSI'],
  [0x2069, 'PDI'],
  [0xfeff, 'BOM'],
]);

/**
 * A character as it can be shown in a line: itself, or what it is called. Nothing for one that has no
 * shape and no short name.
 */
export function showCharacter(codePoint: number): string {
  const name = names.get(codePoint);
  if (name) return name;
  if (!isScalar(codePoint)) return '';
  const character = String.fromCodePoint(codePoint);
  if (/[\p{C}\p{Z}]/u.test(character)) return '';
  // A mark needs something to stand on.
  return /\p{M}/u.test(character) ? `◌${character}` : character;
}

/** A character in quotes where it has a shape, by its code point in any case. */
export function describeCharacter(codePoint: number): string {
  const shown = showCharacter(codePoint);
  if (shown === '') return formatCodePoint(codePoint);
  const quote = shown === '"' ? "'" : '"';
  const quoted = names.has(codePoint) ? `(${shown})` : quote + shown + quote;
  return `${formatCodePoint(codePoint)} ${quoted}`;
}

/** A character as part of a text that does nothing to a terminal. What is none is U+FFFD. */
export function escapeCharacter(codePoint: number): string {
  if (!isScalar(codePoint)) return '\uFFFD';
  const character = String.fromCodePoint(codePoint);
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? `\\u{${codePoint.toString(16)}}` : character;
}

/** Whether a code point is a character of Unicode, and no half of a pair. */
export const isScalar = (codePoint: number): boolean =>
  codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);

/** Text with spaces behind it, up to so many columns. */
export const padColumns = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - measureText(text)));
