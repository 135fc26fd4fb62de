/** How the text of a field is repaired. */
import type { Finding, Repair, Repairer, SpelledValue } from '@utf8/repair';
import type { Field, Format, Piece } from './format.js';
import { FormatError } from './format-error.js';
import { BACKSLASH } from './shared/ascii.js';

/**
 * Repairs the text of a field. If the piece would be read as something else without what a policy removes,
 * U+FFFD takes its place.
 */
export function repairField(
  repairer: Repairer,
  format: Format,
  bytes: Uint8Array,
  piece: Piece,
  field: Field,
): Repair {
  const text = bytes.subarray(field.start, field.end);
  const value = describeValue(format, bytes, field, text, piece.table);
  return repairer(
    text,
    field.escapes,
    value,
    (repair) =>
      !breaks(bytes, piece, field, repair) ||
      piece.layout?.enclose?.(bytes, field, repair.bytes) !== undefined,
  );
}

/** Tells whether a piece would be read as something else if a field became the result of a repair. */
function breaks(bytes: Uint8Array, piece: Piece, field: Field, repair: Repair): boolean {
  // A last line without a line feed is none if it is empty.
  const isGone = repair.bytes.length === 0 && field.end - field.start === piece.end - piece.start;
  return isGone || (piece.layout?.breaks(bytes, piece, field, repair) ?? false);
}

/**
 * Returns the bytes to write for a field that a repair changes, in quotes if it needs them.
 *
 * @throws {@link FormatError} if they would be read as something else.
 */
export function writeField(
  bytes: Uint8Array,
  piece: Piece,
  field: Field,
  repair: Repair,
): Uint8Array {
  const { layout, line } = piece;
  if (!layout || !breaks(bytes, piece, field, repair)) return repair.bytes;
  const enclosed = layout.enclose?.(bytes, field, repair.bytes);
  if (enclosed) return enclosed;
  const { column, number } = field;
  const isValue = piece.kind === 'record' || piece.kind === 'header';
  const what = isValue ? `value of column ${column ?? number}` : 'text';
  throw new FormatError(`the repaired ${what} would ${layout.harm}`, line);
}

/** Describes a value in which a search by bytes is not enough. */
function describeValue(
  format: Format,
  bytes: Uint8Array,
  field: Field,
  text: Uint8Array,
  table: string | undefined,
): SpelledValue | undefined {
  const syntax = field.syntax ?? format.syntaxOf?.(field, table);
  if (field.isHex) return { layers: [HEX], syntax };
  // Only a backslash begins a code.
  if (!syntax && !text.includes(BACKSLASH)) return undefined;
  const spelling = format.spellingOf?.(bytes, field);
  const isNeeded = syntax ?? spelling?.codes;
  return isNeeded ? { layers: spelling ? [spelling] : [], syntax } : undefined;
}

const HEX = { isHex: true };

/** Finds keys of JSON, read string by string, that repairs make equal to an earlier one of their object. */
export function findEqualKeys(
  repairer: Repairer,
  format: Format,
  bytes: Uint8Array,
  { fields }: Piece,
  repairs: ReadonlyMap<Field, Repair>,
): Field[] {
  const isKey = ({ owner }: Field): boolean => owner !== undefined;
  if (![...repairs.keys()].some(isKey)) return [];
  const keys = fields.filter(isKey);
  const found = repairer.findEqualKeys(
    keys.map((field) => {
      const before = format.readValue(bytes, field);
      const repaired = repairs.get(field)?.bytes;
      const after = repaired ? format.readValue(bytes, field, repaired) : before;
      return { owner: field.owner as number, before, after };
    }),
  );
  return found.map((i) => keys[i] as Field);
}

/**
 * Makes sure that repairs leave the names in a header distinct.
 *
 * @throws {@link FormatError} if two of them become equal, unless the policy keeps equal keys.
 */
export function requireDistinctNames(
  repairer: Repairer,
  format: Format,
  bytes: Uint8Array,
  { fields, line }: Piece,
  repairs: ReadonlyMap<Field, Repair>,
): void {
  if (repairs.size === 0) return;
  const names = fields.map((field) => {
    const before = format.readValue(bytes, field);
    const repaired = repairs.get(field)?.bytes;
    return {
      owner: 0,
      before,
      after: repaired ? format.readValue(bytes, field, repaired) : before,
    };
  });
  const [second] = repairer.findEqualKeys(names);
  if (second === undefined) return;
  const first = names.findIndex(
    ({ after }) => Buffer.compare(after, (names[second] as (typeof names)[0]).after) === 0,
  );
  throw new FormatError(
    `the repaired names of columns ${first + 1} and ${second + 1} are equal; rename one of them`,
    line,
  );
}

/** The finding of a key that becomes equal to another one, in its field. */
export const describeEqualKey = ({ start, end }: Field): Finding => ({
  offset: 0,
  length: end - start,
  kind: 'equal JSON keys',
  reason: undefined,
  becomes: undefined,
});
