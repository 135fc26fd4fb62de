import type { Fault, FaultReason } from './fault.js';
import { formatCodePoint, formatHex } from './grammar.js';

/**
 * Thrown where bytes are malformed and the policy is `strict`.
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
  override readonly name = 'DecodeError';
  readonly code = 'ERR_UTF8_DECODE';
  /** The name of the codec. */
  declare readonly encoding: string;
  /** In bytes from the start of the input; of the whole stream in a `Decoder` or `Transcoder`. */
  declare readonly offset: number;
  /** In bytes: the maximal subpart. */
  declare readonly length: number;
  declare readonly reason: FaultReason;
  declare readonly incomplete: boolean;

  constructor(encoding: string, fault: Fault, bytes: Uint8Array) {
    const hint = fault.reason === 'unrepresentable' ? '; decodeCodePoints() can hold it' : '';
    super(
      `Malformed ${encoding} at byte ${fault.offset}: ${fault.reason} (${formatBytes(bytes)})${hint}.`,
    );
    Object.assign(this, fault, { encoding });
  }
}

/**
 * Thrown where a text or a number cannot be encoded: a lone surrogate, or a number outside the
 * encoding's domain.
 */
export class EncodeError extends TypeError {
  override readonly name = 'EncodeError';
  readonly code = 'ERR_UTF8_ENCODE';
  /** The name of the codec. */
  declare readonly encoding: string;
  /** In UTF-16 code units from the start of the text; in `encodeCodePoints`, an index of numbers. */
  declare readonly offset: number;
  declare readonly codePoint: number;

  constructor(encoding: string, offset: number, codePoint: number) {
    const isHalf = codePoint >= 0xd800 && codePoint <= 0xdfff;
    const what =
      Number.isInteger(codePoint) && codePoint >= 0 ? formatCodePoint(codePoint) : codePoint;
    super(
      `${encoding} cannot encode ${isHalf ? 'the lone surrogate ' : ''}${what} at index ${offset}.`,
    );
    Object.assign(this, { encoding, offset, codePoint });
  }
}

/** A result that no string or no memory can hold, with the way that has no such limit. */
export function createRangeError(result: string, coder: string, cause: unknown): RangeError {
  return new RangeError(`${result} can be; work in pieces with ${coder} or ${coder}Stream.`, {
    cause,
  });
}

/**
 * Writes bytes as upper-case hex, separated by spaces.
 *
 * @example
 * ```ts
 * import { formatBytes } from '@utf8/core';
 *
 * formatBytes(Uint8Array.of(0xed, 0xa0, 0xbd)); // => 'ED A0 BD'
 * ```
 */
export function formatBytes(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => formatHex(byte, 2)).join(' ');
}
