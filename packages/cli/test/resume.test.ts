import { spawn } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { nameCheckpoint } from '@utf8/files';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { choose, scale, tier } from '../../../tooling/tiers/tier.js';
import { createDump } from '../../dump/test/random-dump.js';
import { finish, program, runBuilt } from './built.js';
import { plainEnv, type Result, useFolder, utf8 } from './command.js';

const path = useFolder();
const isPosix = process.platform !== 'win32';
const SEED = 20260404;
const ROWS = tier === 'test' ? 5000 : 9000;

/** The results of a run, and the options that name them. */
const RESULTS = { output: '-o', rejects: '--rejects', undo: '--undo', stats: '--stats' };

const flags = (name: string, results: readonly string[] = Object.keys(RESULTS)): string[] =>
  Object.entries(RESULTS)
    .filter(([result]) => results.includes(result))
    .flatMap(([result, flag]) => [flag, path(`${name}.${result}`)]);

const command = (input: string, name: string, ...more: string[]): string[] => [
  ...['convert', '--from', 'cesu-8+utf-8', '--format', 'csv', path(input)],
  ...flags(name),
  ...more,
];

const read = (name: string): Buffer[] =>
  Object.keys(RESULTS).map((result) => readFileSync(path(`${name}.${result}`)));

/** Files that a run has left besides its results. */
const left = (): string[] => readdirSync(path('.')).filter((name) => /utf8-/.test(name));

const checkpoint = (): string => nameCheckpoint(path('killed.output'));

const unfinished = (result: string): string =>
  path(left().find((name) => name.startsWith(`.killed.${result}.utf8-unfinished-`)) as string);

/** Checkpoints follow each other closely, so that small files have many. */
const env = (stop?: string): NodeJS.ProcessEnv =>
  plainEnv({ UTF8_TEST_STRIDE: '16384', ...(stop ? { UTF8_TEST_STOP: stop } : {}) });

/** Files that killed runs have left, by the point at which the runs were killed. */
const killed = new Map<string, { name: string; bytes: Buffer; mode: number }[]>();

/** Runs the command until it kills itself at a named point, or restores what such a run has left. */
async function stopAt(stop: string, args: string[]): Promise<void> {
  for (const name of left()) rmSync(path(name));
  const run = [stop, ...args].join(' ');
  for (const { name, bytes, mode } of killed.get(run) ?? []) {
    writeFileSync(path(name), bytes, { mode });
  }
  if (killed.has(run)) return;
  const { signal } = await runBuilt(args, '', { env: env(stop) });
  expect(signal).toBe('SIGKILL');
  const files = left().map((name) => {
    return { name, bytes: readFileSync(path(name)), mode: statSync(path(name)).mode };
  });
  killed.set(run, files);
}

const resume = (...more: string[]): Promise<Result> =>
  utf8(command('in', 'killed', '--resume', ...more), '', { env: env() });

beforeAll(async () => {
  writeFileSync(path('in'), createDump('csv', SEED, ROWS, { pairs: 30, broken: 100 }));
  const { status } = await utf8(command('in', 'whole'));
  // Records were rejected.
  expect(status).toBe(1);
});

const reset = (): void => {
  for (const result of Object.keys(RESULTS)) writeFileSync(path(`killed.${result}`), 'before');
};

beforeEach(reset);

function expectWhole(): void {
  const wanted = read('whole');
  for (const [i, bytes] of read('killed').entries()) {
    expect(bytes.equals(wanted[i] as Buffer), Object.keys(RESULTS)[i]).toBe(true);
  }
  expect(left()).toEqual([]);
}

function expectBefore(): void {
  for (const bytes of read('killed')) expect(bytes.toString()).toBe('before');
}

