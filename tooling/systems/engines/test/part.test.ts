/**
 * `part.sh` in every shell that is here: whole jobs, killed at every command, two attempts at once, and the scripts of
 * `apps/site/pages/engines.md`. Kubernetes, AWS Batch and Slurm are not here: their commands run with the variables that
 * they would set.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDifference } from '@utf8/systems/databases/difference';
import { findScripts } from '@utf8/systems/databases/markdown';
import { demand, demandProgram, type Outcome, run } from '@utf8/systems/databases/program';
import { seed } from '@utf8/systems/databases/seed';
import { createEnvironment, demandUtf8 } from '@utf8/systems/databases/utf8';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Attempt, hasHosts, onHost, race } from '../../../../packages/cli/test/attempt.js';
import { createDump, createRandom } from '../../../../packages/dump/test/random-dump.js';
import { choose, isNight } from '../../../tiers/tier.js';

const script = fileURLToPath(new URL('../../../../packages/cli/engines/part.sh', import.meta.url));
const wanted = isNight ? 100 : 3;

const root = mkdtempSync(join(tmpdir(), 'utf8-part-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Writes a program into a folder. */
function writeProgram(folder: string, name: string, ...lines: string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(join(folder, name), 0o755);
}

const bin = join(root, 'bin');
mkdirSync(bin);
const common = createEnvironment(bin);
for (const name of ['JOB_COMPLETION_INDEX', 'AWS_BATCH_JOB_ARRAY_INDEX', 'SLURM_ARRAY_TASK_ID']) {
  delete common[name];
}

