/** Turns escapes and doubled quotes into the bytes that they stand for. */
import { BACKSLASH } from './ascii.js';

/** The escapes of a format. A character with no other meaning stands for itself. */
export interface EscapeRules {
  /** The bytes that single characters stand for. */
  readonly letters: Readonly<Record<string, number>>;
  /** A sticky pattern of codes after the escape character: UTF-16, code point, hexadecimal, octal. */
  readonly codes?: RegExp;
}

/**
 * Returns the bytes that a text stands for.
 *
 * @param rules - Undefined if nothing escapes.
 * @param quote - The byte that is doubled; undefined if none is.
 * @param escaper - The byte that escapes.
 */
export function unspell(
  text: Uint8Array,
  rules: EscapeRules | undefined,
  quote?: number,
  escaper: number = BACKSLASH,
): Uint8Array {
  const isPlain =
    (rules === undefined || !text.includes(escaper)) &&
    (quote === undefined || !text.includes(quote));
  if (isPlain) return text;
  const latin = Buffer.from(text).toString('latin1');
  const result: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
    if (byte === escaper && rules && i + 1 < text.length) {
      i += readEscape(latin, i + 1, rules, result);
    } else {
      result.push(byte);
      if (byte === quote && text[i + 1] === quote) i++;
    }
  }
  return Uint8Array.from(result);
}

/** Adds what an escape stands for, and returns its length without the escape character. */
function readEscape(
  latin: string,
  i: number,
  { letters, codes }: EscapeRules,
  result: number[],
): number {
  if (codes) {
    codes.lastIndex = i;
    const [all, unit, long, byte, octal] = codes.exec(latin) ?? [];
    if (all) {
      if (unit ?? long) return readUnits(latin, i, all, result);
      result.push(byte ? Number.parseInt(byte, 16) : Number.parseInt(octal ?? '', 8) & 0xff);
      return all.length;
    }
  }
  const letter = latin[i] as string;
  result.push(Object.hasOwn(letters, letter) ? (letters[letter] as number) : latin.charCodeAt(i));
  return 1;
}

/** Adds a character that is given by one code, or by two if they are a surrogate pair. */
function readUnits(latin: string, i: number, all: string, result: number[]): number {
  const first = Number.parseInt(all.slice(1), 16);
  const [second, digits = ''] = /^\\u(d[c-f][\da-f]{2})/i.exec(latin.slice(i + 5, i + 11)) ?? [];
  const isPair = first >= 0xd800 && first < 0xdc00 && second !== undefined;
  const codePoint = isPair
    ? 0x10000 + (first - 0xd800) * 0x400 + Number.parseInt(digits, 16) - 0xdc00
    : first;
  result.push(...spellCodePoint(codePoint));
  return all.length + (isPair ? 6 : 0);
}

/** Returns the bytes of a code point; an unpaired surrogate has three. */
function spellCodePoint(codePoint: number): Iterable<number> {
  if (codePoint >= 0xd800 && codePoint < 0xe000) {
    return [0xed, 0x80 | ((codePoint >> 6) & 0b11_1111), 0x80 | (codePoint & 0b11_1111)];
  }
  return Buffer.from(String.fromCodePoint(Math.min(codePoint, 0x10ffff)));
}
