/** The syntax of a text, read and written with the place of every byte. */
import { encode } from '@utf8/strict';
import { nodeBuffer } from './node-buffer.js';

/**
 * Rules for escaping a text. A character that has no meaning after the escape character stands for
 * itself.
 */
export interface Syntax {
  /** The byte that escapes; undefined if none does. */
  readonly escaper?: number | undefined;
  /** The bytes that single characters stand for after it. */
  readonly letters?: Readonly<Record<string, number>> | undefined;
  /** A sticky pattern of codes after it: UTF-16, code point, hexadecimal, octal; each a group. */
  readonly codes?: RegExp | undefined;
  /** The byte that is doubled. */
  readonly quote?: number | undefined;
  /** Characters that are written after the escape character, other than itself. */
  readonly escaped?: string | undefined;
  /** Characters that cannot be written at all, such as a comma in CSV without quotes. */
  readonly excluded?: string | undefined;
  /**
   * Escapes a UTF-16 code unit in ASCII, such as JSON's `\ud83d`.
   *
   * @param unit - A UTF-16 code unit.
   * @returns The escape.
   */
  readonly escapeUnit?: ((unit: number) => string) | undefined;
  /** True if the text is written in hexadecimal digits. */
  readonly isHex?: boolean | undefined;
}

/**
 * A text without its syntax, and the places of its bytes in it.
 *
 * @example
 * ```ts
 * import { jsonSyntax, unescapeBytes } from '@utf8/repair';
 *
 * const text = unescapeBytes(new TextEncoder().encode('a\\u00e9'), jsonSyntax);
 * text.bytes; // => Uint8Array.of(0x61, 0xc3, 0xa9)
 * [text.startOf(1), text.endOf(2)]; // => [1, 7]
 * text.isByNumber(1, 3); // => true
 * ```
 */
export class Unescaped {
  /** The bytes that the text stands for. */
  readonly bytes: Uint8Array;
  /** Undefined if every byte stands for itself. */
  readonly #places: Places | undefined;

  /** @internal */
  constructor(bytes: Uint8Array, places?: Places) {
    this.bytes = bytes;
    this.#places = places;
  }

  /**
   * Returns where a byte begins in the text, without an escape character that means nothing.
   *
   * @param index - Of the byte in `bytes`.
   * @returns An index in bytes of the text.
   */
  startOf(index: number): number {
    return this.#places ? (this.#places.starts[index] as number) : index;
  }

  /**
   * Returns where a byte begins in the text, with an escape character that means nothing.
   *
   * @param index - Of the byte in `bytes`.
   * @returns An index in bytes of the text.
   */
  fullStartOf(index: number): number {
    return this.#places ? (this.#places.fullStarts[index] as number) : index;
  }

  /**
   * Returns where a byte ends in the text.
   *
   * @param index - Of the byte in `bytes`.
   * @returns The index after it, in bytes of the text.
   */
  endOf(index: number): number {
    return this.#places ? (this.#places.ends[index] as number) : index + 1;
  }

  /**
   * Tells whether a range is written by the numbers of characters alone, such as `\u00e9`.
   *
   * @param start - The index of the first of the `bytes`.
   * @param end - The index after the last of the `bytes`.
   * @returns True if the range is not empty, and none of it is written otherwise.
   */
  isByNumber(start: number, end: number): boolean {
    const numbers = this.#places?.numbers;
    for (let i = start; i < end; i++) if (!numbers?.[i]) return false;
    return end > start;
  }
}

/** Place of each byte, and whether it is written as the number of its character. */
interface Places {
  readonly starts: Int32Array;
  readonly fullStarts: Int32Array;
  readonly ends: Int32Array;
  readonly numbers: Uint8Array;
}

/**
 * Reads a text in a syntax, byte by byte. A malformed code stands for its characters.
 *
 * @param escaped - The text as it stands, without quotes around it.
 * @param syntax - The syntax of the text.
 * @returns The bytes that it stands for, and their places.
 * @example
 * ```ts
 * import { jsonSyntax, unescapeBytes } from '@utf8/repair';
 *
 * unescapeBytes(new TextEncoder().encode('\\u20ac'), jsonSyntax).bytes; // => Uint8Array.of(0xe2, 0x82, 0xac)
 * ```
 */
export function unescapeBytes(escaped: Uint8Array, syntax: Syntax): Unescaped {
  if (syntax.isHex) return readHex(escaped);
  const { escaper, quote } = syntax;
  const isPlain =
    (escaper === undefined || !escaped.includes(escaper)) &&
    (quote === undefined || !escaped.includes(quote));
  if (isPlain) return new Unescaped(escaped);
  const { length } = escaped;
  const bytes = new Uint8Array(length);
  const places: Places = {
    starts: new Int32Array(length),
    fullStarts: new Int32Array(length),
    ends: new Int32Array(length),
    numbers: new Uint8Array(length),
  };
  const { starts, fullStarts, ends, numbers } = places;
  let size = 0;
  const add = (byte: number, start: number, end: number, isNumber = false): void => {
    bytes[size] = byte;
    starts[size] = fullStarts[size] = start;
    ends[size] = end;
    if (isNumber) numbers[size] = 1;
    size++;
  };
  const latin = escaper !== undefined && syntax.codes ? latinOf(escaped) : '';
  for (let i = 0; i < length; ) {
    const byte = escaped[i] as number;
    if (byte === escaper && i + 1 < length) {
      const code = latin ? readCode(latin, i + 1, syntax.codes as RegExp) : undefined;
      if (code) {
        for (const each of code.bytes) add(each, i, i + 1 + code.length, code.isNumber);
        i += 1 + code.length;
        continue;
      }
      const next = escaped[i + 1] as number;
      const letter = String.fromCharCode(next);
      const { letters } = syntax;
      if (next >= 0x80) {
        // The escape character stays before the replacement of the byte, as a transcoder leaves it.
        add(next, i + 1, i + 2);
        fullStarts[size - 1] = i;
      } else {
        add(
          letters && Object.hasOwn(letters, letter) ? (letters[letter] as number) : next,
          i,
          i + 2,
        );
      }
      i += 2;
    } else if (byte === quote && escaped[i + 1] === quote) {
      add(byte, i, i + 2);
      i += 2;
    } else {
      add(byte, i, ++i);
    }
  }
  return new Unescaped(bytes.subarray(0, size), places);
}

