/** The values of the columns of a key. */
import type { Codec } from '@utf8/core';
import type { Field } from '../format/format.js';

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

/**
 * Returns a value as MySQL's older collations compare it: without case, accents and spaces at the end, and
 * with all characters of four bytes alike. To them, a pair of six bytes is two characters.
 */
export function foldValue(value: Uint8Array, codec: Codec): Uint8Array {
  const latin = Buffer.from(value).toString('latin1');
  const short = latin.replace(/[\xf0-\xf4][\x80-\xbf]{3}/g, '\xef\xbf\xbd');
  const text = codec.decode(Buffer.from(short, 'latin1'), { errors: 'backslashreplace' });
  const folded = text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return Buffer.from(folded.replace(/ +$/, ''));
}
