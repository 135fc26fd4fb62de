/** DEX's `string_data_item`: a count of UTF-16 code units, the text, and a byte 00. */
import type { Bytes, OwnBytes } from '@utf8/core';
import { lengthOf } from '@utf8/core/parts';
import { coderOf, type FrameOptions } from './codec.js';
import { encodeCString } from './cstring.js';
import { count, FrameError, failCut } from './error.js';
import type { TextFrame } from './frame.js';
import { arrayOf, checkOffset, place } from './place.js';
import { encodeUleb128, readUleb128 } from './uleb128.js';

/** Most bytes of a code unit in any encoding of the family, even if malformed. */
const MOST_PER_UNIT = 6;

/**
 * Reads a `string_data_item` of a DEX file, and checks its count.
 *
 * @param bytes - Any buffer, or any view of one; it is not copied.
 * @param offset - Start of the item, in bytes.
 * @param options - The encoding, and the policy for faults.
 * @returns The text, and the index after the 00.
 * @throws {@link FrameError} (a `RangeError`) if the item runs past the end, if its count is not a `uleb128`,
 *   or if the text up to the 00 has a different number of UTF-16 code units.
 * @throws DecodeError at the first fault under `strict`, the default; its offset counts from the start
 *   of `bytes`.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { readDexString } from '@utf8/mutf8/framing';
 *
 * readDexString(Uint8Array.of(0x02, 0x61, 0xc0, 0x80, 0x00)); // => { text: 'a\0', next: 5 }
 * ```
 * @see Dalvik Executable format, "MUTF-8 (Modified UTF-8) Encoding" and "string_data_item"
 */
export function readDexString(bytes: Bytes, offset = 0, options?: FrameOptions): TextFrame {
  const array = arrayOf(bytes);
  checkOffset(offset);
  const { value: units, next: from } = readUleb128(array, offset, 'DEX string');
  const end = findEnd(array, from, units);
  if (end === lengthOf(array)) failCut('DEX string', offset, 1, 'at least ');
  const text = end < 0 ? undefined : coderOf(options).decodePart(array, from, end, options?.errors);
  if (text?.length !== units) {
    const found = text === undefined ? 'is longer' : `has ${text.length}`;
    throw new FrameError(
      `The DEX string at byte ${offset} says ${count(units, 'code unit')}, but ${found}.`,
      offset,
    );
  }
  return { text, next: end + 1 };
}

/**
 * Finds the index of the 00 that ends a text of this many code units, or the end of the bytes. The search is
 * limited to the longest such text, so reading all strings of a file is linear in its size.
 */
function findEnd(bytes: Uint8Array, from: number, units: number): number {
  const last = from + units * MOST_PER_UNIT;
  const length = lengthOf(bytes);
  for (let i = from; i <= last; i++) {
    if (i >= length) return length;
    if (bytes[i] === 0) return i;
  }
  return -1;
}

/**
 * Writes a `string_data_item` of a DEX file.
 *
 * @param text - Any string.
 * @param target - Receives the bytes.
 * @param offset - Start of the item, in bytes.
 * @param options - The encoding, and the policy for characters that it does not contain.
 * @returns The index after the 00, in bytes from the start of the target.
 * @throws {@link FrameError} (a `RangeError`), and nothing is written, if the target has no room, or
 *   if the encoding writes U+0000 as a byte 00. Modified UTF-8 does not.
 * @throws EncodeError if the encoding that `codec` names has no lone surrogates; Modified UTF-8 has.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { writeDexString } from '@utf8/mutf8/framing';
 *
 * const target = new Uint8Array(8);
 * writeDexString('😀', target); // => 8
 * target; // => Uint8Array.of(0x02, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x00)
 * ```
 * @see Dalvik Executable format, "string_data_item"
 */
export function writeDexString(
  text: string,
  target: Uint8Array,
  offset = 0,
  options?: FrameOptions,
): number {
  return place(encodeDexString(text, options), target, offset);
}

/**
 * Encodes a `string_data_item` of a DEX file, in memory of its own.
 *
 * @param text - Any string.
 * @param options - The encoding, and the policy for characters that it does not contain.
 * @returns The frame, in memory of its own.
 * @throws {@link FrameError} (a `RangeError`) and EncodeError as {@link writeDexString}.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { encodeDexString } from '@utf8/mutf8/framing';
 *
 * encodeDexString('a\0'); // => Uint8Array.of(0x02, 0x61, 0xc0, 0x80, 0x00)
 * ```
 * @see Dalvik Executable format, "string_data_item"
 */
export function encodeDexString(text: string, options?: FrameOptions): OwnBytes {
  const bytes = encodeCString(text, options);
  const length = encodeUleb128(text.length);
  const frame = new Uint8Array(length.length + bytes.length);
  frame.set(length);
  frame.set(bytes, length.length);
  return frame;
}
