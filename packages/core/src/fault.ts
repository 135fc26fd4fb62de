/** What is wrong with bytes, as users see it. */

/** The cause of a fault. */
export type FaultReason =
  /** A trail byte (80..BF) without a lead. */
  | 'unexpected-continuation'
  /** A byte that leads nothing in any variant: FE, FF. */
  | 'invalid-lead'
  /** A right start, followed by a wrong byte or the end. */
  | 'truncated'
  /** A code point spelled with more bytes than it needs. */
  | 'overlong'
  /** A surrogate, or half of a pair without its partner. */
  | 'surrogate'
  /** Above what the variant's domain holds. */
  | 'too-large'
  /** A legal code point that this variant spells otherwise. */
  | 'wrong-form'
  /** Well-formed, above U+10FFFF: no JavaScript string holds it. */
  | 'unrepresentable';

/** One malformed stretch of bytes. */
export interface Fault {
  /** In bytes from the start of the input; of the whole stream in a `Decoder` or `Transcoder`. */
  readonly offset: number;
  /** In bytes: the maximal subpart. */
  readonly length: number;
  readonly reason: FaultReason;
  /** Whether all that is left, from `offset` to the end, is a proper prefix of a well-formed sequence. */
  readonly incomplete: boolean;
}
