/**
 * Bytes as the sequences that somebody meant: a lead and the trail bytes behind it, as many as it asks
 * for. All variants are dialects of one scheme (RFC 2279, section 2), so this is what they have in
 * common; what each of them makes of a sequence is another matter.
 */

/** What a sequence looks like. Each has a rule, which says what to think of it. */
export type Form =
  | 'ascii'
  | 'nul'
  | 'twoByte'
  | 'threeByte'
  | 'fourByte'
  | 'bom'
  | 'replacement'
  | 'pair'
  | 'modifiedNul'
  | 'overlong'
  | 'highHalf'
  | 'lowHalf'
  | 'beyondUnicode'
  | 'fiveByte'
  | 'sixByte'
  | 'cut'
  | 'stray'
  | 'never';

/** Some bytes that belong together. */
export interface Sequence {
  readonly form: Form;
  /** In bytes from the start of the input. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** What the payload bits add up to; undefined where some are missing. */
  readonly codePoint: number | undefined;
  /** The byte behind, undefined at the end of the input. */
  readonly next: number | undefined;
}

/** How many bytes from its start settle a sequence: a pair, and the byte behind. */
const REACH = 7;

const LF = 0x0a;

/**
 * Splits a stretch of the input into sequences.
 *
 * @param offset - Where the stretch begins in the input, in bytes.
 * @param isLast - False where more bytes may follow.
 * @returns How many bytes were split; the others are to be given again with those that follow.
 */
export function* split(
  bytes: Uint8Array,
  offset: number,
  isLast: boolean,
): Generator<Sequence, number, undefined> {
  // A line feed ends what is before it, so that a line that somebody types is explained at once.
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
export type Reading = Pick<Sequence, 'form' | 'codePoint'> & { readonly length: number };

/**
 * Reads the sequence at an index.
 *
 * @param offset - Where in the input that is, in bytes: a byte order mark stands at its beginning.
 */
export function readSequence(bytes: Uint8Array, i: number, offset: number): Reading {
  const lead = bytes[i] as number;
  if (lead < 0x80) return { form: lead === 0 ? 'nul' : 'ascii', length: 1, codePoint: lead };
  if (isTrail(lead)) return { form: 'stray', length: 1, codePoint: undefined };
  const needed = lengthOf(lead);
  if (needed === 0) return { form: 'never', length: 1, codePoint: undefined };
  let length = 1;
  let codePoint = lead % 2 ** (7 - needed);
  for (; length < needed && isTrail(bytes[i + length]); length++) {
    codePoint = codePoint * 64 + ((bytes[i + length] as number) & 0b11_1111);
  }
  if (length < needed) return { form: 'cut', length, codePoint: undefined };
  if (isHigh(codePoint) && length === 3) {
    const low = bytes[i + 3] === 0xed ? readThree(bytes, i + 3) : undefined;
    if (low !== undefined && isLow(low)) {
      const pair = 0x10000 + (codePoint - 0xd800) * 0x400 + (low - 0xdc00);
      return { form: 'pair', length: 6, codePoint: pair };
    }
  }
  return { form: classify(codePoint, length, offset), length, codePoint };
}

function readThree(bytes: Uint8Array, i: number): number | undefined {
  const [lead = 0, second = 0, third = 0] = bytes.subarray(i, i + 3);
  if (!isTrail(second) || !isTrail(third)) return undefined;
  return ((lead & 0b1111) << 12) | ((second & 0b11_1111) << 6) | (third & 0b11_1111);
}

function classify(codePoint: number, length: number, offset: number): Form {
  if (length === 2 && codePoint === 0) return 'modifiedNul';
  if (length > leastLength(codePoint)) return 'overlong';
  if (isHigh(codePoint)) return 'highHalf';
  if (isLow(codePoint)) return 'lowHalf';
  if (codePoint === 0xfeff && offset === 0) return 'bom';
  if (codePoint === 0xfffd) return 'replacement';
  if (length === 4 && codePoint > 0x10ffff) return 'beyondUnicode';
  return forms[length] as Form;
}

/** By length. */
const forms: readonly (Form | undefined)[] = [
  undefined,
  'ascii',
  'twoByte',
  'threeByte',
  'fourByte',
  'fiveByte',
  'sixByte',
];

const isTrail = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0x80;

const isHigh = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint <= 0xdbff;

const isLow = (codePoint: number): boolean => codePoint >= 0xdc00 && codePoint <= 0xdfff;

/** How many bytes a lead asks for; 0 for one that leads nothing. */
export function lengthOf(lead: number): number {
  if (lead < 0x80) return 1;
  return lead < 0xc0 || lead > 0xfd ? 0 : Math.clz32(~(lead << 24));
}

/** How many of a byte's bits, counted from the top, say what it is; the others are payload. */
export function markerLength(byte: number): number {
  return Math.min(8, Math.clz32(~(byte << 24)) + 1);
}

/** The number of bytes in which RFC 2279 writes a code point. */
export function leastLength(codePoint: number): number {
  return (
    [0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000].filter((first) => codePoint >= first).length + 1
  );
}
