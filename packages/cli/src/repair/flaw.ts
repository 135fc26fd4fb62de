/** What is not as it should be in a text. */
import type { FaultReason } from '@utf8/core';
import type { Kind } from '../kind.js';

/** What a flaw is, as statistics count it. */
export type FindingKind = Kind;

/**
 * A sequence that somebody meant and that does not stay as it is: a whole pair, a whole overlong form.
 * What nobody can have meant is `other`, one for each maximal subpart.
 */
export interface Flaw {
  /** In bytes from the start of the text. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  readonly kind: FindingKind;
  /** What is wrong with it; nothing where it is well-formed and merely spelled differently. */
  readonly reason?: FaultReason | undefined;
  /** What comes instead, spelled as the target and the format want it; undefined where it is refused. */
  readonly becomes: Uint8Array | undefined;
}

/**
 * The text with everything in its place that comes instead of flaws. What is refused stays.
 *
 * @param flaws - In order.
 */
export function applyFlaws(text: Uint8Array, flaws: readonly Flaw[]): Uint8Array {
  let length = text.length;
  for (const flaw of flaws) if (flaw.becomes) length += flaw.becomes.length - flaw.length;
  const result = new Uint8Array(length);
  let from = 0;
  let to = 0;
  const append = (piece: Uint8Array): void => {
    result.set(piece, to);
    to += piece.length;
  };
  for (const { offset, length, becomes } of flaws) {
    if (!becomes) continue;
    append(text.subarray(from, offset));
    append(becomes);
    from = offset + length;
  }
  append(text.subarray(from));
  return result;
}
