/** Where a single unit begins, for formats that only say where the last one ends. */
import type { Format, Reader, ReaderState } from '../formats/format.js';

/** A place between two units. */
export interface Unit {
  /** In bytes, from the start of what was looked at. */
  readonly offset: number;
  /** That of a reader there. */
  readonly state: ReaderState;
}

/** The least that is looked at behind a place, in bytes. */
const STEP = 256;

/**
 * Finds the first place between two units that is not below an index.
 *
 * @param state - That of a reader at the start of the bytes.
 * @param isLast - Whether the input ends with the bytes.
 * @returns Undefined where the unit goes on behind the bytes.
 */
export function findUnit(
  format: Format,
  state: ReaderState,
  bytes: Uint8Array,
  index: number,
  isLast: boolean,
): Unit | undefined {
  let place: Unit = { offset: 0, state };
  // As far as units are whole before the index, they need no search.
  const isAll = isLast && index === bytes.length;
  place = skip(format, place, bytes, index, isAll) ?? place;
  while (place.offset < index) {
    const next = findNext(format, place, bytes, index, isLast);
    if (!next) return undefined;
    place = next;
  }
  return place;
}

/** The end of the one unit that begins at a place. */
function findNext(
  format: Format,
  place: Unit,
  bytes: Uint8Array,
  index: number,
  isLast: boolean,
): Unit | undefined {
  const tryTo = (end: number): Unit | undefined =>
    skip(format, place, bytes, end, isLast && end === bytes.length);
  // First far enough, in steps that double, and then back to the least that is far enough.
  let low = Math.max(index, place.offset + 1) - 1;
  let high = low;
  let found: Unit | undefined;
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
  { offset, state }: Unit,
  bytes: Uint8Array,
  end: number,
  isLast: boolean,
): Unit | undefined {
  if (end <= offset) return undefined;
  const reader = format.createReader(state);
  const skipped = reader.skip(bytes.subarray(offset, end), isLast);
  return skipped === 0 ? undefined : { offset: offset + skipped, state: reader.state };
}

/**
 * Skips one unit at least; more where units are short.
 *
 * @param bytes - They end where a unit ends.
 * @param least - How many it takes at least.
 * @returns The index behind what was skipped.
 */
export function skipUnits(reader: Reader, bytes: Uint8Array, least: number): number {
  for (let end = least; ; end *= 2) {
    const length = reader.skip(bytes.subarray(0, end), false);
    if (length > 0) return length;
    // Only the last line of a file can be a unit without its end.
    if (end >= bytes.length) return reader.skip(bytes, true) || bytes.length;
  }
}
