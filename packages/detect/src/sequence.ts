/**
 * What a sequence of bytes is. Every variant is a dialect of one scheme (RFC 2279, section 2): a lead
 * announces a length, and trail bytes follow. The forms are where the dialects differ.
 */

/** The forms that {@link classify} tells apart, numbered by their index. */
export const forms = [
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
  'cut',
  'stray',
  'never',
] as const;

/** A form, or one of two characters of three bytes: U+FEFF at the start of the input, and U+FFFD. */
export type Form = (typeof forms)[number] | 'bom' | 'replacement';

/** The size of an array with one element for each class. */
export const CLASSES: number = forms.length * 8;

/** Returns the class of a form and a length: the length is the lowest three bits. */
export const classOf = (form: (typeof forms)[number], length: number): number =>
  (forms.indexOf(form) << 3) | length;

/**
 * By lead: the length and form of a whole sequence, and the form from some second byte on. What begins
 * as a high surrogate may also be a low one, or a pair.
 */
const leads: readonly (readonly [
  first: number,
  last: number,
  length: number,
  form: (typeof forms)[number],
  second?: number,
  later?: (typeof forms)[number],
])[] = [
  [0x00, 0x00, 1, 'nul'],
  [0x01, 0x7f, 1, 'ascii'],
  [0x80, 0xbf, 1, 'stray'],
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
  [0xfe, 0xff, 1, 'never'],
];

/** By lead, from the lowest byte up: the class, the class from some second byte on, that second byte. */
const table = new Int32Array(256);
for (const [first, last, length, form, second = 0xff, later = form] of leads) {
  const entry = (second << 16) | (classOf(later, length) << 8) | classOf(form, length);
  table.fill(entry, first, last + 1);
}

const CUT = classOf('cut', 0);
const HIGH_SURROGATE = classOf('highSurrogate', 3);
const LOW_SURROGATE = classOf('lowSurrogate', 3);
const PAIR = classOf('pair', 6);

/**
 * Classifies the sequence at an index, without allocating.
 *
 * @param bytes - The input.
 * @param index - Where the sequence begins, in bytes.
 * @param end - The index after the last byte that may be read.
 * @returns The class: a form, and a length in bytes, which {@link formOf} and {@link lengthOf} return.
 * @example
 * ```ts
 * import { classify, formOf, forms, lengthOf } from '@utf8/detect';
 *
 * const code = classify(Uint8Array.of(0xed, 0xa0, 0xbd, 0x41), 0, 4);
 * forms[formOf(code)]; // => 'highSurrogate'
 * lengthOf(code); // => 3
 * ```
 * @see RFC 2279, section 2; Unicode 16.0, section 3.9, Table 3-7
 */
export function classify(bytes: Uint8Array, index: number, end: number): number {
  const entry = table[bytes[index] as number] as number;
  const length = lengthOf(entry);
  if (length === 1) return entry & 0xff;
  const second = bytes[index + 1] as number;
  if (index + 1 >= end || (second & 0b1100_0000) !== 0x80) return CUT | 1;
  for (let n = 2; n < length; n++) {
    if (index + n >= end || ((bytes[index + n] as number) & 0b1100_0000) !== 0x80) return CUT | n;
  }
  const code = (second < entry >> 16 ? entry : entry >> 8) & 0xff;
  if (code !== HIGH_SURROGATE) return code;
  if (second > 0xaf) return LOW_SURROGATE;
  // U+10000..U+10FFFF = ED A0-AF 80-BF + ED B0-BF 80-BF
  const isPair =
    index + 5 < end &&
    bytes[index + 3] === 0xed &&
    ((bytes[index + 4] as number) & 0b1111_0000) === 0xb0 &&
    ((bytes[index + 5] as number) & 0b1100_0000) === 0x80;
  return isPair ? PAIR : HIGH_SURROGATE;
}

/**
 * Returns the form of a class.
 *
 * @param code - A class, as {@link classify} returns it.
 * @returns An index into the array {@link forms}.
 * @example
 * ```ts
 * import { classify, formOf, forms } from '@utf8/detect';
 *
 * forms[formOf(classify(Uint8Array.of(0xc0, 0x80), 0, 2))]; // => 'modifiedNul'
 * ```
 */
export const formOf = (code: number): number => code >> 3;

/**
 * Returns the length of a class.
 *
 * @param code - A class, as {@link classify} returns it.
 * @returns A number of bytes.
 * @example
 * ```ts
 * import { classify, lengthOf } from '@utf8/detect';
 *
 * lengthOf(classify(Uint8Array.of(0xc0, 0x80), 0, 2)); // => 2
 * ```
 */
export const lengthOf = (code: number): number => code & 0b111;

