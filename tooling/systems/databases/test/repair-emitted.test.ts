/** Statements that are written instead of run: run by each server's own client, they do what a repair does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import { findDifference } from '../src/difference.js';
import { run } from '../src/program.js';
import { readAll, startBenches, succeed } from '../src/repair/bench.js';
import { plantMany } from '../src/repair/many.js';
import { plant, policies } from '../src/repair/planted.js';
import { seed } from '../src/seed.js';

const benches = await startBenches(2);

const show = (all: Record<string, readonly string[]>): string =>
  Object.entries(all)
    .flatMap(([table, rows]) => rows.map((row) => `${table}: ${row}`))
    .join('\n');

describe.each(benches)('$name', ({ bench }) => {
  /** With the client's own settings, as a user would run the file. */
  const runFile = (database: string, path: string): void => {
    const [program = '', ...words] = bench.client(database);
    const { status, stderr } = run(program, words, readFileSync(path));
    expect([status, stderr]).toEqual([0, '']);
  };

  const scripts = [
    ['every kind of value', plant(bench)],
    ['many rows', plantMany(bench, seed)],
  ] as const;

  it.each(choose(scripts, 1))('%s: its client repairs and undoes the same', async (_, script) => {
    const [repaired, emitted] = [bench.create(script), bench.create(script)];
    const before = readAll(bench, emitted);
    const choice = { allow: ['trigger'] } as const;
    const output = join(bench.folder, `${emitted}.sql`);
    const inverse = join(bench.folder, `${emitted}.inverse.sql`);
    const report = await succeed(bench, emitted, 'emit', {
      ...policies,
      ...choice,
      output,
      inverse,
    });
    expect(findDifference(show(readAll(bench, emitted)), show(before))).toBeUndefined();

    // Rows by `ctid` have no statements, which is reported.
    const keyed = report.found?.tables.flatMap(({ table, hazards }) =>
      hazards.some(({ hazard }) => hazard === 'no-key') ? [] : [table],
    );
    await succeed(bench, repaired, 'repair', {
      ...policies,
      ...choice,
      tables: keyed,
      undo: join(bench.folder, `${repaired}.undo log`),
    });
    const wanted = show(readAll(bench, repaired));
    expect(wanted).not.toBe(show(before));
    // Twice: the second time, nothing is still the old text.
    for (let time = 0; time < 2; time++) {
      runFile(emitted, output);
      expect(findDifference(show(readAll(bench, emitted)), wanted)).toBeUndefined();
    }
    expect(bench.check(emitted)).toBe('');
    runFile(emitted, inverse);
    const { audit: __, ...restored } = readAll(bench, emitted);
    const { audit: ___, ...original } = before;
    expect(findDifference(show(restored), show(original))).toBeUndefined();
  });
});
