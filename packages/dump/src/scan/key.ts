/** Keys: the values of the columns that identify a record. */
import type { Codec } from '@utf8/core';
import type { FindingPlace, KeyRelation, RecordKey, ScanFinding } from './scan-finding.js';

/** The values of columns; undefined if they are missing or NULL, which equals nothing. */
type KeyValues = readonly (Uint8Array | undefined)[];

/** A record and its key before and after a conversion, as plain data. */
export interface KeyedRecord {
  readonly before: KeyValues;
  /** The same array if no field of the key changes. */
  readonly after: KeyValues;
  /** That of the key's first field, without the key. */
  readonly place: FindingPlace;
  /** That of the record. */
  readonly line: number;
  readonly isChanged: boolean;
}

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

/** Decodes the values of columns for a report. */
export function describeKey(names: readonly string[], values: KeyValues, codec: Codec): RecordKey {
  const texts = values.map((value) => value && codec.decode(value, { errors: 'backslashreplace' }));
  return Object.fromEntries(names.map((name, i) => [name, texts[i] ?? null]));
}

/**
 * Compares a key with that of the previous record. A conversion may put them into another order, as the
 * orders of UTF-16 and of code points differ.
 */
export function findReordered(
  last: KeyedRecord | undefined,
  next: KeyedRecord,
  columns: readonly string[],
  codec: Codec,
): ScanFinding | undefined {
  if (!last || last.place.table !== next.place.table) return undefined;
  if (!last.isChanged && !next.isChanged) return undefined;
  const before = compareKeys(next.before, last.before);
  const after = compareKeys(next.after, last.after);
  // Equal keys are found wherever they are, not only in neighbours.
  if (before === after || after === 'equal') return undefined;
  const { file, record } = last.place;
  const other = { file, record, line: last.line, key: describeKey(columns, last.before, codec) };
  const key = describeKey(columns, next.before, codec);
  return { ...next.place, key, kind: 'order', other, before, after };
}

/** Copies the values of a key out of memory that is reused. */
export const ownValues = (keyed: KeyedRecord): KeyedRecord => ({
  ...keyed,
  before: keyed.before.map((value) => value?.slice()),
  after: keyed.after.map((value) => value?.slice()),
});

const NOTHING = new Uint8Array();

/** Compares the bytes of each column in turn, as an index does. */
function compareKeys(one: KeyValues, other: KeyValues): KeyRelation {
  for (const [i, value = NOTHING] of one.entries()) {
    const order = Buffer.compare(value, other[i] ?? NOTHING);
    if (order !== 0) return order < 0 ? 'less' : 'greater';
  }
  return 'equal';
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