/** Reads two digits a byte. An odd digit at the end stands for itself, so that it stays. */
function readHex(escaped: Uint8Array): Unescaped {
  const size = Math.ceil(escaped.length / 2);
  const at = (width: number): Int32Array =>
    Int32Array.from({ length: size }, (_, i) => Math.min(2 * i + width, escaped.length));
  const latin = latinOf(escaped);
  const bytes = Uint8Array.from({ length: size }, (_, i) => {
    const digits = latin.slice(2 * i, 2 * i + 2);
    return digits.length === 2 ? Number.parseInt(digits, 16) : digits.charCodeAt(0);
  });
  const starts = at(0);
  return new Unescaped(bytes, {
    starts,
    fullStarts: starts,
    ends: at(2),
    numbers: new Uint8Array(size),
  });
}

/** Bytes that an escape code stands for, and its length without the escape character. */
interface Code {
  readonly bytes: Iterable<number>;
  readonly length: number;
  /** True if it is the number of a character, not of a byte. */
  readonly isNumber: boolean;
}

function readCode(latin: string, i: number, codes: RegExp): Code | undefined {
  codes.lastIndex = i;
  const match = codes.exec(latin);
  if (!match) return undefined;
  const [{ length }, unit, long, byte, octal] = match;
  const digits = unit ?? long;
  if (digits === undefined) {
    const value = byte ? Number.parseInt(byte, 16) : Number.parseInt(octal as string, 8) & 0xff;
    return { bytes: [value], length, isNumber: false };
  }
  const first = Number.parseInt(digits, 16);
  if (first >= 0xd800 && first < 0xdc00) {
    codes.lastIndex = i + length + 1;
    const next = latin[i + length] === latin[i - 1] ? codes.exec(latin) : null;
    const second = Number.parseInt(next?.[1] ?? next?.[2] ?? '', 16);
    if (next && second >= 0xdc00 && second < 0xe000) {
      const codePoint = 0x10000 + (first - 0xd800) * 0x400 + second - 0xdc00;
      const both = length + 1 + next[0].length;
      return { bytes: encodeCodePoint(codePoint), length: both, isNumber: true };
    }
  }
  return { bytes: encodeCodePoint(first), length, isNumber: true };
}

/** Returns the bytes of a code point in UTF-8; an unpaired surrogate has three. */
function encodeCodePoint(codePoint: number): Iterable<number> {
  if (codePoint >= 0xd800 && codePoint < 0xe000) {
    return [0xed, 0x80 | ((codePoint >> 6) & 0b11_1111), 0x80 | (codePoint & 0b11_1111)];
  }
  return encode(String.fromCodePoint(Math.min(codePoint, 0x10ffff)));
}

/**
 * Writes a text so that {@link unescapeBytes} reads it.
 *
 * @returns Undefined if it contains what cannot be written.
 */
export function escapeBytes(bytes: Uint8Array, syntax: Syntax): Uint8Array | undefined {
  const { escaper, letters = {}, quote, escaped = '', excluded = '' } = syntax;
  if (syntax.isHex) return asciiOf(Array.from(bytes, formatHex).join(''));
  const result: number[] = [];
  for (const byte of bytes) {
    if (byte >= 0x80) {
      result.push(byte);
      continue;
    }
    const character = String.fromCharCode(byte);
    if (excluded.includes(character)) return undefined;
    // JSON has no control characters as such.
    const letter =
      byte < 0x20 ? Object.keys(letters).find((each) => letters[each] === byte) : undefined;
    if (escaper === undefined) result.push(byte);
    else if (letter !== undefined) result.push(escaper, letter.charCodeAt(0));
    else if (byte < 0x20 && syntax.escapeUnit) result.push(...asciiOf(syntax.escapeUnit(byte)));
    else if (byte === escaper || escaped.includes(character)) result.push(escaper, byte);
    else result.push(byte);
    if (byte === quote && !escaped.includes(character)) result.push(byte);
  }
  return Uint8Array.from(result);
}

const formatHex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/** Converts ASCII to bytes. */
export const asciiOf = (text: string): Uint8Array => encode(text);

/** Converts bytes to a string of as many characters. */
export function latinOf(bytes: Uint8Array): string {
  const { buffer, byteOffset, length } = bytes;
  if (nodeBuffer) return nodeBuffer.from(buffer, byteOffset, length).toString('latin1');
  let result = '';
  // More arguments overflow the stack.
  for (let i = 0; i < bytes.length; i += 4096) {
    result += String.fromCharCode(...bytes.subarray(i, i + 4096));
  }
  return result;
}
