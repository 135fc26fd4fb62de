/**
 * A source as segments of whole units, each of which can be processed without the others. Only the
 * format knows where a unit ends, and some formats only after reading everything before it.
 */
import { InputError } from '../error.js';
import type { Format, Reader, ReaderState } from '../format/format.js';
import type { Source } from '../open/source.js';
import { patience } from '../test-distance.js';
import { LongUnit } from './long-unit.js';
import type { Segment } from './segment.js';

export type { Segment } from './segment.js';

/** Returns the state after a segment, with its context if that is known to a thread. */
export const stateAfter = ({ state, next, keepsContext }: Segment): ReaderState => ({
  ...next,
  context: keepsContext ? state.context : null,
});

/**
 * Tells whether a unit ends with a segment, so that a reader can start after it. Within a verbatim unit
 * the state stays the same object.
 */
export const endsUnit = ({
  isVerbatim = false,
  state,
  next,
}: Pick<Segment, 'isVerbatim' | 'state' | 'next'>): boolean => !isVerbatim || next !== state;

/** Lets the event loop have a turn now and then, so that a signal ends a run within a second. */
export class Turns {
  readonly #patience = patience();
  #last = performance.now();

  /** True if the event loop should have a turn now. */
  get isDue(): boolean {
    return performance.now() - this.#last >= this.#patience;
  }

  /** Waits while signals and timers have their turn. */
  async take(): Promise<void> {
    await new Promise((done) => setImmediate(done));
    this.#last = performance.now();
  }
}

/** Part of the input to read, and how to cut it. */
export interface SegmentOptions {
  /** First byte, where a unit begins. A source that is read in order must be there already. */
  readonly from?: number;
  /** Units that begin at this byte or later are left out. */
  readonly to?: number;
  /** State of a reader at `from`; required if that is not 0. */
  readonly state?: ReaderState | undefined;
  /** Segment size in bytes, unless a unit is longer. */
  readonly size?: number;
  /** Longest unit that is held in memory, in bytes. */
  readonly most?: number;
  /** Memory for all segments in turn, of at least `size` and 64 bytes. */
  readonly memory?: Uint8Array | undefined;
  /** Allocates memory of at least this many bytes for each segment; without it, all short segments share one. */
  readonly allocate?: ((length: number) => Uint8Array) | undefined;
  /** Recognises clean bytes; units of any size pass if they are clean. Without it, none does. */
  readonly isClean?: ((bytes: Uint8Array) => boolean) | undefined;
  /** Longest unit in memory if it may pass unread, in bytes. */
  readonly long?: number;
}

/** 192 KiB stay in a processor's own cache while they are read, converted and written. */
export const SEGMENT: number = 3 << 16;

/** Reads start at a multiple of this, since the system copies aligned bytes faster. */
const ALIGNMENT = 64;

/** Bytes after a cut that decide the reason of a fault before it. No sequence is longer. */
const AHEAD = 16;

/** Longest segment that is processed while signals wait, in bytes. A longer one has memory of its own. */
export const LONG: number = 1 << 22;

/** 256 MiB, more than any row that a database accepts in one statement by default. */
const MOST = 1 << 28;

/**
 * Reads a source as segments, in memory that grows only with the longest unit.
 *
 * @throws {@link InputError} if a unit is too long.
 * @throws {@link FormatError} if the input is not of the format.
 */
