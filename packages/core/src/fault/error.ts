import { formatBytes, formatCodePoint } from '../grammar/format.js';
import type { FaultReason } from '../grammar/reason.js';
import type { Fault } from './fault.js';

/**
 * Thrown if bytes are malformed and the policy is `strict`, and by `transcode` if the target cannot encode a
 * code point.
 *
 * A `TypeError`, as `TextDecoder` throws in fatal mode. The fields are those of the {@link Fault}.
 *
 * @example
 * ```ts
 * import { DecodeError } from '@utf8/core';
 * import { decode } from '@utf8/strict';
 *
 * try {
 *   decode(Uint8Array.of(0x41, 0xc0, 0x80));
 * } catch (error) {
 *   (error as DecodeError).offset; // => 1
 *   (error as DecodeError).reason; // => 'overlong'
 * }
 * ```
 */
export class DecodeError extends TypeError implements Fault {
  /** The name of the class. */
  declare readonly name: 'DecodeError';
  /** The code of the error, which is the same in every copy of this package. */
  declare readonly code: 'ERR_UTF8_DECODE';
  /** The name of the codec. */
  declare readonly encoding: string;
  /** In bytes from the start of the input; of the whole stream in a `Decoder` or `Transcoder`. */
  declare readonly offset: number;
  /** In bytes: the maximal subpart. */
  declare readonly length: number;
  /** The cause of the fault. */
  declare readonly reason: FaultReason;
  /** True if the bytes from `offset` to the end are a proper prefix of a well-formed sequence. */
  declare readonly incomplete: boolean;

  /**
   * Makes the error of a fault; codecs do this, programs catch it.
   *
   * @param encoding - The name of the codec.
   * @param fault - The offset, the length and the cause of the fault.
   * @param bytes - The faulty bytes, for the message.
   * @param problem - The problem with well-formed bytes; undefined if they are malformed.
   */
  constructor(encoding: string, fault: Fault, bytes: Uint8Array, problem?: string) {
    const { offset, reason } = fault;
    const what = reason === 'unrepresentable' ? 'Use decodeCodePoints() for' : 'Malformed';
    // A single byte with this reason is a lead byte of UTF-8.
    const form = reason === 'wrong-form' && !bytes[1] ? ", UTF-8's form" : '';
    super(
      `${problem ?? `${what} ${encoding}`} at byte ${offset}: ${reason} (${formatBytes(bytes)})${form}.`,
    );
    Object.assign(this, fault, { name: 'DecodeError', code: 'ERR_UTF8_DECODE', encoding });
  }
}

/**
 * Thrown if a text or a number cannot be encoded: it is outside the encoding's domain.
 *
 * @example
 * ```ts
 * import { EncodeError } from '@utf8/core';
 * import { encode } from '@utf8/strict';
 *
 * try {
 *   encode('ab\ud83d');
 * } catch (error) {
 *   error instanceof EncodeError; // => true
 *   (error as EncodeError).offset; // => 2
 *   (error as EncodeError).codePoint; // => 0xd83d
 * }
 * ```
 */
export class EncodeError extends TypeError {
  /** The name of the class. */
  declare readonly name: 'EncodeError';
  /** The code of the error, which is the same in every copy of this package. */
  declare readonly code: 'ERR_UTF8_ENCODE';
  /** The name of the codec. */
  declare readonly encoding: string;
  /** In UTF-16 code units from the start of the text; in `encodeCodePoints`, an index of numbers. */
  declare readonly offset: number;
  /** The code point, such as an unpaired surrogate, or a number that is not a code point. */
  declare readonly codePoint: number;

  /**
   * Makes the error of a text; codecs do this, programs catch it.
   *
   * @param encoding - The name of the codec.
   * @param offset - In UTF-16 code units from the start of the text, or an index of numbers.
   * @param codePoint - The code point or number that the encoding does not contain.
   */
  constructor(encoding: string, offset: number, codePoint: number) {
    const what = codePoint >= 0 ? formatCodePoint(codePoint) : codePoint;
    super(
      `${encoding} cannot encode ${isSurrogate(codePoint) ? 'the lone surrogate ' : ''}${what} at index ${offset}.`,
    );
    Object.assign(this, {
      name: 'EncodeError',
      code: 'ERR_UTF8_ENCODE',
      encoding,
      offset,
      codePoint,
    });
  }
}

/** Tells whether a code point is a surrogate. */
export const isSurrogate = (codePoint: number): boolean =>
  codePoint >= 0xd800 && codePoint <= 0xdfff;

/** Makes the error for a text that does not fit in a string. It names `Decoder`, which has no such limit. */
export const createRangeError = (): RangeError =>
  new RangeError('The text is too long for a string; use Decoder.');
