/** Numbers of 32 bits: seven bits a byte, the lowest first; the highest bit is set if more bytes follow. */
import { lengthOf } from '@utf8/core/parts';
import { FrameError, failCut } from './error.js';

/** The longest number, in bytes, and the greatest value of its last byte. */
const LONGEST = 5;
const GREATEST_LAST = 0b1111;

/** Reads the number at the start of a frame; like the formats themselves, it accepts redundant zeros. */
export function readUleb128(
  bytes: Uint8Array,
  offset: number,
  frame: string,
): { value: number; next: number } {
  let value = 0;
  for (let i = 0; i < LONGEST; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined) failCut(frame, offset, offset + i + 1 - lengthOf(bytes), 'at least ');
    if (i === LONGEST - 1 && byte > GREATEST_LAST) break;
    value += (byte & 0b111_1111) * 2 ** (7 * i);
    if (byte < 0x80) return { value, next: offset + i + 1 };
  }
  throw new FrameError(
    `The ${frame} at byte ${offset} has a length of more than 32 bits; it is not a uleb128.`,
    offset,
  );
}

/** Encodes a number in as few bytes as possible. */
export function encodeUleb128(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0b111_1111) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}