export async function* segments(
  source: Pick<Source, 'name' | 'read' | 'size'>,
  format: Format,
  options: SegmentOptions = {},
): AsyncGenerator<Segment, void, undefined> {
  const { from = 0, to = Number.POSITIVE_INFINITY, size = SEGMENT, most = MOST } = options;
  const { allocate, isClean, long = LONG } = options;
  const wanted = format.findBoundary ? to + AHEAD : Number.POSITIVE_INFINITY;
  let reader = format.createReader(options.state);
  let memory: Uint8Array = options.memory ?? new Uint8Array(ALIGNMENT + size);
  let start = ALIGNMENT;
  let end = ALIGNMENT;
  let offset = from;
  // Start of a long unit that cannot be copied without being parsed.
  let read = -1;
  // Bytes without the end of a unit are looked at again only when memory is full.
  let isFilling = false;
  const turns = new Turns();
  while (offset < to) {
    // Reading a file waits for nothing.
    if (turns.isDue) await turns.take();
    let isLast = false;
    do {
      const limit = Math.min(memory.length, end + size, start + wanted - offset);
      if (limit <= end) break;
      const count = await source.read(memory.subarray(end, limit), offset + end - start);
      end += count;
      isLast = count === 0;
    } while (isFilling && !isLast);
    isFilling = false;
    const bytes = memory.subarray(start, end);
    if (bytes.length === 0) {
      // The input may end where a unit does, and yet be truncated: within the rows of a COPY.
      if (isLast) reader.skip(bytes, true);
      return;
    }
    const { state } = reader;
    const cut = cutUnits(format, reader, bytes, to - offset, isLast);
    if (cut.length === 0) {
      if (bytes.length >= most) throw tooLong(source.name, state.line, most);
      if (isClean && read !== offset && bytes.length >= long) {
        const unit = new LongUnit(source, format, { state, offset, size, isClean });
        const isPassed = yield* unit.pass(bytes);
        if (isPassed) {
          offset = unit.end;
          reader = format.createReader(unit.state);
        } else {
          read = offset;
        }
        const { left } = unit;
        if (left.length > most) throw tooLong(source.name, state.line, most);
        if (ALIGNMENT + left.length + size > memory.length) {
          memory = new Uint8Array(ALIGNMENT + left.length + size);
        }
        memory.set(left, ALIGNMENT);
        start = ALIGNMENT;
        end = start + left.length;
        continue;
      }
      if (end === memory.length) {
        const grown = new Uint8Array(Math.min(ALIGNMENT + most, 2 * memory.length));
        grown.set(bytes, ALIGNMENT);
        memory = grown;
        end += ALIGNMENT - start;
        start = ALIGNMENT;
      }
      isFilling = !format.findBoundary;
      continue;
    }
    reader = cut.reader;
    const middle = start + cut.length;
    const rest = end - middle;
    const next = Math.ceil(Math.max(rest, 1) / ALIGNMENT) * ALIGNMENT;
    // Copied before the segment is given away, since its memory may go with it.
    const isOwn = allocate !== undefined || cut.length >= LONG;
    const spare = isOwn ? (allocate?.(next + size) ?? new Uint8Array(next + size)) : memory;
    if (isOwn) spare.set(memory.subarray(middle, end), next - rest);
    yield {
      bytes: memory.subarray(start, middle),
      ahead: memory.subarray(middle, Math.min(end, middle + AHEAD)),
      offset,
      state,
      next: reader.state,
      keepsContext: reader.state.context === state.context,
    };
    if (!isOwn) memory.copyWithin(next - rest, middle, end);
    memory = spare;
    start = next - rest;
    end = next;
    offset += cut.length;
    if (isLast) return;
  }
}

/** Finds the last end of a unit in bytes, or the first one at `limit` or after it. */
function cutUnits(
  format: Format,
  reader: Reader,
  bytes: Uint8Array,
  limit: number,
  isLast: boolean,
): { length: number; reader: Reader } {
  if (limit > bytes.length) return { length: reader.skip(bytes, isLast), reader };
  // If boundaries can be found from anywhere, the end of a range is one already.
  if (format.findBoundary) {
    // The reason of a fault at the end of the range may depend on the next bytes.
    const isDecided = isLast || bytes.length >= limit + AHEAD;
    return { length: isDecided ? limit : 0, reader };
  }
  const unit = findUnit(format, reader.state, bytes, limit, isLast);
  if (!unit) return { length: 0, reader };
  return { length: unit.offset, reader: format.createReader(unit.state) };
}

const tooLong = (name: string, line: number, most: number): InputError =>
  new InputError(`${name}:${line}: record exceeds ${most >> 20} MiB; is a quote left open?`);

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
 * @param isLast - True if the input ends with the bytes.
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
