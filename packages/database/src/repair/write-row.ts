/** Changes one row in a transaction, as the actions for hazards say. */
import type { Codec } from '@utf8/core';
import type { DatabaseHazard } from '@utf8/dump/internal';
import type { Change, Outcome, RefusalReason } from '../server/server.js';
import type { Key, Table } from '../server/table.js';
import { type ChangedRow, type Move, Mover } from './move.js';
import { Suffixes } from './suffix.js';

/** The hazard that the server finds and the catalogue does not show. */
export const hazardOf: Readonly<Record<RefusalReason, DatabaseHazard>> = {
  unique: 'equal-keys',
  length: 'too-long',
  reference: 'orphaned-row',
  effect: 'trigger',
  other: 'refused',
};

/** A row to change. */
export interface RowTask {
  readonly table: Table;
  readonly key: Key;
  readonly changes: readonly Change[];
  /** True to change the rows that refer to this row, too. */
  readonly moves: boolean;
  /** The encoding of suffixes that make a key unique; undefined to add none. */
  readonly suffixes: Codec | undefined;
}

/** Outcome for a row, and all rows that changed. */
export interface Written {
  readonly outcome: Outcome;
  readonly rows: readonly ChangedRow[];
  readonly isSuffixed: boolean;
}

/** @throws MoveError if its children cannot change with it: the transaction must be rolled back. */
export async function writeRow(
  { table, key, changes: first, moves, suffixes }: RowTask,
  move: Omit<Move, 'onChange'>,
): Promise<Written> {
  const attempts = suffixes && new Suffixes(table, first, suffixes);
  for (let changes = first; ; ) {
    const { outcome, rows } = await change(table, key, changes, moves, move);
    const isUnique = outcome.is === 'refused' && outcome.reason === 'unique';
    if (!attempts || !isUnique) return { outcome, rows, isSuffixed: changes !== first };
    const next = attempts.next(await move.server.findCollision(table, key, changes));
    if (!next) return { outcome, rows, isSuffixed: false };
    changes = next;
  }
}

async function change(
  table: Table,
  key: Key,
  changes: readonly Change[],
  moves: boolean,
  move: Omit<Move, 'onChange'>,
): Promise<{ outcome: Outcome; rows: ChangedRow[] }> {
  const rows: ChangedRow[] = [];
  if (moves) {
    const mover = new Mover({ ...move, onChange: (row) => rows.push(row) });
    return { outcome: await mover.change(table, key, changes), rows };
  }
  const outcome = await move.transaction.change(table, key, changes, {
    allowsEffects: table.effects.length > 0,
  });
  if (outcome.is === 'changed') {
    rows.push({ table, key, newKey: outcome.key, changes, reference: undefined });
  }
  return { outcome, rows };
}
