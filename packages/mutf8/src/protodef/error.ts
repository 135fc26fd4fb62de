import type { FrameError } from '../framing/index.js';

/**
 * Thrown if a text runs past the end of the buffer. ProtoDef's parsers recognize it by `partialReadError`,
 * and wait for more bytes.
 *
 * @example
 * ```ts
 * import { createStringType, type PartialReadError } from '@utf8/mutf8/protodef';
 *
 * const [read] = createStringType();
 * try {
 *   read(Uint8Array.of(0x00, 0x02, 0xc0), 0);
 * } catch (error) {
 *   (error as PartialReadError).missing; // => 1
 * }
 * ```
 */
export class PartialReadError extends RangeError {
  /** The name of the class. */
  override readonly name = 'PartialReadError';
  /** The code of the error: that of a `FrameError`. */
  readonly code = 'ERR_UTF8_FRAME';
  /** True, by which ProtoDef's parsers recognize the error. */
  readonly partialReadError = true;
  /** Least number of bytes that must follow. */
  readonly missing: number;

  /** @param cause - The error of the frame's reader. */
  constructor(cause: FrameError) {
    super(cause.message, { cause });
    this.missing = cause.missing;
  }
}
