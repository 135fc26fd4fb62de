/** ART, the virtual machine of Android. */
import type { Bytes } from '@utf8/core';
import { decode, findFault } from '../generated/android/index.js';
import { copyArgument } from './argument.js';

/**
 * Returns the string that `NewStringUTF` creates from bytes in ART, as of Android 14.
 *
 * Well-formed bytes are decoded, characters of four bytes included. In malformed bytes, a byte from 80 on
 * begins a sequence of two, three or four bytes. ART reads the low bits of these bytes and ignores the high
 * bits, even in ASCII. If the input ends earlier, the remaining bytes become one question mark.
 *
 * With CheckJNI, which debuggable apps have, ART aborts the process instead if a trail byte is missing or
 * unexpected. This function does not.
 *
 * @param bytes - Any buffer, or any view of one. The argument ends before the first 00, or at the end of the
 *   bytes.
 * @returns The text, which may contain lone surrogates.
 * @throws RangeError if the text is longer than a string can be.
 * @throws TypeError if the argument is neither a buffer nor a view of one.
 * @example
 * ```ts
 * import { artNewStringUTF } from '@utf8/mutf8/jni';
 *
 * artNewStringUTF(Uint8Array.of(0xf0, 0x9f, 0x98, 0x80, 0xc0, 0x80)); // => '😀\0'
 * // In Latin-1, "né!": E9 begins three bytes, but only two are left.
 * artNewStringUTF(Uint8Array.of(0x6e, 0xe9, 0x21)); // => 'n?'
 * ```
 * @see runtime/jni/jni_internal.cc, NewStringUTF, in the Android Open Source Project, platform/art
 */
export function artNewStringUTF(bytes: Bytes): string {
  const argument = copyArgument(bytes);
  const { length } = argument;
  let text = '';
  for (let from = 0; from < length; ) {
    const end = findFault(argument, from)?.offset ?? length;
    if (end > from) text += decode(argument.subarray(from, end));
    if (end === length) break;
    const next = end + announcedLength(argument[end] as number);
    text += next > length ? '?' : readLowBits(argument.subarray(end, next));
    from = next;
  }
  return text;
}

/** Returns the length of a sequence that begins with a byte from 80 on. */
function announcedLength(lead: number): number {
  if ((lead & 0b0010_0000) === 0) return 2;
  return (lead & 0b0001_0000) === 0 ? 3 : 4;
}

/** Reads a sequence of two to four bytes, and ignores the high bits of trail bytes. */
function readLowBits(sequence: Uint8Array): string {
  const { length } = sequence;
  const lead = (sequence[0] as number) & (length === 2 ? 0b0001_1111 : 0b0000_1111);
  const value = sequence.subarray(1).reduce((sum, byte) => (sum << 6) | (byte & 0b0011_1111), lead);
  if (length < 4) return String.fromCharCode(value);
  // A value that is not a supplementary code point has more than these 20 bits; the others are dropped.
  const bits = value - 0x10000;
  return String.fromCharCode(
    0xd800 | ((bits >> 10) & 0b11_1111_1111),
    0xdc00 | (bits & 0b11_1111_1111),
  );
}