/** A shell, with the programs that are found beside it. */
interface Shell {
  readonly name: string;
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const shells: Shell[] = [{ name: 'dash', words: [demandProgram('dash')], env: common }];
if (isNight) {
  const busybox = demandProgram('busybox');
  // Nothing but its own programs.
  const folder = join(root, 'busybox');
  mkdirSync(folder);
  demand(busybox, ['--install', '-s', folder]);
  const env = { ...common, PATH: `${bin}:${folder}` };
  shells.push({ name: 'BusyBox', words: [join(folder, 'sh')], env });
}

const work = join(root, 'work');
const path = (name: string): string => join(work, name);
const OPTIONS = ['--format', 'copy', '--from', 'cesu-8+utf-8'];

const RECORDS = 5000;
const dump = createDump('copy', seed, RECORDS, { pairs: 10, broken: 100 });
const STEP = Math.ceil(dump.length / 3.5);
writeFileSync(join(root, 'in.copy'), dump);
const whole = {
  part: demandUtf8([
    'convert',
    ...OPTIONS,
    '--rejects',
    join(root, 'rejects'),
    join(root, 'in.copy'),
  ]),
  rejects: readFileSync(join(root, 'rejects')),
};
const count = Math.ceil(dump.length / STEP);
const indexes = Array.from({ length: count }, (_, i) => `${i}`);

let attempts: Attempt[] = [];
beforeEach(() => {
  attempts = [];
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  cpSync(join(root, 'in.copy'), path('in.copy'), { preserveTimestamps: true });
});
afterEach(async () => {
  for (const attempt of attempts) await attempt.kill();
});

const part = (
  { words, env }: Shell,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Outcome => {
  const [name = '', ...rest] = words;
  return run(name, [...rest, script, ...args], '', { cwd: work, env: { ...env, ...more } });
};

const list = (folder: string): string[] => readdirSync(path(folder)).sort();
const gather = (folder: string): Buffer =>
  Buffer.concat(
    list(folder)
      .filter((name) => !name.startsWith('.'))
      .map((name) => readFileSync(path(`${folder}/${name}`))),
  );

/** Expects all parts of a job, and nothing that is not finished. */
function expectWhole(out: string): void {
  for (const folder of ['part', 'rejects', 'stats']) {
    expect(list(`${out}/${folder}`)).toEqual(indexes.map((index) => index.padStart(9, '0')));
  }
  expect(findDifference(gather(`${out}/part`), whole.part)).toBeUndefined();
  expect(findDifference(gather(`${out}/rejects`), whole.rejects)).toBeUndefined();
}

/** Completes a job, one part after the other. */
function complete(shell: Shell, out: string): void {
  for (const index of indexes) {
    const { status, stderr } = part(shell, ['in.copy', out, `${STEP}`, index, ...OPTIONS]);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
  }
}

/** What removes the files of all attempts when none is running. */
const [clean = ''] = findScripts('engines.md', 'What an attempt leaves', 'sh');

it('is plain POSIX shell', { tags: ['night'] }, () => {
  expect(run('shellcheck', [script]).stdout.toString()).toBe('');
});

it('what removes the files of attempts removes no other', () => {
  const folder = mkdtempSync(join(root, 'clean-'));
  const others = ['.orders.utf8-old', '.orders.utf8-unfinished', 'orders.utf8-journal-01234567'];
  const left = ['.out.utf8-unfinished-0123abcd', '.out.utf8-journal-0123abcd'];
  for (const name of [...others, ...left]) writeFileSync(join(folder, name), '');
  demand('sh', ['-c', clean], '', { cwd: folder });
  expect(readdirSync(folder).sort()).toEqual(others.sort());
});

it('the parts are several, and some records are refused', () => {
  expect(count).toBeGreaterThan(3);
  expect(whole.rejects.length).toBeGreaterThan(0);
});

describe.each(shells)('in $name', (shell) => {
  const convert = (index: string, more: NodeJS.ProcessEnv = {}, out = 'out') =>
    part(shell, ['in.copy', out, `${STEP}`, index, ...OPTIONS], more);

  it('parts make up what one process makes, and are not done again', () => {
    expect(part(shell, ['--count', 'in.copy', `${STEP}`]).stdout.toString()).toBe(`${count}\n`);
    complete(shell, 'out');
    expectWhole('out');
    const { status, stderr, stdout } = part(shell, ['--check', 'out']);
    expect([status, stdout.length]).toEqual([0, 0]);
    expect(stderr).toMatch(
      new RegExp(
        `^part.sh: ${count} parts are done: ${dump.length} bytes, ${RECORDS} records, [1-9]\\d* of them rejected\n$`,
      ),
    );
    writeFileSync(path('out/part/000000001'), 'kept');
    const again = convert('01');
    expect([again.status, again.stderr]).toEqual([0, 'part.sh: part 1 is done\n']);
    expect(readFileSync(path('out/part/000000001'), 'utf8')).toBe('kept');
    expect(list('out')).toEqual(['job', 'part', 'rejects', 'stats']);
  });

  it('takes INDEX of an engine, and does nothing if there is no such part', () => {
    for (const [i, name] of [
      'JOB_COMPLETION_INDEX',
      'AWS_BATCH_JOB_ARRAY_INDEX',
      'SLURM_ARRAY_TASK_ID',
    ].entries()) {
      const words = ['in.copy', 'out', `${STEP}`, ...(i === 0 ? ['--'] : []), ...OPTIONS];
      expect(part(shell, words, { [name]: `${i}` }).status).toBe(0);
      expect(list('out/stats')).toHaveLength(i + 1);
    }
    const { status, stderr } = convert(`${count}`);
    expect([status, stderr]).toEqual([
      0,
      `part.sh: in.copy has ${count} parts, and none is ${count}: nothing to do\n`,
    ]);
  });

  it('works with links, names with blanks, names like options, plain text and empty files', () => {
    symlinkSync('in.copy', path('-a link'));
    for (const index of indexes) {
      expect(part(shell, ['-a link', '-my out', `${STEP}`, index, ...OPTIONS]).status).toBe(0);
    }
    expectWhole('-my out');
    expect(part(shell, ['--check', '-my out']).status).toBe(0);
    writeFileSync(path('empty'), '');
    for (const [name, options] of [
      ['plain', ['--from', 'cesu-8+utf-8', '--errors', 'replace']],
      ['empty', OPTIONS],
    ] as const) {
      const [input, out] = [name === 'plain' ? 'in.copy' : 'empty', `${name}.out`];
      const parts = Number(part(shell, ['--count', input, `${STEP}`]).stdout.toString());
      expect(parts).toBe(name === 'plain' ? count : 1);
      for (let i = 0; i < parts; i++) {
        expect(part(shell, [input, out, `${STEP}`, `${i}`, ...options]).status).toBe(0);
      }
      const expected = demandUtf8(['convert', ...options, path(input)]);
      expect(findDifference(gather(`${out}/part`), expected)).toBeUndefined();
      expect(part(shell, ['--check', out]).status).toBe(0);
    }
  });

  it('sets records aside, or fails with --strict', () => {
    const fails = indexes.map(
      (index) => part(shell, ['in.copy', 'out', `${STEP}`, index, '--strict', ...OPTIONS]).status,
    );
    expect(new Set(fails)).toContain(1);
    expect(list('out/rejects')).toEqual([]);
    const missing = part(shell, ['--check', 'out']);
    expect(missing.status).toBe(1);
    expect(missing.stdout.toString()).toBe(
      indexes
        .filter((_, i) => fails[i] === 1)
        .map((index) => `${index}\n`)
        .join(''),
    );
  });

  it.each<[string, string[], RegExp, number?]>([
    ['nothing', [], /usage: part.sh/],
    ['no STEP', ['in.copy', 'out'], /usage: part.sh/],
    ['STEP 0', ['in.copy', 'out', '0', '0'], /STEP must be 1 or more/],
    ['STEP in hex', ['in.copy', 'out', '0x10', '0'], /STEP "0x10": expected a whole number/],
    ['a negative STEP', ['in.copy', 'out', '-5', '0'], /STEP "-5": expected a whole number/],
    ['a long STEP', ['in.copy', 'out', '9'.repeat(16), '0'], /of up to 15 digits/],
    ['no INDEX', ['in.copy', 'out', '10'], /no INDEX/],
    ['another INDEX', ['in.copy', 'out', '10', '1x'], /INDEX "1x": expected a whole number/],
    ['no input', ['none', 'out', '10', '0'], /none: no such file/, 3],
    ['a folder', ['.', 'out', '10', '0'], /.: no such file/, 3],
    ['a file as OUT', ['in.copy', 'in.copy', '10', '0'], /in.copy: cannot be created/, 3],
    ['--rejects', ['in.copy', 'out', '10', '0', '--rejects', 'x'], /--rejects: part.sh names/],
    ['--range', ['in.copy', 'out', '10', '0', '--range=0-1'], /--range=0-1: part.sh names/],
    ['-o', ['in.copy', 'out', '10', '0', '-o', 'x'], /-o: part.sh names/],
    ['--resume', ['in.copy', 'out', '10', '0', '--resume'], /--resume: part.sh names/],
    [
      'an option that utf8 does not know',
      ['in.copy', 'out', '10', '0', '--form'],
      /unknown option --form/,
    ],
    ['--check of nothing', ['--check', 'none'], /none: no such folder/, 3],
    ['--check of another folder', ['--check', '.'], /no part has been begun here/, 3],
  ])('refuses %s', (_, args, sentence, code = 2) => {
    const { status, stderr } = part(shell, args);
    expect([status, stderr]).toEqual([code, expect.stringMatching(sentence)]);
  });

  it('says which program is missing', () => {
    const { status, stderr } = convert('0', { UTF8: '/nowhere/utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('/nowhere/utf8 does not run')]);
  });

  it('refuses a part of another job, and leaves the first one as it is', () => {
    expect(convert('0').status).toBe(0);
    const before = readFileSync(path('out/job'), 'utf8');
    const others: (readonly [string[], () => void])[] = [
      [['in.copy', 'out', `${STEP + 1}`, '1', ...OPTIONS], () => {}],
      [['in.copy', 'out', `${STEP}`, '1', ...OPTIONS, '--errors', 'replace'], () => {}],
      [['in.copy', 'out', `${STEP}`, '1', '--strict', ...OPTIONS], () => {}],
      [['in.copy', 'out', `${STEP}`, '1', ...OPTIONS], () => utimesSync(path('in.copy'), 1, 1)],
      [['in.copy', 'out', `${STEP}`, '1', ...OPTIONS], () => truncateSync(path('in.copy'), 9)],
    ];
    for (const [args, change] of others) {
      change();
      const { status, stderr } = part(shell, args);
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining('was begun with other options'),
      ]);
    }
    expect(readFileSync(path('out/job'), 'utf8')).toBe(before);
    expect(list('out/stats')).toEqual(['000000000']);
  });

  it('--check finds what is missing, or was read twice', () => {
    complete(shell, 'out');
    rmSync(path('out/part/000000002'));
    rmSync(path('out/stats/000000001'));
    const { status, stdout, stderr } = part(shell, ['--check', 'out']);
    expect([status, stdout.toString(), stderr]).toEqual([
      1,
      '1\n2\n',
      `part.sh: 2 of ${count} parts are missing\n`,
    ]);
    rmSync(path('out/stats/000000002'));
    complete(shell, 'out');
    expectWhole('out');
    cpSync(path('out/stats/000000000'), path('out/stats/000000001'));
    expect(part(shell, ['--check', 'out'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('begin again in another folder'),
    });
  });

  it('a part that is killed at any command is done again, whole', () => {
    // Each of these kills the shell before or after it does its work, if it is the one to do so.
    const folder = join(root, 'deadly');
    rmSync(folder, { recursive: true, force: true });
    const counter = join(root, 'counter');
    const names = ['stat', 'mkdir', 'mktemp', 'chmod', 'ln', 'cmp', 'rm', 'mv', 'utf8'];
    for (const name of names) {
      writeProgram(
        folder,
        name,
        `PATH='${shell.env.PATH}'`,
        `echo >> '${counter}'`,
        `[ "$(wc -l < '${counter}')" -ne "$KILL" ] || { [ "$WHEN" = before ] || ${name} "$@"; kill -9 "$PPID"; exit 1; }`,
        `exec ${name} "$@"`,
      );
    }
    const env = { ...shell.env, PATH: `${folder}:${shell.env.PATH}` };
    /** Returns the exit code; 0 where no command was the one to kill. */
    const convertUntil = (kill: number, when: string): number | null => {
      rmSync(path('out'), { recursive: true, force: true });
      writeFileSync(counter, '');
      const words = ['in.copy', 'out', `${STEP}`, '1', ...OPTIONS];
      return part({ ...shell, env }, words, { KILL: `${kill}`, WHEN: when }).status;
    };
    expect(convertUntil(0, 'before')).toBe(0);
    const commands = Array.from(readFileSync(counter, 'utf8'), (_, i) => i + 1);
    expect(commands.length).toBeGreaterThanOrEqual(names.length);
    for (const kill of choose(commands, 2)) {
      for (const when of ['before', 'after']) {
        expect(convertUntil(kill, when), `${kill} ${when}`).not.toBe(0);
        // Counts are there only if the part is.
        const done = existsSync(path('out/stats')) ? list('out/stats') : [];
        if (done.includes('000000001')) expect(list('out/part')).toContain('000000001');
        expect(convert('1').status, `${kill} ${when}`).toBe(0);
        expect(list('out/stats'), `${kill} ${when}`).toEqual(['000000001']);
        const start = whole.part.indexOf(readFileSync(path('out/part/000000001')));
        expect(start, `${kill} ${when}`).toBeGreaterThan(0);
      }
    }
  });

  it('passes signals on, and waits', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
    ] as const) {
      const folder = join(root, 'slow');
      writeProgram(
        folder,
        'utf8',
        '[ "$1" = convert ] || { echo 1.0; exit; }',
        // It waits for the signal, or the end of the test.
        `read -r _ < '${path('never')}' & reader=$!`,
        `trap 'kill $reader; echo ended >> "${path('log')}"; exit 143' TERM`,
        'echo begun >&2',
        'wait',
      );
      demand('mkfifo', [path('never')]);
      const [name = '', ...words] = shell.words;
      const args = [...words, script, 'in.copy', 'out', `${STEP}`, '0', ...OPTIONS];
      const child = spawn(name, args, {
        cwd: work,
        env: { ...shell.env, UTF8: join(folder, 'utf8') },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await once(child.stderr, 'data');
      child.kill(signal);
      expect((await once(child, 'exit'))[0]).toBe(code);
      expect(readFileSync(path('log'), 'utf8')).toBe('ended\n');
      rmSync(path('never'));
      rmSync(path('log'));
    }
  });

  const begin = (points: string, host?: string): Attempt => {
    const words = [...onHost(host), ...shell.words, script, 'in.copy', 'out', `${STEP}`, '1'];
    // unshare may not be among the programs of the shell.
    const env = { ...shell.env, PATH: `${shell.env.PATH}:${process.env.PATH}` };
    const attempt = new Attempt([...words, ...OPTIONS], work, { points, env });
    attempts.push(attempt);
    return attempt;
  };

  const expectPart = (): void => {
    expect(readdirSync(path('out')).sort()).toEqual(['job', 'part', 'rejects', 'stats']);
    for (const folder of ['part', 'rejects', 'stats']) {
      expect(list(`out/${folder}`)).toEqual(['000000001']);
      expect(
        readFileSync(path(`out/${folder}/000000001`)).equals(
          readFileSync(path(`alone/${folder}/000000001`)),
        ),
        folder,
      ).toBe(true);
    }
  };

  it('on one host, a second attempt at a part ends with 75', async () => {
    expect(convert('1', {}, 'alone').status).toBe(0);
    const first = begin('opened,named:stats');
    expect(await first.next()).toBeUndefined();
    expect(convert('1').status).toBe(75);
    expect(await first.step()).toBeUndefined();
    expect(convert('1').status).toBe(75);
    expect((await first.end()).status).toBe(0);
    expectPart();
  });

  const races = [
    ['on one host', [undefined, undefined]],
    ['on two hosts with one disk', ['a', 'b']],
  ] as const;
  // A hundred kills take minutes.
  it.each(races)('two attempts race %s, and are killed', { timeout: 600_000 }, async (_, hosts) => {
    const random = createRandom(seed);
    if (hosts[0] && !hasHosts) throw new Error('missing: unshare --uts');
    expect(convert('1', {}, 'alone').status).toBe(0);
    for (let kills = 0; kills < wanted / 4; ) {
      rmSync(path('out'), { recursive: true, force: true });
      kills += await race((place) => begin('*', hosts[place]), random, hosts[0] === hosts[1]);
      // A part that is done is not looked at again, so that of one that was killed, something may be left.
      demand('sh', ['-c', clean], '', { cwd: work });
      expectPart();
    }
  });
});

/** Programs of engines that are not here, which run what they are given as the engine would. */
const engines = join(root, 'engines');
const library = join(root, 'library');
mkdirSync(join(library, '@utf8/cli'), { recursive: true });
symlinkSync(join(script, '..'), join(library, '@utf8/cli/engines'));
writeProgram(engines, 'npm', `[ "$*" = 'root --global' ] && echo '${library}'`);
// As with --array=0-3%2, and with --array=1,3%2.
writeProgram(
  engines,
  'sbatch',
  `for word; do case $word in --array=*) array=\${word#*=} ;; esac; last=$word; done`,
  `array=\${array%\\%*}`,
  `case $array in *-*) list=$(seq "\${array%-*}" "\${array#*-}") ;; *) list=$(echo "$array" | tr , " ") ;; esac`,
  'for index in $list; do [ "$index" = "$FAIL" ] || SLURM_ARRAY_TASK_ID=$index sh -c "$last"; done',
);
// Writes its words, each with a NUL after it.
writeProgram(engines, 'aws', 'printf "%s\\0" "$@" > words');

describe('the scripts of the page', () => {
  const heading = 'Kubernetes, AWS Batch, Slurm and xargs: `part.sh`';
  const adapt = (text: string): string =>
    text
      .replaceAll('268435456', `${STEP}`)
      .replaceAll('orders.copy', 'in.copy')
      .replaceAll('/usr/local/lib/node_modules', library)
      .replaceAll('/data/', `${work}/`);
  const [xargs = '', aws = '', slurm = '', again = ''] = findScripts(
    'engines.md',
    heading,
    'sh',
  ).map(adapt);
  const [yaml = ''] = findScripts('engines.md', heading, 'yaml').map(adapt);

  const env = { ...common, PATH: `${engines}:${common.PATH}` };
  const sh = (text: string, more: NodeJS.ProcessEnv = {}): Outcome =>
    run('sh', ['-c', text], '', { cwd: work, env: { ...env, ...more } });

  it('xargs', () => {
    expect(sh(xargs)).toMatchObject({ status: 0, stderr: expect.stringContaining('are done') });
    expectWhole('orders');
    expect(findDifference(readFileSync(path('orders.utf8.copy')), whole.part)).toBeUndefined();
    const rejects = readFileSync(path('orders.rejects.copy'));
    expect(findDifference(rejects, whole.rejects)).toBeUndefined();
  });

  it('xargs does not join parts of which one is missing', () => {
    expect(sh(xargs.replace(/seq 0 /, 'seq 1 ')).status).toBe(1);
    expect(existsSync(path('orders.utf8.copy'))).toBe(false);
  });

  it('a Kubernetes Indexed Job', () => {
    const find = (key: string): string[] =>
      JSON.parse(new RegExp(`^ *${key}: (\\[.*\\])$`, 'm').exec(yaml)?.[1] ?? '[]');
    const [name = '', ...words] = [...find('command'), ...find('args')];
    // Its exit codes 1 and 2 are final.
    expect(yaml).toContain('values: [1, 2]');
    for (const index of indexes) {
      const more = { ...env, JOB_COMPLETION_INDEX: index };
      expect(run(name, words, '', { cwd: root, env: more }).status).toBe(0);
    }
    expectWhole('orders');
  });

  it('an AWS Batch array', () => {
    expect(sh(aws).status).toBe(0);
    const words = readFileSync(path('words'), 'utf8').split('\0');
    const find = (flag: string) => JSON.parse(words[words.indexOf(flag) + 1] ?? '');
    expect(words).toContain('size=40');
    const { evaluateOnExit } = find('--retry-strategy');
    expect(evaluateOnExit).toEqual(
      ['1', '2'].map((onExitCode) => ({ onExitCode, action: 'EXIT' })),
    );
    const [name = '', ...rest] = find('--container-overrides').command;
    for (const index of indexes) {
      const more = { ...env, AWS_BATCH_JOB_ARRAY_INDEX: index };
      expect(run(name, rest, '', { cwd: root, env: more }).status).toBe(0);
    }
    expectWhole('orders');
  });

  it('a Slurm array, of which a part is missing first', () => {
    const both = `${slurm}\nunset FAIL\n${again}\nsh "$part" --check orders`;
    expect(sh(both, { FAIL: '2' })).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`1 of ${count} parts are missing`),
    });
    expectWhole('orders');
    // Nothing is missing, so nothing is submitted.
    expect(sh(`${slurm.replace('sbatch', ': sbatch')}\n${again}`).stderr).not.toContain('is done');
  });
});
