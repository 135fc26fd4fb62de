/** Reads all tables, and counts what a repair would change, refuse or break. Writes nothing. */
import { CollisionFinder, HashSet } from '../judge/collisions.js';
import { type Decision, decide, type FoundHazard } from '../judge/hazard.js';
import { createJudge, type Judgement } from '../judge/judge.js';
import { findReferenceHazards, type Tables } from '../judge/references.js';
import type { Meter } from '../meter.js';
import type { ChosenTable, LookPlan } from '../options.js';
import type { DeclarationReport, LookReport, TableReport } from '../report.js';
import { readPages } from '../server/pages.js';
import type { Server } from '../server/server.js';
import type { Table } from '../server/table.js';
import { TableTally } from './tally.js';
import { findUndeclared } from './undeclared-json.js';

/** A row with findings, and what a repair would do about it. */
export interface LookedRow {
  readonly table: Table;
  readonly judgement: Judgement;
  readonly hazards: readonly FoundHazard[];
  readonly decision: Decision;
}

/** Task of a scan. */
export interface Look {
  readonly server: Server;
  readonly plan: LookPlan;
  readonly tables: Tables;
  readonly chosen: readonly ChosenTable[];
  readonly meter: Meter;
  /** True to ask the server for collisions and references; false after a repair. */
  readonly weighs: boolean;
  /** True if rows are not written whose key changes with each update. */
  readonly needsStableKeys?: boolean | undefined;
  /** Columns that contain UTF-8 and are declared in another character set, by table. */
  readonly declarations?: ReadonlyMap<string, readonly DeclarationReport[]> | undefined;
  readonly onRow?: ((row: LookedRow) => void | Promise<void>) | undefined;
  /** Replaces a set of new unique values in tests. */
  readonly newKeys?: HashSet | undefined;
}

export async function look(task: Look): Promise<LookReport> {
  const { server, plan, chosen } = task;
  const finder = new CollisionFinder(server, plan.codec, task.newKeys ?? new HashSet());
  const tables: TableReport[] = [];
  for (const each of chosen) tables.push(await lookAt(each, finder, task));
  const sum = (count: (table: TableReport) => number): number =>
    tables.reduce((total, table) => total + count(table), 0);
  return {
    rows: sum(({ rows }) => rows),
    candidates: sum(({ candidates }) => candidates),
    skipped: sum(({ skipped }) => skipped),
    tables,
    notes: [...((await server.listNotices?.()) ?? []), ...describeNotes(chosen, tables, finder)],
  };
}

async function lookAt(
  chosen: ChosenTable,
  finder: CollisionFinder,
  { server, plan, tables, meter, weighs, needsStableKeys, declarations, onRow }: Look,
): Promise<TableReport> {
  const { table, columns } = chosen;
  const { actions, repairer } = plan;
  const judge = createJudge(repairer, table, columns);
  const tally = new TableTally(table, actions);
  for await (const { rows, count } of readPages(server, chosen, plan, undefined, true)) {
    for (const row of rows) {
      for (const [i, column] of columns.entries()) {
        const value = row.values[i];
        const found = value && !column.structure && findUndeclared(value);
        if (found) tally.suggest(row.key, column, value, found);
      }
      const judgement = judge(row);
      if (!judgement) continue;
      const hazards = [...judgement.hazards];
      if (needsStableKeys && table.key?.isStable === false) {
        const name = `${table.key.names.join(', ')} changes with each update`;
        hazards.push({ hazard: 'no-key', name, column: undefined, isFinal: true });
      }
      if (weighs && table.key) {
        const moves = actions['orphaned-row'] === 'allow';
        const { changes } = judgement;
        hazards.push(...(await findReferenceHazards(server, tables, table, changes, moves)));
        // A row that is not written has no new key that others could meet.
        if (decide(hazards, actions).is === 'write') {
          hazards.push(...(await finder.find(table, judgement)));
        }
      }
      const decision = decide(hazards, actions);
      tally.add(judgement, hazards, decision);
      await onRow?.({ table, judgement, hazards, decision });
    }
    tally.rows += count;
    meter.add(count);
  }
  return { ...tally.finish(), declarations: declarations?.get(table.name) ?? [] };
}

function describeNotes(
  chosen: readonly ChosenTable[],
  tables: readonly TableReport[],
  finder: CollisionFinder,
): string[] {
  const notes: string[] = [];
  for (const [i, { table, columns }] of chosen.entries()) {
    const found = tables[i]?.columns ?? [];
    const refusing = columns
      .filter(
        ({ name, refusesMalformed }) =>
          refusesMalformed && found.some(({ column }) => column === name),
      )
      .map(({ name }) => name);
    if (refusing.length > 0) {
      notes.push(
        `${table.name}: the server refuses malformed text, so an undo cannot put it back into ${refusing.join(', ')}; keep a copy of the files`,
      );
    }
    if (!table.key || table.key.isStable || tables[i]?.candidates === 0) continue;
    notes.push(
      `${table.name}: rows have no key, and are found by ${table.key.names.join(', ')}, which changes with each update; undo the repair before VACUUM FULL or other writers move them`,
    );
  }
  if (finder.isIncomplete) {
    notes.push(
      'too many unique values change to compare all in memory; among the rest, a collision is found only when the second row is written, and is handled like any other',
    );
  }
  return notes;
}
