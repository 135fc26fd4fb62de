/** Pieces of transcoded units in which no field has to be repaired, tested or refused by itself. */
import type { Piece } from '../format/format.js';
import { mayHaveHazard } from '../load/hazard.js';
import type { RecordRepairer } from '../repair/record-repairer.js';
import type { Stretch } from './stretch.js';

/**
 * Creates a test for pieces that stay as they were transcoded.
 *
 * @param bytes - Whole units.
 * @param stretch - The units transcoded, which has advanced to the end of the piece.
 */
export function createTranscodedTest(
  { format, mayHaveLengths }: RecordRepairer,
  bytes: Uint8Array,
  stretch: Stretch,
): (piece: Piece, isChanged: boolean) => boolean {
  const hasLengths = mayHaveLengths(bytes);

  /** Tells whether something changed in a key, in a value that may have keys, or in the name of a column. */
  function hasKeys(piece: Piece): boolean {
    const { spellsKeys, structureOf } = format;
    if (piece.kind === 'header') return true;
    const mayHaveKeys = (spellsKeys && !piece.isKeyless) || structureOf;
    if (piece.kind !== 'record' || !mayHaveKeys) return false;
    // Only now, since it takes time to find the fields.
    return piece.fields.some((field) => {
      const structure = field.structure ?? structureOf?.(field, piece.table);
      const mayBeKey = field.owner !== undefined || structure;
      return mayBeKey && stretch.locate(field.start, field.end)[0] !== -1;
    });
  }

  /** Tells whether text outside of records changed that a column or the dictionary stores. */
  const hasStored = (piece: Piece): boolean =>
    piece.kind !== 'record' &&
    piece.fields.some(
      ({ declared, start, end }) => declared !== undefined && stretch.locate(start, end)[0] !== -1,
    );

  return (piece, isChanged) => {
    if (piece.fixes?.length || mayHaveHazard(bytes, piece, isChanged)) return false;
    if (!isChanged) return true;
    // A blob may consist of bytes that look like text, keys may become equal, and lengths wrong.
    return (
      piece.kind !== 'head' &&
      !(hasLengths && mayHaveLengths(bytes.subarray(piece.start, piece.end))) &&
      (format.isOpaqueAscii || piece.isAllText || stretch.isWithinText(piece.fields)) &&
      !hasKeys(piece) &&
      !hasStored(piece)
    );
  };
}
