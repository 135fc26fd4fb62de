/** The values of the columns of a key. */
import type { Codec } from '@utf8/core';
import { findFold } from '../collation/fold.js';
import type { Field, KeyColumn } from '../format/format.js';

/** The values of columns; undefined if they are missing or NULL, which equals nothing. */
export type KeyValues = readonly (Uint8Array | undefined)[];

/** Encodes a key as bytes that are equal exactly if keys are; undefined if a value is missing. */
export function packKey(table = '', values: KeyValues): Buffer | undefined {
  const parts: Uint8Array[] = [Buffer.from(`${table}\0`)];
  for (const value of values) {
    if (!value) return undefined;
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32LE(value.length);
    parts.push(length, value);
  }
  return Buffer.concat(parts);
}

const NULLS: ReadonlySet<string> = new Set(['NULL', 'null', '\\N']);

/** Joins the fields of a column, of which there are several if it is a string in several parts. */
export function joinValue(
  fields: readonly Field[],
  read: (field: Field) => Uint8Array,
): Uint8Array | undefined {
  const [first] = fields;
  if (!first) return undefined;
  const value = fields.length === 1 ? read(first) : Buffer.concat(fields.map(read));
  const mayBeNull = first.kind === 'opaque' && value.length <= 4;
  return mayBeNull && NULLS.has(Buffer.from(value).toString('latin1')) ? undefined : value;
}

/** Returns a value as a column compares it: its beginning, without what its collation ignores. */
export function compareAs(value: Uint8Array, column: KeyColumn, codec: Codec): Uint8Array {
  const { length = Number.POSITIVE_INFINITY, isBinary, collation } = column;
  const compared = value.length <= length ? value : value.subarray(0, cut(value, length, isBinary));
  return collation === undefined ? compared : foldBytes(compared, collation, codec);
}

/** Finds the end of a number of characters, as MySQL counts them: a surrogate in three bytes is one. */
function cut(value: Uint8Array, length: number, isBinary: boolean): number {
  if (isBinary) return length;
  let left = length;
  for (const [i, byte] of value.entries()) {
    if ((byte & 0xc0) !== 0x80 && left-- === 0) return i;
  }
  return value.length;
}

/**
 * Returns bytes that are equal for all values that are equal under a collation. To all servers, a pair of six
 * bytes is two other characters than the one in four bytes.
 *
 * @internal
 */
export function foldBytes(value: Uint8Array, collation: string, codec: Codec): Uint8Array {
  const fold = findFold(collation);
  if (!fold) return value;
  const parts = Buffer.from(value).toString('latin1').split(FOUR);
  const text = parts.map((part, i) => {
    const bytes = Buffer.from(part, 'latin1');
    if (i % 2 === 1) return bytes.toString();
    const decoded = codec.decode(bytes, { errors: 'backslashreplace' });
    return decoded.replace(/[\u{10000}-\u{10ffff}]/gu, spellPair);
  });
  return Buffer.from(fold(text.join('')));
}

/** A character in four bytes, in Latin-1. */
const FOUR = /([\xf0-\xf4][\x80-\xbf]{3})/;

const spellPair = (pair: string): string =>
  Array.from({ length: pair.length }, (_, i) => `\\u${pair.charCodeAt(i).toString(16)}`).join('');
