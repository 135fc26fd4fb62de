/** A file as scan goes through it. */
import type { Format, ReaderState } from '../formats/format.js';
import { type Segment, segments } from '../records/segments.js';
import { findStretches } from '../records/stretches.js';
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
    const some = whole.isClean ? [] : listStretches(segment, format, isClean);
    yield {
      stretches: readsAll() ? [whole] : some,
      records: next.record - state.record,
      length: bytes.length,
    };
  }
}

function* listStretches(
  segment: Segment,
  format: Format,
  isClean: (bytes: Uint8Array) => boolean,
): Generator<Stretch, void, undefined> {
  const { bytes, offset } = segment;
  for (const { start, end, state } of findStretches(segment, format, isClean)) {
    yield { bytes: bytes.subarray(start, end), offset: offset + start, state, isClean: false };
  }
}
