/**
 * Finds the reason of a fault. Loops and kernels only return the index at which they stopped.
 *
 * Faults follow "substitution of maximal subparts" (Unicode 16.0, section 3.9, D93b; the WHATWG decoder) on
 * the encoding's own units: a fault is the longest prefix of some unit, at least one byte, and never crosses
 * a `+`. The match of a `!` row is one fault.
 */

import type { PackedCause } from '../grammar/packed.js';
import type { FaultReason } from '../grammar/reason.js';
import type { Rows } from '../rows/rows.js';
import { REFUSED, readSequence } from '../rows/sequence.js';
import type { Fault } from './fault.js';

/**
 * Describes the fault at an offset where no well-formed sequence begins, or one that no string can
 * contain.
 *
 * @param base - Offset of the input in its stream, in bytes, which is added.
 */
export function describeFault(rows: Rows, bytes: Uint8Array, offset: number, base: number): Fault {
  const sequence = rows.read(bytes, offset);
  const unit = rows.readFault(bytes, offset, sequence);
  const length = Math.max(unit.length, 1);
  let reason: FaultReason | undefined;
  if (sequence.codePoint >= 0) reason = 'unrepresentable';
  else if (sequence.codePoint === REFUSED) reason = 'wrong-form';
  else if (unit.codePoint >= 0) reason = 'surrogate';
  else if (length === 1 || sequence.length < length) {
    // By index: with lists of a lead byte's causes, a text of faults took 1.6 times as long under Node 20,
    // 1.2 under 26.
    reason = rows.packed.causes.find(
      (cause) =>
        covers(cause, 1, bytes[offset] as number) &&
        (cause.length < 4 || covers(cause, 3, bytes[offset + 1] as number)),
    )?.[0];
  }
  return {
    offset: base + offset,
    length,
    reason: reason ?? 'truncated',
    incomplete: sequence.isCut,
  };
}

const covers = (cause: PackedCause, i: 1 | 3, byte: number): boolean =>
  (cause[i] as number) <= byte && byte <= (cause[i + 1] as number);

/**
 * Tells whether later bytes may change the character or the fault at an offset: its kind, its length, or the
 * reason, which can depend on the second byte.
 *
 * @param needsReason - True if the reason matters: it can depend on one more byte.
 */
export function isUndecided(
  rows: Rows,
  bytes: Uint8Array,
  offset: number,
  needsReason: boolean,
): boolean {
  return (
    rows.read(bytes, offset).isCut ||
    readSequence(rows.prepared.units, bytes, offset).isCut ||
    (needsReason &&
      bytes[offset + 1] === undefined &&
      rows.packed.causes.some(
        (cause) => cause.length > 3 && covers(cause, 1, bytes[offset] as number),
      ))
  );
}
