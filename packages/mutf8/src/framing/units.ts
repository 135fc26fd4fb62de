/** Text with a length in UTF-16 code units that is stated elsewhere: Hessian and others. */
import type { Bytes, OwnBytes } from '@utf8/core';
import { lengthOf } from '@utf8/core/parts';
import { coderOf, encodeText, type FrameOptions, inPlaceOf } from './codec.js';
import { count, FrameError, failCut } from './error.js';
import type { TextFrame } from './frame.js';
import { arrayOf, checkOffset, place } from './place.js';

/**
 * Reads a given number of UTF-16 code units of text.
 *
 * In Modified UTF-8 a count may end between the surrogates of a pair, as Java's own readers allow. In other
 * encodings, pairs are one sequence.
 *
 * @param bytes - Any buffer, or any view of one; it is not copied.
 * @param offset - Start of the text, in bytes.
 * @param units - Length of the text, in UTF-16 code units, including text that replaces faults.
 * @param options - The encoding, and the policy for faults.
 * @returns The text, and the index after it.
 * @throws {@link FrameError} (a `RangeError`) if the bytes end first, or if the count ends within a
 *   character.
 * @throws DecodeError at the first fault under `strict`, the default; its offset counts from the start
 *   of `bytes`.
 * @throws RangeError if the offset or the count is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type, or `codec` is not a codec of this family.
 * @example
 * ```ts
 * import * as strict from '@utf8/strict';
 * import { readUnits } from '@utf8/mutf8/framing';
 *
 * readUnits(Uint8Array.of(0xc3, 0xa9, 0x61, 0x62), 0, 2); // => { text: 'éa', next: 3 }
 * readUnits(strict.encode('😀!'), 0, 3, { codec: strict }); // => { text: '😀!', next: 5 }
 * ```
 * @see Hessian 2.0 Serialization Protocol, section 4.11, "string"
 */
export function readUnits(
  bytes: Bytes,
  offset: number,
  units: number,
  options?: FrameOptions,
): TextFrame {
  const array = arrayOf(bytes);
  checkOffset(offset);
  if (!(Number.isInteger(units) && units >= 0)) {
    throw new RangeError(
      `A count of code units is a whole number from 0 on, but got ${String(units)}.`,
    );
  }
  return decodeUnits(array, offset, offset, units, options);
}

/** Reads this many code units, from an index on, of the frame that begins at `offset`. */
export function decodeUnits(
  bytes: Uint8Array,
  offset: number,
  from: number,
  units: number,
  options: FrameOptions | undefined,
): TextFrame {
  const { decodePrefix, name } = coderOf(options);
  if (!decodePrefix) throw new TypeError(`${name} is not a codec of @utf8/core.`);
  const frame = decodePrefix(bytes, from, units, options?.errors);
  const missing = units - frame.text.length;
  // If a pair of code units is missing, possibly only one of its bytes is.
  if (missing > 0) failCut('text', offset, Math.max(missing - 1, 1), 'at least ');
  if (missing < 0) {
    throw new FrameError(
      `The text at byte ${offset} has a count of ${count(units, 'code unit')}, which ends within a character.`,
      offset,
    );
  }
  return frame;
}

/** A text in bytes, and its length in code units. */
export interface EncodedUnits {
  /** The text alone. */
  readonly bytes: OwnBytes;
  /** Number of UTF-16 code units that a reader finds in the text. */
  readonly units: number;
}

/** The length of a text that was written, and the index after it. */
export interface WrittenUnits {
  /** Number of UTF-16 code units that a reader finds in the text. */
  readonly units: number;
  /** The index after the text, in bytes from the start of the target. */
  readonly next: number;
}

/**
 * Writes a text alone, and returns its length in UTF-16 code units for a reader. That is the length of the
 * text, unless `errors` replaces or drops some of it.
 *
 * @param text - Any string.
 * @param target - Receives the bytes.
 * @param offset - Start of the text, in bytes.
 * @param options - The encoding, and the policy for characters that it does not contain.
 * @returns The count of code units, and the index after the text.
 * @throws {@link FrameError} (a `RangeError`), and nothing is written, if the target has no room, or the
 *   policy `surrogateescape` restores bytes, which readers do not count as code units.
 * @throws EncodeError if the encoding that `codec` names has no lone surrogates; Modified UTF-8 has.
 * @throws RangeError if the offset is not a whole number, 0 or more.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import * as lenient from '@utf8/cesu8/lenient';
 * import { writeUnits } from '@utf8/mutf8/framing';
 *
 * const target = new Uint8Array(5);
 * writeUnits('é\0', target, 1, { codec: lenient }); // => { units: 2, next: 4 }
 * target; // => Uint8Array.of(0x00, 0xc3, 0xa9, 0x00, 0x00)
 * ```
 * @see Hessian 2.0 Serialization Protocol, section 4.11, "string"
 */
export function writeUnits(
  text: string,
  target: Uint8Array,
  offset = 0,
  options?: FrameOptions,
): WrittenUnits {
  const inPlace = inPlaceOf(text, target, options);
  if (inPlace) {
    checkOffset(offset);
    if (text.length * inPlace.growth <= lengthOf(target) - offset) {
      return { units: text.length, next: inPlace.encodeAt(text, target, offset) };
    }
  }
  const { bytes, units } = encodeUnits(text, options);
  return { units, next: place(bytes, target, offset) };
}

/**
 * Encodes a text alone, in memory of its own, and returns its length in UTF-16 code units for a reader.
 *
 * @param text - Any string.
 * @param options - The encoding, and the policy for characters that it does not contain.
 * @returns The bytes, and the count of UTF-16 code units that a reader finds in them.
 * @throws {@link FrameError} (a `RangeError`) if the policy `surrogateescape` restores bytes.
 * @throws EncodeError as {@link writeUnits}.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { encodeUnits } from '@utf8/mutf8/framing';
 *
 * encodeUnits('é\0'); // => { bytes: Uint8Array.of(0xc3, 0xa9, 0xc0, 0x80), units: 2 }
 * ```
 * @see Hessian 2.0 Serialization Protocol, section 4.11, "string"
 */
export function encodeUnits(text: string, options?: FrameOptions): EncodedUnits {
  const bytes = encodeText(text, options);
  return { bytes, units: countUnits(text, bytes, options) };
}

/** Counts the code units that a reader finds in an encoded text. A policy may have written more or fewer. */
export function countUnits(
  text: string,
  bytes: Uint8Array,
  options: FrameOptions | undefined,
): number {
  const errors = options?.errors;
  if (errors === undefined || errors === 'strict') return text.length;
  // Escapes become bytes again, which may even begin a character that the next bytes complete.
  if (errors === 'surrogateescape' && /[\ud800-\udfff]/u.test(text)) {
    throw new FrameError(
      'The text has bytes that surrogateescape restores, which a count of code units does not cover.',
      0,
    );
  }
  return coderOf(options).decodePart(bytes, 0, bytes.length, errors).length;
}
