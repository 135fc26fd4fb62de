/** Bytes as people paste them. */

/** Bytes in one word, each as `ED`, `0xED`, `\xED` or `%ED`. */
const HEX_WORD = /^(?:(?:0x|\\x|%)?[\da-f]{2})+$/i;

/** What a language puts around a list of bytes. */
const WRAPPERS =
  /^(?:new\s+)?(?:Uint8Array(?:\.of|\.from)?|byte\s*\[\]|\[\]byte|bytes(?:\.fromhex)?|Buffer\.from|b)?\s*[([{]*\s*["']?|["']?\s*[)\]}]*;?$/g;

/**
 * Reads bytes in a notation of programs: `ED A0 BD`, `eda0bd`, `0xED, 0xA0`, `\xED\xA0`, `%ED%A0`,
 * `[237, 160]`, or such a list in the syntax of a language.
 *
 * @returns Undefined for anything else, which is then text.
 */
export function readNotation(text: string): Uint8Array<ArrayBuffer> | undefined {
  const isDecimal = /^\s*[\w.]*\s*[([{]+\s*\d{1,3}(\s*,\s*\d{1,3})+\s*[)\]}]+;?\s*$/.test(text);
  const inner = text
    .trim()
    .replace(WRAPPERS, '')
    .replace(/\(byte\)\s*/g, '');
  const words = inner.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0) return undefined;
  if (isDecimal) {
    const numbers = words.map(Number);
    return numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : undefined;
  }
  if (!words.every((word) => HEX_WORD.test(word))) return undefined;
  const digits = words.join('').replace(/0x|\\x|%/gi, '');
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Writes bytes as upper-case digits, two each, with spaces between. */
export const formatHex = (bytes: Iterable<number>): string =>
  Array.from(bytes, digitsOf).join(' ').toUpperCase();

/** Writes a byte as two lower-case digits. */
export const digitsOf = (byte: number): string => byte.toString(16).padStart(2, '0');
