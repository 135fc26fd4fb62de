/**
 * Tests of figures derived from numbers. The numbers are invented, since those of a run depend on the
 * machine.
 */
import { describe, expect, it } from 'vitest';
import { MOST_REPEATS, raceUntilQuiet, type Trial } from '../src/arena/quiet.mjs';
import { decide, findMischosen, makeBackendsTable } from '../src/backends.mjs';
import type { Cell } from '../src/heats.mjs';
import { describeNoise, findNoise } from '../src/noise.mjs';
import { makeTable } from '../src/readme.mjs';
import type { Report } from '../src/report.mjs';
import { mergeSittings } from '../src/sittings.mjs';
import { showCommands } from '../src/table.mjs';
import { judge } from '../src/targets.mjs';

const KiB = 1024;

const cell = (
  runtime: string,
  operation: string,
  contestant: string,
  median: number,
  more: Partial<Cell> = {},
): Cell => ({
  ...{ runtime, operation, contestant, corpus: 'dump', size: 64 * KiB, bytes: 64 * KiB, median },
  ...more,
});

const report = (runtimes: string[], cells: Cell[], more: Partial<Report> = {}): Report => ({
  version: 3,
  mode: 'full',
  words: [],
  machine: {
    ...{ node: 'v20.0.0', v8: '11', flags: [], cpu: 'CPU', cores: 2, memory: 1, load: 0 },
    ...{ system: 'linux', commit: '0123456789ab', isChanged: false, date: '2026-01-01T00:00:00Z' },
  },
  runtimes: runtimes.map((name) => ({ name, about: name.toUpperCase() })),
  ...{ peers: {}, seconds: 1, stages: {}, contestants: [], cells, memory: [], commands: [] },
  ...{ starts: [], skipped: [], reference: [], noise: [], targets: [] },
  ...more,
});

describe('targets', () => {
  const pair = (runtime: string, ours: number, native: number, more: Partial<Cell> = {}) => [
    cell(runtime, 'decode', 'cesu8', ours, more),
    cell(runtime, 'decode', 'TextDecoder fatal', native, more),
  ];
  const wantedIn = (cells: Cell[], runtimes: string[], runtime: string) =>
    judge(report(runtimes, cells))
      .filter((one) => one.runtime === runtime && one.what.startsWith('decode cesu8 / '))
      .map(({ wanted, measured, isMet }) => ({ wanted, measured, isMet }));

  it('are those of Node 20 there, and floors where native is fast', () => {
    expect(wantedIn(pair('node-20', 10, 30), ['node-20'], 'node-20')).toEqual([
      { wanted: 3.5, measured: 3, isMet: false },
    ]);
    expect(wantedIn(pair('node-26', 10, 7), ['node-26'], 'node-26')).toEqual([
      { wanted: 0.65, measured: 0.7, isMet: true },
    ]);
    const plain = { corpus: 'cjk' };
    expect(wantedIn(pair('firefox', 10, 7, plain), ['firefox'], 'firefox')).toEqual([
      { wanted: 0.85, measured: 0.7, isMet: false },
    ]);
  });

  it('are floors on Node 22 where its native codec is faster than that of Node 20', () => {
    const old = pair('node-20', 10, 40);
    const same = [...old, ...pair('node-22', 10, 40)];
    const faster = [...old, ...pair('node-22', 10, 8)];
    expect(wantedIn(same, ['node-20', 'node-22'], 'node-22')[0]?.wanted).toBe(3.5);
    expect(wantedIn(faster, ['node-20', 'node-22'], 'node-22')[0]?.wanted).toBe(0.65);
  });

  it('want more at 64 bytes, and say what is noisy', () => {
    const [small] = judge(report(['bun'], pair('bun', 10, 8, { size: 64, isNoisy: true })));
    expect(small).toMatchObject({ wanted: 0.9, measured: 0.8, isMet: false, isNoisy: true });
  });

  it('hold isValid against decoding where nothing else validates', () => {
    const cells = [
      cell('chromium', 'validate', 'strict', 10),
      cell('chromium', 'validate', 'TextDecoder fatal', 20),
    ];
    expect(judge(report(['chromium'], cells))).toMatchObject([{ measured: 2, wanted: 0.95 }]);
  });
});

