/** Faults as users see them. */
import type { FaultReason } from '../grammar/reason.js';

/**
 * One malformed range of bytes.
 *
 * @see Unicode 16.0, section 3.9, D93b, "maximal subpart"
 */
export interface Fault {
  /** In bytes from the start of the input; of the whole stream in a `Decoder` or `Transcoder`. */
  readonly offset: number;
  /** In bytes: the maximal subpart. */
  readonly length: number;
  /** The cause. */
  readonly reason: FaultReason;
  /** True if the bytes from `offset` to the end are a proper prefix of a well-formed sequence. */
  readonly incomplete: boolean;
}
