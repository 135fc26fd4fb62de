/** Bytes that formats are written in, and what can be told by bytes alone. */

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
export const BACKSLASH = 0x5c;
export const BACKQUOTE = 0x60;

/** The same memory, as what finds bytes in 20 ns where an array takes 70 (Node 20). */
export const viewOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** ASCII as bytes. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Whether a stretch is made of hexadecimal digits. */
export function isHex(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    const letter = byte | 0x20;
    if (!isDigit && !(letter >= 0x61 && letter <= 0x66)) return false;
  }
  return true;
}

/** Whether a stretch begins with U+FEFF, the mark that some programs put before UTF-8. */
export const hasMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** In bytes. */
export const MARK_LENGTH = 3;

/** Where the text of a line ends that has its line feed before an index, or none. */
export function endOfText(bytes: Uint8Array, start: number, end: number): number {
  if (end === start || bytes[end - 1] !== LF) return end;
  return end - 1 > start && bytes[end - 2] === CR ? end - 2 : end - 1;
}

/** Whether an odd number of backslashes stands before an index, so that the last of them escapes. */
export function isEscaped(bytes: Uint8Array, start: number, index: number): boolean {
  let i = index;
  while (i > start && bytes[i - 1] === BACKSLASH) i--;
  return (index - i) % 2 === 1;
}
