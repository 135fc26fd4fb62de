/** A value of a record, without the spelling in the file. */
import type { Finding } from '@utf8/repair';
import { BACKSLASH, isHex, LETTER_X } from '../format/shared/ascii.js';

/** A value of a record. */
export interface Cell {
  /** The name of the column if it is known. */
  readonly column: string | undefined;
  /** The number of the column, from 1. */
  readonly number: number;
  /** The value after the conversion; undefined for NULL. */
  readonly value: Uint8Array | undefined;
  /** The value before the conversion, if the conversion changes it. */
  readonly raw: Uint8Array | undefined;
  /** See {@link Mark}. */
  readonly marks: number;
}

/** Marks of a value: bits of a number. */
export const Mark = {
  /** It is written as bytes: `0x…`, `X'…'`, `_binary '…'`, or in the column of a blob. */
  blob: 1,
  /** The conversion refuses something in it, which stays in the value. */
  refused: 2,
  /** The conversion writes an escape such as `\ud83d`, or U+FFFD. */
  escaped: 4,
  replaced: 8,
  /** Its text is malformed. */
  malformed: 16,
} as const;

/** A text: what it becomes, and what it was if that differs. */
export type CellText = Pick<Cell, 'raw' | 'marks'> & { readonly value: Uint8Array };

/** Marks what a repair found by its result. */
export function markFindings(findings: readonly Finding[], replacement: Uint8Array): number {
  let marks = 0;
  for (const { becomes } of findings) {
    if (!becomes) marks |= Mark.refused;
    else if (becomes.includes(BACKSLASH)) marks |= Mark.escaped;
    else if (equals(becomes, 0, becomes.length, replacement)) marks |= Mark.replaced;
  }
  return marks;
}

/** Joins the strings of one value: SQL concatenates neighbours. */
export function joinTexts(texts: readonly CellText[]): CellText {
  const [first] = texts;
  if (first && texts.length === 1) return first;
  const isChanged = texts.some(({ raw }) => raw);
  return {
    value: Buffer.concat(texts.map(({ value }) => value)),
    raw: isChanged ? Buffer.concat(texts.map(({ raw, value }) => raw ?? value)) : undefined,
    marks: texts.reduce((all, { marks }) => all | marks, 0),
  };
}

/** Tells whether a value is PostgreSQL's hexadecimal form of a bytea. */
export const isHexForm = (value: Uint8Array): boolean =>
  value.length >= 2 &&
  value.length % 2 === 0 &&
  value[0] === BACKSLASH &&
  value[1] === LETTER_X &&
  isHex(value, 2, value.length);

/** Returns the bytes that hex digits stand for; MySQL reads an odd number of them as if a 0 preceded. */
export function decodeHex(bytes: Uint8Array, start: number, end: number): Buffer {
  const digits = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** Compares a range with bytes. */
export const equals = (bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean =>
  end - start === other.length && other.every((byte, i) => bytes[start + i] === byte);
