/** The cause of a fault. */
export type FaultReason =
  /** A trail byte (80..BF) without a lead byte. */
  | 'unexpected-continuation'
  /** A byte that begins no sequence in any variant: FE, FF. */
  | 'invalid-lead'
  /** The start of a sequence, followed by a wrong byte or by the end. */
  | 'truncated'
  /** A sequence that is longer than the shortest form of its code point. */
  | 'overlong'
  /** A surrogate, or one surrogate of a pair without the other. */
  | 'surrogate'
  /** A code point above the variant's domain. */
  | 'too-large'
  /** A legal code point that this variant encodes differently. */
  | 'wrong-form'
  /** Well-formed, but no string contains it: above U+10FFFF, or a surrogate that is a number. */
  | 'unrepresentable';
