/** Where the units of a range begin. */
import type { Format, ReaderState } from '../formats/format.js';
import type { Source } from '../source.js';
import { segments } from './segments.js';

/** A place between two units of a file. */
export interface Place {
  /** In bytes. */
  readonly offset: number;
  /** That of a reader there; undefined at the start of the file. */
  readonly state: ReaderState | undefined;
  /** Whether the numbers of the next line and record are right, and not those of the first ones. */
  readonly isCounted: boolean;
}

const LF = 0x0a;

/** How much is read at once to find the end of a line, in bytes. */
const STEP = 1 << 16;

/**
 * Finds the first unit that begins at an offset or behind it. Where lines are units, nothing is read of
 * what is before but the first one, which may name the columns.
 */
export async function findPlace(source: Source, format: Format, offset: number): Promise<Place> {
  if (offset === 0) return { offset, state: undefined, isCounted: true };
  if (!format.isLineBased) return countTo(source, format, offset);
  const first = await countTo(source, format, 1);
  if (first.offset >= offset) return first;
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

/** Finds the same by reading everything before it, so that lines and records are counted, too. */
export async function countTo(source: Source, format: Format, offset: number): Promise<Place> {
  let place: Place = { offset: 0, state: undefined, isCounted: true };
  for await (const { bytes, offset: at, next } of segments(source, format, { to: offset })) {
    place = { offset: at + bytes.length, state: next, isCounted: true };
  }
  return place;
}
