/** Where a single unit ends, for formats that only say where the last whole one does. */
import type { Format, Reader, ReaderState } from '../format/format.js';

/** A place between two units. */
export interface UnitBoundary {
  /** Index in the bytes that were searched. */
  readonly offset: number;
  /** State of a reader there. */
  readonly state: ReaderState;
}

/** Bytes to look at first. */
const STEP = 256;

/**
 * Finds the first boundary between units at an index or after it.
 *
 * @param state - State of a reader at the start of the bytes.
 * @param isLast - Whether the input ends with the bytes.
 * @returns Undefined if the unit does not end in the bytes.
 */
export function findUnit(
  format: Format,
  state: ReaderState,
  bytes: Uint8Array,
  index: number,
  isLast: boolean,
): UnitBoundary | undefined {
  let found: UnitBoundary = { offset: 0, state };
  // Units that end before the index need no search.
  const isAll = isLast && index === bytes.length;
  found = skip(format, found, bytes, index, isAll) ?? found;
  while (found.offset < index) {
    const next = findNext(format, found, bytes, index, isLast);
    if (!next) return undefined;
    found = next;
  }
  return found;
}

/** Finds the end of the unit that begins at a boundary. */
function findNext(
  format: Format,
  start: UnitBoundary,
  bytes: Uint8Array,
  index: number,
  isLast: boolean,
): UnitBoundary | undefined {
  const tryTo = (end: number): UnitBoundary | undefined =>
    skip(format, start, bytes, end, isLast && end === bytes.length);
  // In steps that double until they are far enough, and then back by bisection.
  let low = Math.max(index, start.offset + 1) - 1;
  let high = low;
  let found: UnitBoundary | undefined;
  for (let step = STEP; !found; step *= 2) {
    if (high === bytes.length) return undefined;
    low = high;
    high = Math.min(bytes.length, high + step);
    found = tryTo(high);
  }
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    const unit = tryTo(middle);
    if (unit) [high, found] = [middle, unit];
    else low = middle;
  }
  return found;
}

function skip(
  format: Format,
  { offset, state }: UnitBoundary,
  bytes: Uint8Array,
  end: number,
  isLast: boolean,
): UnitBoundary | undefined {
  if (end <= offset) return undefined;
  const reader = format.createReader(state);
  const skipped = reader.skip(bytes.subarray(offset, end), isLast);
  return skipped === 0 ? undefined : { offset: offset + skipped, state: reader.state };
}

/**
 * Skips one unit, or more if units are short.
 *
 * @param bytes - Whole units.
 * @param least - Bytes to try first.
 * @returns The index after the last unit skipped.
 */
export function skipUnits(reader: Reader, bytes: Uint8Array, least: number): number {
  for (let end = least; ; end *= 2) {
    if (end >= bytes.length) break;
    const length = reader.skip(bytes.subarray(0, end), false);
    if (length > 0) return length;
  }
  // Only the last unit of a file may lack its end.
  return reader.skip(bytes, false) || reader.skip(bytes, true) || bytes.length;
}
