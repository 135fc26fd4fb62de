/** Bytes as people paste them. */

/** Text that a language puts around a list of bytes. */
const WRAPPERS =
  /^(?:new\s+)?(?:unsigned\s+char\s+\w+\[\]\s*=|Uint8Array(?:\.of|\.from)?|byte\s*\[\]|\[\]byte|bytes(?:\.fromhex)?|Buffer\.from|b)?\s*[([{]*\s*["']?|["']?\s*[)\]}]*;?$/g;

/**
 * Reads bytes in a notation of programs: `ED A0 BD`, `eda0bd`, `ED:A0:BD`, `0xED, 0xA0`, `\xED\xA0`, `%ED%A0`,
 * `[237, 160]`, such a list in the syntax of a language, or the output of `xxd`, `hexdump -C` and `od -tx1`.
 *
 * @returns Undefined for anything else, which is then text.
 */
export function readNotation(text: string): Uint8Array<ArrayBuffer> | undefined {
  const isDecimal = /^\s*[\w.]*\s*[([{]+\s*\d{1,3}(\s*,\s*\d{1,3})+\s*[)\]}]+;?\s*$/.test(text);
  const inner = (readDump(text) ?? text)
    .trim()
    .replace(/\(byte\)\s*/g, '')
    .replace(WRAPPERS, '');
  if (inner === '') return undefined;
  if (isDecimal) {
    const numbers = inner.split(/[\s,]+/).map(Number);
    return numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : undefined;
  }
  return readPairs(inner);
}

/** Reads pairs of digits, with prefixes and separators. */
function readPairs(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(text.length >> 1);
  let length = 0;
  // Colons or dashes: one in each gap, or none.
  const mark = /^[:-]/.test(text.slice(2)) ? text.charCodeAt(2) : undefined;
  let marks = 0;
  for (let i = 0; i < text.length; ) {
    if (isSpace(text.charCodeAt(i))) {
      i++;
      continue;
    }
    if (length > 0 && text.charCodeAt(i) === mark) {
      marks++;
      i++;
    }
    i += prefixAt(text, i);
    const [high, low] = [digitAt(text.charCodeAt(i)), digitAt(text.charCodeAt(i + 1))];
    if (high < 0 || low < 0) return undefined;
    bytes[length++] = 16 * high + low;
    i += 2;
  }
  return length === 0 || (marks > 0 && marks !== length - 1) ? undefined : bytes.slice(0, length);
}

/** Tells whether a character separates bytes: a space, an end of line or a comma. */
const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0x2c || code === 0xa0;

/** The length of the prefix of a byte: `0x`, `\x`, `%` or none. */
function prefixAt(text: string, place: number): number {
  if (text[place] === '%') return 1;
  if (text[place] !== '0' && text[place] !== '\\') return 0;
  return text[place + 1] === 'x' || text[place + 1] === 'X' ? 2 : 0;
}

/** The value of a hexadecimal digit by its character code; -1 for any other, or none. */
function digitAt(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Extracts the bytes from output of `xxd`, `hexdump -C` or `od -tx1`: offsets, bytes, and characters. */
function readDump(text: string): string | undefined {
  if (!/^\s*(?:[\da-f]{8}: |0{8} {2}|0{7} )/i.test(text)) return undefined;
  const lines = text.trim().split(/\r?\n/);
  const shown = /^\s*[\da-f]+:/i.test(text) ? / {2}.*/ : / *\|.*/;
  return lines.map((line) => line.replace(/^[\da-f]+:?\s*/i, '').replace(shown, '')).join(' ');
}

/** Tells whether a text can only mean bytes, although some digit is wrong or missing. */
export function isAlmostBytes(text: string): boolean {
  const words = text.trim().split(/[\s,]+/, 1000);
  const isBytes = (word: string): boolean => /^(?:(?:0x|\\x|%)?[\da-f]{2})+$/i.test(word);
  const last = words.pop() ?? '';
  const start = words.length > 0 ? words.every(isBytes) : /^(?:0x|\\x|%)/i.test(last);
  return start && /^(?:(?:0x|\\x|%)?[\da-f]{2})*(?:(?:0x|\\x|%)?[\da-f]?)?$/i.test(last);
}

/** Writes bytes as upper-case digits, two each, with spaces between. */
export const formatHex = (bytes: Iterable<number>): string =>
  Array.from(bytes, digitsOf).join(' ').toUpperCase();

/** Writes a byte as two lower-case digits. */
export const digitsOf = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Spells a text without controls, and without what changes the direction of the text around it. Lines stay lines. */
export const spellVisibly = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    const codePoint = character.codePointAt(0) as number;
    return `\\u{${codePoint.toString(16).toUpperCase()}}`;
  });
