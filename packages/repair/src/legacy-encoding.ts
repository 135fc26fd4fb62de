/** Single-byte encodings: the bytes that were written before UTF-8, and the characters that UTF-8 was read as. */
import { DecodeError, type Fault } from '@utf8/core';
import { tables } from './generated/legacy-tables.js';

/** The name of a single-byte encoding. */
export type LegacyEncoding =
  | 'windows-1252'
  | 'windows-1250'
  | 'windows-1251'
  | 'windows-1253'
  | 'windows-1254'
  | 'windows-1255'
  | 'windows-1256'
  | 'windows-1257'
  | 'windows-1258'
  | 'windows-874'
  | 'iso-8859-2'
  | 'iso-8859-3'
  | 'iso-8859-4'
  | 'iso-8859-5'
  | 'iso-8859-6'
  | 'iso-8859-7'
  | 'iso-8859-8'
  | 'iso-8859-10'
  | 'iso-8859-13'
  | 'iso-8859-14'
  | 'iso-8859-15'
  | 'iso-8859-16'
  | 'koi8-r'
  | 'koi8-u'
  | 'ibm866'
  | 'cp437'
  | 'cp850'
  | 'macintosh'
  | 'x-mac-cyrillic';

/**
 * The single-byte encodings of the WHATWG's Encoding Standard, CP437 and CP850, in the order in which they
 * are tried.
 */
export const legacyEncodings = Object.keys(tables) as readonly LegacyEncoding[];

const byLabel = new Map(
  legacyEncodings.flatMap((name) =>
    [name, ...tables[name][1].split(' ').filter(Boolean)].map((label) => [label, name] as const),
  ),
);

/**
 * Finds a single-byte encoding by its name or another label of the Encoding Standard.
 *
 * @param label - In any case, such as `CP1251`.
 * @returns The name; undefined if no single-byte encoding has the label.
 * @example
 * ```ts
 * import { findLegacyEncoding } from '@utf8/repair';
 *
 * findLegacyEncoding('CP1251'); // => 'windows-1251'
 * findLegacyEncoding('utf-8'); // => undefined
 * ```
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */
export const findLegacyEncoding = (label: string): LegacyEncoding | undefined =>
  byLabel.get(label.trim().toLowerCase());

const NO_CHARACTER = 0xfffd;

/**
 * Reads a byte as browsers do, with a C1 control for a byte that Windows leaves undefined.
 *
 * @returns U+FFFD if the Encoding Standard has no code point either.
 */
export const readLegacyByte = (encoding: LegacyEncoding, byte: number): number =>
  byte < 0x80 ? byte : tables[encoding][0].charCodeAt(byte - 0x80);

/**
 * Decodes a byte of a single-byte encoding.
 *
 * @param encoding - The name of the encoding.
 * @param byte - 0 to 255.
 * @returns A code point; undefined if the byte is not a character of the encoding, such as 81 in
 * Windows-1252.
 * @example
 * ```ts
 * import { decodeLegacyByte } from '@utf8/repair';
 *
 * decodeLegacyByte('windows-1252', 0x92); // => 0x2019
 * decodeLegacyByte('windows-1252', 0x81); // => undefined
 * decodeLegacyByte('windows-1251', 0xc0); // => 0x410
 * ```
 * @see https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/
 */
export function decodeLegacyByte(encoding: LegacyEncoding, byte: number): number | undefined {
  const codePoint = readLegacyByte(encoding, byte);
  // Unicode's tables leave them undefined. Those of ISO 8859 have C1 controls.
  const isUndefined = codePoint >= 0x80 && codePoint < 0xa0 && encoding.startsWith('windows-');
  return codePoint === NO_CHARACTER || isUndefined ? undefined : codePoint;
}

/** Decodes bytes, one character each; undefined if one of them is not a character. */
export function decodeLegacyBytes(encoding: LegacyEncoding, bytes: Uint8Array): string | undefined {
  let text = '';
  for (const byte of bytes) {
    const codePoint = decodeLegacyByte(encoding, byte);
    if (codePoint === undefined) return undefined;
    text += String.fromCharCode(codePoint);
  }
  return text;
}

/**
 * Creates a policy for the option `errors` of any codec, which decodes faulty bytes in a single-byte
 * encoding, one character a byte, in any text. It refuses bytes that are not characters there.
 *
 * @param encoding - The name of the encoding.
 * @returns The policy.
 * @example
 * ```ts
 * import { legacyErrors } from '@utf8/repair';
 * import * as utf8 from '@utf8/strict';
 *
 * const errors = legacyErrors('windows-1252');
 * utf8.decode(Uint8Array.of(0x49, 0x92, 0x6d), { errors }); // => 'I’m'
 * ```
 */
export const legacyErrors =
  (encoding: LegacyEncoding) =>
  (fault: Fault, bytes: Uint8Array): string => {
    const text = decodeLegacyBytes(encoding, bytes);
    if (text === undefined) {
      throw new DecodeError(encoding, fault, bytes, `Neither UTF-8 nor ${encoding}`);
    }
    return text;
  };
