/** What a server would lose, or refuse, of a record that is right in the file, and what may not be text. */
import type { Field, Format, Piece } from '../format/format.js';
import { findFourBytes, isNarrow } from '../format/sql/charset.js';

/** The hazards of loading that end a conversion, unless the option `allow` names them. */
export const hazards = [
  'narrow column',
  'narrow connection',
  'partition key',
  'equal keys',
  'orphaned row',
  'over the limit',
  'text or binary',
] as const;

/** A {@link hazards hazard}. */
export type Hazard = (typeof hazards)[number];

/** A hazard, and the bytes in the result that it is about. */
export interface FoundHazard {
  readonly kind: Exclude<Hazard, 'equal keys' | 'orphaned row' | 'text or binary'>;
  readonly index: number;
  readonly length: number;
}

/**
 * Finds out whether a server would lose the value of a field.
 *
 * @param bytes - What the record was read from.
 * @param result - What the field has become; undefined if it is the same.
 */
export function findHazard(
  format: Format,
  bytes: Uint8Array,
  piece: Piece,
  field: Field,
  result: Uint8Array | undefined,
): FoundHazard | undefined {
  const written = result ?? bytes.subarray(field.start, field.end);
  const text = field.isHex ? format.readValue(bytes, field, result) : written;
  // Other text is not stored, except what a column or the dictionary of the server stores.
  const isStored = piece.kind !== 'other' || field.declared !== undefined;
  const narrow =
    isStored && isNarrow(piece.connection)
      ? 'narrow connection'
      : isNarrow(field.declared?.charset)
        ? 'narrow column'
        : undefined;
  const index = narrow ? findFourBytes(text) : -1;
  if (narrow && index !== -1) return { kind: narrow, index, length: 4 };
  if (result && piece.partitionedBy?.includes(field.column ?? '')) {
    return { kind: 'partition key', index: 0, length: Math.min(result.length, SHOWN) };
  }
  const { characters, bytes: most } = field.declared ?? {};
  if (!result || (characters === undefined && most === undefined)) return undefined;
  // A repair that shortens a text is no danger, whatever the limit.
  if (
    result.length <=
    Math.min(characters ?? Number.POSITIVE_INFINITY, most ?? Number.POSITIVE_INFINITY)
  )
    return undefined;
  const before = format.readValue(bytes, field);
  const after = format.readValue(bytes, field, result);
  const isLonger = (measure: (value: Uint8Array) => number, limit: number | undefined): boolean =>
    limit !== undefined && measure(after) > limit && measure(after) > measure(before);
  if (!isLonger(countCharacters, characters) && !isLonger(({ length }) => length, most))
    return undefined;
  return { kind: 'over the limit', index: 0, length: Math.min(result.length, SHOWN) };
}

/** Describes the declared limit that a value exceeds. */
export function describeLimit(
  { declared }: Field,
  before: Uint8Array,
  after: Uint8Array,
): { readonly limit: string; readonly before: number; readonly after: number } {
  const { characters, bytes } = declared ?? {};
  return characters !== undefined && countCharacters(after) > characters
    ? { limit: `${characters}c`, before: countCharacters(before), after: countCharacters(after) }
    : { limit: `${bytes}b`, before: before.length, after: after.length };
}

/** Bytes of a long text that are shown. */
const SHOWN = 16;

/** Counts characters as MySQL does, for which a surrogate is one: every byte that continues none. */
function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count++;
  return count;
}
