/**
 * JSON: its grammar, and the strings in it.
 *
 * @see RFC 8259
 */
import type { Part } from './part.js';
import type { Syntax } from './syntax.js';

/** The escapes of a string in JSON. */
export const jsonSyntax: Syntax = {
  escaper: 0x5c,
  letters: { b: 8, f: 12, n: 10, r: 13, t: 9 },
  codes: /u([\da-fA-F]{4})/y,
  escaped: '"',
  escapeUnit: (unit) => `\\u${unit.toString(16).padStart(4, '0')}`,
};

/** Receiver of the parts of JSON, in order. Indices are in bytes. */
export interface JsonHandler {
  /**
   * Receives the start of an object or array.
   *
   * @param isArray - True if it is an array.
   */
  open(isArray: boolean): void;
  /** Receives the end of the object or array that was opened last. */
  close(): void;
  /**
   * Receives a key, without its quotes.
   *
   * @param start - The index of its first byte.
   * @param end - The index after its last byte.
   */
  key(start: number, end: number): void;
  /** Receives a value of any type, before its parts. */
  value?(): void;
  /**
   * Receives the text of a value that is a string, without its quotes.
   *
   * @param start - The index of its first byte.
   * @param end - The index after its last byte.
   */
  string(start: number, end: number): void;
}

