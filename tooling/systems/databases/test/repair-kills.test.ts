/**
 * Kills repairs, and the servers that they write to, at named points, resumes them until they end, and compares
 * database and undo log with those of an undisturbed run.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '@utf8/oracles/interop/random';
import { describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { findDifference } from '../src/difference.js';
import { readAll, start, startBenches, succeed } from '../src/repair/bench.js';
import { plantMany } from '../src/repair/many.js';
import { policies } from '../src/repair/planted.js';
import { seed } from '../src/seed.js';

const wanted = isNight ? 200 : 2;

const benches = await startBenches(1);

/** Points after which the state of a run has changed. */
const points = [
  'after the look',
  'before the undo log is on the disk',
  'within a line of the undo log',
  'before the commit',
  'after a page',
  'at the end',
];

// Two hundred kills take minutes.
describe.concurrent.each(benches)('$name', { timeout: 3_600_000 }, ({ bench }) => {
  it(`ends the same after ${wanted} kills`, async () => {
    const random = new Random(seed);
    const script = plantMany(bench, seed);
    const options = (database: string) => ({
      ...policies,
      allow: ['orphaned-row', 'equal-keys', 'trigger'] as const,
      batch: 20,
      undo: join(bench.folder, `${database}.undo log`),
    });
    const readUndoLog = (database: string): string =>
      readFileSync(options(database).undo, 'utf8')
        .replaceAll(database, 'DATABASE')
        // The name of the database is in the checksums of the first line and the last.
        .replace(/"(?:sum":"\w+"|of":\d+)/g, '');
    const readState = (database: string) => ({
      cells: readAll(bench, database),
      check: bench.check(database),
    });

    const model = bench.create(script);
    const before = readState(model);
    const report = await succeed(bench, model, 'repair', options(model));
    expect(report.repaired?.rows).toBeGreaterThan(100);
    const expected = { ...readState(model), undoLog: readUndoLog(model) };

    let kills = 0;
    let resumed = 0;
    let named = 0;
    const disturb = async (database: string, work: 'repair' | 'undo', given: object) => {
      const crash = bench.crash && random.below(5) === 0 ? bench.crash : undefined;
      const time = 1 + random.below(named < points.length ? 3 : 9);
      const point = { at: points[named++ % points.length] as string, time };
      return start(bench, database, work, given as never, {
        point,
        act: async (kill) => {
          kills++;
          if (!crash) return kill();
          await crash();
        },
      });
    };

    /** Disturbs a run until it ends by itself. */
    const finish = async (
      database: string,
      work: 'repair' | 'undo',
      given: object,
      label: string,
    ) => {
      for (let attempt = 0; attempt < 30; attempt++) {
        const isLast = attempt >= 4 || kills >= wanted;
        const isResumed = attempt > 0 && work === 'repair' ? { resume: true } : {};
        const merged = { ...given, ...isResumed };
        const answer = isLast
          ? await start(bench, database, work, merged as never)
          : await disturb(database, work, merged);
        if (answer.report) return;
        if (/before it changed anything/.test(answer.error?.message ?? '')) return;
        if (answer.error) {
          // Of a server that was killed; of ours, nothing else may go wrong.
          expect([`${label}: ${answer.error.message}`, answer.error.code]).toEqual([
            expect.anything(),
            expect.stringMatching(/^ERR_UTF8_(INPUT|OUTPUT|BUSY)$/),
          ]);
          expect(isLast, `${label}: ${answer.error.message}`).toBe(false);
        }
        if (attempt > 0) resumed++;
      }
      throw new Error(`${label}: does not end`);
    };

    for (let round = 0; kills < wanted; round++) {
      const database = bench.create(script);
      const label = `UTF8_SEED=${seed}, round ${round}`;
      const given = options(database);
      const { undo: undoLog } = given;
      const undo = { undo: undoLog, batch: 10, allow: ['trigger'] };
      const expectOriginal = (): void => {
        // Triggers fire during an undo, too.
        const { audit: _, ...cells } = readState(database).cells;
        const { audit: __, ...original } = before.cells;
        expect(cells, label).toEqual(original);
      };
      if (round % 4 === 3) {
        // Undone instead of resumed.
        const answer = await disturb(database, 'repair', given);
        if (!answer.report) {
          if (existsSync(undoLog)) {
            await finish(database, 'undo', undo, `${label}, undo of an interrupted run`);
          }
          expectOriginal();
        }
      } else {
        await finish(database, 'repair', given, label);
        expect(readState(database), label).toEqual({ cells: expected.cells, check: '' });
        expect(findDifference(readUndoLog(database), expected.undoLog), label).toBeUndefined();
        if (random.below(2) === 0) {
          await finish(database, 'undo', undo, `${label}, undo`);
          expectOriginal();
        }
      }
      rmSync(undoLog, { force: true });
      bench.drop(database);
    }
    console.log(`${bench.name}: ${kills} kills, ${resumed} of runs that had been resumed`);
  });
});
