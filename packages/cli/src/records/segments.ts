/**
 * A file of records as segments of whole units, each of which can be read without the others. Where a
 * unit ends only its format knows, and some formats only when they have read all that is before.
 */
import { InputFailure } from '../failure.js';
import type { Format, Reader, ReaderState } from '../formats/format.js';
import type { Source } from '../source.js';
import { findUnit } from './unit.js';

/** A place between two units of a segment. */
export interface Mark {
  /** In bytes from the start of the segment. */
  readonly offset: number;
  /** That of a reader there. */
  readonly state: ReaderState;
}

/** A stretch of the input. */
export interface Segment {
  /** Whole units. */
  readonly bytes: Uint8Array;
  /** Where it begins in the input, in bytes. */
  readonly offset: number;
  /** That of a reader before it, and behind it. */
  readonly state: ReaderState;
  readonly next: ReaderState;
  /** Some places in it, in order, so that who looks at a part need not read all that is before. */
  readonly marks: readonly Mark[];
}

/** Which part of the input to read, and how. */
export interface SegmentOptions {
  /** Where to begin, in bytes: where a unit begins. What is read in order has to be there already. */
  readonly from?: number;
  /** The units that begin at this byte or behind it are left out. */
  readonly to?: number;
  /** That of a reader at `from`; needed where that is not 0. */
  readonly state?: ReaderState | undefined;
  /** How long a segment is where units are shorter, in bytes. */
  readonly size?: number;
  /** How long a unit may be, in bytes. */
  readonly most?: number;
  /** Whether each segment has memory of its own; by default it is used again for a later one. */
  readonly owned?: boolean;
}

/** Enough that a cut costs nothing beside it, and little enough for a thread to hold several. */
export const SIZE: number = 1 << 20;

/** How far marks are apart where units are shorter, in bytes. */
const STEP = 1 << 13;

/** 256 MiB: more than any row that a database takes in one statement by default. */
const MOST = 1 << 28;

/**
 * Reads a source as segments, in memory that grows only with the longest unit.
 *
 * @throws {@link InputFailure} where a unit is too long.
 * @throws {@link FormatFailure} where the input is not of the format.
 */
export async function* segments(
  source: Pick<Source, 'name' | 'read'>,
  format: Format,
  {
    from = 0,
    to = Number.POSITIVE_INFINITY,
    state,
    size = SIZE,
    most = MOST,
    owned = false,
  }: SegmentOptions = {},
): AsyncGenerator<Segment, void, undefined> {
  let reader = format.createReader(state);
  let memory: Uint8Array = new Uint8Array(size);
  let length = 0;
  let offset = from;
  let isLast = false;
  const skipper = new Skipper();
  while (offset < to) {
    while (length < memory.length && !isLast) {
      const count = await source.read(memory.subarray(length), offset + length);
      length += count;
      isLast = count === 0;
    }
    if (length === 0) return;
    const before = reader.state;
    const bytes = memory.subarray(0, length);
    let cut: number;
    let marks: Mark[] = [];
    if (to - offset > length) {
      ({ cut, marks } = skipper.skip(reader, bytes, isLast));
    } else {
      const end = findUnit(format, before, bytes, to - offset, isLast);
      cut = end?.offset ?? 0;
      if (end) reader = format.createReader(end.state);
    }
    if (cut === 0) {
      // A unit that is longer than all memory so far.
      if (length >= most) throw tooLong(source.name, before.line, most);
      memory = grow(memory, length, Math.min(most, 2 * memory.length));
      continue;
    }
    const rest = memory.subarray(cut, length);
    // Copied before the segment is given away, since its memory may go with it.
    const spare = owned ? new Uint8Array(Math.max(size, rest.length)) : memory;
    if (owned) spare.set(rest);
    yield { bytes: memory.subarray(0, cut), offset, state: before, next: reader.state, marks };
    if (!owned) memory.copyWithin(0, cut, length);
    memory = spare;
    length -= cut;
    offset += cut;
  }
}

/** Skips units, and leaves marks. */
class Skipper {
  /** How much is skipped at once, in bytes: several units, so that little is looked at twice. */
  #step = STEP;

  /** Skips all whole units; `cut` is the index behind them. */
  skip(reader: Reader, bytes: Uint8Array, isLast: boolean): { cut: number; marks: Mark[] } {
    const marks: Mark[] = [];
    let cut = 0;
    while (cut < bytes.length) {
      const end = Math.min(bytes.length, cut + this.#step);
      const isEnd = end === bytes.length;
      const skipped = reader.skip(bytes.subarray(cut, end), isLast && isEnd);
      if (skipped === 0 && isEnd) break;
      if (skipped === 0) this.#step *= 2;
      else marks.push({ offset: cut + skipped, state: reader.state });
      cut += skipped;
    }
    return { cut, marks };
  }
}

function grow(memory: Uint8Array, length: number, size: number): Uint8Array {
  const grown = new Uint8Array(size);
  grown.set(memory.subarray(0, length));
  return grown;
}

function tooLong(name: string, line: number, most: number): InputFailure {
  return new InputFailure(
    `${name}: what begins in line ${line} has no end within ${most >> 20} MiB; close the quote in it, or name the right --format`,
  );
}
