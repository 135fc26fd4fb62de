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
  /** A surrogate, or one surrogate of a pair without the other. */
  | 'surrogate'
  /** Above what the variant's domain contains. */
  | 'too-large'
  /** A legal code point that this variant spells otherwise. */
  | 'wrong-form'
  /** Well-formed, but no string contains it: above U+10FFFF, or a surrogate where those are numbers. */
  | 'unrepresentable';
