/** Repertoires of the character sets of MySQL and MariaDB. */
import { repertoires } from './generated/repertoires.js';

/** Range of Unicode that a character set covers: all of it, all up to U+FFFF, or only some characters. */
export type Reach = 'all' | 'bmp' | 'some';

const ALL = /^(utf8mb4|utf16(le)?|utf32|gb18030|binary|default)$/;
const BMP = /^(utf8(mb3)?|ucs2)$/;

/**
 * Tells how much of Unicode a character set contains; an unknown one contains some.
 *
 * @param charset - A name in lower case; undefined if nothing tells, which counts as all.
 */
export function reachOf(charset: string | undefined): Reach {
  if (charset === undefined || ALL.test(charset)) return 'all';
  return BMP.test(charset) ? 'bmp' : 'some';
}

/**
 * Tells how much text reaches a column as it is. Those in two or four bytes need a look, since a connection in
 * `binary` fills them with bytes that are no UTF-8.
 */
export const reachOfColumn = (charset: string | undefined): Reach =>
  charset !== undefined && /^(ucs2|utf16|utf32)/.test(charset) ? 'some' : reachOf(charset);

/** Tells whether a name is that of a character set which is known to lack some of Unicode. */
export const lacksSome = (name: string): boolean =>
  BMP.test(name) || Object.hasOwn(repertoires, name);

/** Returns the least of several. */
export function leastOf(...reaches: readonly Reach[]): Reach {
  if (reaches.includes('some')) return 'some';
  return reaches.includes('bmp') ? 'bmp' : 'all';
}

/** Tells whether a character set contains a text in UTF-8; true if that is not known. */
export const contains = (charset: string, text: Uint8Array): boolean =>
  !lacksSome(charset) || findLacking(text, charset) === undefined;

/**
 * Measures a text as a column stores it.
 *
 * @param text - The text in UTF-8.
 * @returns Its length in bytes. Each character of the Asian character sets counts as two, except ASCII, though a few
 *   have one or three.
 */
export function sizeIn(charset: string | undefined, text: Uint8Array): number {
  if (charset === undefined || /^(utf8|binary)/.test(charset)) return text.length;
  const isWide = /^(ucs2|utf16)/.test(charset);
  const [ascii, other] =
    charset === 'utf32' ? [4, 4] : isWide ? [2, 2] : [1, ASIAN.test(charset) ? 2 : 1];
  let size = 0;
  for (const byte of text) {
    if (byte < 0x80) size += ascii;
    else if (byte >= 0xf0 && isWide) size += 4;
    else if (byte >= 0xc0) size += other;
  }
  return size;
}

const ASIAN = /^(big5|cp932|eucjpms|euckr|gb2312|gbk|gb18030|sjis|ujis)$/;

/** A character in UTF-8. Offset and length are in bytes. */
export interface CharacterPlace {
  readonly index: number;
  readonly length: number;
}

/** Finds the first character of a text that a character set lacks. None except swe7 lacks ASCII. */
export function findLacking(
  text: Uint8Array,
  charset: string | undefined,
): CharacterPlace | undefined {
  const reach = reachOf(charset);
  if (reach === 'all' || charset === undefined) return undefined;
  if (reach === 'bmp') {
    const index = findFourBytes(text);
    return index === -1 ? undefined : { index, length: 4 };
  }
  const known = readRepertoire(charset);
  for (let index = 0; index < text.length; ) {
    const lead = text[index] as number;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length > 1 && !has(known, text, index, length)) return { index, length };
    index += length;
  }
  return undefined;
}

/** Tells whether a character of up to U+FFFF is in a set. */
function has(known: Uint8Array, text: Uint8Array, index: number, length: number): boolean {
  if (length > 3) return false;
  let codePoint = (text[index] as number) & (length === 2 ? 0x1f : 0x0f);
  for (let i = 1; i < length; i++) codePoint = (codePoint << 6) | ((text[index + i] ?? 0) & 0x3f);
  return (((known[codePoint >> 3] as number) >> (codePoint & 7)) & 1) === 1;
}

const read = new Map<string, Uint8Array>();
const EMPTY = new Uint8Array(0x1_0000 / 8);

/** A bit for each code point up to U+FFFF. */
function readRepertoire(charset: string): Uint8Array {
  let found = read.get(charset);
  if (!found) {
    // It takes 1.6 MB in each thread, so it is loaded late.
    const { brotliDecompressSync } = process.getBuiltinModule('node:zlib');
    const packed = Object.hasOwn(repertoires, charset) ? repertoires[charset] : undefined;
    found = packed === undefined ? EMPTY : brotliDecompressSync(Buffer.from(packed, 'base64'));
    read.set(charset, found);
  }
  return found;
}

/** Finds a character above U+FFFF in four bytes, and returns its index; -1 if there is none. */
export function findFourBytes(bytes: Uint8Array, from = 0): number {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let first = -1;
  // Five native searches take a fifth of the time of a loop.
  for (const lead of LEADS) {
    const index = view.indexOf(lead, from);
    if (index !== -1 && (first === -1 || index < first)) first = index;
  }
  return first;
}

const LEADS: readonly number[] = [0xf0, 0xf1, 0xf2, 0xf3, 0xf4];
