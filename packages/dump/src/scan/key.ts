/** Keys: the values of the columns that identify a record. */
import type { Codec } from '@utf8/core';
import type { Field } from '../format/format.js';
import type { FindingPlace, KeyRelation, RecordKey, ScanFinding } from './scan-finding.js';

/** The value of a column; undefined if it is missing or NULL, which equals nothing. */
type KeyValue = Uint8Array | undefined;

/** A record and its key before and after a conversion, as plain data. */
export interface KeyedRecord {
  readonly before: readonly KeyValue[];
  /** The same array if no field of the key changes. */
  readonly after: readonly KeyValue[];
  /** That of the key's first field, without the key. */
  readonly place: FindingPlace;
  /** That of the record. */
  readonly line: number;
  readonly isChanged: boolean;
}

const NULLS: ReadonlySet<string> = new Set(['NULL', 'null', '\\N']);

/** Joins the fields of a column, of which there are several if it is a string in several parts. */
export function joinValue(fields: readonly Field[], read: (field: Field) => Uint8Array): KeyValue {
  const [first] = fields;
  if (!first) return undefined;
  const value = fields.length === 1 ? read(first) : Buffer.concat(fields.map(read));
  const mayBeNull = first.kind === 'opaque' && value.length <= 4;
  return mayBeNull && NULLS.has(Buffer.from(value).toString('latin1')) ? undefined : value;
}

/** Encodes a key as bytes that are equal exactly if keys are; undefined if a value is missing. */
export function packKey(table = '', values: readonly KeyValue[]): Buffer | undefined {
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
export function describeKey(
  columns: readonly string[],
  values: readonly KeyValue[],
  codec: Codec,
): RecordKey {
  const describe = (value: KeyValue) =>
    value && codec.decode(value, { errors: 'backslashreplace' });
  return Object.fromEntries(columns.map((column, i) => [column, describe(values[i]) ?? null]));
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
function compareKeys(one: readonly KeyValue[], other: readonly KeyValue[]): KeyRelation {
  for (const [i, value = NOTHING] of one.entries()) {
    const order = Buffer.compare(value, other[i] ?? NOTHING);
    if (order !== 0) return order < 0 ? 'less' : 'greater';
  }
  return 'equal';
}
