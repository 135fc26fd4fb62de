/** The scripts of `apps/site/pages/engines.md`, run by the engines that are here. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDifference } from '@utf8/systems/databases/difference';
import { findScripts } from '@utf8/systems/databases/markdown';
import { toCopy } from '@utf8/systems/databases/notation';
import { type Expected, plant, type Row } from '@utf8/systems/databases/planted';
import { demandProgram, type Outcome, run } from '@utf8/systems/databases/program';
import { rowCount, seed } from '@utf8/systems/databases/seed';
import { createEnvironment, demandUtf8 } from '@utf8/systems/databases/utf8';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'utf8-engines-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const bin = join(root, 'bin');
mkdirSync(bin);
const env: NodeJS.ProcessEnv = { ...createEnvironment(bin), PARALLEL_HOME: join(root, 'parallel') };
const work = join(root, 'work');
const path = (name: string): string => join(work, name);

const planted = plant({
  seed,
  rows: rowCount,
  faults: ['a lone high half', 'U+0000', 'U+0000 in two bytes', 'no lead at all'],
});

const toRow = ({ id, name, note, data }: Expected): Row => ({
  id,
  name: Buffer.from(name),
  note: note === null ? null : Buffer.from(note),
  data,
});

const dump = Buffer.concat(planted.rows.map(toCopy));

/** Size of one of several parts, in bytes. */
const STEP = Math.ceil(dump.length / 4.5);

/** Expected output if U+0000 is kept, as by the scripts, which know no target. */
const serial = (() => {
  const file = join(root, 'serial.copy');
  writeFileSync(file, dump);
  const words = ['convert', '--format', 'copy', '--from', 'cesu-8+utf-8'];
  const files = ['--rejects', join(root, 'serial.rejects'), '--stats', join(root, 'serial.stats')];
  const output = demandUtf8([...words, ...files, file]);
  return {
    output,
    rejects: readFileSync(join(root, 'serial.rejects')),
    stats: JSON.parse(readFileSync(join(root, 'serial.stats'), 'utf8')),
  };
})();

beforeEach(() => {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  writeFileSync(path('orders.copy'), dump);
});

demandProgram('parallel');
const sh = (script: string, environment: NodeJS.ProcessEnv = env): Outcome =>
  run('sh', ['-c', script], '', { cwd: work, env: environment });

/** Returns the sum of the parts' counts. */
const sumStats = (): object => {
  const all = readdirSync(work)
    .filter((name) => name.includes('.stats'))
    .map((name) => JSON.parse(readFileSync(path(name), 'utf8')));
  expect(all.length).toBeGreaterThan(3);
  const sum = (read: (stats: typeof serial.stats) => number): number =>
    all.reduce((total, stats) => total + read(stats), 0);
  return {
    in: sum(({ records }) => records.in),
    out: sum(({ records }) => records.out),
    rejected: sum(({ records }) => records.rejected),
    changed: sum(({ records }) => records.changed),
  };
};

it('the comparison is with what was planned', () => {
  expect(serial.stats.records.in).toBe(planted.rows.length);
  expect(serial.stats.records.rejected).toBeGreaterThan(0);
  expect(serial.stats.findings.pair).toBe(planted.pairs);
  const expected = new Set(planted.expected.map((row) => toCopy(toRow(row)).toString('latin1')));
  const lines = serial.output.toString('latin1').split(/(?<=\n)/);
  expect(lines.filter((line) => expected.has(line))).toHaveLength(planted.expected.length);
});

