/** Ranges of bytes, for runs that each convert a part of one input. */
import { UsageError } from '../error.js';

/** Bytes `from` up to, but not including, `to`; `Infinity` for the end of the file. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The whole of an input. */
export const WHOLE: ByteRange = { from: 0, to: Number.POSITIVE_INFINITY };

/**
 * Checks a range.
 *
 * @throws {@link UsageError} unless both ends are offsets in bytes and in order.
 */
export function checkRange({ from, to }: ByteRange): ByteRange {
  const isOffset = (value: number): boolean =>
    value === WHOLE.to || (Number.isSafeInteger(value) && value >= 0);
  if (!isOffset(from) || !isOffset(to)) {
    throw new UsageError('a range needs two byte offsets, as in 0-1048576 or 1048576-');
  }
  if (from > to) throw new UsageError(`range ${from}-${to} ends before it begins`);
  return { from, to };
}
