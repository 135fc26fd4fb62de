import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDump, createRandom } from '../../dump/test/random-dump.js';
import { finish, program, type Result, start, useFolder, utf8 } from './command.js';

const path = useFolder();

const SEED = 20260404;

/** What a run makes, and how it is asked for. */
const MADE = { output: '-o', rejects: '--rejects', undo: '--undo', stats: '--stats' };

const flags = (name: string): string[] =>
  Object.entries(MADE).flatMap(([what, flag]) => [flag, path(`${name}.${what}`)]);

const command = (input: string, name: string, ...more: string[]): string[] => {
  const args = ['convert', '--from', 'cesu-8+utf-8', '--format', 'csv', path(input)];
  return [...args, ...flags(name), ...more];
};

const read = (name: string): Buffer[] =>
  Object.keys(MADE).map((what) => readFileSync(path(`${name}.${what}`)));

/** What is beside the files that were asked for. */
const left = (): string[] => readdirSync(path('.')).filter((name) => /utf8-/.test(name));

const journal = (): string => path('killed.output.utf8-journal');

/** How many times it has been written down how far a run has come. */
const countCheckpoints = (): number =>
  existsSync(journal()) ? (readFileSync(journal(), 'utf8').match(/^\{"offset"/gm)?.length ?? 0) : 0;

/** Starts a run, and kills it when it has come so far. */
async function killAfter(checkpoints: number, args: string[]): Promise<Result> {
  for (const name of left()) rmSync(path(name));
  const child = start(args);
  while (countCheckpoints() < checkpoints && child.exitCode === null) await setTimeout(2);
  child.kill('SIGKILL');
  return finish(child);
}

let duration = 0;

beforeAll(async () => {
  // The same rows again and again, since it is the size that matters.
  const dump = createDump('csv', SEED, 20_000, { pairs: 30, broken: 900 });
  const rows = dump.subarray(dump.indexOf('\n') + 1);
  const header = dump.subarray(0, dump.length - rows.length);
  const count = Math.ceil((40 << 20) / rows.length);
  writeFileSync(path('in'), Buffer.concat([header, ...Array.from({ length: count }, () => rows)]));
  const began = performance.now();
  const { status } = await utf8(command('in', 'whole'));
  duration = performance.now() - began;
  expect(status).toBe(0);
}, 120_000);

function expectWhole(): void {
  const wanted = read('whole');
  for (const [i, bytes] of read('killed').entries()) {
    expect(bytes.equals(wanted[i] as Buffer), Object.keys(MADE)[i]).toBe(true);
  }
  expect(left()).toEqual([]);
}

/** Kills runs at random moments, and has the last one go on to the end. */
async function killAndResume(random: (below: number) => number): Promise<void> {
  for (const what of Object.keys(MADE)) writeFileSync(path(`killed.${what}`), 'before');
  const jobs = ['--jobs', String(1 + random(2))];
  for (let kills = 1 + random(2); kills > 0; kills--) {
    const child = start(command('in', 'killed', '--resume', ...jobs));
    const ended = finish(child);
    await setTimeout(random(Math.ceil(1.1 * duration)));
    child.kill('SIGKILL');
    const { signal } = await ended;
    if (signal)
      expect(readFileSync(path('killed.output'), 'latin1').length).toSatisfy(isAllOrNothing);
  }
  const { status, stderr } = await utf8(command('in', 'killed', '--resume', ...jobs));
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('bug')]);
  expectWhole();
}

const isAllOrNothing = (length: number): boolean =>
  length === 'before'.length || length === readFileSync(path('whole.output')).length;

