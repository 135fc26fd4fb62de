/** The bytes of formats, and tests on bytes alone. */

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const DOLLAR = 0x24;
export const QUOTE = 0x27;
export const OPEN = 0x28;
export const CLOSE = 0x29;
export const STAR = 0x2a;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const SEMICOLON = 0x3b;
export const LETTER_N = 0x4e;
export const BACKSLASH = 0x5c;
export const BACKQUOTE = 0x60;
export const LETTER_X = 0x78;

/** Views the same memory as a Buffer, which finds bytes in 20 ns where an array needs 70 (Node 20). */
export const viewOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Converts ASCII to bytes. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Tells whether a range consists of hexadecimal digits. */
export function isHex(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    const letter = byte | 0x20;
    if (!isDigit && !(letter >= 0x61 && letter <= 0x66)) return false;
  }
  return true;
}

/** Returns the length of U+FEFF before the first line of a file; 0 if there is none. */
export const lengthOfMark = (bytes: Uint8Array, line: number, record: number): number =>
  line === 1 && record === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

/** Returns the index after the text of a line, before its CR LF or LF if it has one. */
export function endOfText(bytes: Uint8Array, start: number, end: number): number {
  if (end === start || bytes[end - 1] !== LF) return end;
  return end - 1 > start && bytes[end - 2] === CR ? end - 2 : end - 1;
}

/** Tells whether an odd number of escape characters precedes an index, so that the last one escapes. */
export function isEscaped(
  bytes: Uint8Array,
  start: number,
  index: number,
  escaper: number = BACKSLASH,
): boolean {
  let i = index;
  while (i > start && bytes[i - 1] === escaper) i--;
  return (index - i) % 2 === 1;
}