/** Error in bytes that are not JSON, and its position. */
export interface JsonFault {
  /** Expected or found text, in a few words. */
  readonly what: string;
  /** Index at which parsing ended, in bytes from the start of the input. */
  readonly index: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const LETTER_E = 0x65;
const LETTER_U = 0x75;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LF = 0x0a;

/** Characters that may follow a backslash, except `u`. */
const ESCAPES = '"\\/bfnrt';

const WORDS: readonly (readonly number[])[] = ['true', 'false', 'null'].map((word) =>
  Array.from(word, (letter) => letter.charCodeAt(0)),
);

/** Options for reading JSON. */
export interface JsonOptions {
  /** Where the JSON begins, in bytes; 0 by default. */
  readonly start?: number;
  /** The index after the last byte of the JSON; by default, the end of the bytes. */
  readonly end?: number;
  /** True if a line feed is white space; true by default. */
  readonly allowsLines?: boolean;
}

/**
 * Parses one JSON text, in a loop: JSON may be nested deeper than calls. Raw control characters in strings
 * pass, though JSON requires escapes: a repair searches for a raw U+0000.
 *
 * @param bytes - A text that contains JSON.
 * @param handler - Receives keys, values and strings, with their places in `bytes`.
 * @param options - The place of the JSON, and the characters that count as white space.
 * @returns The first fault; undefined if the bytes are JSON.
 * @example
 * ```ts
 * import { parseJson } from '@utf8/repair';
 *
 * const bytes = new TextEncoder().encode('{"a": ["b"]}');
 * const strings: number[][] = [];
 * parseJson(bytes, {
 *   open() {},
 *   close() {},
 *   key() {},
 *   string: (start, end) => void strings.push([start, end]),
 * }); // => undefined
 * strings; // => [[8, 9]]
 * ```
 * @see RFC 8259, section 2
 */
export function parseJson(
  bytes: Uint8Array,
  handler: JsonHandler,
  { start = 0, end = bytes.length, allowsLines = true }: JsonOptions = {},
): JsonFault | undefined {
  let i = start;
  /** True for each open container that is an array. */
  const open: boolean[] = [];
  let fault: JsonFault | undefined;
  const fail = (what: string): false => {
    fault = { what, index: i };
    return false;
  };
  const peek = (): number => (i < end ? (bytes[i] as number) : -1);
  const passSpace = (): void => {
    for (; i < end; i++) {
      const byte = bytes[i];
      const isSpace = byte === 0x20 || byte === 0x09 || byte === 0x0d;
      if (!isSpace && !(byte === LF && allowsLines)) return;
    }
  };
  const passString = (): boolean => {
    for (let at = i + 1; at < end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        i = at + 1;
        return true;
      }
      if (byte !== BACKSLASH) continue;
      const next = bytes[at + 1] as number;
      if (at + 1 < end && ESCAPES.includes(String.fromCharCode(next))) at++;
      else if (next === LETTER_U && at + 6 <= end && areHexDigits(bytes, at + 2)) at += 5;
      else {
        i = at;
        return fail('invalid escape');
      }
    }
    return fail('unterminated string');
  };
  const passDigits = (): boolean => {
    const first = i;
    while (isDigit(peek())) i++;
    return i > first || fail('expected a digit');
  };
  const passNumber = (): boolean => {
    if (peek() === MINUS) i++;
    // Only a fraction or an exponent follows a zero.
    if (peek() === ZERO) i++;
    else if (!passDigits()) return false;
    if (peek() === DOT) {
      i++;
      if (!passDigits()) return false;
    }
    if ((peek() | 0x20) !== LETTER_E) return true;
    i++;
    if (peek() === PLUS || peek() === MINUS) i++;
    return passDigits();
  };
  const passScalar = (): boolean => {
    const byte = peek();
    if (byte === QUOTE) {
      const from = i + 1;
      if (!passString()) return false;
      handler.string(from, i - 1);
      return true;
    }
    if (byte === MINUS || isDigit(byte)) return passNumber();
    const word = WORDS.find((each) => each.every((letter, k) => bytes[i + k] === letter));
    if (!word || i + word.length > end) return fail('expected a JSON value');
    i += word.length;
    return true;
  };
  /** Passes the key of the next value, if it has one. */
  const passKey = (): boolean => {
    if (open.at(-1) !== false) return true;
    if (peek() !== QUOTE) return fail('expected a key in double quotes');
    const from = i + 1;
    if (!passString()) return false;
    handler.key(from, i - 1);
    passSpace();
    if (peek() !== COLON) return fail('expected ":"');
    i++;
    passSpace();
    return true;
  };
  const passAll = (): boolean => {
    passSpace();
    for (;;) {
      handler.value?.();
      const isArray = peek() === OPEN_BRACKET;
      if (isArray || peek() === OPEN_BRACE) {
        i++;
        passSpace();
        open.push(isArray);
        handler.open(isArray);
        if (peek() !== (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
          if (!passKey()) return false;
          continue;
        }
      } else {
        if (!passScalar()) return false;
        passSpace();
      }
      while (open.length > 0 && peek() === (open.at(-1) ? CLOSE_BRACKET : CLOSE_BRACE)) {
        i++;
        open.pop();
        handler.close();
        passSpace();
      }
      if (open.length === 0) return i === end || fail('unexpected text after the JSON value');
      if (peek() !== COMMA) return fail(`expected "," or "${open.at(-1) ? ']' : '}'}"`);
      i++;
      passSpace();
      if (!passKey()) return false;
    }
  };
  return passAll() ? undefined : fault;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= 0x39;

function areHexDigits(bytes: Uint8Array, start: number): boolean {
  for (let i = start; i < start + 4; i++) {
    const byte = bytes[i] as number;
    const letter = byte | 0x20;
    if (!isDigit(byte) && !(letter >= 0x61 && letter <= 0x66)) return false;
  }
  return true;
}

/** Splits JSON into its strings; undefined if it is malformed. */
export function splitJson(bytes: Uint8Array): Part[] | undefined {
  const parts: Part[] = [];
  /** The numbers of the open containers. */
  const open: number[] = [];
  let containers = 0;
  const fault = parseJson(bytes, {
    open: () => void open.push(containers++),
    close: () => void open.pop(),
    key(start, end) {
      parts.push({ start, end, syntax: jsonSyntax, owner: open.at(-1) });
    },
    string: (start, end) => void parts.push({ start, end, syntax: jsonSyntax }),
  });
  return fault ? undefined : parts;
}
