/** Formats code points and bytes as the standards do. */

/**
 * Writes a code point as the standard does.
 *
 * @param codePoint - Any number from 0 on.
 * @returns `U+` and at least four hexadecimal digits.
 * @example
 * ```ts
 * import { formatCodePoint } from '@utf8/core';
 *
 * formatCodePoint(0xe9); // => 'U+00E9'
 * ```
 * @see Unicode 16.0, appendix A
 */
export function formatCodePoint(codePoint: number): string {
  return `U+${formatHex(codePoint, 4)}`;
}

/** Writes a number in upper-case hexadecimal with at least this many digits. */
export function formatHex(number: number, digits: number): string {
  return number.toString(16).toUpperCase().padStart(digits, '0');
}

/**
 * Writes bytes as upper-case hex, separated by spaces.
 *
 * @param bytes - Byte values.
 * @returns Two digits for each byte.
 * @example
 * ```ts
 * import { formatBytes } from '@utf8/core';
 *
 * formatBytes(Uint8Array.of(0xed, 0xa0, 0xbd)); // => 'ED A0 BD'
 * ```
 */
export function formatBytes(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => formatHex(byte, 2)).join(' ');
}
