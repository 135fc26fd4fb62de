/** Repairs of values of every kind in columns of every kind, by all servers: nothing else changes, and an undo restores all. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDifference } from '../src/difference.js';
import { readAll, startBenches, succeed } from '../src/repair/bench.js';
import { plant, policies, repairRows } from '../src/repair/planted.js';

const benches = await startBenches(3);

const repairAll = (all: Record<string, readonly string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(all).map(([table, rows]) => [table, repairRows(rows)]));

const show = (all: Record<string, readonly string[]>): string =>
  Object.entries(all)
    .flatMap(([table, rows]) => rows.map((row) => `${table}: ${row}`))
    .join('\n');

describe.each(benches)('$name', ({ bench }) => {
  const setUp = (): { database: string; before: Record<string, readonly string[]> } => {
    const database = bench.create(plant(bench));
    return { database, before: readAll(bench, database) };
  };

  it('repairs all of it, proves it, and undoes it', async () => {
    const { database, before } = setUp();
    const looked = await succeed(bench, database, 'scan', { ...policies });
    expect(looked.repaired).toBeNull();
    expect(readAll(bench, database)).toEqual(before);
    const undoLog = join(bench.folder, `${database}.undo log`);
    const report = await succeed(bench, database, 'repair', {
      ...policies,
      undo: undoLog,
      batch: 7,
    });
    expect(report.found?.candidates).toBe(looked.found?.candidates);
    expect(report.found?.candidates).toBeGreaterThan(50);
    expect(report.refusals).toEqual([]);
    expect(report.left).toMatchObject({ candidates: 0, rows: looked.found?.rows });
    expect(report.problems).toEqual([]);
    expect(bench.check(database)).toBe('');
    const repaired = readAll(bench, database);
    expect(findDifference(show(repaired), show(repairAll(before)))).toBeUndefined();

    const again = await succeed(bench, database, 'repair', {
      ...policies,
      undo: `${undoLog}.2`,
    });
    expect(again.repaired).toMatchObject({ rows: 0, values: 0 });
    expect(existsSync(`${undoLog}.2`)).toBe(false);
    expect(readAll(bench, database)).toEqual(repaired);

    const undone = await succeed(bench, database, 'undo', { undo: undoLog, batch: 5 });
    expect(undone).toMatchObject({ restored: report.repaired?.values, kept: 0, refused: 0 });
    expect(undone.problems).toEqual([]);
    expect(findDifference(show(readAll(bench, database)), show(before))).toBeUndefined();
    expect(bench.check(database)).toBe('');
  });
});