describe('a run that was killed goes on, and nobody sees it in what it makes', () => {
  it('at a few moments', { timeout: 120_000 }, async () => {
    const random = createRandom(SEED);
    for (let i = 0; i < 4; i++) await killAndResume(random);
  });

  it('at 100 random moments', { tags: ['slow'], timeout: 1_200_000 }, async () => {
    const random = createRandom(SEED + 1);
    for (let i = 0; i < 100; i++) await killAndResume(random);
  });

  it('after the last checkpoint, with a torn write', async () => {
    await killAfter(2, command('in', 'killed'));
    const lines = readFileSync(journal(), 'utf8').split('\n');
    const { offset } = JSON.parse(
      lines.filter((line) => line.startsWith('{"offset"')).at(-1) ?? '',
    );
    appendFileSync(journal(), '{"offset":12345,"sta');
    for (const name of left()) if (name.includes('unfinished')) appendFileSync(path(name), 'half');
    const { status, stderr } = await utf8(command('in', 'killed', '--resume'));
    expect([status, stderr]).toEqual([0, expect.stringContaining(`resumed at byte ${offset} of `)]);
    expectWhole();
  });

  it('when all was done but the names', async () => {
    await killAfter(1, command('in', 'killed'));
    // As a run leaves it that is killed between two names.
    const { parts } = JSON.parse(readFileSync(journal(), 'utf8').split('\n')[0] ?? '');
    const whole = read('whole');
    for (const [i, what] of Object.keys(MADE).entries()) {
      const isNamed = what === 'undo' || what === 'stats';
      rmSync(parts[what].temporary, { force: true });
      writeFileSync(isNamed ? path(`killed.${what}`) : parts[what].temporary, whole[i] as Buffer);
    }
    appendFileSync(journal(), '{"done":true}\n');
    const { status, stderr } = await utf8(command('in', 'killed', '--resume'));
    expect([status, stderr]).toEqual([
      0,
      `utf8: ${path('killed.output')}: an earlier run was complete; its files now have their names\n`,
    ]);
    expectWhole();
  });

  it('from a compressed input, which is read again', async () => {
    writeFileSync(path('in.gz'), gzipSync(readFileSync(path('in')), { level: 1 }));
    await killAfter(1, command('in.gz', 'killed'));
    const { status, stderr } = await utf8(command('in.gz', 'killed', '--resume'));
    expect([status, stderr]).toEqual([0, expect.stringContaining('resumed at byte ')]);
    expect(read('killed')[0]?.equals(read('whole')[0] as Buffer)).toBe(true);
    expect(read('killed')[1]?.equals(read('whole')[1] as Buffer)).toBe(true);
    expect(left()).toEqual([]);
  });
});

describe('without --resume', () => {
  it('a run begins again, and what was left goes', async () => {
    await killAfter(1, command('in', 'killed'));
    expect(left().length).toBe(5);
    const { status, stderr } = await utf8(command('in', 'killed'));
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('resumed')]);
    expectWhole();
  });

  it('a run that has come nowhere is no trouble, and --resume begins it', async () => {
    await killAfter(1, command('in', 'killed'));
    writeFileSync(journal(), '{"journal":1,"opt');
    for (const name of left()) if (name.includes('unfinished')) rmSync(path(name));
    const { status } = await utf8(command('in', 'killed', '--resume'));
    expect(status).toBe(0);
    expectWhole();
  });
});

