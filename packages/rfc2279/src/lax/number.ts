/** Single numbers in the scheme of RFC 2279 and one byte more: FLAC's coded numbers. */
import type { Bytes, Fault, OwnBytes } from '@utf8/core';
import { DecodeError, viewOf } from '@utf8/core/make';
import { encodeCodePoints, findFault, name } from '../generated/lax/index.js';

/** A number, and the index after it. */
export interface CodedNumber {
  /** From 0 to 2 ** 36 - 1. */
  readonly value: number;
  /** In bytes. */
  readonly next: number;
}

/** The least number that needs a length, by that length in bytes. */
const LEAST = [0, 0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000, 0x8000_0000];

const LONGEST = 7;

const GREATEST = 0xf_ffff_ffff;

/** The lead of seven bytes, which has no bits of the number. */
const LONGEST_LEAD = 0b1111_1110;

/** The bits of a trail byte. */
const BITS = 0b0011_1111;

/** How many numbers a trail byte tells apart. */
const WIDTH = 64;

const isTrail = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & ~BITS) === 0b1000_0000;

/**
 * Reads a number of up to 36 bits in one to seven bytes, as FLAC codes the numbers of frames and samples.
 * Surrogates are numbers like all others.
 *
 * @param bytes - Any buffer, or any view of one.
 * @param offset - Where the number begins, in bytes.
 * @returns The number, and the index after it, in bytes from the start of `bytes`.
 * @throws DecodeError if the bytes are malformed, overlong or cut short; in a number that the end of
 *   `bytes` cuts, `incomplete` is true.
 * @throws RangeError if the offset is not a whole number from 0 to the length.
 * @throws TypeError if `bytes` is neither a buffer nor a view of one.
 * @example
 * ```ts
 * import { readNumber } from '@utf8/rfc2279/lax';
 *
 * // Frame 55,296 of a FLAC file, after the four bytes that begin its header.
 * readNumber(Uint8Array.of(0xff, 0xf8, 0xc9, 0x18, 0xed, 0xa0, 0x80), 4); // => { value: 55296, next: 7 }
 * readNumber(Uint8Array.of(0xfe, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf)).value; // => 2 ** 36 - 1
 * ```
 * @see RFC 9639, section 9.1.5
 */
export function readNumber(bytes: Bytes, offset = 0): CodedNumber {
  const all = viewOf(bytes);
  if (!(Number.isInteger(offset) && offset >= 0 && offset <= all.length)) {
    throw new RangeError(`Expected an offset from 0 to ${all.length}, but got ${String(offset)}.`);
  }
  // A copy, as another thread may change what is read twice.
  const source = all.slice(offset, offset + LONGEST);
  const [lead = 0b1000_0000] = source;
  // 0xxxxxxx, 110xxxxx, 1110xxxx, …
  const length = lead < 0x80 ? 1 : Math.clz32(~lead << 24);
  let value = length === 1 ? lead : lead & (0x7f >> length);
  let read = 1;
  for (; read < length && isTrail(source[read]); read++) {
    value = value * WIDTH + ((source[read] as number) & BITS);
  }
  if (read === length && !isTrail(lead) && value >= (LEAST[length] as number)) {
    return { value, next: offset + length };
  }
  const fault = { ...describe(source, read), offset };
  throw new DecodeError(name, fault, source.subarray(0, fault.length));
}

/** Describes what is wrong with a number, of which the first bytes could be one. */
function describe(source: Uint8Array, read: number): Omit<Fault, 'offset'> {
  if (source.length === 0) return { length: 0, reason: 'truncated', incomplete: true };
  if (source[0] !== LONGEST_LEAD) return findFault(source) as Fault;
  // FE 80 and FE 81 begin what has less than 32 bits.
  if (isTrail(source[1]) && (source[1] as number) < 0x82) {
    return { length: 1, reason: 'overlong', incomplete: false };
  }
  return { length: read, reason: 'truncated', incomplete: read === source.length };
}

/**
 * Writes a number of up to 36 bits in one to seven bytes, as FLAC codes the numbers of frames and samples.
 *
 * @param value - A whole number from 0 to 2 ** 36 - 1.
 * @returns The bytes, in memory of their own.
 * @throws RangeError if the value is another one.
 * @example
 * ```ts
 * import { writeNumber } from '@utf8/rfc2279/lax';
 *
 * writeNumber(55_296); // => Uint8Array.of(0xed, 0xa0, 0x80)
 * writeNumber(2 ** 36 - 1); // => Uint8Array.of(0xfe, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf)
 * ```
 * @see RFC 9639, section 9.1.5
 */
export function writeNumber(value: number): OwnBytes {
  if (!(Number.isInteger(value) && value >= 0 && value <= GREATEST)) {
    throw new RangeError(
      `Expected a whole number from 0 to ${GREATEST}, but got ${String(value)}.`,
    );
  }
  if (value < 2 ** 31) return encodeCodePoints([value]);
  const bytes = Uint8Array.of(LONGEST_LEAD, 0, 0, 0, 0, 0, 0);
  let rest = value;
  for (let i = LONGEST - 1; i > 0; i--) {
    bytes[i] = 0b1000_0000 | (rest % WIDTH);
    rest = Math.floor(rest / WIDTH);
  }
  return bytes;
}
