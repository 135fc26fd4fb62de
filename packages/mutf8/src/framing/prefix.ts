/** Texts after a length of any form. */
import type { Bytes, OwnBytes } from '@utf8/core';
import { lengthOf } from '@utf8/core/parts';
import { coderOf, encodeText, type FrameOptions, inPlaceOf } from './codec.js';
import { count, FrameError, failCut } from './error.js';
import type { TextFrame } from './frame.js';
import type { LengthForm } from './length.js';
import { arrayOf, checkOffset, place } from './place.js';
import { countUnits, decodeUnits } from './units.js';

/** The form and the unit of a length. */
export interface Prefix {
  readonly form: LengthForm;
  readonly isUnits: boolean;
}

/** Reads a text after its length. */
export function readPrefixed(
  bytes: Bytes,
  offset: number,
  { form, isUnits }: Prefix,
  options: FrameOptions | undefined,
): TextFrame {
  const array = arrayOf(bytes);
  checkOffset(offset);
  const { value, next: from } = form.read(array, offset);
  if (isUnits) return decodeUnits(array, offset, from, value, options);
  const next = from + value;
  const missing = next - lengthOf(array);
  if (missing > 0) failCut('text', offset, missing);
  return { text: coderOf(options).decodePart(array, from, next, options?.errors), next };
}

/** Writes a text after its length, or throws before it writes. */
export function writePrefixed(
  text: string,
  target: Uint8Array,
  offset: number,
  prefix: Prefix,
  options: FrameOptions | undefined,
): number {
  const { form, isUnits } = prefix;
  const inPlace = inPlaceOf(text, target, options);
  if (inPlace) {
    checkOffset(offset);
    const { length } = text;
    const most = length * inPlace.growth;
    const from = offset + form.sizeOf(length);
    const isFit = (isUnits ? length : most) <= form.limit && most <= lengthOf(target) - from;
    // The size of the length must be known before the text is written.
    if (isFit && (isUnits || form.sizeOf(most) === from - offset)) {
      const next = inPlace.encodeAt(text, target, from);
      form.write(isUnits ? length : next - from, target, offset);
      return next;
    }
  }
  return place(encodePrefixed(text, prefix, options), target, offset);
}

/** Encodes a text after its length, in memory of its own. */
export function encodePrefixed(
  text: string,
  { form, isUnits }: Prefix,
  options: FrameOptions | undefined,
): OwnBytes {
  const bytes = encodeText(text, options);
  const length = isUnits ? countUnits(text, bytes, options) : bytes.length;
  if (length > form.limit) {
    const size = isUnits
      ? `has ${count(length, 'code unit')}`
      : `takes ${length} bytes of ${coderOf(options).name}`;
    throw new FrameError(`The text ${size}, and ${form.title} allows at most ${form.limit}.`, 0);
  }
  const header = form.sizeOf(length);
  const frame = new Uint8Array(header + bytes.length);
  form.write(length, frame, 0);
  frame.set(bytes, header);
  return frame;
}
