import type { Fault, FaultReason } from './fault.js';
import { formatByte, formatCodePoint } from './grammar.js';

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
  readonly encoding: string;
  /** In bytes from the start of the input; of the whole stream in a `Decoder` or `Transcoder`. */
  readonly offset: number;
  /** In bytes: the maximal subpart. */
  readonly length: number;
  readonly reason: FaultReason;
  readonly incomplete: boolean;

  constructor(encoding: string, fault: Fault, bytes: Uint8Array) {
    const hint =
      fault.reason === 'unrepresentable'
        ? '; no string holds a code point above U+10FFFF, decodeCodePoints() does'
        : '';
    super(
      `Malformed ${encoding} at byte ${fault.offset}: ${fault.reason} (${formatBytes(bytes)})${hint}.`,
    );
    this.encoding = encoding;
    this.offset = fault.offset;
    this.length = fault.length;
    this.reason = fault.reason;
    this.incomplete = fault.incomplete;
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
  readonly encoding: string;
  /** In UTF-16 code units from the start of the text; in `encodeCodePoints`, an index of numbers. */
  readonly offset: number;
  readonly codePoint: number;

  constructor(encoding: string, offset: number, codePoint: number) {
    const isHalf = codePoint >= 0xd800 && codePoint <= 0xdfff;
    const what =
      Number.isInteger(codePoint) && codePoint >= 0 ? formatCodePoint(codePoint) : codePoint;
    super(
      `${encoding} cannot encode ${isHalf ? 'the lone surrogate ' : ''}${what} at index ${offset}.`,
    );
    this.encoding = encoding;
    this.offset = offset;
    this.codePoint = codePoint;
  }
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
  return Array.from(bytes, formatByte).join(' ');
}