describe('GNU parallel', () => {
  const [convert = '', gather = ''] = findScripts(
    'engines.md',
    'GNU parallel, on one machine',
    'sh',
  ).map((script) => script.replace('256M', `${STEP}`));
  const [share = ''] = findScripts(
    'engines.md',
    'GNU parallel with ranges: resumable, and on several hosts',
    'sh',
  ).map((script) => script.replace('268435456', `${STEP}`));

  /** The environment in which the third part fails once, as where a disk was full, and its log. */
  const breakOnce = (): { env: NodeJS.ProcessEnv; readRuns: () => string[] } => {
    const broken = join(root, 'broken');
    rmSync(broken, { recursive: true, force: true });
    mkdirSync(broken);
    const { PATH } = env;
    const lines = [
      '#!/bin/sh',
      `case "$*" in *.part.00003*) mkdir '${broken}/failed' 2>/dev/null && exit 3;; esac`,
      `echo "$@" >> '${broken}/runs'`,
      `PATH='${PATH}' exec utf8 "$@"`,
    ];
    writeFileSync(join(broken, 'utf8'), `${lines.join('\n')}\n`, { mode: 0o755 });
    return {
      env: { ...env, PATH: `${broken}:${PATH}` },
      readRuns: () => readFileSync(join(broken, 'runs'), 'utf8').trim().split('\n'),
    };
  };

  const readLog = (): string[][] =>
    readFileSync(path('orders.log'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));

  const expectWhole = (): void => {
    expect(sh(gather).status).toBe(0);
    expect(findDifference(readFileSync(path('orders.utf8.copy')), serial.output)).toBeUndefined();
    const rejects = readFileSync(path('orders.rejects.copy'));
    expect(findDifference(rejects, serial.rejects)).toBeUndefined();
    expect(sumStats()).toEqual(serial.stats.records);
  };

  it('blocks make up what one process makes', () => {
    const { status, stderr } = sh(convert);
    expect([status, stderr.includes('parallel:')]).toEqual([0, false]);
    expectWhole();
  });

  it('a block that fails ends the run, and is in the log', () => {
    expect(sh(convert, breakOnce().env).status).not.toBe(0);
    const failed = readLog().filter(([, , , , , , code]) => code === '1');
    expect(failed.map(([number]) => number)).toEqual(['3']);
    expect(readdirSync(work)).not.toContain('orders.part.00003');
  });

  const version = /GNU parallel (\d+)/.exec(run('parallel', ['--version']).stdout.toString())?.[1];

  it.runIf(version === '20221122').each(['--retries 3', '--resume-failed'])(
    'blocks and %s do not go together in version 20221122',
    { tags: ['night'] },
    (flag) => {
      const { env } = breakOnce();
      const again = convert.replace('--halt now,fail=1', flag);
      expect(again).not.toBe(convert);
      if (flag === '--resume-failed') sh(again, env);
      expect(sh(again, env).status).toBe(0);
      sh(gather);
      expect(readFileSync(path('orders.utf8.copy')).equals(serial.output)).toBe(false);
    },
  );

  it('ranges of one file, shared out to hosts, make up what one process makes', () => {
    // This host alone, which needs no ssh.
    writeFileSync(path('hosts'), '2/:\n');
    const { status, stderr } = sh(share);
    expect([status, stderr.includes('parallel:')]).toEqual([0, false]);
    expectWhole();
  });

  it('ranges that failed are listed, leave nothing, and are done again alone', () => {
    writeFileSync(path('hosts'), '2/:\n');
    const { env, readRuns } = breakOnce();
    expect(sh(share, env).status).toBe(1);
    const log = readLog();
    const failed = log.filter(([, , , , , , code]) => code !== '0');
    expect(failed.map(([number]) => number)).toEqual(['3']);
    const names = readdirSync(work).filter((name) => name.startsWith('orders.part.'));
    expect(names).toHaveLength(log.length - 1);
    const before = readRuns().length;
    expect(sh(share, env).status).toBe(0);
    expect(readRuns().slice(before)).toHaveLength(1);
    expectWhole();
  });

  it('tasks of an array, one after the end among them, make up what one process makes', () => {
    const [task = ''] = findScripts('engines.md', 'Arrays of jobs', 'sh');
    const script = task.replace('268435456', `${STEP}`);
    for (let number = 0; number * STEP < dump.length + STEP; number++) {
      const { status, stderr } = sh(script, { ...env, SLURM_ARRAY_TASK_ID: `${number}` });
      expect([number, status, stderr]).toEqual([number, 0, expect.any(String)]);
    }
    expectWhole();
  });
});
