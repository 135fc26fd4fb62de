/** Where a single unit ends, for readers that only cut after the last whole one. */
import type { Format, Reader, ReaderState } from '../format/format.js';

/** A place between two units. */
export interface UnitBoundary {
  /** Index in the bytes that were searched. */
  readonly offset: number;
  /** State of a reader there. */
  readonly state: ReaderState;
}

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
  const reader = format.createReader(state);
  const skipped =
    index > 0 ? reader.skip(bytes.subarray(0, index), isLast && index === bytes.length) : 0;
  let found: UnitBoundary =
    skipped > 0 ? { offset: skipped, state: reader.state } : { offset: 0, state };
  while (found.offset < index) {
    const scanner = format.createScanner(found.state);
    const length = scanner.push(bytes.subarray(found.offset), isLast);
    if (length === -1) return undefined;
    found = { offset: found.offset + length, state: scanner.state };
  }
  return found;
}

/**
 * Skips one unit, or more if units are short.
 *
 * @param bytes - Whole units.
 * @param least - Bytes to try first.
 * @returns The index after the last unit skipped.
 */
export function skipUnits(reader: Reader, bytes: Uint8Array, least: number): number {
  for (let end = least; end < bytes.length; end *= 2) {
    const length = reader.skip(bytes.subarray(0, end), false);
    if (length > 0) return length;
  }
  const length = reader.skip(bytes, false);
  if (length > 0) return length;
  // The last unit of a file may lack its end, and a number in JSON ends with the byte after it.
  for (const _ of reader.read(bytes));
  return bytes.length;
}
