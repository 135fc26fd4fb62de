/** One character of UTF-8 or CESU-8 whose bytes were read as characters of a legacy encoding. */
import type { Codec } from '@utf8/core';
import {
  classify,
  classKind,
  classLength,
  readCodePoint,
  sequenceKinds,
} from '@utf8/detect/internal';
import type { LegacyReading } from './legacy-reading.js';
import { isUnassigned } from './unassigned.js';

/** A character that was read as two to six others. */
export interface Misread {
  /** Indices in the text. */
  readonly start: number;
  readonly end: number;
  /** The bytes that were read one by one. */
  readonly bytes: Uint8Array;
  /** Number of C1 controls among the characters, except U+0085, which may end a line. */
  readonly controls: number;
  /** The character that the bytes are. */
  readonly codePoint: number;
  /** Bytes of that character in the target's encoding. */
  readonly becomes: Uint8Array;
}

const [TWO, THREE, FOUR, PAIR, HIGH] = (
  ['twoByte', 'threeByte', 'fourByte', 'pair', 'highSurrogate'] as const
).map((kind) => sequenceKinds.indexOf(kind));

const NEXT_LINE = 0x85;

/** Memory in which the bytes of a character are assembled. */
const scratch = new Uint8Array(6);

/** Index after the characters read last, and the controls among them. */
let next = 0;
let controls = 0;

/**
 * Reads the character at an index.
 *
 * @param end - The index after the last byte that may be read.
 * @param to - The encoding of the result.
 * @returns Undefined if the characters there are not bytes of one, and null if they are bytes of one that `to`
 * does not have, that is unassigned, or for private use.
 */
export function readMisread(
  text: Uint8Array,
  start: number,
  end: number,
  reading: LegacyReading['bytes'],
  to: Codec,
): Misread | null | undefined {
  next = start;
  controls = 0;
  const lead = readByte(text, end, reading);
  if (lead < 0xc2 || lead > 0xf4) return undefined;
  scratch[0] = lead;
  let length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (!readTrails(text, end, reading, 1, length)) return undefined;
  let kind = classKind(classify(scratch, 0, length));
  if (kind === HIGH) {
    length = 6;
    if (readByte(text, end, reading) !== 0xed || !readTrails(text, end, reading, 4, length)) {
      return undefined;
    }
    scratch[3] = 0xed;
    kind = classKind(classify(scratch, 0, length));
  }
  if (kind !== TWO && kind !== THREE && kind !== FOUR && kind !== PAIR) return undefined;
  const codePoint = readCodePoint(scratch, 0, length);
  if (isUnassigned(codePoint) || isPrivate(codePoint)) return null;
  const becomes = encode(to, codePoint);
  const bytes = scratch.slice(0, length);
  return becomes ? { start, end: next, bytes, controls, codePoint, becomes } : null;
}

function readTrails(
  text: Uint8Array,
  end: number,
  reading: LegacyReading['bytes'],
  from: number,
  to: number,
): boolean {
  for (let i = from; i < to; i++) {
    const trail = readByte(text, end, reading);
    if (trail < 0x80 || trail > 0xbf) return false;
    scratch[i] = trail;
  }
  return true;
}

/** Reads one character, and returns its byte; -1 if it is ASCII or has none. */
function readByte(text: Uint8Array, end: number, reading: LegacyReading['bytes']): number {
  if (next >= end) return -1;
  const found = classify(text, next, end);
  const kind = classKind(found);
  if (kind !== TWO && kind !== THREE) return -1;
  const codePoint = readCodePoint(text, next, classLength(found));
  next += classLength(found);
  if (codePoint < 0xa0 && codePoint !== NEXT_LINE) controls++;
  return reading.get(codePoint) ?? -1;
}

const isPrivate = (codePoint: number): boolean =>
  (codePoint >= 0xe000 && codePoint <= 0xf8ff) || codePoint >= 0xf_0000;

/** Returns undefined if the target does not contain the code point. */
function encode(to: Codec, codePoint: number): Uint8Array | undefined {
  try {
    return to.encodeCodePoints([codePoint]);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_UTF8_ENCODE') return undefined;
    throw error;
  }
}
