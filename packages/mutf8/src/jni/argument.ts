/** Reads bytes as a function of C does. */
import type { Bytes } from '@utf8/core';
import { viewOf } from '@utf8/core/parts';

/**
 * Copies bytes up to the first 00, or to their end. Only the copy is read, because another thread may write
 * to the original meanwhile.
 */
export function copyArgument(bytes: Bytes): Uint8Array {
  const view = viewOf(bytes);
  const end = view.indexOf(0);
  const copy = view.slice(0, end < 0 ? view.length : end);
  const early = copy.indexOf(0);
  return early < 0 ? copy : copy.subarray(0, early);
}
