/** What would become of a piece of a file. */
import type { Field, Piece } from '../formats/format.js';
import type { Repair, Repairer } from '../repair/repairer.js';
import type { Stretch } from './stretches.js';

/** A field that would change, or be refused. */
export interface Change extends Repair {
  readonly field: Field;
}

/** What would become of a piece. */
export interface Examined {
  readonly changes: readonly Change[];
  /** Whether it would not come out at all. */
  readonly isRefused: boolean;
}

const UNTOUCHED: Examined = { changes: [], isRefused: false };

/** Examines a piece of a stretch. */
export function examine({ bytes, isClean }: Stretch, piece: Piece, repairer: Repairer): Examined {
  if (isClean || repairer.isClean(bytes.subarray(piece.start, piece.end))) return UNTOUCHED;
  const changes: Change[] = [];
  for (const field of piece.fields) {
    if (field.kind !== 'text') continue;
    const repair = repairer.repair(bytes.subarray(field.start, field.end), field);
    if (repair) changes.push({ ...repair, field });
  }
  const isRefused = changes.some(({ flaws }) => flaws.some(({ becomes }) => !becomes));
  return { changes, isRefused };
}

/** What becomes of a field; undefined where it stays. */
export const findChange = ({ changes }: Examined, field: Field): Change | undefined =>
  changes.find((change) => change.field === field);
