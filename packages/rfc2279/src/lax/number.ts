/** Single numbers in the scheme of RFC 2279 and one byte more: FLAC's coded numbers. */
import type { Bytes, Fault, OwnBytes } from '@utf8/core';
import { DecodeError, viewOf } from '@utf8/core/parts';
import { name } from './grammar.js';

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

/** The bits of a trail byte. */
const BITS = 0b0011_1111;

/** Number of values of a trail byte. */
const WIDTH = 64;

const isTrail = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & ~BITS) === 0b1000_0000;

/**
 * Reads a number of up to 36 bits in one to seven bytes, as FLAC codes the numbers of frames and samples.
 * Surrogates are numbers like all others.
 *
 * @param bytes - Any buffer, or any view of one.
 * @param offset - Start of the number, in bytes.
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
  // A copy, because the bytes are read twice, and another thread may change them.
  const source = all.slice(offset, offset + LONGEST);
  const [lead = 0b1000_0000] = source;
  const length = lengthFrom(lead);
  let value = length === 1 ? lead : lead & (0x7f >> length);
  let read = 1;
  // The greatest number that begins with these bytes ends in ones.
  const isOverlong = (): boolean => (value + 1) * WIDTH ** (length - read) <= (LEAST[length] ?? 0);
  for (; read < length && isTrail(source[read]) && !isOverlong(); read++) {
    value = value * WIDTH + ((source[read] as number) & BITS);
  }
  if (read === length && lead < 0xff && !isTrail(lead) && !isOverlong()) {
    return { value, next: offset + length };
  }
  const fault = { ...describe(source, read, isOverlong()), offset };
  throw new DecodeError(name, fault, source.subarray(0, fault.length));
}

/** 0xxxxxxx, 110xxxxx, 1110xxxx, …, 11111110. */
const lengthFrom = (lead: number): number => (lead < 0x80 ? 1 : Math.clz32(~lead << 24));

/** Describes the fault of a number after some of its bytes were read. */
function describe(source: Uint8Array, read: number, isOverlong: boolean): Omit<Fault, 'offset'> {
  const [lead] = source;
  if (lead === undefined) return { length: 0, reason: 'truncated', incomplete: true };
  if (isTrail(lead)) return { length: 1, reason: 'unexpected-continuation', incomplete: false };
  if (lead === 0xff) return { length: 1, reason: 'invalid-lead', incomplete: false };
  if (isOverlong) return { length: 1, reason: 'overlong', incomplete: false };
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
  const next = LEAST.findIndex((least) => least > value);
  const length = next < 0 ? LONGEST : Math.max(1, next - 1);
  const bytes = new Uint8Array(length);
  let rest = value;
  for (let i = length - 1; i > 0; i--) {
    bytes[i] = 0b1000_0000 | (rest % WIDTH);
    rest = Math.floor(rest / WIDTH);
  }
  bytes[0] = length === 1 ? rest : (0xff00 >> length) | rest;
  return bytes;
}
