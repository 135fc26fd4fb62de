/**
 * Several attempts at one output, at once or one after the other, as engines make them. Runs stop at named points, so that nothing depends on how fast they are.
 * `UTF8_SEED=1` repeats a run.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import { createDump, createRandom } from '../../dump/test/random-dump.js';
import { Attempt, command, elsewhere, race } from './attempt.js';
import { plainEnv, type Result, useFolder, utf8 } from './command.js';

/** Number of runs to kill in races. */
const wanted = scale(5);

const isLinux = process.platform === 'linux';

const path = useFolder();
const RESULTS = ['output', 'rejects', 'undo', 'stats'];

const flags = (name: string): string[] =>
  RESULTS.flatMap((result) => [result === 'output' ? '-o' : `--${result}`, `${name}.${result}`]);

/** The exit code of a run that is done: the dump has records to reject. */
const DONE = 1;

const SAME = ['convert', '--from', 'cesu-8+utf-8', '--format', 'csv', '../in'];

const work = (): string => path('work');
const read = (name: string): string[] =>
  RESULTS.map((result) => readFileSync(`${work()}/${name}.${result}`, 'latin1'));
/** Lists the files besides the results. */
const left = (): string[] => readdirSync(work()).filter((name) => name.startsWith('.'));
const list = (): [string, string][] =>
  readdirSync(work()).map((name) => [name, readFileSync(`${work()}/${name}`, 'latin1')]);

let whole: string[] = [];
let attempts: Attempt[] = [];

const begin = (words: readonly string[], points: string): Attempt => {
  const attempt = new Attempt(command(...words, ...flags('out')), work(), points);
  attempts.push(attempt);
  return attempt;
};

/** Begins a run, and waits until it has come to a point. */
async function beginUntil(words: readonly string[], points: string) {
  const attempt = begin(words, points);
  expect(await attempt.next(), points).toBeUndefined();
  return attempt;
}

/** Runs the command in this process. */
const run = (words: readonly string[]): Promise<Result> =>
  utf8([...words, ...flags('out')], '', {
    cwd: work(),
    env: plainEnv({ UTF8_TEST_STRIDE: '65536' }),
  });

beforeAll(async () => {
  writeFileSync(path('in'), createDump('csv', 20260404, 5000, { pairs: 30, broken: 100 }));
  mkdirSync(work());
  expect((await utf8([...SAME, ...flags('whole')], '', { cwd: work() })).status).toBe(DONE);
  whole = read('whole');
});

beforeEach(() => {
  attempts = [];
  rmSync(work(), { recursive: true, force: true });
  mkdirSync(work());
});

afterEach(async () => {
  for (const attempt of attempts) await attempt.kill();
});

const BEFORE = ['lock:opened', 'lock:read', 'lock:written'];
const POINTS = [
  ...['locked', 'free', 'begun', 'opened', 'checkpoint:1', 'checkpoint:2', 'finished'],
  ...['named:rejects', 'named:undo', 'named:stats', 'named:output'],
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
    expect((await run(SAME)).status).toBe(DONE);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  },
);

