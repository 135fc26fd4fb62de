/**
 * Several attempts at one output, at once or one after the other, as engines make them: on one host, and on
 * two that share a disk. Runs stop at named points, so that nothing depends on how fast they are.
 * `UTF8_SEED=1` repeats a run.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import { createDump, createRandom } from '../../dump/test/random-dump.js';
import { Attempt, command, hasHosts, inContainer, onHost, race } from './attempt.js';
import { plainEnv, type Result, useFolder, utf8 } from './command.js';

/** How many runs are killed in races. */
const wanted = scale(5);

const isLinux = process.platform === 'linux';
/** Whether two hosts, and two containers, can be had on one disk; Linux has them if it is permitted. */
const needHosts = (): void => {
  if (!hasHosts) throw new Error('missing: the permission for unshare --uts');
};

const path = useFolder();
const RESULTS = ['output', 'rejects', 'undo', 'stats'];

const flags = (name: string): string[] =>
  RESULTS.flatMap((result) => [result === 'output' ? '-o' : `--${result}`, `${name}.${result}`]);

/** Two conversions, of which every result differs. */
const SAME = ['convert', '--from', 'cesu-8+utf-8', '--format', 'csv', '../in'];
const OTHER = [...SAME, '--unpaired-surrogates', 'replace'];

const work = (): string => path('work');
const read = (name: string): string[] =>
  RESULTS.map((result) => readFileSync(`${work()}/${name}.${result}`, 'latin1'));
/** What there is besides the results. */
const left = (): string[] => readdirSync(work()).filter((name) => name.startsWith('.'));
const list = (): [string, string][] =>
  readdirSync(work()).map((name) => [name, readFileSync(`${work()}/${name}`, 'latin1')]);

let whole: string[] = [];
let other: string[] = [];
let attempts: Attempt[] = [];

const begin = (words: readonly string[], points: string, host?: string): Attempt => {
  const all = [...onHost(host), ...command(...words, ...flags('out'))];
  const attempt = new Attempt(all, work(), { points });
  attempts.push(attempt);
  return attempt;
};

/** Begins a run, and waits until it has come to a point. */
async function beginUntil(words: readonly string[], points: string, host?: string) {
  const attempt = begin(words, points, host);
  expect(await attempt.next(), points).toBeUndefined();
  return attempt;
}

/** Runs the command in this process, or on another host. */
const run = (words: readonly string[], host?: string): Promise<Result> =>
  host === undefined
    ? utf8([...words, ...flags('out')], '', {
        cwd: work(),
        env: plainEnv({ UTF8_TEST_STRIDE: '65536' }),
      })
    : begin(words, 'none', host).end();

beforeAll(async () => {
  writeFileSync(path('in'), createDump('csv', 20260404, 5000, { pairs: 30, broken: 100 }));
  mkdirSync(work());
  for (const [words, name] of [
    [SAME, 'whole'],
    [OTHER, 'other'],
  ] as const) {
    expect((await utf8([...words, ...flags(name)], '', { cwd: work() })).status).toBe(0);
  }
  whole = read('whole');
  other = read('other');
  for (const [i, bytes] of whole.entries()) expect(bytes === other[i], RESULTS[i]).toBe(false);
});

beforeEach(() => {
  attempts = [];
  rmSync(work(), { recursive: true, force: true });
  mkdirSync(work());
});

afterEach(async () => {
  for (const attempt of attempts) await attempt.kill();
});

const POINTS = [
  ...['free', 'begun', 'opened', 'checkpoint:1', 'checkpoint:2', 'finished'],
  ...['named:rejects', 'named:undo', 'named:stats', 'named:output', 'settling'],
];

const busy =
  /^utf8: out\.output: (process \d+|another process) is writing this file; try again when it has ended\n$/;

it.runIf(isLinux)(
  'one run at a time writes a file, and the next removes what a killed one left',
  async () => {
    const first = await beginUntil(SAME, 'opened');
    const { status, stderr } = await run(SAME);
    expect([status, stderr]).toEqual([75, expect.stringMatching(busy)]);
    await first.kill();
    expect(left()).not.toEqual([]);
    expect((await run(SAME)).status).toBe(0);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  },
);

