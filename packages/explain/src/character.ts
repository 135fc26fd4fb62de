/** Shows characters one at a time. */
import { formatCodePoint } from '@utf8/core';

/** Abbreviations of consecutive code points, by the first of them. @see Unicode 16.0, NameAliases.txt */
const names = new Map(
  [
    '0 NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB',
    '1B ESC FS GS RS US SP',
    '7F DEL PAD HOP BPH NBH IND NEL SSA ESA HTS HTJ VTS PLD PLU RI SS2 SS3 DCS PU1 PU2 STS CCH MW SPA',
    '97 EPA SOS SGC SCI CSI ST OSC PM APC NBS',
    'AD SHY',
    '61C ALM',
    '200B ZWS ZWN ZWJ LRM RLM',
    '2028 LS PS LRE RLE PDF LRO RLO',
    '2060 WJ',
    '2066 LRI RLI FSI PDI',
    'FEFF BOM',
  ].flatMap((row) => {
    const [first = '', ...abbreviations] = row.split(' ');
    return abbreviations.map((name, i) => [Number.parseInt(first, 16) + i, name] as const);
  }),
);

/**
 * Shows a character by itself, or by its abbreviation.
 *
 * @param codePoint - The code point, which need not be a scalar value.
 * @returns A string such as `A`, `NUL` or, for a combining mark, `◌́`; empty if the character has neither a
 *   glyph nor an abbreviation.
 * @example
 * ```ts
 * import { showCharacter } from '@utf8/explain';
 *
 * showCharacter(0x202e); // => 'RLO'
 * ```
 */
export function showCharacter(codePoint: number): string {
  const name = names.get(codePoint);
  if (name) return name;
  if (!isScalar(codePoint)) return '';
  const character = String.fromCodePoint(codePoint);
  if (/[\p{C}\p{Z}]/u.test(character)) return '';
  // A combining mark needs a base.
  return /\p{M}/u.test(character) ? `◌${character}` : character;
}

/**
 * Describes a character by its code point, and by the result of {@link showCharacter}.
 *
 * @param codePoint - The code point, which need not be a scalar value.
 * @returns A string such as `U+0041 "A"` or `U+202E (RLO)`.
 * @example
 * ```ts
 * import { describeCharacter } from '@utf8/explain';
 *
 * describeCharacter(0x41); // => 'U+0041 "A"'
 * ```
 */
export function describeCharacter(codePoint: number): string {
  const shown = showCharacter(codePoint);
  if (shown === '') return formatCodePoint(codePoint);
  const quote = shown === '"' ? "'" : '"';
  const quoted = names.has(codePoint) ? `(${shown})` : quote + shown + quote;
  return `${formatCodePoint(codePoint)} ${quoted}`;
}

/** Quotes a character in a text; returns U+FFFD for a code point that is not a scalar value. */
export function quoteCharacter(codePoint: number): string {
  if (!isScalar(codePoint)) return '\uFFFD';
  const character = String.fromCodePoint(codePoint);
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? `\\u{${codePoint.toString(16)}}` : character;
}

/** Tells whether a code point is a Unicode scalar value. */
export const isScalar = (codePoint: number): boolean =>
  codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);

/**
 * Formats the UTF-16 code units of a code point.
 *
 * @param codePoint - A scalar value.
 * @returns The code units in hexadecimal digits, such as `D83D DE00`.
 * @example
 * ```ts
 * import { formatCodeUnits } from '@utf8/explain';
 *
 * formatCodeUnits(0x1f600); // => 'D83D DE00'
 * ```
 */
export const formatCodeUnits = (codePoint: number): string =>
  Array.from(String.fromCodePoint(codePoint).split(''), (unit) =>
    unit.charCodeAt(0).toString(16).toUpperCase(),
  ).join(' ');