describe('the table of the README', () => {
  it('has the newest runtimes first, compares with what users have, and says where native wins', () => {
    const cells = [
      cell('node-20', 'decode', 'mutf8', 10),
      cell('node-20', 'decode', 'mutf-8', 50),
      cell('node-20', 'decode', 'TextDecoder fatal', 40),
      cell('node-26', 'decode', 'mutf8', 10),
      cell('node-26', 'decode', 'mutf-8', 20),
      cell('node-26', 'decode', 'TextDecoder fatal', 5),
      cell('node-26', 'decode', 'strict', 5),
    ];
    const table = makeTable(report(['node-20', 'node-26'], cells));
    expect(table).toContain('| task | compared with | NODE-26 | NODE-20 |');
    expect(table).toContain('| `mutf8.decode` | npm: mutf-8 | 2.00× | 5.00× |');
    expect(table).toContain('| `strict.decode` | `TextDecoder`, fatal | 1.00× | – |');
    expect(table).toMatch(
      /UTF-8 in 33 % .* `decode` of `mutf8` on NODE-26 \(64 KiB, dump\), where these packages reach 0\.50×/,
    );
  });
});

describe('the table of commands', () => {
  const entry = (contestant: string, median: number, rounds: number): Report['commands'][0] => ({
    ...{ runtime: 'node-20', command: 'scan', format: 'csv', damage: 'all', group: 'peer' },
    ...{ contestant, did: `the work of ${contestant}`, size: 1e6, rss: 5e6 },
    time: { median, lower: median - 1, upper: median + 1, rounds },
    cpu: { median: median / 2, lower: 1, upper: 9, rounds },
  });

  it('compares processor time with the first program, and has quartiles of several rounds', () => {
    const commands = [entry('utf8 scan', 20, 3), entry('grep', 5, 1)];
    const table = showCommands(report(['node-20'], [], { commands }));
    expect(table).toMatch(/utf8 scan +20\.0 +19\.0–21\.0 +10\.0 +50\.0 +5 +1\.00×/);
    expect(table).toMatch(/grep +5\.00 +one round +2\.50 +200 +5 +0\.25×/);
    expect(table).toContain('grep (scan): the work of grep');
  });
});

describe('the decision table', () => {
  const race = (corpus: string, size: number, speeds: Record<string, number>): Cell[] =>
    Object.entries(speeds).map(([edition, median]) =>
      cell('bun', 'encode', 'strict', median, { corpus, size, edition }),
    );
  const cells = [
    ...race('ascii', 64, { platform: 20, webassembly: 20, javascript: 10, fastest: 10 }),
    ...race('ascii', KiB, { platform: 10, webassembly: 20, javascript: 90, fastest: 30 }),
    ...race('ascii', 64 * KiB, { platform: 10, webassembly: 15, javascript: 90, fastest: 10 }),
  ];
  const backends = decide({ cells });

  it('names the fastest backend of each cell, with the speeds of all', () => {
    expect(backends.map(({ backend }) => backend)).toEqual(['javascript', 'platform', 'platform']);
    expect(backends[1]?.speeds).toEqual({ platform: 1, webassembly: 0.5, javascript: 0.111 });
  });

  it('is a line for each runtime and operation', () => {
    const { runtimes } = report(['bun'], cells);
    expect(makeBackendsTable({ backends, runtimes })).toContain(
      '| BUN | encode | javascript to 64 B (2.0×), platform from 1 KiB (1.5 to 2.0×) |',
    );
  });

  it('shows where kernels choose a slower backend', () => {
    expect(findMischosen(backends)).toMatchObject([
      { size: KiB, backend: 'platform', chosen: 0.333 },
    ]);
  });
});

