/**
 * Hazards of records that are right in the file: text that a server would lose or refuse, and strings that
 * may not be text.
 */

import type { ErrorsPolicy, Repair } from '@utf8/repair';
import { findPolicy } from '../charset/policy.js';
import { contains, sizeIn } from '../charset/repertoire.js';
import type { Loss } from '../charset/server.js';
import type { Field, Format, Piece } from '../format/format.js';
import { mayLack } from '../format/sql/look.js';

/** Hazards of loading a file, which end a conversion unless the option `allow` contains them. */
export const fileHazards = [
  'declared-encoding',
  'unstated-encoding',
  'narrow-column',
  'narrow-connection',
  'partition-key',
  'equal-keys',
  'orphaned-row',
  'too-long',
  'text-or-binary',
  'inner-length',
] as const;

/** A {@link fileHazards hazard} of loading a file. */
export type FileHazard = (typeof fileHazards)[number];

/**
 * Hazards of repairing a row of a live database, in the order of reports.
 *
 * If the option `allow` contains one, such rows are repaired anyway, and:
 *
 * - `equal-keys`: the key gets a suffix, such as `~2`, that makes it unique.
 * - `orphaned-row`: rows that refer to the value change with it.
 * - `trigger`: triggers on UPDATE run.
 * - `history`: the history of a system-versioned table keeps the old row.
 * - `narrow-column`: the column is first altered to a character set that contains the result.
 *
 * Nothing can allow the others: `too-long`, for a value longer than its column; `no-key`, for a row that nothing
 * identifies; `refused`, for a value that a policy or the server refuses.
 */
export const databaseHazards = [
  'equal-keys',
  'too-long',
  'orphaned-row',
  'trigger',
  'history',
  'narrow-column',
  'no-key',
  'refused',
] as const;

/** A {@link databaseHazards hazard} of repairing a row. */
export type DatabaseHazard = (typeof databaseHazards)[number];

/** Hazards that the option `allow` accepts. */
export const allowedHazards = [
  'equal-keys',
  'orphaned-row',
  'trigger',
  'history',
  'narrow-column',
] as const;

/** A hazard that the option `allow` accepts. */
export type AllowedHazard = (typeof allowedHazards)[number];

/** A hazard, and the bytes in the result that it is about. */
export interface FoundHazard {
  readonly kind: Exclude<
    FileHazard,
    'equal-keys' | 'orphaned-row' | 'text-or-binary' | 'inner-length'
  >;
  readonly index: number;
  readonly length: number;
  /** The character set that causes it, if one does. */
  readonly charset?: Loss['charset'];
}

/**
 * Tells whether a field of a piece may have a hazard. Most pieces are spared by it, and most units by
 * `needsLook`: both must be told of a hazard that {@link findHazard} finds elsewhere.
 *
 * @param isChanged - True if the piece is changed.
 */
export const mayHaveHazard = (
  bytes: Uint8Array,
  { reach = 'all', start, end }: Piece,
  isChanged: boolean,
): boolean => reach !== 'all' && (isChanged || mayLack(reach, bytes.subarray(start, end)));

/**
 * Finds out whether a server would lose the value of a field.
 *
 * @param bytes - The bytes of the record.
 * @param result - The new text of the field; undefined if it is the same.
 */
export function findHazard(
  format: Format,
  bytes: Uint8Array,
  piece: Piece,
  field: Field,
  result: Uint8Array | undefined,
): FoundHazard | undefined {
  const { isHex = false } = field;
  const written = result ?? bytes.subarray(field.start, field.end);
  const text = isHex ? format.readValue(bytes, field, result) : written;
  // Other text is not stored, except what a column or the dictionary of the server stores.
  const isStored = piece.kind !== 'other' || field.declared !== undefined;
  const session = isStored ? piece.session : undefined;
  const loss =
    session &&
    format.sql?.dialect.charsets?.findLoss(text, session, field.declared?.charset, isHex);
  // An unstated encoding may still be right, so other hazards come first.
  const isMild = loss?.kind === 'unstated-encoding' && loss.charset !== undefined;
  if (loss && !isMild) return loss;
  if (result && piece.partitionedBy?.includes(field.column ?? '')) {
    return { kind: 'partition-key', index: 0, length: Math.min(result.length, SHOWN) };
  }
  if (!isTooLong(format, bytes, field, written, result)) return loss;
  return { kind: 'too-long', index: 0, length: Math.min(written.length, SHOWN) };
}

/**
 * Finds malformed bytes that a policy replaces, though they may be characters in the encoding which the dump
 * declares for them.
 */
export function findMisread(
  format: Format,
  piece: Piece,
  field: Field,
  { findings }: Repair,
  errors: ErrorsPolicy,
): FoundHazard | undefined {
  const decoded = findings.filter(({ reason, becomes }) => reason !== undefined && becomes);
  // Under `fail`, they are decoded as declared, or not at all.
  const isDecided = decoded.length === 0 || errors === 'fail';
  const charset = isDecided ? undefined : declaredOf(format, piece, field);
  if (charset === undefined) return undefined;
  // A few characters differ between a server and the standard.
  const found = decoded.find(
    ({ becomes }) => findPolicy(charset) !== errors || (becomes && !contains(charset, becomes)),
  );
  return found && { kind: 'declared-encoding', index: found.offset, length: found.length, charset };
}

/** Returns the encoding in which a server reads a field, unless that is UTF-8 or not known. */
export const encodingOf = (
  { sql }: Format,
  { session }: Piece,
  { declared, isHex = false }: Field,
): string | undefined =>
  session && sql?.dialect.charsets?.encodingOf(session, declared?.charset, isHex);

/** Returns the server before `fixHeader` has replaced its declarations. */
export const declaredOf = (
  { sql }: Format,
  { session }: Piece,
  { declared, isHex = false }: Field,
): string | undefined => session && sql?.dialect.charsets?.declaredOf(session, declared, isHex);

/** Returns the line that declares a character set of a text: that of its column, or that of the session. */
export function findDeclaration(
  charset: string | undefined,
  { session }: Piece,
  { declared }: Field,
): number | undefined {
  const of = [session?.charset, session?.was, session?.connection];
  const isOfSession = of.includes(charset);
  return isOfSession ? session?.line : declared?.line;
}

/** Tells whether a column cuts the new text of a field, or its old text if its character set changes. */
function isTooLong(
  format: Format,
  bytes: Uint8Array,
  field: Field,
  written: Uint8Array,
  result: Uint8Array | undefined,
): boolean {
  const { characters = Number.POSITIVE_INFINITY, bytes: most = Number.POSITIVE_INFINITY } =
    field.declared ?? {};
  // No text is longer than in UTF-8; one in UTF-32 is at most four times as long.
  if (4 * written.length <= Math.min(characters, most)) return false;
  const before = format.readValue(bytes, field);
  const after = result ? format.readValue(bytes, field, result) : before;
  const charset = field.declared?.charset;
  const isLonger = (measure: (value: Uint8Array) => number, limit: number): boolean =>
    measure(after) > limit && (!result || measure(after) > measure(before));
  return (
    (result !== undefined && isLonger(countCharacters, characters)) ||
    isLonger((value) => sizeIn(charset, value), most)
  );
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
    : {
        limit: `${bytes}b`,
        before: sizeIn(declared?.charset, before),
        after: sizeIn(declared?.charset, after),
      };
}

/** Bytes of a long text that are shown. */
const SHOWN = 16;

/** Counts characters as MySQL does, for which a surrogate is one: every byte that continues none. */
function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count++;
  return count;
}
