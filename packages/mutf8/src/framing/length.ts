/** The length before a text: its form, and its unit. */
import { lengthOf } from '@utf8/core/parts';
import { FrameError, failCut } from './error.js';
import { encodeUleb128, readUleb128 } from './uleb128.js';

/** Options of `readUTF` and `writeUTF`: the form of the length before a text, and its meaning. */
export interface LengthOptions {
  /**
   * The length, 2 by default:
   * - `1`, `2`, `4`, `8`: an integer of this many bytes.
   * - `uleb128`: up to 32 bits, seven a byte, the lowest first; Lucene's VInt, Bedrock's varint.
   * - `hadoop-vint`: the VInt of Hadoop's `WritableUtils`, up to 31 bits; one byte up to 127.
   */
  readonly length?: 1 | 2 | 4 | 8 | 'uleb128' | 'hadoop-vint' | undefined;
  /** The order of an integer's bytes: `be` (big-endian, the default) or `le` (little-endian). */
  readonly endian?: 'be' | 'le' | undefined;
  /**
   * True if the length is signed, so that a length with its highest bit set is refused as negative; false by
   * default. A `hadoop-vint` is always signed.
   */
  readonly signed?: boolean | undefined;
  /** The unit of the length: `bytes` (the default), or UTF-16 code units (`units`). */
  readonly lengthIn?: 'bytes' | 'units' | undefined;
}

/** A form of lengths. */
export interface LengthForm {
  /** The noun for errors, such as "a length of two bytes". */
  readonly title: string;
  /** The greatest length. */
  readonly limit: number;
  /** Returns the size of a length, in bytes. */
  sizeOf(length: number): number;
  read(bytes: Uint8Array, offset: number): { readonly value: number; readonly next: number };
  /** Writes a length. The target must have room for it. */
  write(length: number, target: Uint8Array, offset: number): void;
}

const words: Readonly<Record<number, string>> = { 1: 'one byte', 2: 'two bytes', 4: 'four bytes' };

/** Creates the form of an integer of this many bytes. */
function createInteger(size: number, isLittle: boolean, isSigned: boolean): LengthForm {
  const bits = 8 * size - (isSigned ? 1 : 0);
  const limit = Math.min(2 ** bits - 1, Number.MAX_SAFE_INTEGER);
  const title = `a${isSigned ? ' signed' : ''} length of ${words[size] ?? 'eight bytes'}`;
  const last = size - 1;
  return {
    title,
    limit,
    sizeOf: () => size,
    read(bytes, offset) {
      const next = offset + size;
      const length = lengthOf(bytes);
      if (next > length) failCut('text', offset, next - length, 'at least ');
      let value = 0;
      for (let i = 0; i < size; i++) {
        const byte = bytes[offset + (isLittle ? last - i : i)] as number;
        if (i === 0 && isSigned && byte > 0x7f) failNegative(offset);
        value = value * 0x100 + byte;
      }
      if (value > limit) failLong(offset, 53);
      return { value, next };
    },
    write(value, target, offset) {
      let rest = value;
      for (let i = last; i >= 0; i--) {
        target[offset + (isLittle ? last - i : i)] = rest % 0x100;
        rest = Math.floor(rest / 0x100);
      }
    },
  };
}

function createUleb128(isSigned: boolean): LengthForm {
  const limit = isSigned ? 2 ** 31 - 1 : 2 ** 32 - 1;
  return {
    title: `a${isSigned ? ' signed' : ''} length of 32 bits`,
    limit,
    sizeOf: (length) => encodeUleb128(length).length,
    read(bytes, offset) {
      const number = readUleb128(bytes, offset, 'text');
      if (number.value > limit) failNegative(offset);
      return number;
    },
    write(value, target, offset) {
      for (const [i, byte] of encodeUleb128(value).entries()) target[offset + i] = byte;
    },
  };
}

/** Greatest length that a `hadoop-vint` writes in one byte. */
const VINT_SHORT = 127;
/** Least first byte, signed, of a number in one byte. Lower ones state the number of the bytes after them. */
const VINT_SINGLE = -112;
/** Least first byte, signed, of a positive number in several bytes. */
const VINT_NEGATIVE = -120;

