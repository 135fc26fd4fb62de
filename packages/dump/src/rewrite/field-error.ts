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
