/** Text up to a byte 00: what JNI's `NewStringUTF` and `GetStringUTFChars` pass. */
import type { Bytes } from '@utf8/core';
import { coderOf, encodeText, type FrameOptions } from './codec.js';
import { FrameError, failCut } from './error.js';
import type { TextFrame } from './frame.js';
import { arrayOf, checkOffset, place } from './place.js';

/**
 * Reads a text up to the next byte 00.
 *
 * @param bytes - Any buffer, or any view of one; it is not copied.
 * @param offset - Where the text begins, in bytes.
 * @returns The text, and the index behind the 00.
 * @throws {@link FrameError} (a `RangeError`) where no 00 follows; one byte is missing at least.
 * @throws DecodeError at the first fault under `strict`, the default; its offset counts from the start
 *   of `bytes`.
 * @throws RangeError where the offset is no whole number from 0 on.
 * @throws TypeError where an argument is of the wrong type.
 * @example
 * ```ts
 * import { readCString } from '@utf8/mutf8/framing';
 *
 * readCString(Uint8Array.of(0x61, 0xc0, 0x80, 0x00)); // => { text: 'a\0', next: 4 }
 * ```
 * @see Java Native Interface Specification, "Modified UTF-8 Strings"
 */
export function readCString(bytes: Bytes, offset = 0, options?: FrameOptions): TextFrame {
  const array = arrayOf(bytes);
  checkOffset(offset);
  const end = array.indexOf(0, offset);
  if (end < 0) failCut('C string', offset, Math.max(offset + 1 - array.length, 1), 'at least ');
  return { text: coderOf(options).decodeRange(array, offset, end, options?.errors), next: end + 1 };
}

/**
 * Writes a text with a byte 00 behind it.
 *
 * @param target - Where to write.
 * @param offset - Where the text is to begin, in bytes.
 * @returns The index behind the 00.
 * @throws {@link FrameError} (a `RangeError`), and nothing is written, where the target has no room, or
 *   where the encoding writes U+0000 as a byte 00, which would end the text. Modified UTF-8 does not.
 * @throws EncodeError where the encoding that `codec` names has no lone surrogates; Modified UTF-8 has.
 * @throws RangeError where the offset is no whole number from 0 on.
 * @throws TypeError where an argument is of the wrong type.
 * @example
 * ```ts
 * import { writeCString } from '@utf8/mutf8/framing';
 *
 * const target = new Uint8Array(4);
 * writeCString('a\0', target); // => 4
 * target; // => Uint8Array.of(0x61, 0xc0, 0x80, 0x00)
 * ```
 * @see Java Native Interface Specification, "Modified UTF-8 Strings"
 */
export function writeCString(
  text: string,
  target: Uint8Array,
  offset = 0,
  options?: FrameOptions,
): number {
  return place(encodeCString(text, options), target, offset);
}

/**
 * Encodes a text with a byte 00 behind it, in memory of its own.
 *
 * @throws {@link FrameError} (a `RangeError`) and EncodeError as {@link writeCString}.
 * @throws TypeError where an argument is of the wrong type.
 * @example
 * ```ts
 * import { encodeCString } from '@utf8/mutf8/framing';
 *
 * encodeCString('é'); // => Uint8Array.of(0xc3, 0xa9, 0x00)
 * ```
 * @see Java Native Interface Specification, "Modified UTF-8 Strings"
 */
export function encodeCString(text: string, options?: FrameOptions): Uint8Array {
  const bytes = encodeText(text, options);
  const end = bytes.indexOf(0);
  if (end >= 0) {
    throw new FrameError(
      `${coderOf(options).codec.name} writes U+0000 as 00, which would end the C string at byte ${end} of ${bytes.length}.`,
      0,
    );
  }
  const frame = new Uint8Array(bytes.length + 1);
  frame.set(bytes);
  return frame;
}
