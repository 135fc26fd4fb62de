/** The parts of a file that have to be read piece by piece; the others are passed over. */
import type { Format, ReaderState } from '../formats/format.js';
import { findDoubt } from '../records/doubt.js';
import { type Segment, segments } from '../records/segments.js';
import { skipUnits } from '../records/unit.js';
import type { Source } from '../source.js';

/** Whole units. */
export interface Stretch {
  readonly bytes: Uint8Array;
  /** Where it begins in the file, in bytes. */
  readonly offset: number;
  /** That of a reader before it. */
  readonly state: ReaderState;
  /** Whether it is known that nothing in it would change. */
  readonly isClean: boolean;
}

/** What is told of each segment of a file. */
export interface Part {
  /** In order; they are looked for when they are asked for. */
  readonly stretches: Iterable<Stretch>;
  readonly records: number;
  /** In bytes. */
  readonly length: number;
}

/**
 * Reads a file.
 *
 * @param isClean - Whether nothing in bytes would change.
 * @param readsAll - Whether what would not change is to be read, too; asked for each segment.
 */
export async function* readParts(
  source: Source,
  format: Format,
  isClean: (bytes: Uint8Array) => boolean,
  readsAll: () => boolean,
): AsyncGenerator<Part, void, undefined> {
  for await (const segment of segments(source, format)) {
    const { bytes, state, next } = segment;
    const whole = { ...segment, isClean: isClean(bytes) };
    const some = whole.isClean ? [] : findStretches(segment, format, isClean);
    yield {
      stretches: readsAll() ? [whole] : some,
      records: next.record - state.record,
      length: bytes.length,
    };
  }
}

/** Finds the units in doubt, so that one bad row does not have its whole segment read. */
function* findStretches(
  { bytes, offset, state }: Segment,
  format: Format,
  isClean: (bytes: Uint8Array) => boolean,
): Generator<Stretch, void, undefined> {
  const reader = format.createReader(state);
  for (let start = 0; start < bytes.length; ) {
    const doubt = findDoubt(bytes, start, isClean);
    if (!doubt) return;
    if (doubt.start > start) start += reader.skip(bytes.subarray(start, doubt.start), false);
    const before = reader.state;
    const length = skipUnits(reader, bytes.subarray(start), doubt.end - start);
    const found = bytes.subarray(start, start + length);
    yield { bytes: found, offset: offset + start, state: before, isClean: false };
    start += length;
  }
}
