/** Keys: the values of the columns that identify a record. */
import type { Codec } from '@utf8/core';
import type { KeyValues } from '../key/key-values.js';
import type { FindingPlace, RecordKey, ScanFinding } from './scan-finding.js';

/** A record and its key before and after a conversion, as plain data. */
export interface KeyedRecord {
  readonly before: KeyValues;
  /** Values after the conversion; the array of `before` if no field of the key changes. */
  readonly after: KeyValues;
  /** That of the key's first field, without the key. */
  readonly place: FindingPlace;
  /** That of the record. */
  readonly line: number;
  readonly isChanged: boolean;
}

/** Decodes the values of columns for a report. */
export function describeKey(names: readonly string[], values: KeyValues, codec: Codec): RecordKey {
  const texts = values.map((value) => value && showPart(value, codec));
  return Object.fromEntries(names.map((name, i) => [name, texts[i] ?? null]));
}

/** Bytes of a part of a key that are shown. Every finding of a record repeats its key. */
const SHOWN = 1000;

function showPart(value: Uint8Array, codec: Codec): string {
  const isLong = value.length > SHOWN;
  const start = isLong ? codec.truncate(value.subarray(0, SHOWN + 6), SHOWN) : value;
  return codec.decode(start, { errors: 'backslashreplace' }) + (isLong ? '…' : '');
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
function compareKeys(one: KeyValues, other: KeyValues): 'less' | 'equal' | 'greater' {
  for (const [i, value = NOTHING] of one.entries()) {
    const order = Buffer.compare(value, other[i] ?? NOTHING);
    if (order !== 0) return order < 0 ? 'less' : 'greater';
  }
  return 'equal';
}