describe('--resume continues where a run was killed', () => {
  it.each(choose(['checkpoint:1', 'checkpoint:2'], scale(10)))('%s', async (stop) => {
    for (const jobs of choose(['1', '3'], scale(10))) {
      reset();
      await stopAt(stop, command('in', 'killed', '--jobs', jobs));
      expectBefore();
      const { status, stderr } = await resume('--jobs', jobs);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/resumed at byte [1-9]/)]);
      expectWhole();
    }
  });

  it('after a record that exceeds memory, not within it', { tags: ['slow'] }, async () => {
    const long = Buffer.from(`id,name\n1,"${'a,b\n'.repeat(2_000_000)}"\n`);
    const rows = createDump('csv', SEED, 3000, { pairs: 30, broken: 900 });
    writeFileSync(path('long'), Buffer.concat([long, rows]));
    expect((await utf8(command('long', 'whole-long'))).status).toBe(1);
    await stopAt('checkpoint:1', command('long', 'killed'));
    const { status, stderr } = await utf8(command('long', 'killed', '--resume'), '', {
      env: env(),
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`resumed at byte ${long.length}`),
    ]);
    const wanted = read('whole-long').map((bytes) => bytes.toString('latin1'));
    const made = read('killed').map((bytes) => bytes.toString('latin1'));
    expect(made.every((bytes, i) => bytes === wanted[i])).toBe(true);
  });

  it('finished: only the names are missing', { tags: ['slow'] }, async () => {
    await stopAt('finished', command('in', 'killed'));
    expectBefore();
    expect((await resume()).status).toBe(1);
    expectWhole();
  });

  it.each(['rejects', 'undo', 'stats', 'output'])(
    'named:%s',
    { tags: ['slow'] },
    async (result) => {
      await stopAt(`named:${result}`, command('in', 'killed'));
      expect((await resume()).status).toBe(1);
      expectWhole();
    },
  );

  it('again and again', { tags: ['slow'] }, async () => {
    await stopAt('checkpoint:1', command('in', 'killed'));
    for (let round = 0; round < 2; round++) {
      const { signal } = await runBuilt(command('in', 'killed', '--resume'), '', {
        env: env('checkpoint:1'),
      });
      expect(signal).toBe('SIGKILL');
    }
    expect((await resume()).status).toBe(1);
    expectWhole();
  });

  it('with a compressed input of two members, which is read again', {
    tags: ['slow'],
  }, async () => {
    const bytes = readFileSync(path('in'));
    const members = [bytes.subarray(0, 99_999), bytes.subarray(99_999)];
    writeFileSync(path('in.gz'), Buffer.concat(members.map((each) => gzipSync(each))));
    await stopAt('checkpoint:2', command('in.gz', 'killed'));
    const args = command('in.gz', 'killed', '--resume');
    const { status, stderr } = await utf8(args, '', { env: env() });
    expect([status, stderr]).toEqual([1, expect.stringContaining('resumed at byte ')]);
    for (const i of [0, 1])
      expect(read('killed')[i]?.equals(read('whole')[i] as Buffer)).toBe(true);
    expect(left()).toEqual([]);
  });

  it('without --format, if it was given from the start', async () => {
    const args = (name: string): string[] => [
      ...['convert', '--from', 'cesu-8+utf-8', '--errors', 'replace', path('in'), '--resume'],
      ...flags(name, ['output', 'undo', 'stats']),
    ];
    await utf8(args('plain'));
    await stopAt('checkpoint:1', args('killed'));
    const { status, stderr } = await utf8(args('killed'), '', { env: env() });
    expect([status, stderr]).toEqual([0, expect.stringContaining('resumed at byte ')]);
    for (const result of ['output', 'undo', 'stats']) {
      const [found, wanted] = ['killed', 'plain'].map((name) =>
        readFileSync(path(`${name}.${result}`)),
      );
      expect(found?.equals(wanted as Buffer), result).toBe(true);
    }
  });
});

describe('without --resume', () => {
  it('a run begins again, and removes what was left', { tags: ['slow'] }, async () => {
    await stopAt('checkpoint:1', command('in', 'killed'));
    expect(left().length).toBe(6);
    const { status, stderr } = await utf8(command('in', 'killed'));
    expect([status, stderr]).toEqual([1, expect.not.stringContaining('resumed')]);
    expectWhole();
  });

  it('a checkpoint that was not written to its end does not matter', async () => {
    await stopAt('checkpoint:1', command('in', 'killed'));
    writeFileSync(`${checkpoint()}-new`, '{"checkpoint":3,"opt');
    expect((await resume()).status).toBe(1);
    expectWhole();
  });
});

describe.runIf(isPosix)('a signal', () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  it.each(choose(signals, scale(10)))('%s keeps progress', async (signal) => {
    for (const name of left()) rmSync(path(name));
    const around = { env: { ...env('checkpoint:2'), UTF8_TEST_SIGNAL: signal } };
    const jobs = signal === 'SIGTERM' ? '2' : '1';
    const args = command('in', 'killed', '--jobs', jobs);
    const { signal: ending, stderr } = await runBuilt(args, '', around);
    expect([ending, stderr]).toEqual([signal, expect.stringContaining('add --resume to continue')]);
    expectBefore();
    expect((await resume()).status).toBe(1);
    expectWhole();
  });
});

it.runIf(process.platform === 'linux')(
  'a full disk keeps progress',
  { tags: ['slow'] },
  async () => {
    for (const name of left()) rmSync(path(name));
    // In blocks of 512 bytes: more than a checkpoint, and less than all.
    const script = `trap '' XFSZ; ulimit -f 500; exec "$@"`;
    const args = [process.execPath, program, ...command('in', 'killed')];
    const { status, stderr } = await finish(
      spawn('sh', ['-c', script, 'sh', ...args], { env: env() }),
    );
    expect([status, stderr]).toEqual([3, expect.stringContaining('add --resume to continue')]);
    expect((await resume()).status).toBe(1);
    expectWhole();
  },
);

