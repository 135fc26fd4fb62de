/**
 * Classifies sequences of bytes. All variants follow one scheme (RFC 2279, section 2): a lead announces
 * a length, and trail bytes follow. They differ in the kinds of sequence that they accept.
 */

/** The kinds of sequence. The last three are incomplete, and have the names of their fault reasons. */
export const sequenceKinds = [
  'ascii',
  'twoByte',
  'threeByte',
  'fourByte',
  'pair',
  'highSurrogate',
  'lowSurrogate',
  'modifiedNul',
  'nul',
  'overlong',
  'beyondUnicode',
  'fiveByte',
  'sixByte',
  'truncated',
  'unexpectedContinuation',
  'invalidLead',
] as const;

/** Upper bound of classes, for arrays that are indexed by them. */
export const CLASS_COUNT: number = sequenceKinds.length * 8;

/** Packs a kind and a length in bytes into a class: the length is the lowest three bits. */
export const classOf = (kind: (typeof sequenceKinds)[number], length: number): number =>
  (sequenceKinds.indexOf(kind) << 3) | length;

/**
 * By lead: the length and kind of a complete sequence, and the kind if its second byte is at least
 * `second`. {@link classify} distinguishes high surrogates, low surrogates and pairs.
 */
const leads: readonly (readonly [
  first: number,
  last: number,
  length: number,
  kind: (typeof sequenceKinds)[number],
  second?: number,
  later?: (typeof sequenceKinds)[number],
])[] = [
  [0x00, 0x00, 1, 'nul'],
  [0x01, 0x7f, 1, 'ascii'],
  [0x80, 0xbf, 1, 'unexpectedContinuation'],
  [0xc0, 0xc0, 2, 'modifiedNul', 0x81, 'overlong'],
  [0xc1, 0xc1, 2, 'overlong'],
  [0xc2, 0xdf, 2, 'twoByte'],
  [0xe0, 0xe0, 3, 'overlong', 0xa0, 'threeByte'],
  [0xe1, 0xec, 3, 'threeByte'],
  [0xed, 0xed, 3, 'threeByte', 0xa0, 'highSurrogate'],
  [0xee, 0xef, 3, 'threeByte'],
  [0xf0, 0xf0, 4, 'overlong', 0x90, 'fourByte'],
  [0xf1, 0xf3, 4, 'fourByte'],
  [0xf4, 0xf4, 4, 'fourByte', 0x90, 'beyondUnicode'],
  [0xf5, 0xf7, 4, 'beyondUnicode'],
  [0xf8, 0xf8, 5, 'overlong', 0x88, 'fiveByte'],
  [0xf9, 0xfb, 5, 'fiveByte'],
  [0xfc, 0xfc, 6, 'overlong', 0x84, 'sixByte'],
  [0xfd, 0xfd, 6, 'sixByte'],
  [0xfe, 0xff, 1, 'invalidLead'],
];

/** By lead, from the lowest byte up: the class, the class from `second` on, and `second`. */
const table: Int32Array = /* @__PURE__ */ createTable();

function createTable(): Int32Array {
  const entries = new Int32Array(256);
  for (const [first, last, length, kind, second = 0xff, later = kind] of leads) {
    const entry = (second << 16) | (classOf(later, length) << 8) | classOf(kind, length);
    entries.fill(entry, first, last + 1);
  }
  return entries;
}

const TRUNCATED = /* @__PURE__ */ classOf('truncated', 0);
const HIGH_SURROGATE = /* @__PURE__ */ classOf('highSurrogate', 3);
const LOW_SURROGATE = /* @__PURE__ */ classOf('lowSurrogate', 3);
const PAIR = /* @__PURE__ */ classOf('pair', 6);

/**
 * Classifies the sequence at an index, without allocating.
 *
 * @param bytes - The input.
 * @param index - Start of the sequence, in bytes.
 * @param end - The index after the last byte that may be read.
 * @returns A class, which {@link classKind} and {@link classLength} unpack.
 * @see RFC 2279, section 2; Unicode 16.0, section 3.9, Table 3-7
 */
export function classify(bytes: Uint8Array, index: number, end: number): number {
  const entry = table[bytes[index] as number] as number;
  const length = classLength(entry);
  if (length === 1) return entry & 0xff;
  const second = bytes[index + 1] as number;
  if (index + 1 >= end || (second & 0b1100_0000) !== 0x80) return TRUNCATED | 1;
  for (let n = 2; n < length; n++) {
    if (index + n >= end || ((bytes[index + n] as number) & 0b1100_0000) !== 0x80)
      return TRUNCATED | n;
  }
  const found = (second < entry >> 16 ? entry : entry >> 8) & 0xff;
  if (found !== HIGH_SURROGATE) return found;
  if (second > 0xaf) return LOW_SURROGATE;
  // U+10000..U+10FFFF = ED A0-AF 80-BF + ED B0-BF 80-BF
  const isPair =
    index + 5 < end &&
    bytes[index + 3] === 0xed &&
    ((bytes[index + 4] as number) & 0b1111_0000) === 0xb0 &&
    ((bytes[index + 5] as number) & 0b1100_0000) === 0x80;
  return isPair ? PAIR : HIGH_SURROGATE;
}

/** Returns the kind of a class, as an index of {@link sequenceKinds}. */
export const classKind = (packed: number): number => packed >> 3;

/** Returns the length of a class, in bytes. */
export const classLength = (packed: number): number => packed & 0b111;

/**
 * Reads the code point of a complete sequence of any kind.
 *
 * @param bytes - The input.
 * @param index - Start of the sequence, in bytes.
 * @param length - Length of the sequence, in bytes. Incomplete kinds have no code point.
 * @returns The payload bits as a number.
 */
export function readCodePoint(bytes: Uint8Array, index: number, length: number): number {
  const lead = bytes[index] as number;
  if (length === 1) return lead;
  // U+10000..U+10FFFF = ED A0-AF 80-BF + ED B0-BF 80-BF
  if (length === 6 && lead === 0xed) {
    const high = readPayload(bytes, index + 1);
    return 0x10000 + ((high << 10) | readPayload(bytes, index + 4));
  }
  let codePoint = lead & (0xff >> (length + 1));
  for (let i = index + 1; i < index + length; i++) {
    codePoint = (codePoint << 6) | ((bytes[i] as number) & 0b11_1111);
  }
  return codePoint;
}

/** Reads the ten bits of a surrogate from its second and third byte. */
const readPayload = (bytes: Uint8Array, index: number): number =>
  (((bytes[index] as number) & 0b1111) << 6) | ((bytes[index + 1] as number) & 0b11_1111);