describe.runIf(isLinux)('on one host', { tags: ['slow'] }, () => {
  it('a run that finds another one at work ends with 75, wherever that is', async () => {
    // Before `begun`, there is nothing to find.
    const first = await beginUntil(SAME, POINTS.slice(1).join());
    for (let i = 1; i < POINTS.length; i++) {
      for (const more of [[], ['--resume']]) {
        const { status, stderr } = await run([...SAME, ...more]);
        expect([status, stderr], POINTS[i]).toEqual([75, expect.stringMatching(busy)]);
      }
      const result = await first.step();
      if (i === POINTS.length - 1) expect(result?.status).toBe(0);
    }
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it('of two that begin at the same moment, one ends with 75', async () => {
    const first = await beginUntil(SAME, 'free');
    const second = await beginUntil(SAME, 'begun');
    expect(await first.end()).toMatchObject({ status: 75, stderr: expect.stringMatching(busy) });
    expect((await second.end()).status).toBe(0);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it('a run that has waited before its first line gives way', async () => {
    const first = await beginUntil(SAME, 'created');
    // After a second, it is taken for one that was killed.
    expect((await run(SAME)).status).toBe(0);
    expect(await first.end()).toMatchObject({ status: 75, stderr: expect.stringMatching(busy) });
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it.each([true, false])(
    'a run that took its place may be killed before it goes on (first: %s)',
    async (isFirst) => {
      const first = await beginUntil(SAME, 'created');
      const second = await beginUntil(SAME, 'taken');
      if (isFirst) await second.kill();
      expect((await first.end()).status).toBe(75);
      if (!isFirst) await second.kill();
      expect((await run(SAME)).status).toBe(0);
      expect(read('out')).toEqual(whole);
      expect(left()).toEqual([]);
    },
  );

  it('of three that find what a killed one left, two end with 75', async () => {
    for (const more of [[], ['--resume']]) {
      await (await beginUntil(SAME, 'checkpoint:2')).kill();
      const words = [...SAME, ...more];
      const others = [await beginUntil(words, 'found'), await beginUntil(words, 'dead')];
      const second = await beginUntil(words, 'taken');
      for (const each of others) expect((await each.end()).status).toBe(75);
      expect((await second.end()).status).toBe(0);
      expect(read('out')).toEqual(whole);
      expect(left()).toEqual([]);
    }
  });

  it('a run that is about to resume what another one removes ends with 75', async () => {
    await (await beginUntil(SAME, 'checkpoint:2')).kill();
    const first = await beginUntil([...SAME, '--resume'], 'dead');
    const second = await beginUntil(SAME, 'opened');
    expect(await first.end()).toMatchObject({ status: 75, stderr: expect.stringMatching(busy) });
    expect((await second.end()).status).toBe(0);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it('a journal that its run removes at that moment is none', async () => {
    const first = await beginUntil(SAME, 'settling');
    const second = await beginUntil(SAME, 'found');
    expect((await first.end()).status).toBe(0);
    expect((await second.end()).status).toBe(0);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it.each(choose(['created', ...POINTS], 3))(
    'a run that was killed is begun again, and nothing is left: %s',
    async (point) => {
      await (await beginUntil(SAME, point)).kill();
      expect((await run(SAME)).status).toBe(0);
      expect(read('out')).toEqual(whole);
      expect(left()).toEqual([]);
    },
  );

  it.each(choose(['created', ...POINTS], 3))(
    'a run that was killed is resumed, and nothing is left: %s',
    async (point) => {
      await (await beginUntil(SAME, point)).kill();
      expect((await run([...SAME, '--resume'])).status).toBe(0);
      expect(read('out')).toEqual(whole);
      expect(left()).toEqual([]);
    },
  );

  it('every command that writes files has them to itself, and removes what a killed one left', async () => {
    const at = { cwd: work() };
    await utf8([...SAME, '-o', 'new', '--undo', 'undo', '--rejects', 'rejects'], '', at);
    const plain = ['convert', '--from', 'cesu-8+utf-8', '--errors', 'replace', '../in'];
    for (const args of [
      [...plain, '-o', 'plain', '--stats', 'stats'],
      ['revert', '--undo', 'undo', 'new', '-o', 'old'],
      ['scan', '--format', 'csv', '../in', '--report', 'report'],
      ['verify', '--format', 'csv', '--key', 'id', '../in', 'new', '--report', 'report'],
    ]) {
      const before = readdirSync(work());
      for (const isKilled of [true, false]) {
        const attempt = new Attempt(command(...args), work(), { points: 'opened' });
        attempts.push(attempt);
        expect(await attempt.next(), args[0]).toBeUndefined();
        const { status, stderr } = await utf8(args, '', at);
        expect([status, stderr], args[0]).toEqual([
          75,
          expect.stringContaining('is writing this file; try again when it has ended'),
        ]);
        if (isKilled) await attempt.kill();
        else
          expect((await attempt.end()).status).toBe(
            args[0] === 'scan' || args[0] === 'verify' ? 1 : 0,
          );
      }
      expect(left(), args[0]).toEqual([]);
      expect(readdirSync(work()).length).toBeGreaterThanOrEqual(before.length);
    }
  });
});

describe.runIf(isLinux)('on two hosts with one disk', { tags: ['slow'] }, () => {
  beforeAll(needHosts);

  it('what one has left neither stops the other, nor is touched by it', async () => {
    await (await beginUntil(SAME, 'checkpoint:2', 'a')).kill();
    const before = list();
    expect(before.length).toBe(5);
    expect((await run(SAME, 'b')).status).toBe(0);
    expect(read('out')).toEqual(whole);
    expect(list()).toEqual(expect.arrayContaining(before));
    expect((await run([...SAME, '--resume'], 'a')).stderr).toMatch(/resumed at byte [1-9]/);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it('--resume says where it was begun', async () => {
    await (await beginUntil(SAME, 'checkpoint:2', 'far.example.org')).kill();
    const before = list();
    expect(await run([...SAME, '--resume'])).toMatchObject({
      status: 2,
      stderr:
        'utf8: out.output: a run was started on host far.example.org; resume it there, or leave out --resume to begin again\n',
    });
    expect(list()).toEqual(before);
  });

  it.each(choose(POINTS, 3))('both finish, one at %s, and nothing is said', async (point) => {
    const first = await beginUntil(SAME, point, 'a');
    expect(await run(SAME, 'b')).toMatchObject({ status: 0 });
    expect(read('out')).toEqual(whole);
    const { status, stderr } = await first.end();
    expect([status, stderr.split('\n').filter((line) => line.includes('another'))]).toEqual([
      0,
      [],
    ]);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it.each(choose(POINTS, 3))(
    'results of two conversions never mix: one waits at %s',
    async (point) => {
      const first = await beginUntil(SAME, point, 'a');
      expect((await run(OTHER, 'b')).status).toBe(0);
      const { status, stderr } = await first.end();
      const isBefore = POINTS.indexOf(point) < POINTS.indexOf('finished');
      expect([status, stderr.includes('another run wrote other contents')]).toEqual([0, isBefore]);
      // If all names were given, the other run has taken them all.
      expect(read('out')).toEqual(['named:output', 'settling'].includes(point) ? other : whole);
      expect(left()).toEqual([]);
    },
  );

  it('results of two conversions never mix, in any order of names', async () => {
    const random = createRandom(seed);
    for (let round = 0; round < 5; round++) {
      const points = POINTS.slice(POINTS.indexOf('finished')).join();
      const live = [await beginUntil(SAME, points, 'a'), await beginUntil(OTHER, points, 'b')];
      const order = [];
      while (live.length > 0) {
        const i = random(live.length);
        order.push(live.length === 2 ? i : '-');
        const result = await (live[i] as Attempt).step();
        if (!result) continue;
        expect([result.status, result.stderr], order.join()).toEqual([0, expect.any(String)]);
        live.splice(i, 1);
      }
      expect([whole, other], order.join()).toContainEqual(read('out'));
      expect(left()).toEqual([]);
    }
  });
});

describe.runIf(isLinux)('in two containers of one host', { tags: ['slow'] }, () => {
  beforeAll(() => {
    if (!inContainer) throw new Error('missing: the permission for unshare --pid');
  });

  it('neither touches what the other writes', async () => {
    const first = await beginUntil(SAME, 'checkpoint:2');
    const enter = (...more: string[]): Promise<Result> =>
      new Attempt([...(inContainer ?? []), ...command(...SAME, ...more, ...flags('out'))], work(), {
        points: 'none',
      }).end();
    expect((await enter()).status).toBe(0);
    expect(read('out')).toEqual(whole);
    expect(await enter('--resume')).toMatchObject({
      status: 2,
      stderr: `utf8: out.output: a run was started in another container or by another user on ${hostname()}; resume it there, or leave out --resume to begin again\n`,
    });
    expect((await first.end()).status).toBe(0);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });
});

describe.runIf(isLinux)(`two attempts race, and ${wanted} are killed`, { tags: ['slow'] }, () => {
  const random = createRandom(seed);

  it.each([
    ['on one host', [undefined, undefined]],
    ['on two hosts with one disk', ['a', 'b']],
  ] as const)(
    '%s',
    async (_, hosts) => {
      let kills = 0;
      const [first, second] = hosts;
      if (first !== second) needHosts();
      while (kills < wanted / 2) {
        const isOneHost = first === second;
        const next = (place: number): Attempt => {
          const resumes = isOneHost && random(3) === 0;
          return begin(resumes ? [...SAME, '--resume'] : SAME, '*', hosts[place]);
        };
        kills += await race(next, random, isOneHost);
        expect(read('out')).toEqual(whole);
        expect(left()).toEqual([]);
        for (const name of readdirSync(work())) rmSync(`${work()}/${name}`);
      }
    },
    60_000 + wanted * 6_000,
  );
});
