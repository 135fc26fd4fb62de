import type { FrameError } from '../framing/index.js';

/**
 * Thrown where a text runs past the end of the buffer. ProtoDef's parsers know it by `partialReadError`,
 * and wait for more bytes.
 */
export class PartialReadError extends RangeError {
  override readonly name = 'PartialReadError';
  readonly code = 'ERR_UTF8_FRAME';
  readonly partialReadError = true;
  /** How many bytes have to follow, at least. */
  readonly missing: number;

  constructor(cause: FrameError) {
    super(cause.message, { cause });
    this.missing = cause.missing;
  }
}
