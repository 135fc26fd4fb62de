/**
 * Readings of bytes as characters of legacy encodings, and the search for UTF-8 that was read so: bytes are
 * searched natively for what mojibake has and clean text has rarely.
 */
import { indexOfByte } from './byte-search.js';
import { type LegacyEncoding, legacyEncodings, readLegacyByte } from './legacy-encoding.js';
import { isPlausible } from './written-character.js';

/** A reading of bytes as one character each: the byte of each code point from U+0080 on. */
export interface LegacyReading {
  /** The name in findings. */
  readonly name: LegacyEncoding | 'iso-8859-1';
  readonly bytes: ReadonlyMap<number, number>;
}

const NO_CHARACTER = 0xfffd;

function createReading(name: LegacyReading['name'], read: (byte: number) => number): LegacyReading {
  const bytes = new Map<number, number>();
  for (let byte = 0x80; byte < 0x100; byte++) {
    const codePoint = read(byte);
    if (codePoint !== NO_CHARACTER) bytes.set(codePoint, byte);
  }
  return { name, bytes };
}

const [WINDOWS_1252, ...others] = legacyEncodings as readonly [LegacyEncoding, ...LegacyEncoding[]];

/** As the WHATWG's decoder reads Windows-1252, with C1 controls for 81, 8D, 8F, 90 and 9D. */
export const readingOfWindows1252: LegacyReading = createReading(WINDOWS_1252, (byte) =>
  readLegacyByte(WINDOWS_1252, byte),
);

/** ISO 8859-1, with C1 controls for 80 to 9F. */
export const readingOfLatin1: LegacyReading = createReading('iso-8859-1', (byte) => byte);

/** Possible roles of a code point, with a bit for each of the other encodings. */
interface Roles {
  /** By the length that a lead announces. */
  readonly leads: Int32Array;
  trails: number;
}

const NO_ROLES: Roles = { leads: new Int32Array(5), trails: 0 };

interface OtherReadings {
  readonly readings: readonly LegacyReading[];
  readonly roles: ReadonlyMap<number, Roles>;
}

let otherReadings: OtherReadings | undefined;

/** The readings other than Windows-1252 and ISO 8859-1, created on first use, since few programs need them. */
function prepare(): OtherReadings {
  if (otherReadings) return otherReadings;
  const readings = others.map((name) => createReading(name, (byte) => readLegacyByte(name, byte)));
  const roles = new Map<number, Roles>();
  for (const [i, { bytes }] of readings.entries()) {
    for (const [codePoint, byte] of bytes) {
      const found = roles.get(codePoint) ?? { leads: new Int32Array(5), trails: 0 };
      roles.set(codePoint, found);
      const length = announcedLength(byte);
      if (length > 1) (found.leads[length] as number) |= 1 << i;
      else if (byte < 0xc0) found.trails |= 1 << i;
    }
  }
  otherReadings = { readings, roles };
  return otherReadings;
}

function announcedLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Returns the readings of a set. */
export const listReadings = (set: number): readonly LegacyReading[] =>
  set === 0 ? [] : prepare().readings.filter((_, i) => set & (1 << i));

/**
 * First bytes of characters of which mojibake has one in nearly every word: Ã and other letters of ISO 8859-1,
 * signs of it, letters such as Ă and Ĺ, and punctuation, symbols and box drawing.
 */
const ANCHORS = [0xc3, 0xc2, 0xc4, 0xe2] as const;
const isAnchor = new Uint8Array(0x100);
for (const anchor of ANCHORS) isAnchor[anchor] = 1;

/** Bytes that a loop reads as fast as four native searches. */
const SHORT = 64;

/**
 * Calls a function for anchors next to another character above U+007F, in any order, until it
 * returns true: no reading makes a character of a single one.
 *
 * @returns True if it has returned true.
 */
export function someAnchor(bytes: Uint8Array, test: (index: number) => boolean): boolean {
  if (bytes.length <= SHORT) {
    for (let i = 0; i < bytes.length; i++) {
      if (isAnchor[bytes[i] as number] && !isSingle(bytes, i) && test(i)) return true;
    }
    return false;
  }
  // From one anchor to the next, a search is faster than a loop even in text that has one in each word.
  for (const anchor of ANCHORS) {
    for (let i = -1; ; ) {
      i = indexOfByte(bytes, anchor, i + 1);
      if (i === -1) break;
      if (!isSingle(bytes, i) && test(i)) return true;
    }
  }
  return false;
}

const isSingle = (bytes: Uint8Array, i: number): boolean =>
  isAscii(bytes[i - 1]) && isAscii(bytes[i + lengthAt(bytes, i)]);

/** Reads the character at an index; -1 if it is ASCII, malformed, or above U+FFFF. */
function readAt(bytes: Uint8Array, i: number): number {
  const lead = bytes[i] as number;
  const second = (bytes[i + 1] as number) & 0x3f;
  if (lead >= 0xc2 && lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  if (lead < 0xe0 || lead >= 0xf0) return -1;
  return ((lead & 0xf) << 12) | (second << 6) | ((bytes[i + 2] as number) & 0x3f);
}

const lengthAt = (bytes: Uint8Array, i: number): number => ((bytes[i] as number) < 0xe0 ? 2 : 3);

const isAscii = (byte: number | undefined): boolean => byte === undefined || byte < 0x80;

const NO_BREAK_SPACE = 0xa0;

/**
 * Finds the other readings in which an anchor is part of a character that people write.
 *
 * @returns A set of readings.
 */
export function findReadingsAt(bytes: Uint8Array, anchor: number): number {
  // It follows letters of many languages, and is not a letter of any.
  if (readAt(bytes, anchor) === NO_BREAK_SPACE) return 0;
  let set = 0;
  // The anchor is the first character of a sequence, or one of the three after it.
  for (let start = anchor, back = 0; back < 4; back++) {
    set |= findReadingsOf(bytes, start, back + 1);
    if (isAscii(bytes[start - 1])) break;
    do start--;
    while (start > 0 && ((bytes[start] as number) & 0xc0) === 0x80);
  }
  return set;
}

/** Finds the readings in which a sequence of at least so many characters begins at an index. */
function findReadingsOf(bytes: Uint8Array, start: number, least: number): number {
  const { roles, readings } = prepare();
  const { leads } = roles.get(readAt(bytes, start)) ?? NO_ROLES;
  let set = 0;
  let trails = -1;
  let end = start + lengthAt(bytes, start);
  for (let length = 2; length <= 4; length++) {
    trails &= (roles.get(end < bytes.length ? readAt(bytes, end) : -1) ?? NO_ROLES).trails;
    if (trails === 0) return set;
    end += lengthAt(bytes, end);
    const found = length < least ? 0 : (leads[length] as number) & trails;
    if (found === 0) continue;
    for (const [i, reading] of readings.entries()) {
      if (found & (1 << i) && hasPlausible(bytes, start, length, reading)) set |= 1 << i;
    }
  }
  return set;
}

function hasPlausible(
  bytes: Uint8Array,
  start: number,
  length: number,
  reading: LegacyReading,
): boolean {
  let codePoint = 0;
  for (let i = start, k = 0; k < length; k++, i += lengthAt(bytes, i)) {
    const byte = reading.bytes.get(readAt(bytes, i)) as number;
    codePoint = k === 0 ? byte & (0x7f >> length) : (codePoint << 6) | (byte & 0x3f);
  }
  // The first surrogate of a pair in CESU-8 is plausible, too.
  return isPlausible(codePoint, reading.bytes) || (codePoint >= 0xd800 && codePoint < 0xdc00);
}
