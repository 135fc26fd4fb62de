/** Splits an input into sequences, and reads the bits of leads. */
import {
  classify,
  classKind,
  classLength,
  readCodePoint,
  sequenceKinds,
} from '@utf8/detect/internal';

/**
 * A kind of sequence. `bom` is U+FEFF at the start of the input, and `replacement` is U+FFFD; both have
 * three bytes. `truncated`, `unexpectedContinuation` and `invalidLead` are incomplete sequences.
 */
export type SequenceKind =
  | 'ascii'
  | 'twoByte'
  | 'threeByte'
  | 'fourByte'
  | 'pair'
  | 'highSurrogate'
  | 'lowSurrogate'
  | 'modifiedNul'
  | 'nul'
  | 'overlong'
  | 'beyondUnicode'
  | 'fiveByte'
  | 'sixByte'
  | 'truncated'
  | 'unexpectedContinuation'
  | 'invalidLead'
  | 'bom'
  | 'replacement';

/** A sequence of an input: one character, or bytes that are malformed together. */
export interface Sequence {
  /** The kind of the sequence. */
  readonly kind: SequenceKind;
  /** Offset from the start of the input, in bytes. */
  readonly offset: number;
  /** The bytes of the sequence, a view of the input. */
  readonly bytes: Uint8Array;
  /** The payload bits as a number; undefined if the sequence is incomplete. */
  readonly codePoint: number | undefined;
  /** The byte after the sequence; undefined at the end of the input. */
  readonly next: number | undefined;
}

/** Number of bytes that decide the kind of a sequence: a pair, and the byte after it. */
const WINDOW = 7;

const LF = 0x0a;

/**
 * Splits a part of an input into sequences.
 *
 * @param bytes - The part.
 * @param offset - Offset of the part in the input, in bytes.
 * @param isLast - False if more bytes may follow.
 * @returns The number of bytes that were split. Pass the others again, followed by the next bytes.
 * @example
 * ```ts
 * import { split } from '@utf8/explain';
 *
 * const bytes = Uint8Array.of(0x41, 0xc0, 0xae);
 * Array.from(split(bytes, 0, true), ({ kind }) => kind); // => ['ascii', 'overlong']
 * ```
 * @see RFC 2279, section 2; Unicode 16.0, section 3.9, D93b
 */
export function* split(
  bytes: Uint8Array,
  offset = 0,
  isLast = true,
): Generator<Sequence, number, undefined> {
  // A line feed is never part of a longer sequence, so a typed line needs no further bytes.
  const isDecided = isLast || bytes[bytes.length - 1] === LF;
  const limit = isDecided ? bytes.length : bytes.length - WINDOW + 1;
  let i = 0;
  while (i < limit) {
    const found = classify(bytes, i, bytes.length);
    const length = classLength(found);
    const kind = sequenceKinds[classKind(found)] as SequenceKind;
    const codePoint = isComplete(kind) ? readCodePoint(bytes, i, length) : undefined;
    yield {
      kind: kind === 'threeByte' ? refine(codePoint, offset + i) : kind,
      offset: offset + i,
      bytes: bytes.subarray(i, i + length),
      codePoint,
      next: bytes[i + length],
    };
    i += length;
  }
  return i;
}

const isComplete = (kind: SequenceKind): boolean =>
  kind !== 'truncated' && kind !== 'unexpectedContinuation' && kind !== 'invalidLead';

/** Distinguishes the characters of three bytes that have a kind of their own. */
function refine(codePoint: number | undefined, offset: number): SequenceKind {
  if (codePoint === 0xfeff && offset === 0) return 'bom';
  return codePoint === 0xfffd ? 'replacement' : 'threeByte';
}

/** Returns the length that a lead announces, in bytes; 0 if the byte is not a lead. @see RFC 2279, section 2 */
export function announcedLength(lead: number): number {
  if (lead < 0x80) return 1;
  return lead < 0xc0 || lead > 0xfd ? 0 : Math.clz32(~(lead << 24));
}

/** Returns the number of marker bits of a byte, from 1 to 8; its other bits are payload. */
export const markerLength = (byte: number): number => Math.min(8, Math.clz32(~(byte << 24)) + 1);

/** Returns the number of bytes in which RFC 2279 encodes a code point of up to 31 bits. */
export function shortestLength(codePoint: number): number {
  const firsts = [0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000];
  return firsts.filter((first) => codePoint >= first).length + 1;
}