describe('--resume refuses', () => {
  const refuse = async (args: string[], sentence: string | RegExp, code = 2): Promise<void> => {
    // The lock of a dead run is nothing to keep.
    const list = () =>
      readdirSync(path('.'))
        .filter((name) => !name.endsWith('.utf8-lock'))
        .map((name) => [name, readFileSync(path(name), 'latin1')]);
    const before = list();
    const { status, stderr } = await utf8(args, '', { env: env() });
    expect([status, stderr]).toEqual([code, expect.stringMatching(sentence)]);
    expect(stderr).not.toContain('bug');
    // Nothing is touched.
    expect(list()).toEqual(before);
  };

  it('other options', async () => {
    await stopAt('checkpoint:1', command('in', 'killed'));
    for (const [flag, ...more] of [
      ['--nul', '--nul', 'remove'],
      ['--unpaired-surrogates', '--unpaired-surrogates', 'replace'],
      ['--errors', '--errors', 'remove'],
      ['--range', '--range', '0-99'],
      ['--to', '--to', 'rfc2279'],
      ['--no-header', '--no-header'],
      ['--delimiter', '--delimiter', ';'],
    ]) {
      await refuse(
        command('in', 'killed', '--resume', ...more),
        new RegExp(`the interrupted run had a different ${flag}`),
      );
    }
  });

  it('an input that has changed, or another one', async () => {
    writeFileSync(path('changing'), readFileSync(path('in')));
    await stopAt('checkpoint:1', command('changing', 'killed'));
    await refuse(command('in', 'killed', '--resume'), 'different input');
    utimesSync(path('changing'), 1, 1);
    await refuse(command('changing', 'killed', '--resume'), 'changed since the interrupted run');
  });

  it.each(['output', 'rejects', 'undo'])(
    'an unfinished file that has changed: %s',
    async (result) => {
      await stopAt('checkpoint:1', command('in', 'killed'));
      const file = unfinished(result);
      const bytes = readFileSync(file);
      const changed = Buffer.from(bytes);
      changed[3] = (changed[3] as number) ^ 1;
      writeFileSync(file, changed);
      await refuse(command('in', 'killed', '--resume'), 'utf8-unfinished');
      writeFileSync(file, bytes);
      truncateSync(file, 1);
      await refuse(command('in', 'killed', '--resume'), 'utf8-unfinished');
      rmSync(file);
      await refuse(command('in', 'killed', '--resume'), 'utf8-unfinished');
    },
  );

  it.runIf(isPosix)('an unfinished file that is a link', async () => {
    await stopAt('checkpoint:1', command('in', 'killed'));
    const file = unfinished('output');
    writeFileSync(path('private'), readFileSync(file));
    rmSync(file);
    symlinkSync(path('private'), file);
    await refuse(command('in', 'killed', '--resume'), 'utf8-unfinished');
    rmSync(file);
    linkSync(path('private'), file);
    await refuse(command('in', 'killed', '--resume'), 'utf8-unfinished');
  });
});

describe('a checkpoint that is not trusted', () => {
  /** Runs with and without --resume; both have to end with 2 and leave everything as it is. */
  async function refuseBoth(): Promise<void> {
    writeFileSync(path('victim'), 'private');
    for (const args of [command('in', 'killed'), command('in', 'killed', '--resume')]) {
      const { status, stderr } = await utf8(args, '', { env: env() });
      expect([status, stderr]).toEqual([2, expect.stringMatching(/utf8-checkpoint: /)]);
      expect(stderr).not.toContain('bug');
      expectBefore();
      expect(readFileSync(path('victim'), 'utf8')).toBe('private');
    }
  }

  it('that was planted', async () => {
    for (const name of left()) rmSync(path(name));
    const parts = { output: { target: path('killed.output'), temporary: path('victim') } };
    for (const text of [
      '{"checkpoint":1}\n',
      `{"checkpoint":2,"options":{},"input":{},"parts":${JSON.stringify(parts)}}\n`,
      `{"checkpoint":3,"tokens":{"output":"../../victim"}} 00000000\n`,
      'not JSON\n',
      '\0\0\0\0\n',
    ]) {
      writeFileSync(checkpoint(), text, { mode: 0o600 });
      await refuseBoth();
      expect(readFileSync(checkpoint(), 'utf8')).toBe(text);
    }
  });

  it('that was changed', async () => {
    await stopAt('checkpoint:1', command('in', 'killed'));
    const text = readFileSync(checkpoint(), 'utf8');
    const tampered = text.replace(
      /("offset":)(\d+)/,
      (_, key, offset) => `${key}${Number(offset) + 1}`,
    );
    expect(tampered).not.toBe(text);
    writeFileSync(checkpoint(), tampered);
    await refuseBoth();
  });

  it.runIf(isPosix)('that others can write to, or that is a link', async () => {
    await stopAt('checkpoint:1', command('in', 'killed'));
    chmodSync(checkpoint(), 0o666);
    await refuseBoth();
    const text = readFileSync(checkpoint());
    rmSync(checkpoint());
    writeFileSync(path('elsewhere'), text, { mode: 0o600 });
    symlinkSync(path('elsewhere'), checkpoint());
    await refuseBoth();
    rmSync(checkpoint());
  });
});
