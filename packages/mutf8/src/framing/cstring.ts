/** Text up to a byte 00, as JNI's `NewStringUTF` and `GetStringUTFChars` pass it. */
import type { Bytes, OwnBytes } from '@utf8/core';
import { lengthOf } from '@utf8/core/parts';
import { coderOf, encodeText, type FrameOptions } from './codec.js';
import { FrameError, failCut } from './error.js';
import type { TextFrame } from './frame.js';
import { arrayOf, checkOffset, place } from './place.js';

/**
 * Reads a text up to the next byte 00.
 *
 * @param bytes - Any buffer, or any view of one; it is not copied.
 * @param offset - Start of the text, in bytes.
 * @param options - The encoding, and the policy for faults.
 * @returns The text, and the index after the 00.
 * @throws {@link FrameError} (a `RangeError`) if no 00 follows; one byte is missing at least.
 * @throws DecodeError at the first fault under `strict`, the default; its offset counts from the start
 *   of `bytes`.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
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
  const end = findNul(array, offset);
  if (end < 0) failCut('C string', offset, Math.max(offset + 1 - lengthOf(array), 1), 'at least ');
  return { text: coderOf(options).decodePart(array, offset, end, options?.errors), next: end + 1 };
}

const findNul = (bytes: Uint8Array, from: number): number =>
  Uint8Array.prototype.indexOf.call(bytes, 0, from);

/**
 * Writes a text with a byte 00 after it.
 *
 * @param text - Any string.
 * @param target - Receives the bytes.
 * @param offset - Start of the text, in bytes.
 * @param options - The encoding, and the policy for characters that it does not contain.
 * @returns The index after the 00, in bytes from the start of the target.
 * @throws {@link FrameError} (a `RangeError`), and nothing is written, if the target has no room, or
 *   if the encoding writes U+0000 as a byte 00, which would end the text. Modified UTF-8 does not.
 * @throws EncodeError if the encoding that `codec` names has no lone surrogates; Modified UTF-8 has.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
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
 * Encodes a text with a byte 00 after it, in memory of its own.
 *
 * @param text - Any string.
 * @param options - The encoding, and the policy for characters that it does not contain.
 * @returns The frame, in memory of its own.
 * @throws {@link FrameError} (a `RangeError`) and EncodeError as {@link writeCString}.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { encodeCString } from '@utf8/mutf8/framing';
 *
 * encodeCString('é'); // => Uint8Array.of(0xc3, 0xa9, 0x00)
 * ```
 * @see Java Native Interface Specification, "Modified UTF-8 Strings"
 */
export function encodeCString(text: string, options?: FrameOptions): OwnBytes {
  const bytes = encodeText(text, options);
  const end = bytes.indexOf(0);
  if (end >= 0) {
    throw new FrameError(
      `${coderOf(options).name} writes U+0000 as 00, which would end the C string at byte ${end} of ${bytes.length}.`,
      0,
    );
  }
  const frame = new Uint8Array(bytes.length + 1);
  frame.set(bytes);
  return frame;
}
