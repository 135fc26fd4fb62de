import type { FaultReason } from '@utf8/core';
import type { Kind } from './kind.js';

/**
 * A sequence that does not stay as it is. What a writer meant as one is one finding, such as a pair; of
 * malformed bytes, each maximal subpart is one.
 */
export interface Finding {
  /** In bytes from the start of the text. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  readonly kind: Kind;
  /**
   * Why `from` refuses it, or `to` cannot encode it (`too-large`); undefined if it is well-formed and only
   * spelled differently.
   */
  readonly reason: FaultReason | undefined;
  /** What replaces it, encoded and quoted; undefined if a policy refuses it. */
  readonly becomes: Uint8Array | undefined;
}

/** The result of a repair. */
export interface Repair {
  /** `rejected` if a policy refuses a finding. */
  readonly status: 'unchanged' | 'changed' | 'rejected';
  /** The very bytes given if `unchanged`. If `rejected`, only what is refused stays as it is. */
  readonly bytes: Uint8Array;
  /** In order; none if `unchanged`. */
  readonly findings: readonly Finding[];
}

/** Copies a text, and replaces the findings in it, except refused ones. */
export function applyFindings(
  text: Uint8Array,
  findings: readonly Pick<Finding, 'offset' | 'length' | 'becomes'>[],
): Uint8Array {
  let size = text.length;
  for (const { length, becomes } of findings) if (becomes) size += becomes.length - length;
  const result = new Uint8Array(size);
  let from = 0;
  let to = 0;
  const copy = (source: Uint8Array, start: number, end: number): void => {
    // Making a view costs more than copying 32 bytes.
    if (end - start > 32) result.set(source.subarray(start, end), to);
    else for (let i = start; i < end; i++) result[to + i - start] = source[i] as number;
    to += end - start;
  };
  for (const { offset, length, becomes } of findings) {
    if (!becomes) continue;
    copy(text, from, offset);
    copy(becomes, 0, becomes.length);
    from = offset + length;
  }
  copy(text, from, text.length);
  return result;
}
