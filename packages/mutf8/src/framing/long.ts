/** A length of eight bytes, and a text of this length: long strings of Java serialization. */
import type { Bytes, OwnBytes } from '@utf8/core';
import type { FrameOptions } from './codec.js';
import type { TextFrame } from './frame.js';
import { lengthFormOf } from './length.js';
import { encodePrefixed, type Prefix, readPrefixed, writePrefixed } from './prefix.js';

/** Java's `long`. */
const prefix: Prefix = /* @__PURE__ */ createPrefix();

function createPrefix(): Prefix {
  return { form: lengthFormOf({ length: 8, signed: true }), isUnits: false };
}

/**
 * Reads a text that follows its length in bytes, eight of them, big-endian, as in a `TC_LONGSTRING` of Java
 * serialization.
 *
 * @param bytes - Any buffer, or any view of one; it is not copied.
 * @param offset - Start of the frame, in bytes.
 * @param options - The encoding, and the policy for faults.
 * @returns The text, and the index after the frame.
 * @throws {@link FrameError} (a `RangeError`) if the frame runs past the end; `missing` is the number of
 *   missing bytes. Also if the length is negative, or has more than 53 bits.
 * @throws DecodeError at the first fault under `strict`, the default; its offset counts from the start
 *   of `bytes`.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { readLongUTF } from '@utf8/mutf8/framing';
 *
 * readLongUTF(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 2, 0xc0, 0x80)); // => { text: '\0', next: 10 }
 * ```
 * @see Java Object Serialization Specification, section 6.4.2, "newString"
 */
export function readLongUTF(bytes: Bytes, offset = 0, options?: FrameOptions): TextFrame {
  return readPrefixed(bytes, offset, prefix, options);
}

/**
 * Writes a text after its length in bytes, eight of them, big-endian.
 *
 * @param text - Any string.
 * @param target - Receives the bytes.
 * @param offset - Start of the frame, in bytes.
 * @param options - The encoding, and the policy for characters that it does not contain.
 * @returns The index after the frame, in bytes from the start of the target.
 * @throws {@link FrameError} (a `RangeError`), and nothing is written, if the target has no room.
 * @throws EncodeError if the encoding that `codec` names has no lone surrogates; Modified UTF-8 has.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { writeLongUTF } from '@utf8/mutf8/framing';
 *
 * const target = new Uint8Array(11);
 * writeLongUTF('é', target, 1); // => 11
 * target; // => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 2, 0xc3, 0xa9)
 * ```
 * @see Java Object Serialization Specification, section 6.4.2, "newString"
 */
export function writeLongUTF(
  text: string,
  target: Uint8Array,
  offset = 0,
  options?: FrameOptions,
): number {
  return writePrefixed(text, target, offset, prefix, options);
}

/**
 * Encodes a text after its length in bytes, eight of them, big-endian, in memory of its own.
 *
 * @param text - Any string.
 * @param options - The encoding, and the policy for characters that it does not contain.
 * @returns The frame, in memory of its own.
 * @throws EncodeError as {@link writeLongUTF}.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { encodeLongUTF } from '@utf8/mutf8/framing';
 *
 * encodeLongUTF('\0'); // => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 2, 0xc0, 0x80)
 * ```
 * @see Java Object Serialization Specification, section 6.4.2, "newString"
 */
export function encodeLongUTF(text: string, options?: FrameOptions): OwnBytes {
  return encodePrefixed(text, prefix, options);
}