describe.runIf(isLinux)('on one host', { tags: ['slow'] }, () => {
  it('a run that finds another one at work ends with 75, wherever that is', async () => {
    const first = await beginUntil(SAME, POINTS.join());
    for (const point of POINTS) {
      for (const more of [[], ['--resume']]) {
        const { status, stderr } = await run([...SAME, ...more]);
        expect([status, stderr], point).toEqual([75, expect.stringMatching(busy)]);
      }
      const result = await first.step();
      if (point === POINTS.at(-1)) expect(result?.status).toBe(DONE);
    }
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it('of two that begin at the same moment, one ends with 75', async () => {
    const first = await beginUntil(SAME, 'lock:read');
    const second = await beginUntil(SAME, 'locked');
    expect(await first.end()).toMatchObject({ status: 75, stderr: expect.stringMatching(busy) });
    expect((await second.end()).status).toBe(DONE);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it.each(['lock:opened', 'lock:read'])(
    'a run may end before another one is past %s',
    async (point) => {
      const first = await beginUntil(SAME, point);
      expect((await run(SAME)).status).toBe(DONE);
      expect((await first.end()).status).toBe(DONE);
      expect(read('out')).toEqual(whole);
      expect(left()).toEqual([]);
    },
  );

  it.each([true, false])(
    'a run that was faster may be killed before it goes on (at once: %s)',
    async (isAtOnce) => {
      const first = await beginUntil(SAME, 'lock:read');
      const second = await beginUntil(SAME, 'lock:written');
      if (isAtOnce) await second.kill();
      expect((await first.end()).status).toBe(isAtOnce ? DONE : 75);
      if (!isAtOnce) await second.kill();
      expect((await run(SAME)).status).toBe(DONE);
      expect(read('out')).toEqual(whole);
      expect(left()).toEqual([]);
    },
  );

  it('of three that find what a killed one left, two end with 75', async () => {
    for (const more of [[], ['--resume']]) {
      await (await beginUntil(SAME, 'checkpoint:2')).kill();
      const words = [...SAME, ...more];
      const others = [await beginUntil(words, 'lock:opened'), await beginUntil(words, 'lock:read')];
      const second = await beginUntil(words, 'locked');
      for (const each of others) expect((await each.end()).status).toBe(75);
      expect((await second.end()).status).toBe(DONE);
      expect(read('out')).toEqual(whole);
      expect(left()).toEqual([]);
    }
  });

  it('a run that is about to resume what another one removes ends with 75', async () => {
    await (await beginUntil(SAME, 'checkpoint:2')).kill();
    const first = await beginUntil([...SAME, '--resume'], 'lock:read');
    const second = await beginUntil(SAME, 'opened');
    expect(await first.end()).toMatchObject({ status: 75, stderr: expect.stringMatching(busy) });
    expect((await second.end()).status).toBe(DONE);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it('a lock that its run removes at that moment does not count', async () => {
    const first = await beginUntil(SAME, 'named:output');
    const second = await beginUntil(SAME, 'lock:opened');
    expect((await first.end()).status).toBe(DONE);
    expect((await second.end()).status).toBe(DONE);
    expect(read('out')).toEqual(whole);
    expect(left()).toEqual([]);
  });

  it.each(choose([...BEFORE, ...POINTS], 3))(
    'a run that was killed is begun again, and nothing is left: %s',
    async (point) => {
      await (await beginUntil(SAME, point)).kill();
      expect((await run(SAME)).status).toBe(DONE);
      expect(read('out')).toEqual(whole);
      expect(left()).toEqual([]);
    },
  );

  it.each(choose([...BEFORE, ...POINTS], 3))(
    'a run that was killed is resumed, and nothing is left: %s',
    async (point) => {
      await (await beginUntil(SAME, point)).kill();
      expect((await run([...SAME, '--resume'])).status).toBe(DONE);
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
        const attempt = new Attempt(command(...args), work(), 'opened');
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

describe.runIf(isLinux).each(elsewhere)('on %s', { tags: ['slow'] }, (where, words) => {
  it('a run that is at work, or was killed, is never touched', async () => {
    const first = new Attempt([...words, ...command(...SAME, ...flags('out'))], work(), 'opened');
    attempts.push(first);
    await first.next();
    for (const isKilled of [false, true]) {
      if (isKilled) await first.kill();
      const before = list();
      for (const more of [[], ['--resume']]) {
        const { status, stderr } = await run([...SAME, ...more]);
        expect(status).toBe(75);
        expect(stderr).toMatch(/^utf8: out\.output: process \d+ on /);
        expect(stderr).toContain(` on ${where} is writing this file, or was interrupted; `);
        expect(list()).toEqual(before);
      }
    }
    rmSync(`${work()}/.out.output.utf8-lock`);
    expect((await run(SAME)).status).toBe(DONE);
    expect(read('out')).toEqual(whole);
  });
});

describe.runIf(isLinux)(`two attempts race, and ${wanted} are killed`, { tags: ['slow'] }, () => {
  const random = createRandom(seed);

  it(
    'on one host',
    async () => {
      let kills = 0;
      while (kills < wanted) {
        const next = (): Attempt => begin(random(3) === 0 ? [...SAME, '--resume'] : SAME, '*');
        kills += await race(next, random);
        expect(read('out')).toEqual(whole);
        expect(left()).toEqual([]);
        for (const name of readdirSync(work())) rmSync(`${work()}/${name}`);
      }
    },
    60_000 + wanted * 6_000,
  );
});
