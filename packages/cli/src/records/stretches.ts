/** The parts of a segment that have to be read piece by piece; the others are passed over. */
import type { Format, ReaderState } from '../formats/format.js';
import { findDoubt } from './doubt.js';
import type { Mark, Segment } from './segments.js';
import { skipUnits } from './unit.js';

/** Whole units of a segment. */
export interface Stretch {
  /** In the segment's bytes. */
  readonly start: number;
  readonly end: number;
  /** That of a reader before it. */
  readonly state: ReaderState;
}

/**
 * Finds the units in doubt, so that one bad row does not have its whole segment read.
 *
 * @param isClean - Whether nothing in bytes would change.
 */
export function* findStretches(
  { bytes, state, marks }: Segment,
  format: Format,
  isClean: (bytes: Uint8Array) => boolean,
): Generator<Stretch, void, undefined> {
  let reader = format.createReader(state);
  let start = 0;
  let next = 0;
  while (start < bytes.length) {
    const doubt = findDoubt(bytes, start, isClean);
    if (!doubt) return;
    let mark: Mark | undefined;
    while ((marks[next]?.offset ?? bytes.length) <= doubt.start) mark = marks[next++];
    if (mark && mark.offset > start) {
      start = mark.offset;
      reader = format.createReader(mark.state);
    }
    if (doubt.start > start) start += reader.skip(bytes.subarray(start, doubt.start), false);
    const before = reader.state;
    const end = start + skipUnits(reader, bytes.subarray(start), doubt.end - start);
    yield { start, end, state: before };
    start = end;
  }
}
