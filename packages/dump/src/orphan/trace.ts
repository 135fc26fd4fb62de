/** Rows of a segment that are rejected: for their own text, or because they refer to rejected rows. */
import type { Segment } from '../cut/segments.js';
import type { DeclaredReference, Piece } from '../format/format.js';
import { findFormat } from '../format/registry.js';
import type { FormatChoice, RepairChoice, Task } from '../pool/work.js';
import { RecordRepairer } from '../repair/record-repairer.js';
import { OrphanTest } from './orphan-test.js';

/** Traces rejected rows. */
export interface TraceTask extends Task {
  readonly task: 'trace';
  readonly format: FormatChoice;
  readonly repair: RepairChoice;
  readonly references: readonly DeclaredReference[];
  /** Keys of rows that are known to be rejected. */
  readonly keys: readonly string[];
}

/** A row that refers to a rejected one. */
export interface OrphanPlace {
  readonly record: number;
  readonly line: number;
  /** In bytes from the start of the file. */
  readonly offset: number;
  readonly table: string | undefined;
  /** The columns of the foreign key. */
  readonly column: string;
}

/** Rejected keys and orphans of a segment. */
export interface Traced {
  /** Keys of rejected rows. */
  readonly keys: string[];
  readonly orphans: OrphanPlace[];
}

/** Creates the function that traces rejected rows. */
export function createTrace(task: TraceTask): (segment: Segment) => Traced {
  const format = findFormat(task.format.name, task.format.options);
  const repairer = new RecordRepairer(format, task.repair);
  const test = new OrphanTest(format, repairer.from, task);
  const parents = new Set(task.references.map(({ parent }) => parent));
  const children = new Set(task.references.map(({ child }) => child));
  const isRejected = (bytes: Uint8Array, piece: Piece): boolean =>
    piece.fields.some(
      (field) =>
        field.kind === 'text' && repairer.repair(bytes, piece, field).status === 'rejected',
    );
  return ({ bytes, offset, state, isVerbatim = false }) => {
    const found: Traced = { keys: [], orphans: [] };
    if (isVerbatim) return found;
    const seeksOrphans = task.keys.length > 0;
    const isHidden = format.hidesText?.(bytes, state) ?? false;
    if (!seeksOrphans && !isHidden && repairer.isClean(bytes)) return found;
    for (const piece of format.createReader(state).read(bytes)) {
      if (piece.kind !== 'record' || piece.owner === undefined) continue;
      const isParent = parents.has(piece.owner);
      const reference = children.has(piece.owner) ? test.find(bytes, piece) : undefined;
      if (!isParent && !reference) continue;
      const isClean = !isHidden && repairer.isClean(bytes.subarray(piece.start, piece.end));
      const isOwn = !isClean && isRejected(bytes, piece);
      if (reference && !isOwn) {
        const { number: record, line, own, table } = piece;
        const column = reference.columns.map(({ name }) => name).join();
        found.orphans.push({ record, line, offset: offset + own, table, column });
      }
      if (isParent && (reference || isOwn)) found.keys.push(...test.listKeys(bytes, piece));
    }
    return found;
  };
}