describe('noise', () => {
  const QUIET = [10, 10, 10];
  const LOUD = [10, 14, 18];
  const result = (times: readonly number[]) => {
    const [lower = 0, median = 0, upper = 0] = times;
    return { time: { median, lower, upper, rounds: 3, calls: 1 }, times };
  };
  const trial = (races: (readonly number[])[], more: Partial<Trial> = {}) => {
    const run = { count: 0 };
    const measured = raceUntilQuiet({
      race: () => [result(races[run.count++] ?? [])],
      isDisturbed: () => false,
      isWatched: () => true,
      areEditions: false,
      cost: 1,
      reserve: { milliseconds: 100 },
      ...more,
    });
    return { ...run, noisy: measured[0]?.isNoisy ?? false, median: measured[0]?.median };
  };

  it('has a race repeated until it is quiet', () => {
    expect(trial([QUIET])).toEqual({ count: 1, noisy: false, median: 10 });
    expect(trial([LOUD, QUIET])).toEqual({ count: 2, noisy: false, median: 10 });
  });

  it('is marked if it stays, after a bounded number of repeats', () => {
    const loud = [LOUD, [10, 13, 16], LOUD, QUIET];
    expect(trial(loud)).toEqual({ count: MOST_REPEATS + 1, noisy: true, median: 13 });
    expect(trial(loud, { reserve: { milliseconds: 0 } })).toMatchObject({ count: 1, noisy: true });
    expect(trial(loud, { isWatched: () => false })).toMatchObject({ count: 1, noisy: true });
  });

  it('is also a machine that is slower than at its best', () => {
    let asked = 0;
    const isDisturbed = () => asked++ === 1; // after the first race
    expect(trial([QUIET, QUIET], { isDisturbed })).toEqual({ count: 2, noisy: false, median: 10 });
  });

  it('does not count where it hits both editions alike', () => {
    const race = () => [result(LOUD), result(LOUD.map((time) => time / 2))];
    const [then, now] = raceUntilQuiet({
      ...{ race, isDisturbed: () => false, isWatched: () => true, areEditions: true },
      ...{ cost: 1, reserve: { milliseconds: 0 } },
    });
    expect(then).toMatchObject({ ratio: { median: 1 } });
    expect(now).toMatchObject({ ratio: { median: 2, lower: 2, upper: 2 } });
    expect(now?.isNoisy).toBeUndefined();
  });

  it('is also a ratio that differs between processes', () => {
    const sitting = (median: number) => {
      const ratio = { median, lower: median, upper: median, rounds: 5 };
      return cell('bun', 'decode', 'strict', 10 / median, { edition: 'now', ratio });
    };
    const [quiet] = mergeSittings([sitting(1), sitting(1.04), sitting(0.99)]);
    expect(quiet?.ratio).toMatchObject({ median: 1, lower: 0.99, upper: 1.04 });
    expect(quiet?.isNoisy).toBeUndefined();
    expect(mergeSittings([sitting(1), sitting(1.3), sitting(0.99)])).toMatchObject([
      { isNoisy: true, ratio: { median: 1, upper: 1.3 } },
    ]);
  });

  it('is told in words, for each runtime', () => {
    const noise = findNoise(
      report(['node-20', 'bun'], [cell('node-20', 'decode', 'strict', 1)], {
        reference: [
          { runtime: 'node-20', operation: 'decode', samples: [1, 1.02, 1.01] },
          { runtime: 'bun', operation: 'decode', samples: [1, 1.5, 1.4] },
        ],
      }),
    );
    expect(noise.map(({ drift }) => drift.toFixed(2))).toEqual(['0.02', '0.50']);
    expect(describeNoise(noise)[0]).toMatch(/^node-20: quiet enough; .* 0 of 1 cells are noisy/);
    expect(describeNoise(noise.map((one) => ({ ...one, cells: 1 })))[1]).toMatch(
      /^bun: too noisy to believe a difference of less than 50 %/,
    );
  });
});
