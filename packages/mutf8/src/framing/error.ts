/**
 * Thrown if a frame does not fit into its input, its target or its length field, or if its stated length
 * differs from the actual length.
 *
 * @example
 * ```ts
 * import { FrameError, readUTF } from '@utf8/mutf8/framing';
 *
 * try {
 *   readUTF(Uint8Array.of(0x00, 0x05, 0x61, 0x62));
 * } catch (error) {
 *   (error as FrameError).missing; // => 3
 * }
 * ```
 */
export class FrameError extends RangeError {
  /** The name of the class. */
  override readonly name = 'FrameError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_UTF8_FRAME';
  /** Start of the frame, in bytes. */
  readonly offset: number;
  /**
   * Least number of bytes that the frame or its target lacks; 0 if the problem is a different one. A reader
   * of a stream waits for this many bytes.
   */
  readonly missing: number;

  /**
   * @param message - The description of the problem.
   * @param offset - Start of the frame, in bytes.
   * @param missing - The number of missing bytes; 0 by default.
   */
  constructor(message: string, offset: number, missing = 0) {
    super(message);
    this.offset = offset;
    this.missing = missing;
  }
}

/** Formats a number and a noun. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Reports that the input ends within a frame. */
export function failCut(frame: string, offset: number, missing: number, least = ''): never {
  const verb = missing === 1 ? 'is' : 'are';
  throw new FrameError(
    `The ${frame} at byte ${offset} runs past the end: ${least}${count(missing, 'byte')} ${verb} missing.`,
    offset,
    missing,
  );
}
