/** A run that is killed at any point, and resumed, ends as one that nobody has disturbed. */
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choose, scale, seed, tier } from '../../../tooling/tiers/tier.js';
import { createTables, dump, type Extra, readIf, repair, undo, useFolder } from './toy-run.js';
import { Kill, ToyServer } from './toy-server.js';

const path = useFolder();
const undoLog = (): string => path('undo-log');

const clean = (): void => {
  for (const name of ['undo-log', '.undo-log.utf8-lock']) rmSync(path(name), { force: true });
};

/** The points of a run, of which some are tried by day. */
const listPoints = (count: number): readonly number[] =>
  choose([...Array(count).keys()], scale(20));

/** Kills at the n-th point, from 0. Returns the number of points that were passed, if it was not reached. */
async function attempt(
  server: ToyServer,
  kill: number,
  work: (server: ToyServer) => Promise<unknown>,
): Promise<number | undefined> {
  let count = 0;
  let left: Buffer | undefined;
  server.hook = () => {
    if (count++ !== kill) return;
    left = readIf(undoLog());
    throw new Kill();
  };
  try {
    await work(server);
    return count;
  } catch (error) {
    if (!(error instanceof Kill)) throw error;
    // A process that is killed tidies nothing up.
    if (left) writeFileSync(undoLog(), left);
    return undefined;
  }
}

const scenarios: readonly (readonly [string, Extra, boolean?])[] = [
  ['by default', {}],
  ['with moves and suffixes', { allow: ['orphaned-row', 'equal-keys'] }],
  [
    'where reads are not of the transaction',
    { batch: 100, allow: ['orphaned-row', 'equal-keys'] },
    true,
  ],
  ['in small batches', { batch: 1, allow: ['orphaned-row', 'equal-keys'] }],
  ['in one batch', { batch: 100, allow: ['orphaned-row'] }],
  ['some columns only', { columns: ['users.note', 'cities.name'] }],
  ['under policies', { errors: 'escape', allow: ['orphaned-row', 'equal-keys'] }],
];

describe.each(
  (tier === 'test' ? choose(scenarios, 4) : scenarios).map(
    ([name, extra, reads]) => [name, { extra, readsCommitted: reads ?? false }] as const,
  ),
)('%s', (_, { extra, readsCommitted }) => {
  const options: Extra = { ...extra };
  const create = (): ToyServer => Object.assign(new ToyServer(createTables()), { readsCommitted });
  const run = (server: ToyServer, more: Extra = {}) =>
    repair(server, { ...options, undo: undoLog(), ...more });

  const runUndisturbed = async () => {
    clean();
    const server = create();
    const before = dump(server);
    let count = 0;
    server.hook = () => void count++;
    const report = await run(server);
    return { before, count, report, after: dump(server), lines: readFileSync(undoLog()) };
  };
  let known: ReturnType<typeof runUndisturbed> | undefined;
  const undisturbed = () => (known ??= runUndisturbed());

  it('a kill at any point', async () => {
    const { before, after, lines, count, report } = await undisturbed();
    expect(after).not.toBe(before);
    expect(count).toBeGreaterThan(20);
    for (const kill of listPoints(count)) {
      clean();
      const server = create();
      expect(await attempt(server, kill, run), `point ${kill}`).toBeUndefined();
      const next = server.restart();
      const resumed = await run(next, { resume: true });
      expect(dump(next), `point ${kill}`).toBe(after);
      expect(readFileSync(undoLog()).toString(), `point ${kill}`).toBe(lines.toString());
      expect(next.state.progress, `point ${kill}`).toBeUndefined();
      if (resumed.repaired) expect(resumed.repaired, `point ${kill}`).toEqual(report.repaired);
    }
  });

  it('an undo log of which any part of the last lines is on the disk', async () => {
    const { after, lines, count } = await undisturbed();
    for (const kill of listPoints(count)) {
      clean();
      const server = create();
      await attempt(server, kill, run);
      const whole = readIf(undoLog());
      const { progress } = server.restart().state;
      if (!whole || !progress || whole.length === progress.undoSize) continue;
      const step = Math.max(1, Math.floor((whole.length - progress.undoSize) / 7));
      for (let size = progress.undoSize; size < whole.length; size += step) {
        const next = server.restart();
        writeFileSync(undoLog(), whole);
        truncateSync(undoLog(), size);
        await run(next, { resume: true });
        expect(dump(next), `point ${kill}, ${size} bytes`).toBe(after);
        expect(readFileSync(undoLog()).toString(), `point ${kill}`).toBe(lines.toString());
      }
    }
  });

  it('any number of kills', async () => {
    const { after, lines, report } = await undisturbed();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), async (kills) => {
        clean();
        let server = create();
        let isEnded = false;
        for (const [i, kill] of kills.entries()) {
          const count = await attempt(server, kill, (each) => run(each, { resume: i > 0 }));
          isEnded ||= count !== undefined;
          server = server.restart();
        }
        const last = await run(server, { resume: true });
        expect(dump(server)).toBe(after);
        expect(readFileSync(undoLog()).toString()).toBe(lines.toString());
        if (last.repaired && !isEnded) expect(last.repaired).toEqual(report.repaired);
      }),
      { seed, numRuns: scale(30) },
    );
  });

  it('an undo restores everything, and so does one that is killed at any point', async () => {
    const { before } = await undisturbed();
    const start = async () => {
      clean();
      const server = create();
      await run(server);
      return server;
    };
    const server = await start();
    let count = 0;
    server.hook = () => void count++;
    const report = await undo(server, undoLog());
    expect(dump(server)).toBe(before);
    expect(report).toMatchObject({ kept: 0, refused: 0 });
    for (const kill of listPoints(count)) {
      const server = await start();
      await attempt(server, kill, (each) => undo(each, undoLog()));
      const next = server.restart();
      const again = await undo(next, undoLog());
      expect(dump(next), `point ${kill}`).toBe(before);
      if (next.state.progress) throw new Error(`progress is left at point ${kill}`);
      const isComplete = again.restored === report.restored && again.kept === 0;
      // After the end, everything is as it was already.
      const isRepeated = again.restored === 0;
      expect(isComplete || isRepeated, `point ${kill}`).toBe(true);
    }
  });

  it('an undo that is killed, too, after a kill at any point of the repair', async () => {
    const { before, count } = await undisturbed();
    for (const kill of listPoints(count)) {
      for (const again of choose([5, 9, 14], scale(30))) {
        clean();
        let server = create();
        await attempt(server, kill, run);
        server = server.restart();
        if (!readIf(undoLog()) || !server.state.progress) continue;
        const ended = await attempt(server, again, (each) => undo(each, undoLog()));
        server = server.restart();
        if (ended === undefined || server.state.progress) await undo(server, undoLog());
        expect(dump(server), `points ${kill} and ${again}`).toBe(before);
        expect(server.state.progress, `points ${kill} and ${again}`).toBeUndefined();
      }
    }
  });

  it('an undo after a kill at any point of the repair', async () => {
    const { before, count } = await undisturbed();
    for (const kill of listPoints(count)) {
      clean();
      const server = create();
      await attempt(server, kill, run);
      const next = server.restart();
      if (!readIf(undoLog()) || (!next.state.progress && dump(next) === before)) continue;
      const report = await undo(next, undoLog());
      expect(dump(next), `point ${kill}`).toBe(before);
      expect(report.kept, `point ${kill}`).toBe(0);
      expect(next.state.progress, `point ${kill}`).toBeUndefined();
    }
  });
});
