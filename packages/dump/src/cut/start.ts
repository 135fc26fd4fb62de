/** Start of the units of a range. */
import type { Format, ReaderState } from '../format/format.js';
import type { Source } from '../open/source.js';
import { type Segment, segments } from './segments.js';

/** The first unit of a range. */
export interface RangeStart {
  /** Offset in the input, in bytes. */
  readonly offset: number;
  /** State of a reader there; undefined at the start of the file. */
  readonly state: ReaderState | undefined;
  /** True if the state counts lines and records from the start of the file. */
  readonly isCounted: boolean;
}

const LF = 0x0a;

/** Start of a file. */
const BEGINNING: RangeStart = { offset: 0, state: undefined, isCounted: true };

/** Bytes to read at once while looking for the end of a line. */
const STEP = 1 << 16;

/**
 * Finds the first unit that begins at an offset or after it. If lines are units, nothing before it is
 * read except the first line, which may name the columns.
 */
export async function findStart(
  source: Source,
  format: Format,
  offset: number,
): Promise<RangeStart> {
  if (offset === 0) return BEGINNING;
  if (format.findBoundary) {
    return { offset: await format.findBoundary(source, offset), state: undefined, isCounted: true };
  }
  if (!format.isLineBased) return countTo(source, format, offset);
  const first = await countTo(source, format, 1);
  if (first.offset >= offset) return first;
  // Only from the start is it known which lines belong together.
  if (first.state && format.findGroups?.(first.state)) return countTo(source, format, offset);
  const memory = new Uint8Array(STEP);
  // A line that begins at the offset ends one byte before it.
  for (let position = offset - 1; ; ) {
    const count = await source.read(memory, position);
    const feed = memory.subarray(0, count).indexOf(LF);
    if (count === 0 || feed !== -1) {
      return { offset: position + feed + 1, state: first.state, isCounted: false };
    }
    position += count;
  }
}

/**
 * Finds the same by reading everything before it, to count lines and records.
 *
 * @param watch - Receives the bytes that are read.
 * @param from - The start of the search: that of the file, or a cut.
 */
export async function countTo(
  source: Source,
  format: Format,
  offset: number,
  watch?: (segment: Segment) => void,
  from: RangeStart = BEGINNING,
): Promise<RangeStart> {
  let start = from;
  const isClean = (): boolean => true;
  const options = { from: from.offset, state: from.state, to: offset, isClean };
  for await (const segment of segments(source, format, options)) {
    const { bytes, offset: at, next } = segment;
    watch?.(segment);
    start = { offset: at + bytes.length, state: next, isCounted: true };
  }
  return start;
}
