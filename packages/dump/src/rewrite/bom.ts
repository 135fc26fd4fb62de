/** U+FEFF at the start, the byte order mark that bytes do not need and some programs want. */
import type { Codec } from '@utf8/core';
import { EDIT_WIDTH, type EditList } from './edits.js';

const BOM = 0xfeff;

/** Policies for U+FEFF at the start of a text. */
export const bomPolicies = ['keep', 'strip', 'add'] as const;

/** One of {@link bomPolicies}. */
export type BomPolicy = (typeof bomPolicies)[number];

/** U+FEFF in an encoding. */
export const encodeBom = (codec: Codec): Uint8Array => codec.encodeCodePoints([BOM]);

/** Length in bytes of the U+FEFF at the start of whole characters; 0 if there is none. */
export function findBom(codec: Codec, bytes: Uint8Array): number {
  const length = codec.ceilBoundary(bytes, 1);
  const character = codec.decodeCodePoints(bytes.subarray(0, length), { errors: 'ignore' });
  return character[0] === BOM ? length : 0;
}

/** Tells whether bytes begin with others. */
export const startsWith = (bytes: Uint8Array, beginning: Uint8Array): boolean =>
  beginning.every((byte, i) => bytes[i] === byte);

/** Removes U+FEFF, which has the same bytes in every encoding, from the start of an output, and adds the edit. */
export function stripBom<Result extends { output: Uint8Array; edits: EditList | undefined }>(
  result: Result,
  mark: Uint8Array,
): Result {
  const { output, edits } = result;
  if (!startsWith(output, mark)) return result;
  const { length } = mark;
  if (!edits) return { ...result, output: output.subarray(length) };
  const rest = edits.numbers.slice();
  // An edit begins where its bytes differ, and so after the mark.
  for (let i = 0; i < rest.length; i += EDIT_WIDTH) rest[i] = (rest[i] as number) - length;
  const numbers = new Float64Array(EDIT_WIDTH + rest.length);
  numbers.set([0, 0, length]);
  numbers.set(rest, EDIT_WIDTH);
  const originals = new Uint8Array(length + edits.originals.length);
  originals.set(mark);
  originals.set(edits.originals, length);
  return { ...result, output: output.subarray(length), edits: { numbers, originals } };
}