/**
 * Reads the code point of a whole sequence, in whichever form.
 *
 * @param bytes - The input.
 * @param index - Where the sequence begins, in bytes.
 * @param length - Of the sequence, in bytes. The forms `cut`, `stray` and `never` have no code point.
 * @returns The number that the payload bits make.
 * @example
 * ```ts
 * import { readCodePoint } from '@utf8/detect';
 *
 * readCodePoint(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), 0, 6); // => 0x1f600
 * ```
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

/** A sequence, and where it is. */
export interface Sequence {
  /** What the sequence is. */
  readonly form: Form;
  /** In bytes from the start of the input. */
  readonly offset: number;
  /** The bytes of the sequence, a view of the input. */
  readonly bytes: Uint8Array;
  /** The sum of the payload bits; undefined if the sequence is not whole. */
  readonly codePoint: number | undefined;
  /** The byte after it; undefined at the end of the input. */
  readonly next: number | undefined;
}

/** How many bytes from its start settle a sequence: a pair, and the byte after it. */
const REACH = 7;

const LF = 0x0a;

/**
 * Splits a part of an input into sequences.
 *
 * @param bytes - The part.
 * @param offset - Where the part begins in the input, in bytes.
 * @param isLast - False if more bytes may follow.
 * @returns How many bytes were split. Pass the others again, with the bytes that follow.
 * @example
 * ```ts
 * import { split } from '@utf8/detect';
 *
 * const bytes = Uint8Array.of(0x41, 0xc0, 0xae);
 * Array.from(split(bytes, 0, true), ({ form }) => form); // => ['ascii', 'overlong']
 * ```
 */
export function* split(
  bytes: Uint8Array,
  offset = 0,
  isLast = true,
): Generator<Sequence, number, undefined> {
  // A line feed ends the sequence before it, so a typed line is settled at once.
  const isSettled = isLast || bytes[bytes.length - 1] === LF;
  const limit = isSettled ? bytes.length : bytes.length - REACH + 1;
  let i = 0;
  while (i < limit) {
    const { form, length, codePoint } = readSequence(bytes, i, offset + i);
    yield {
      form,
      offset: offset + i,
      bytes: bytes.subarray(i, i + length),
      codePoint,
      next: bytes[i + length],
    };
    i += length;
  }
  return i;
}

/** What a sequence is, and its length in bytes. */
export type Reading = Pick<Sequence, 'form' | 'codePoint'> & {
  /** In bytes. */
  readonly length: number;
};

/**
 * Reads the sequence at an index.
 *
 * @param bytes - A part of the input.
 * @param index - Where the sequence begins in the part, in bytes.
 * @param offset - Where it begins in the input, in bytes: a byte order mark is at 0.
 * @returns The form and the code point of the sequence, and its length in bytes.
 * @example
 * ```ts
 * import { readSequence } from '@utf8/detect';
 *
 * readSequence(Uint8Array.of(0xef, 0xbb, 0xbf), 0, 0); // => { form: 'bom', length: 3, codePoint: 0xfeff }
 * ```
 */
export function readSequence(bytes: Uint8Array, index: number, offset: number): Reading {
  const code = classify(bytes, index, bytes.length);
  const form = forms[formOf(code)] as Form;
  const length = lengthOf(code);
  if (form === 'cut' || form === 'stray' || form === 'never') {
    return { form, length, codePoint: undefined };
  }
  const codePoint = readCodePoint(bytes, index, length);
  if (form === 'threeByte') {
    if (codePoint === 0xfeff && offset === 0) return { form: 'bom', length, codePoint };
    if (codePoint === 0xfffd) return { form: 'replacement', length, codePoint };
  }
  return { form, length, codePoint };
}

/**
 * Returns the length that a lead announces.
 *
 * @param lead - A byte.
 * @returns A number of bytes; 0 if the byte is not a lead.
 * @example
 * ```ts
 * import { lengthByLead } from '@utf8/detect';
 *
 * lengthByLead(0xe2); // => 3
 * lengthByLead(0x80); // => 0
 * ```
 * @see RFC 2279, section 2
 */
export function lengthByLead(lead: number): number {
  if (lead < 0x80) return 1;
  return lead < 0xc0 || lead > 0xfd ? 0 : Math.clz32(~(lead << 24));
}

/**
 * Returns how many of the highest bits of a byte are its marker; the others are payload.
 *
 * @param byte - 0 to 255.
 * @returns A number of bits, from 1 to 8.
 * @example
 * ```ts
 * import { markerLength } from '@utf8/detect';
 *
 * markerLength(0b1110_0010); // => 4
 * markerLength(0b1000_0010); // => 2
 * ```
 * @see RFC 2279, section 2
 */
export function markerLength(byte: number): number {
  return Math.min(8, Math.clz32(~(byte << 24)) + 1);
}

/**
 * Returns the number of bytes in which RFC 2279 writes a code point.
 *
 * @param codePoint - A number of up to 31 bits.
 * @returns A number of bytes, from 1 to 6.
 * @example
 * ```ts
 * import { leastLength } from '@utf8/detect';
 *
 * leastLength(0x20ac); // => 3
 * leastLength(0x7fffffff); // => 6
 * ```
 * @see RFC 2279, section 2
 */
export function leastLength(codePoint: number): number {
  const firsts = [0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000];
  return firsts.filter((first) => codePoint >= first).length + 1;
}
