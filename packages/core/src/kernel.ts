/**
 * Kernels transcode until their first doubt and say where it is. They know bytes and code units; no
 * policy, no error and no message. A kernel that makes no progress at all has found a doubt at the
 * very start, which is how the drivers ask: any stop before that may be for want of room or input.
 */

/** How far a kernel came. */
export interface Progress {
  /** The index in the source behind the last whole character. */
  read: number;
  /** The index in the target behind the last one written. */
  written: number;
}

/** The three inner loops of a codec. */
export interface Kernel {
  /**
   * Decodes whole characters of `source[from..to)` to UTF-16 code units at the start of `target`,
   * which has room for two units a byte. Stops at what is not well-formed, at a sequence that `to`
   * cuts, and at a code point above U+10FFFF.
   */
  decode(
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint16Array,
    progress: Progress,
  ): void;

  /**
   * Encodes whole characters of `text`, from the code unit `from` on, into `target` at `at`. Stops at
   * a lone surrogate that the encoding lacks, and at a character that `target` has no room for.
   */
  encode(text: string, from: number, target: Uint8Array, at: number, progress: Progress): void;

  /**
   * The index behind the last whole character before the first that is not well-formed, or is cut by
   * `to`. Unlike {@link Kernel.decode} it stops nowhere else.
   */
  validate(source: Uint8Array, from: number, to: number): number;
}
