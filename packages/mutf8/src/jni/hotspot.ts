/** HotSpot, the virtual machine of OpenJDK. */
import type { Bytes, Fault } from '@utf8/core';
import { decode } from '../generated/data-input/index.js';
import { copyArgument } from './argument.js';

/**
 * Returns the string that `NewStringUTF` creates from bytes in HotSpot.
 *
 * Well-formed bytes, and overlong forms of two and three bytes, are decoded. Every other byte becomes the
 * Latin-1 character with the same number. Then the text is cut to one UTF-16 code unit for each byte that is
 * not a trail byte (80 to BF), so that each unexpected trail byte removes one code unit at the end.
 *
 * @param bytes - Any buffer, or any view of one. The argument ends before the first 00, or at the end of the
 *   bytes.
 * @returns The text, which may contain lone surrogates.
 * @throws RangeError if the text before it is cut is longer than a string can be.
 * @throws TypeError if the argument is neither a buffer nor a view of one.
 * @example
 * ```ts
 * import { hotspotNewStringUTF } from '@utf8/mutf8/jni';
 *
 * hotspotNewStringUTF(Uint8Array.of(0xc3, 0xa9, 0xc0, 0x80, 0x00, 0x41)); // => 'é\0'
 * // The UTF-8 of a U+1F600 b: one of five code units is left for each of a, F0 and b.
 * hotspotNewStringUTF(Uint8Array.of(0x61, 0xf0, 0x9f, 0x98, 0x80, 0x62)); // => 'að\u009f'
 * ```
 * @see java_lang_String::create_from_str and UTF8::convert_to_unicode in OpenJDK, src/hotspot/share
 */
export function hotspotNewStringUTF(bytes: Bytes): string {
  let surplus = 0;
  const text = decode(copyArgument(bytes), {
    errors: (fault, faulty) => {
      surplus += countContinuations(fault);
      return String.fromCharCode(...faulty);
    },
  });
  return text.slice(0, text.length - surplus);
}

/** All bytes of a fault are trail bytes, except for its lead byte if it has one. */
const countContinuations = ({ length, reason }: Fault): number =>
  reason === 'unexpected-continuation' ? length : length - 1;
