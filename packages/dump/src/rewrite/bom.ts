/** U+FEFF at the start, the byte order mark that bytes do not need and some programs want. */
import type { Codec } from '@utf8/core';

const BOM = 0xfeff;

/** What may be done about U+FEFF at the start of a text. */
export const bomPolicies = ['keep', 'strip', 'add'] as const;

/** One of {@link bomPolicies}. */
export type BomPolicy = (typeof bomPolicies)[number];

/** U+FEFF as an encoding spells it. */
export const encodeBom = (codec: Codec): Uint8Array => codec.encodeCodePoints([BOM]);

/** Length in bytes of the U+FEFF at the start of whole characters; 0 if there is none. */
export function findBom(codec: Codec, bytes: Uint8Array): number {
  const length = codec.ceilBoundary(bytes, 1);
  const character = codec.decodeCodePoints(bytes.subarray(0, length), { errors: 'ignore' });
  return character[0] === BOM ? length : 0;
}

/** Whether bytes begin with others. */
export const startsWith = (bytes: Uint8Array, beginning: Uint8Array): boolean =>
  beginning.every((byte, i) => bytes[i] === byte);
