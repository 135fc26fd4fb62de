import type { Structure } from './structure.js';
import type { Syntax } from './syntax.js';

/** A text within a value, such as an element of an array. Indices are those of the value. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly syntax: Syntax;
  /** The structure of the text itself. */
  readonly structure?: Structure | undefined;
  /** The number of the object that it is a key of. */
  readonly owner?: number | undefined;
  /** Tells whether the text has to get quotes; undefined if it has them. */
  readonly needsQuotes?: ((text: Uint8Array) => boolean) | undefined;
}

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);

/** Returns the index after white space. */
export function passBlanks(bytes: Uint8Array, start: number): number {
  let i = start;
  while (isBlank(bytes[i])) i++;
  return i;
}

/** Tells whether bytes begin or end with white space, which a reader without quotes drops. */
export const hasBlankEdge = (bytes: Uint8Array): boolean =>
  isBlank(bytes[0]) || isBlank(bytes[bytes.length - 1]);

/** Tells whether bytes are the word NULL in any case. */
export const isNull = (bytes: Uint8Array, start = 0, end: number = bytes.length): boolean =>
  end - start === 4 && /^null$/i.test(String.fromCharCode(...bytes.subarray(start, end)));

/** Returns the index of the quote that ends a text in which a backslash escapes; -1 if there is none. */
export function findQuote(bytes: Uint8Array, start: number): number {
  for (let i = start; i < bytes.length; i++) {
    if (bytes[i] === 0x22) return i;
    if (bytes[i] === 0x5c) i++;
  }
  return -1;
}

/** Returns the index of the first of some bytes that no backslash escapes; the length if there is none. */
export function findStop(bytes: Uint8Array, start: number, stops: string): number {
  for (let i = start; i < bytes.length; i++) {
    if (stops.includes(String.fromCharCode(bytes[i] as number))) return i;
    if (bytes[i] === 0x5c) i++;
  }
  return bytes.length;
}

/** White space, which ends a text without quotes. */
export const BLANKS = ' \t\n\v\f\r';
