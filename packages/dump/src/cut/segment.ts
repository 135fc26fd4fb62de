import type { ReaderState } from '../format/format.js';

/** A stretch of the input. */
export interface Segment {
  /** Whole units, except in a verbatim segment. */
  readonly bytes: Uint8Array;
  /** Some bytes that follow, as far as they are known: the reason of a fault may depend on them. */
  readonly ahead: Uint8Array;
  /** Offset in the input, in bytes. */
  readonly offset: number;
  /** State of a reader before the segment, and after it. */
  readonly state: ReaderState;
  readonly next: ReaderState;
  /**
   * True if nothing in it has changed the context of its states; a thread receives only the first such
   * context.
   */
  readonly keepsContext?: boolean;
  /** True if it is part of a unit that exceeds memory and contains nothing to repair. */
  readonly isVerbatim?: boolean;
}
