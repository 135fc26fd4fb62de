/** Text whose length is stated in UTF-16 code units, elsewhere: Hessian and others. */
import type { Bytes } from '@utf8/core';
import { coderOf, type FrameOptions } from './codec.js';
import { count, FrameError, failCut } from './error.js';
import type { TextFrame } from './frame.js';
import { arrayOf, checkOffset } from './place.js';

/**
 * Reads so many UTF-16 code units of text.
 *
 * In Modified UTF-8 a count may end between the surrogates of a pair, as Java's own readers let it. Other
 * encodings have pairs in one piece.
 *
 * @param bytes - Any buffer, or any view of one; it is not copied.
 * @param offset - Where the text begins, in bytes.
 * @param units - How long it is, in UTF-16 code units. What stands for a fault counts as well.
 * @returns The text, and the index after it.
 * @throws {@link FrameError} (a `RangeError`) if the bytes end first, or where the count ends within
 *   a character.
 * @throws DecodeError at the first fault under `strict`, the default; its offset counts from the start
 *   of `bytes`.
 * @throws RangeError if the offset or the count is no whole number from 0 on.
 * @throws TypeError if an argument is of the wrong type, or `codec` is none of this family.
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
  const { codec, decodePrefix } = coderOf(options);
  if (!decodePrefix) throw new TypeError(`${codec.name} is no codec that @utf8/core made.`);
  const frame = decodePrefix(array, offset, units, options?.errors);
  const missing = units - frame.text.length;
  // Of two units that are missing as one pair, all bytes but one may be there.
  if (missing > 0) failCut('text', offset, Math.max(missing - 1, 1), 'at least ');
  if (missing < 0) {
    throw new FrameError(
      `The text at byte ${offset} has a count of ${count(units, 'code unit')}, which ends within a character.`,
      offset,
    );
  }
  return frame;
}
