/**
 * A source as segments of whole units, each of which can be processed without the others. Only the
 * format knows where a unit ends, and some formats only after reading everything before it.
 */
import { InputError } from '../error.js';
import type { Format, Reader, ReaderState } from '../format/format.js';
import type { Source } from '../open/source.js';
import { Turns } from '../turns.js';
import { LongUnit } from './long-unit.js';
import type { Segment } from './segment.js';
import { findUnit } from './unit.js';

/** Which part of the input to read, and how. */
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
  /** Allocates memory of at least so many bytes for each segment; without it, all short segments share one. */
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
  // Where a long unit begins that cannot pass unread.
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
    // The reason of a fault at the end of the range may depend on what follows.
    const isDecided = isLast || bytes.length >= limit + AHEAD;
    return { length: isDecided ? limit : 0, reader };
  }
  const unit = findUnit(format, reader.state, bytes, limit, isLast);
  if (!unit) return { length: 0, reader };
  return { length: unit.offset, reader: format.createReader(unit.state) };
}

const tooLong = (name: string, line: number, most: number): InputError =>
  new InputError(
    `${name}: record at line ${line} exceeds ${most >> 20} MiB; is a quote left open?`,
  );