describe.runIf(process.platform !== 'win32')('somebody who stops a run', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s can go on', async (signal) => {
    for (const name of left()) rmSync(path(name));
    const child = start(command('in', 'killed'));
    const ended = finish(child);
    while (countCheckpoints() === 0) await setTimeout(2);
    child.kill(signal);
    const stopped = await ended;
    expect(stopped.signal).toBe(signal);
    expect(stopped.stderr).toBe(
      `utf8: progress on ${path('killed.output')} was saved; add --resume to continue\n`,
    );
    const { status, stderr } = await utf8(command('in', 'killed', '--resume'));
    expect([status, stderr]).toEqual([0, expect.stringContaining('resumed at byte ')]);
    expectWhole();
  });

  it('before there is anything to go on with leaves nothing', async () => {
    for (const name of left()) rmSync(path(name));
    const child = start(command('in', 'killed'));
    const ended = finish(child);
    while (left().length === 0) await setTimeout(1);
    child.kill('SIGTERM');
    const { signal, stderr } = await ended;
    expect(signal).toBe('SIGTERM');
    // On a machine that was too busy to kill it in time there is.
    expect(stderr === '' ? left() : []).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')('a disk that is full is no end', async () => {
  for (const name of left()) rmSync(path(name));
  // In KiB or in blocks of 512 bytes, by the shell; either is more than a checkpoint and less than all.
  const script = `trap '' XFSZ; ulimit -f 38000; exec "$@"`;
  const args = [process.execPath, program, ...command('in', 'killed')];
  const { status, stderr } = await finish(spawn('sh', ['-c', script, 'sh', ...args]));
  expect([status, stderr]).toEqual([
    3,
    `utf8: progress on ${path('killed.output')} was saved; add --resume to continue\n` +
      `utf8: ${path('killed.output')}: the file system does not allow a file of this size; write elsewhere\n`,
  ]);
  expect((await utf8(command('in', 'killed', '--resume'))).status).toBe(0);
  expectWhole();
});

describe('--resume refuses', () => {
  const refuse = async (args: string[], sentence: string): Promise<void> => {
    const { status, stderr } = await utf8(args);
    expect([status, stderr]).toEqual([2, `utf8: ${sentence}\n`]);
  };

  it.each([
    ['--nul', ['--nul', 'remove']],
    ['--unpaired-surrogates', ['--unpaired-surrogates', 'replace']],
    ['--errors', ['--errors', 'ignore']],
    ['--range', ['--range', '0-99']],
    ['--to', ['--to', 'rfc2279']],
    ['--no-header', ['--no-header']],
    ['--delimiter', ['--delimiter', ';']],
  ])('a journal of other options: %s', async (flag, more) => {
    await killAfter(1, command('in', 'killed'));
    await refuse(
      command('in', 'killed', '--resume', ...more),
      `${journal()}: the run before had another ${flag}; give the same, or leave --resume out to begin again`,
    );
  });

  it('an input that has changed', async () => {
    writeFileSync(path('changing'), readFileSync(path('in')));
    await killAfter(1, command('changing', 'killed'));
    utimesSync(path('changing'), 1, 1);
    await refuse(
      command('changing', 'killed', '--resume'),
      `${path('changing')}: has changed since the run before; leave --resume out to begin again`,
    );
  });

  it('another input', async () => {
    await killAfter(1, command('in', 'killed'));
    await refuse(
      command('changing', 'killed', '--resume'),
      `${journal()}: the run before had another input; give the same, or leave --resume out to begin again`,
    );
  });

  it('to go on with what is gone', async () => {
    await killAfter(1, command('in', 'killed'));
    const temporary = left().find((name) => name.startsWith('killed.rejects.')) as string;
    truncateSync(path(temporary), 1);
    await refuse(
      command('in', 'killed', '--resume'),
      `--resume needs ${path(temporary)}, which is gone or cut short; leave --resume out to begin again`,
    );
    rmSync(path(temporary));
    await refuse(
      command('in', 'killed', '--resume'),
      `--resume needs ${path(temporary)}, which is gone or cut short; leave --resume out to begin again`,
    );
  });

  it('what another process is at work on, with --resume or without', async () => {
    await killAfter(1, command('in', 'killed'));
    const { host } = JSON.parse(/^\{"pid".*$/m.exec(readFileSync(journal(), 'utf8'))?.[0] ?? '');
    appendFileSync(journal(), `${JSON.stringify({ pid: process.pid, host })}\n`);
    for (const more of [['--resume'], []]) {
      await refuse(
        command('in', 'killed', ...more),
        `${path('killed.output')}: process ${process.pid} is at work on it; wait for it, or remove ${journal()} if that is another program`,
      );
    }
    rmSync(journal());
  });
});
