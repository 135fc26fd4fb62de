/** A piece of a file that somebody looks at. */
import type { Field, Piece } from '../formats/format.js';
import { nameColumn } from './column.js';
import type { Examined } from './examine.js';
import type { Key, Place } from './finding.js';
import type { Stretch } from './stretches.js';

const LF = 0x0a;

/** A piece, what it lies in, and what would become of it. */
export interface Spot {
  readonly file: string;
  readonly stretch: Stretch;
  readonly piece: Piece;
  readonly examined: Examined;
}

/**
 * Where somebody finds a place of a piece.
 *
 * @param at - The index of the place in the stretch.
 */
export function locate(
  { file, stretch, piece }: Spot,
  field: Field,
  at: number,
  key: Key | undefined,
): Place {
  let { line } = piece;
  for (let i = piece.own; i < at; i++) if (stretch.bytes[i] === LF) line++;
  return {
    file,
    record: piece.number,
    line,
    table: piece.table,
    column: nameColumn(field),
    key,
    offset: stretch.offset + at,
  };
}
