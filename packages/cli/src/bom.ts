/** U+FEFF at the beginning, the byte order mark that bytes do not need and some programs want. */
import type { Codec } from '@utf8/core';

const BOM = 0xfeff;

/** What `--bom` takes. */
export const bomPolicies = ['keep', 'strip', 'add'] as const;

/** A policy of `--bom`. */
export type BomPolicy = (typeof bomPolicies)[number];

/** U+FEFF as an encoding spells it. */
export const encodeBom = (codec: Codec): Uint8Array => codec.encodeCodePoints([BOM]);

/** The length in bytes of the U+FEFF that whole characters begin with; 0 where they do not. */
export function findBom(codec: Codec, bytes: Uint8Array): number {
  const length = codec.ceilBoundary(bytes, 1);
  const character = codec.decodeCodePoints(bytes.subarray(0, length), { errors: 'ignore' });
  return character[0] === BOM ? length : 0;
}

/** Whether bytes begin with others. */
export const startsWith = (bytes: Uint8Array, beginning: Uint8Array): boolean =>
  beginning.every((byte, i) => bytes[i] === byte);
