/**
 * Thrown where a frame does not fit: into the bytes that it is read from, into its target, or into the
 * length that stands before it; and where a length that is stated is not the length that is found.
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
  /** Where the frame begins, in bytes. */
  readonly offset: number;
  /**
   * How many more bytes the frame, or its target, would have to have, at least; 0 where bytes are not
   * what is wrong. A reader of a stream waits for as many more.
   */
  readonly missing: number;

  /**
   * @param message - What does not fit.
   * @param offset - Where the frame begins, in bytes.
   * @param missing - How many more bytes are needed; 0 by default.
   */
  constructor(message: string, offset: number, missing = 0) {
    super(message);
    this.offset = offset;
    this.missing = missing;
  }
}

/** A number of something, as a sentence has it. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Says that the input ends within a frame. */
export function failCut(frame: string, offset: number, missing: number, least = ''): never {
  const verb = missing === 1 ? 'is' : 'are';
  throw new FrameError(
    `The ${frame} at byte ${offset} runs past the end: ${least}${count(missing, 'byte')} ${verb} missing.`,
    offset,
    missing,
  );
}