/** @see org.apache.hadoop.io.WritableUtils.readVInt and writeVInt */
const hadoopVint: LengthForm = {
  title: 'a length of 31 bits',
  limit: 2 ** 31 - 1,
  sizeOf(length) {
    return length <= VINT_SHORT ? 1 : 1 + bytesOf(length);
  },
  read(bytes, offset) {
    const length = lengthOf(bytes);
    if (offset >= length) failCut('text', offset, offset + 1 - length, 'at least ');
    const first = ((bytes[offset] as number) << 24) >> 24;
    if (first >= 0) return { value: first, next: offset + 1 };
    if (first >= VINT_SINGLE || first < VINT_NEGATIVE) failNegative(offset);
    const next = offset + 1 + (VINT_SINGLE - first);
    if (next > length) failCut('text', offset, next - length, 'at least ');
    let value = 0;
    for (let at = offset + 1; at < next; at++) value = value * 0x100 + (bytes[at] as number);
    if (value > hadoopVint.limit) failLong(offset, 31);
    return { value, next };
  },
  write(value, target, offset) {
    if (value <= VINT_SHORT) {
      target[offset] = value;
      return;
    }
    const size = bytesOf(value);
    target[offset] = VINT_SINGLE - size;
    for (let i = size; i > 0; i--) target[offset + i] = value >> (8 * (size - i));
  },
};

/** Returns the size of an integer of up to 31 bits, in bytes. */
const bytesOf = (value: number): number => Math.ceil((32 - Math.clz32(value)) / 8);

function failNegative(offset: number): never {
  throw new FrameError(`The text at byte ${offset} has a negative length.`, offset);
}

function failLong(offset: number, bits: number): never {
  throw new FrameError(
    `The text at byte ${offset} has a length of more than ${bits} bits.`,
    offset,
  );
}

/** Forms by size in bytes, then by `le` and `signed`. */
const integers: Readonly<Record<number, readonly LengthForm[]>> = /* @__PURE__ */ createIntegers();

function createIntegers(): Record<number, LengthForm[]> {
  const forms: Record<number, LengthForm[]> = {};
  for (const size of [1, 2, 4, 8]) {
    forms[size] = [false, true].flatMap((isLittle) =>
      [false, true].map((isSigned) => createInteger(size, isLittle, isSigned)),
    );
  }
  return forms;
}

const uleb128s: readonly LengthForm[] = /* @__PURE__ */ [false, true].map(createUleb128);

/** Finds the form of lengths that the options select. */
export function lengthFormOf(options: LengthOptions): LengthForm {
  const { length = 2, endian, signed = false } = options;
  if (endian !== undefined && endian !== 'be' && endian !== 'le') {
    throw new TypeError(`The option endian is 'be' or 'le', but got ${String(endian)}.`);
  }
  if (typeof signed !== 'boolean') {
    throw new TypeError(`The option signed is true or false, but got ${String(signed)}.`);
  }
  if (typeof length === 'number' && Object.hasOwn(integers, length)) {
    return integers[length]?.[(endian === 'le' ? 2 : 0) + (signed ? 1 : 0)] as LengthForm;
  }
  if (length !== 'uleb128' && length !== 'hadoop-vint') {
    throw new TypeError(
      `The option length is 1, 2, 4, 8, 'uleb128' or 'hadoop-vint', but got ${String(length)}.`,
    );
  }
  if (endian !== undefined) {
    throw new TypeError(`The option endian is for integers, but the length is ${length}.`);
  }
  return length === 'uleb128' ? (uleb128s[signed ? 1 : 0] as LengthForm) : hadoopVint;
}

/** Tells whether a length counts UTF-16 code units. */
export function countsUnits({ lengthIn = 'bytes' }: LengthOptions): boolean {
  if (lengthIn === 'units') return true;
  if (lengthIn === 'bytes') return false;
  throw new TypeError(`The option lengthIn is 'bytes' or 'units', but got ${String(lengthIn)}.`);
}
