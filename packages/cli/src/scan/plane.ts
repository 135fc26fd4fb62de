/** Planes of Unicode, of which most have no character. */

import type { Codec } from '@utf8/core';
import { formatCodePoint } from '@utf8/core';
import type { Flaw } from '../repair/flaw.js';

/** Those that have none, first and last. @see Unicode 16.0, section 2.8 */
const UNASSIGNED = [4, 13] as const;

/** A character where there is none. */
export interface Stray {
  readonly plane: number;
  /** Such as `U+50000`. */
  readonly character: string;
}

/** What a flaw becomes if it lies in a plane without characters, where a pair was none most likely. */
export function findStray({ kind, becomes }: Flaw, to: Codec): Stray | undefined {
  if (!becomes || (kind !== 'pair' && kind !== 'four-byte form')) return undefined;
  const [codePoint = 0] = to.decodeCodePoints(becomes);
  const plane = codePoint >> 16;
  const [first, last] = UNASSIGNED;
  if (plane < first || plane > last) return undefined;
  return { plane, character: formatCodePoint(codePoint) };
}
