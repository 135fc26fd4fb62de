/** Why a change to a field ends a run. */
import type { Field, Piece } from '../format/format.js';
import { FormatError } from '../format/format-error.js';

/**
 * Refuses to change a field that may be bytes.
 *
 * @throws {@link FormatError} if the kind of the field is unknown.
 */
export function requireText({ line }: Piece, { kind, column, number }: Field): void {
  if (kind !== 'unknown') return;
  throw new FormatError(
    `column ${column ?? number} may be text or binary; describe its table with --schema, name binary columns with --binary, or use --assume text`,
    line,
  );
}

/** Creates the error for a field that would end early. */
export const createBreakError = ({ line }: Piece, { column, number }: Field): FormatError =>
  new FormatError(
    `the repaired value of column ${column ?? number} would contain a delimiter or a line end; choose another policy, or quote the field`,
    line,
  );
