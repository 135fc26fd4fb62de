/** Escapes and doubled quotes, turned into the bytes that they stand for. */

const BACKSLASH = 0x5c;

/** What a letter behind a backslash stands for. What has no other meaning stands for itself. */
const letters = {
  json: { b: 8, f: 12, n: 10, r: 13, t: 9 },
  postgres: { b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 },
  mysql: { '0': 0, b: 8, n: 10, r: 13, t: 9, Z: 26 },
} as const;

/** Whose escapes a text is written with. */
export type Escapes = keyof typeof letters;

/** Escapes of several characters, behind the backslash. */
const numbers: Readonly<Record<Escapes, RegExp | undefined>> = {
  json: /u([\da-f]{4})/iy,
  postgres: /u([\da-f]{4})|U([\da-f]{8})|x([\da-f]{1,2})|([0-7]{1,3})/y,
  mysql: undefined,
};

/**
 * The bytes that a text stands for.
 *
 * @param escapes - Undefined where a backslash is a byte like any other.
 * @param quote - The byte that is doubled; undefined where none is.
 */
export function unspell(
  text: Uint8Array,
  escapes: Escapes | undefined,
  quote: number | undefined,
): Uint8Array {
  const isPlain =
    (escapes === undefined || !text.includes(BACKSLASH)) &&
    (quote === undefined || !text.includes(quote));
  if (isPlain) return text;
  const latin = Buffer.from(text).toString('latin1');
  const result: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
    if (byte === BACKSLASH && escapes && i + 1 < text.length) {
      i += readEscape(latin, i + 1, escapes, result);
    } else {
      result.push(byte);
      if (byte === quote && text[i + 1] === quote) i++;
    }
  }
  return Uint8Array.from(result);
}

/** Adds what an escape stands for, and returns how long it is without its backslash. */
function readEscape(latin: string, i: number, escapes: Escapes, result: number[]): number {
  const pattern = numbers[escapes];
  if (pattern) {
    pattern.lastIndex = i;
    const [all, unit, long, byte, octal] = pattern.exec(latin) ?? [];
    if (all) {
      if (unit ?? long) return readUnits(latin, i, all, result);
      result.push(byte ? Number.parseInt(byte, 16) : Number.parseInt(octal ?? '', 8) & 0xff);
      return all.length;
    }
  }
  const letter = latin[i] as string;
  const meanings: Readonly<Record<string, number>> = letters[escapes];
  result.push(Object.hasOwn(meanings, letter) ? (meanings[letter] as number) : latin.charCodeAt(i));
  return 1;
}

/** Adds a character that is spelled by its number, or by two where it is a pair. */
function readUnits(latin: string, i: number, all: string, result: number[]): number {
  const first = Number.parseInt(all.slice(1), 16);
  const [second, digits = ''] = /^\\u(d[c-f][\da-f]{2})/i.exec(latin.slice(i + 5, i + 11)) ?? [];
  const isPair = first >= 0xd800 && first < 0xdc00 && second !== undefined;
  const codePoint = isPair
    ? 0x10000 + (first - 0xd800) * 0x400 + Number.parseInt(digits, 16) - 0xdc00
    : first;
  result.push(...spell(codePoint));
  return all.length + (isPair ? 6 : 0);
}

/** The bytes of a character. A half has three, which no character has. */
function spell(codePoint: number): Iterable<number> {
  if (codePoint >= 0xd800 && codePoint < 0xe000) {
    return [0xed, 0x80 | ((codePoint >> 6) & 0b11_1111), 0x80 | (codePoint & 0b11_1111)];
  }
  return Buffer.from(String.fromCodePoint(Math.min(codePoint, 0x10ffff)));
}
