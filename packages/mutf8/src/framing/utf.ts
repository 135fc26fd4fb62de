/** A length of two bytes or another, and so much text: `DataInput` and `DataOutput`, class files, NBT. */
import type { Bytes, OwnBytes } from '@utf8/core';
import { lengthOf } from '@utf8/core/parts';
import { coderOf, encodeText, type FrameOptions, inPlaceOf } from './codec.js';
import { FrameError, failCut } from './error.js';
import type { TextFrame } from './frame.js';
import { countsUnits, type LengthOptions, lengthFormOf } from './length.js';
import { arrayOf, checkOffset, place } from './place.js';
import { encodePrefixed, type Prefix, readPrefixed, writePrefixed } from './prefix.js';

/** Options of the functions that read and write texts after a length. */
export interface UTFOptions extends FrameOptions, LengthOptions {}

/** The greatest length in two bytes. */
const LIMIT = 0xffff;

const HEADER = 2;

/** Returns the length that the options select; undefined for the length of `DataInput`. */
function findPrefix(options: UTFOptions): Prefix | undefined {
  const { length, endian, signed, lengthIn } = options;
  const isOther =
    length !== undefined || endian !== undefined || signed !== undefined || lengthIn !== undefined;
  return isOther ? { form: lengthFormOf(options), isUnits: countsUnits(options) } : undefined;
}

/**
 * Reads a text that follows its length: by default two bytes, big-endian, which count bytes.
 *
 * @param bytes - Any buffer, or any view of one; it is not copied.
 * @param offset - Start of the frame, in bytes.
 * @param options - The encoding, the policy for faults, and the form of the length.
 * @returns The text, and the index after the frame.
 * @throws {@link FrameError} (a `RangeError`) if the frame runs past the end; `missing` is the number of missing
 *   bytes. Also if the length is negative, has more bits than its form allows, or counts code units and
 *   ends within a character.
 * @throws DecodeError at the first fault under `strict`, the default; its offset counts from the start
 *   of `bytes`.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { readUTF } from '@utf8/mutf8/framing';
 *
 * const bytes = Uint8Array.of(0x0a, 0x00, 0x02, 0xc0, 0x80, 0x03);
 * readUTF(bytes, 1); // => { text: '\0', next: 5 }
 * readUTF(Uint8Array.of(0x01, 0xc3, 0xa9), 0, { length: 1, lengthIn: 'units' }); // => { text: 'é', next: 3 }
 * ```
 * @see java.io.DataInput.readUTF; JVMS 4.4.7
 */
export function readUTF(bytes: Bytes, offset = 0, options?: UTFOptions): TextFrame {
  const prefix = options && findPrefix(options);
  if (prefix) return readPrefixed(bytes, offset, prefix, options);
  const array = arrayOf(bytes);
  const length = lengthOf(array);
  checkOffset(offset);
  const from = offset + HEADER;
  if (from > length) failCut('text', offset, from - length, 'at least ');
  const next = from + (((array[offset] as number) << 8) | (array[offset + 1] as number));
  if (next > length) failCut('text', offset, next - length);
  return { text: coderOf(options).decodePart(array, from, next, options?.errors), next };
}

/**
 * Writes a text after its length: by default two bytes, big-endian, which count bytes.
 *
 * @param text - Any string.
 * @param target - Receives the bytes.
 * @param offset - Start of the frame, in bytes.
 * @param options - The encoding, the policy for characters that it does not contain, and the form of the
 *   length.
 * @returns The index after the frame, in bytes from the start of the target.
 * @throws {@link FrameError} (a `RangeError`), and nothing is written, if the text needs more than 65,535
 *   bytes, or more than the chosen length can state, or more than the target has room for.
 * @throws EncodeError if the encoding that `codec` names has no lone surrogates; Modified UTF-8 has.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { writeUTF } from '@utf8/mutf8/framing';
 *
 * const target = new Uint8Array(6);
 * writeUTF('é', target, 1); // => 5
 * target; // => Uint8Array.of(0x00, 0x00, 0x02, 0xc3, 0xa9, 0x00)
 * ```
 * @see java.io.DataOutput.writeUTF
 */
export function writeUTF(
  text: string,
  target: Uint8Array,
  offset = 0,
  options?: UTFOptions,
): number {
  const prefix = options && findPrefix(options);
  if (prefix) return writePrefixed(text, target, offset, prefix, options);
  const inPlace = inPlaceOf(text, target, options);
  if (inPlace) {
    checkOffset(offset);
    const from = offset + HEADER;
    if (text.length * inPlace.growth <= Math.min(LIMIT, lengthOf(target) - from)) {
      const next = inPlace.encodeAt(text, target, from);
      writeLength(next - from, target, offset);
      return next;
    }
  }
  return place(encodeUTF(text, options), target, offset);
}

/**
 * Encodes a text after its length, as {@link writeUTF} writes it, in memory of its own.
 *
 * @param text - Any string.
 * @param options - The encoding, the policy for characters that it does not contain, and the form of the
 *   length.
 * @returns The frame, in memory of its own.
 * @throws {@link FrameError} (a `RangeError`) if the text needs more than 65,535 bytes, or more than the
 *   chosen length can state.
 * @throws EncodeError as {@link writeUTF}.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { encodeUTF } from '@utf8/mutf8/framing';
 *
 * encodeUTF('\0'); // => Uint8Array.of(0x00, 0x02, 0xc0, 0x80)
 * encodeUTF('é', { length: 4, endian: 'le' }); // => Uint8Array.of(0x02, 0x00, 0x00, 0x00, 0xc3, 0xa9)
 * ```
 * @see java.io.DataOutput.writeUTF
 */
export function encodeUTF(text: string, options?: UTFOptions): OwnBytes {
  const prefix = options && findPrefix(options);
  if (prefix) return encodePrefixed(text, prefix, options);
  const bytes = encodeText(text, options);
  const { length } = bytes;
  if (length > LIMIT) {
    throw new FrameError(
      `The text takes ${length} bytes of ${coderOf(options).name}, and a length of two bytes allows at most ${LIMIT}.`,
      0,
    );
  }
  const frame = new Uint8Array(HEADER + length);
  writeLength(length, frame, 0);
  frame.set(bytes, HEADER);
  return frame;
}

function writeLength(length: number, target: Uint8Array, offset: number): void {
  target[offset] = length >> 8;
  target[offset + 1] = length & 0xff;
}
