import type { Fault } from '@utf8/core';

/** The characters of 80..9F; the five bytes that Windows-1252 leaves undefined are C1 controls. */
const characters: readonly number[] = [
  0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
  0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
  0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
];

/**
 * Decodes a byte of Windows-1252 to its code point.
 *
 * @param byte - 0 to 255.
 * @returns A code point; a C1 control for each of the five bytes that Windows-1252 leaves undefined.
 * @example
 * ```ts
 * import { decodeWindows1252 } from '@utf8/repair';
 *
 * decodeWindows1252(0x92); // => 0x2019
 * decodeWindows1252(0x81); // => 0x81
 * ```
 * @see https://encoding.spec.whatwg.org/index-windows-1252.txt
 */
export const decodeWindows1252 = (byte: number): number => characters[byte - 0x80] ?? byte;

/**
 * Decodes faulty bytes as Windows-1252, one character a byte: a policy for the option `errors` of any
 * codec.
 *
 * @param _fault - Ignored.
 * @param bytes - The faulty bytes.
 * @returns A text of as many UTF-16 code units.
 * @example
 * ```ts
 * import { windows1252 } from '@utf8/repair';
 * import * as utf8 from '@utf8/strict';
 *
 * utf8.decode(Uint8Array.of(0x49, 0x92, 0x6d), { errors: windows1252 }); // => 'I’m'
 * ```
 * @see https://encoding.spec.whatwg.org/#windows-1252
 */
export const windows1252 = (_fault: Fault | undefined, bytes: Uint8Array): string =>
  String.fromCharCode(...Array.from(bytes, decodeWindows1252));
