/**
 * Loops convert up to the first character that they cannot convert, and return its index. They know bytes and
 * code units, but no policy, no error and no message. They work on one window at a time: `windows.ts` moves
 * them over an input.
 */

/** The progress of a conversion. */
export interface Progress {
  /** The index in the source after the last whole character. */
  read: number;
  /** The index in the target after the last one written. */
  written: number;
}

/** Memory for UTF-16 code units. */
export type CodeUnits = Uint16Array | number[];

/**
 * The exact loops of an encoding. They stop only at a character that they cannot convert, that the end of the
 * input cuts.
 */
export interface Loops {
  /**
   * Decodes whole characters of `source[from..to)` to UTF-16 code units, into `target` from `at` on. The
   * target must have room for two code units per byte. Stops at malformed bytes, and at code points above
   * U+10FFFF.
   */
  decode(
    source: Uint8Array,
    from: number,
    to: number,
    target: CodeUnits,
    at: number,
    progress: Progress,
  ): void;

  /**
   * Encodes the characters that begin in `text[from..to)` into `target` at `at`. The target must have room for
   * the most bytes that each code unit can take, and if `to` may cut a pair, for one more. Stops at a code point
   * that the encoding does not contain.
   */
  encode(
    text: string,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void;

  /**
   * Returns the index of the first character that is malformed, or that `to` cuts. Unlike
   * {@link Loops.decode} it stops nowhere else.
   */
  validate(source: Uint8Array, from: number, to: number): number;
}
