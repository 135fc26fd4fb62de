/**
 * Loops convert until the first character that they cannot, and say where it is. They know bytes and code
 * units; no policy, no error and no message. They work on one window at a time: `windows.ts` moves them over
 * an input.
 */

/** How far a conversion came. */
export interface Progress {
  /** The index in the source after the last whole character. */
  read: number;
  /** The index in the target after the last one written. */
  written: number;
}

/**
 * The exact loops of an encoding. They stop for two reasons only: a doubt, or that the next character
 * is cut by the end of what they were given, or has no room.
 */
export interface Loops {
  /**
   * Decodes whole characters of `source[from..to)` to UTF-16 code units, into `target` from `at` on,
   * where there is room for two code units per byte. Doubts what is not well-formed, and code points
   * above U+10FFFF.
   */
  decode(
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint16Array,
    at: number,
    progress: Progress,
  ): void;

  /**
   * Encodes the characters that begin in `text[from..to)` into `target` at `at`, as far as there is
   * room. Doubts what the encoding does not contain.
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
   * Returns the index after the last whole character before the first that is not well-formed, or is
   * cut by `to`. Unlike {@link Loops.decode} it stops nowhere else.
   */
  validate(source: Uint8Array, from: number, to: number): number;
}

/** Converts one window of bytes of one encoding to bytes of another, by the rules of {@link Loops}. */
export interface TranscodeWindow {
  (
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void;
  /** Bytes of room that it needs in the target for each byte of the source, at least. */
  readonly growth: number;
  /** The memory that it works on: a source at the start of `input` is read where it is. */
  readonly memory: { readonly input: Uint8Array; readonly output: Uint8Array };
}
