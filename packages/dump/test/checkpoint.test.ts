/** Checkpoints of interrupted runs, and invalid uses of them. */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { codecFor } from '@utf8/detect';
import { nameCheckpoint, stopAt } from '@utf8/files';
import { describe, expect, it, vi } from 'vitest';
import { Checkpoint } from '../src/checkpoint/checkpoint.js';
import { openResumable, Resumable } from '../src/checkpoint/resumption.js';
import { TextLedger } from '../src/convert/ledger.js';
import { BusyError, UsageError } from '../src/error.js';
import type { ConvertPlan } from '../src/plan.js';
import type { TextCounts } from '../src/rewrite/transcriber.js';
import { stride } from '../src/test-distance.js';
import { onlyIf, useFolder } from './use-folder.js';

const COUNTS = { records: { rejected: 2 } };

const path = useFolder();

const isPosix = process.platform !== 'win32';
const isRoot = process.geteuid?.() === 0;

let number = 0;

/** A folder of its own for a run. */
function prepare() {
  const folder = path(`run${++number}`);
  mkdirSync(folder);
  const at = (name: string): string => `${folder}/${name}`;
  writeFileSync(at('in'), 'the input');
  writeFileSync(at('out'), 'before');
  return {
    at,
    checkpoint: nameCheckpoint(at('out')),
    /** Names and contents of everything in the folder. */
    look: () =>
      readdirSync(folder)
        .sort()
        .map((name) => {
          const stats = lstatSync(at(name));
          return [
            name,
            stats.isSymbolicLink()
              ? readlinkSync(at(name))
              : stats.isFile()
                ? readFileSync(at(name), 'latin1')
                : '',
          ];
        }),
    temporary: (name: string): string =>
      at(readdirSync(folder).find((each) => each.startsWith(`.${name}.utf8-unf`)) as string),
    open: (resume: boolean, options: object = { from: 'cesu-8' }) =>
      openResumable(
        at('in'),
        { output: at('out'), rejects: at('rejects'), undo: at('undo') },
        options as Record<string, unknown>,
        resume,
      ),
  };
}

type Prepared = ReturnType<typeof prepare>;

const STATE = { line: 1, record: 1, context: null };

/** Writes some of every output, with a checkpoint after each. */
async function write(run: Resumable, steps: number, state: object = STATE): Promise<void> {
  for (let step = 0; step < steps; step++) {
    for (const name of ['output', 'rejects', 'undo'] as const) {
      await run.outputs.write(name, Buffer.from(`${name} ${step}\n`));
    }
    await run.save({
      offset: step + 1,
      state: state as typeof STATE,
      counts: { records: step + 1 },
      digests: undefined,
    });
  }
}

async function begin({ open }: Prepared): Promise<Resumable> {
  const run = await open(false);
  expect(run).toBeInstanceOf(Resumable);
  return run as Resumable;
}

/** A run that was killed after some checkpoints, with more in its files than they say. */
async function interrupt(steps = 2): Promise<Prepared> {
  const prepared = prepare();
  const run = await begin(prepared);
  await write(run, steps);
  for (const name of ['output', 'rejects', 'undo'] as const) {
    await run.outputs.write(name, Buffer.from('lost'));
  }
  run.close();
  return prepared;
}

/** A run that was killed after all was on the disk, and before any file had its name. */
async function interruptFinished(): Promise<Prepared> {
  const prepared = prepare();
  const run = await begin(prepared);
  await write(run, 2);
  await run.outputs.finish();
  const { checkpoint } = prepared;
  const named = vi.spyOn(run.outputs, 'commit').mockReturnValue();
  const removed = vi.spyOn(Checkpoint.prototype, 'remove').mockReturnValue();
  run.commit(COUNTS);
  named.mockRestore();
  removed.mockRestore();
  expect(existsSync(checkpoint)).toBe(true);
  run.close();
  return prepared;
}

/** Expects a refusal, with `resume` and without, that changes nothing. */
async function expectRefusal(
  prepared: Prepared,
  sentence: string,
  modes = [true, false],
): Promise<void> {
  const before = prepared.look();
  for (const resume of modes) {
    const error = await prepared.open(resume).catch((error) => error);
    expect(error, `resume ${resume}`).toBeInstanceOf(UsageError);
    expect(error.message).toBe(sentence);
    expect(prepared.look()).toEqual(before);
  }
}

/** Changes what a checkpoint says, and makes its checksum right. */
function forge(file: string, change: (content: object) => object): void {
  const json = JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8').slice(0, -10))));
  writeFileSync(file, `${json} ${crc32(json).toString(16).padStart(8, '0')}\n`);
}

describe('a run that was interrupted', () => {
  it('goes on at its last checkpoint, without what followed', async () => {
    const prepared = await interrupt();
    const run = (await prepared.open(true)) as Resumable;
    expect(run.progress).toMatchObject({ offset: 2, counts: { records: 2 }, state: STATE });
    expect(readFileSync(prepared.temporary('out'), 'utf8')).toBe('output 0\noutput 1\n');
    expect(Buffer.from(run.readOutput(7, 16)).toString()).toBe('0\noutput ');
    await write(run, 1);
    await run.outputs.finish();
    run.commit(COUNTS);
    run.close();
    expect(prepared.look()).toEqual([
      ['in', 'the input'],
      ['out', 'output 0\noutput 1\noutput 0\n'],
      ['rejects', 'rejects 0\nrejects 1\nrejects 0\n'],
      ['undo', 'undo 0\nundo 1\nundo 0\n'],
    ]);
  });

  it('can be interrupted again and again', async () => {
    const prepared = await interrupt();
    for (let i = 1; i < 5; i++) {
      const run = (await prepared.open(true)) as Resumable;
      expect(run.outputs.kept.output?.size).toBe(9 * (i + 1));
      await write(run, 1);
      await run.outputs.write('output', Buffer.from('lost'));
      run.close();
    }
  });

  it('leaves nothing where the next one begins again, or it is discarded', async () => {
    for (const resume of [false, true]) {
      // Before the first checkpoint there is nothing to resume.
      const prepared = await interrupt(resume ? 0 : 2);
      const run = (await prepared.open(resume)) as Resumable;
      expect(run.progress).toBeUndefined();
      expect(prepared.look()).toHaveLength(7);
      run.discard();
      run.close();
      expect(prepared.look()).toEqual([
        ['in', 'the input'],
        ['out', 'before'],
      ]);
    }
  });

  it('may have been killed while it wrote a checkpoint, or before the first one', async () => {
    for (const steps of [0, 2]) {
      const prepared = await interrupt(steps);
      if (steps === 0) rmSync(prepared.checkpoint);
      writeFileSync(`${prepared.checkpoint}-new`, '{"checkpoint":3,"opt');
      const run = (await prepared.open(true)) as Resumable;
      expect(run.progress?.offset).toBe(steps || undefined);
      await write(run, 1);
      await run.outputs.finish();
      run.commit(COUNTS);
      run.close();
      // The temporary files of a run that left no checkpoint have names that nobody knows.
      expect(prepared.look()).toHaveLength(steps === 0 ? 7 : 4);
    }
  });

  it('and had only names left to give gets them', async () => {
    for (const named of [[], ['undo'], ['undo', 'rejects'], ['undo', 'rejects', 'out']]) {
      const prepared = await interruptFinished();
      for (const name of named) renameSync(prepared.temporary(name), prepared.at(name));
      expect(await prepared.open(true)).toEqual({ finished: COUNTS });
      expect(prepared.look()).toEqual([
        ['in', 'the input'],
        ['out', 'output 0\noutput 1\n'],
        ['rejects', 'rejects 0\nrejects 1\n'],
        ['undo', 'undo 0\nundo 1\n'],
      ]);
    }
  });

  it('keeps a checkpoint without paths, that only this user can read', async () => {
    const { checkpoint, at } = await interrupt();
    const text = readFileSync(checkpoint, 'utf8');
    expect(text).not.toContain(at(''));
    expect(text).toMatch(
      /"tokens":\{"output":"[\da-f]{8}","rejects":"[\da-f]{8}","undo":"[\da-f]{8}"\},.*\} [\da-f]{8}\n$/,
    );
    if (isPosix) expect(lstatSync(checkpoint).mode & 0o777).toBe(0o600);
  });
});

describe('a checkpoint is refused, and nothing is touched,', () => {
  const again = 'to begin again, remove this file';

  it.each([
    ['', 'is not a checkpoint of utf8'],
    ['{"checkpoint":', 'is not a checkpoint of utf8'],
    ['a diary\n', 'is not a checkpoint of utf8'],
    ['null 00000000\n', 'is not a checkpoint of utf8'],
    ['{"checkpoint":2,"options":{}} 00000000\n', 'was written by another version of utf8'],
    ['{"checkpoint":3,"options":{}} 00000000\n', 'is damaged'],
    ['{"checkpoint":3,"opt', 'is damaged'],
  ])('that is %j', async (text, why) => {
    const prepared = prepare();
    writeFileSync(prepared.checkpoint, text, { mode: 0o600 });
    await expectRefusal(prepared, `${prepared.checkpoint}: ${why}; ${again}`);
  });

  it('with any byte changed, or cut off', async () => {
    const prepared = await interrupt();
    const good = readFileSync(prepared.checkpoint);
    const read = () => Checkpoint.read(prepared.at('out'));
    const refusal =
      /: (is damaged|is not a checkpoint of utf8|was written by another version of utf8); to begin/;
    for (let i = 0; i < good.length; i++) {
      const bad = Buffer.from(good);
      bad[i] = (bad[i] as number) ^ 1;
      writeFileSync(prepared.checkpoint, bad);
      expect(read, `byte ${i}`).toThrow(refusal);
      writeFileSync(prepared.checkpoint, good.subarray(0, i));
      expect(read, `length ${i}`).toThrow(refusal);
    }
    // As by hand.
    writeFileSync(prepared.checkpoint, good.toString().replace('"offset":2', '"offset":3'));
    await expectRefusal(prepared, `${prepared.checkpoint}: is damaged; ${again}`);
  });

  it('with a name instead of a token', async () => {
    const prepared = await interrupt();
    writeFileSync(prepared.at('secret'), 'secret');
    for (const token of ['../secret', '/etc/hosts', '0123456', '0123ABCD', 7]) {
      forge(prepared.checkpoint, (content) => ({ ...content, tokens: { output: token } }));
      await expectRefusal(prepared, `${prepared.checkpoint}: is damaged; ${again}`);
    }
  });

  onlyIf(isPosix)('that others can write, or that is elsewhere too', async () => {
    const prepared = await interrupt();
    for (const mode of [0o620, 0o602]) {
      chmodSync(prepared.checkpoint, mode);
      await expectRefusal(
        prepared,
        `${prepared.checkpoint}: can be written by other users; ${again}`,
      );
    }
    chmodSync(prepared.checkpoint, 0o600);
    linkSync(prepared.checkpoint, prepared.at('elsewhere'));
    await expectRefusal(prepared, `${prepared.checkpoint}: has more than one hard link; ${again}`);
  });

  onlyIf(isRoot)('of another user', async () => {
    const prepared = await interrupt();
    chownSync(prepared.checkpoint, 65_534, 65_534);
    await expectRefusal(prepared, `${prepared.checkpoint}: belongs to another user; ${again}`);
  });

  onlyIf(isPosix)('that is no file', async () => {
    const make: Record<string, (prepared: Prepared) => void> = {
      link: ({ checkpoint, at }) => {
        renameSync(checkpoint, at('moved'));
        symlinkSync('moved', checkpoint);
      },
      'link to nothing': ({ checkpoint }) => {
        rmSync(checkpoint);
        symlinkSync('nothing', checkpoint);
      },
      folder: ({ checkpoint }) => {
        rmSync(checkpoint);
        mkdirSync(checkpoint);
      },
    };
    for (const change of Object.values(make)) {
      const prepared = await interrupt();
      change(prepared);
      await expectRefusal(prepared, `${prepared.checkpoint}: is not a regular file; ${again}`);
    }
  });

  it.runIf(isPosix)('that is a pipe', { tags: ['slow'] }, async () => {
    const prepared = await interrupt();
    rmSync(prepared.checkpoint);
    execFileSync('mkfifo', [prepared.checkpoint]);
    await expectRefusal(prepared, `${prepared.checkpoint}: is not a regular file; ${again}`);
  });
});

describe('`resume` refuses', () => {
  const begins = 'leave out `resume` to begin again';

  it.each<[string, (file: string, other: string) => void]>([
    ['is missing', (file) => rmSync(file)],
    ['is truncated', (file) => truncateSync(file, 3)],
    [
      'has changed since the interrupted run',
      (file) => writeFileSync(file, readFileSync(file, 'latin1').replace('0', '1')),
    ],
    ...(isPosix
      ? ([
          [
            'is not a regular file, or has more than one hard link',
            (file, other) => linkSync(file, other),
          ],
          [
            'is not a regular file, or has more than one hard link',
            (file, other) => {
              renameSync(file, other);
              symlinkSync(other, file);
            },
          ],
          [
            'is not a regular file, or has more than one hard link',
            (file) => {
              rmSync(file);
              mkdirSync(file);
            },
          ],
        ] as [string, (file: string, other: string) => void][])
      : []),
    ...(isRoot
      ? ([['belongs to another user', (file) => chownSync(file, 65_534, 65_534)]] as [
          string,
          (file: string) => void,
        ][])
      : []),
  ])('a file that %s, and changes none', async (why, change) => {
    for (const prepare of [interrupt, interruptFinished]) {
      for (const name of ['out', 'rejects', 'undo']) {
        const prepared = await prepare();
        const temporary = prepared.temporary(name);
        change(temporary, prepared.at('other'));
        // A finished file that is missing under one name should be there under the other.
        const file =
          prepare === interruptFinished && why === 'is missing' ? prepared.at(name) : temporary;
        const reason = file === prepared.at('out') ? 'is truncated' : why;
        await expectRefusal(prepared, `cannot resume: ${file} ${reason}; ${begins}`, [true]);
      }
    }
  });

  it.each([
    ['from', 'utf-8'],
    ['nul', 'remove'],
    ['header', true],
    ['delimiter', ';'],
  ])('another %s', async (name, value) => {
    const prepared = await interrupt();
    const before = prepared.look();
    await expect(prepared.open(true, { from: 'cesu-8', [name]: value })).rejects.toThrow(
      `${prepared.checkpoint}: the interrupted run had a different \`${name}\`; use the same, or ${begins}`,
    );
    expect(prepared.look()).toEqual(before);
  });

  it('an input that has changed', async () => {
    const prepared = await interrupt();
    utimesSync(prepared.at('in'), 1, 1);
    const sentence = `${prepared.at('in')}: changed since the interrupted run; ${begins}`;
    await expectRefusal(prepared, sentence, [true]);
  });

  onlyIf(isPosix)('what is no regular file', async () => {
    const { at } = prepare();
    for (const [input, output] of [
      [at('in'), '/dev/null'],
      ['/dev/null', at('out')],
      ['-', at('out')],
    ] as const) {
      const name = input === at('in') ? output : input;
      await expect(openResumable(input, { output }, {}, true)).rejects.toThrow(
        `\`resume\` requires regular files; ${name} is not one`,
      );
      expect(await openResumable(input, { output }, {}, false)).toBeUndefined();
    }
  });
});

describe('two runs never write one output', () => {
  it('in this process', async () => {
    const prepared = prepare();
    const run = await begin(prepared);
    await write(run, 1);
    const before = prepared.look();
    for (const resume of [true, false]) {
      const error = await prepared.open(resume).catch((error) => error);
      expect(error).toBeInstanceOf(BusyError);
      expect(error.message).toBe(
        `${prepared.at('out')}: process ${process.pid} is writing this file; try again when it has ended`,
      );
      expect(prepared.look()).toEqual(before);
    }
    run.close();
    ((await prepared.open(true)) as Resumable).close();
  });

  it.each([true, false])('that begin at the same moment (resume: %s)', async (resume) => {
    const prepared = resume ? await interrupt() : prepare();
    const all = [1, 2, 3].map(() => prepared.open(resume));
    const results = await Promise.allSettled(all);
    const runs = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(runs).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BusyError);
    }
    const run = runs[0] as Resumable;
    await write(run, 1);
    run.close();
    const next = (await prepared.open(true)) as Resumable;
    expect(next.progress?.offset).toBe(1);
    next.close();
  });
});

describe('a checkpoint', () => {
  it('is as large as what it describes, however often it is saved', async () => {
    const prepared = prepare();
    const run = await begin(prepared);
    const tables = Array.from({ length: 100 }, (_, i) => `table_${i}`);
    const state = { ...STATE, context: { mode: 'sql', tables } };
    await write(run, 1, state);
    const { size } = lstatSync(prepared.checkpoint);
    await write(run, 20, state);
    expect(lstatSync(prepared.checkpoint).size).toBeLessThan(size + 20);
    run.close();
    const again = (await prepared.open(true)) as Resumable;
    expect(again.progress?.state.context).toEqual({ mode: 'sql', tables });
    again.close();
  });

  it('says what was counted when it was due, and not what follows while it is written', () => {
    const ledger = new TextLedger({ isCounted: true } as ConvertPlan, codecFor('utf-8'));
    const { state } = ledger;
    const before = JSON.stringify(state);
    ledger.add({ changes: { characters: {}, lines: 1, changedLines: 1 } } as TextCounts);
    expect(JSON.stringify(state)).toBe(before);
    expect(JSON.stringify(ledger.state)).not.toBe(before);
  });
});

describe('the hooks of tests', () => {
  it('stop at a point, and move checkpoints', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    try {
      vi.stubEnv('UTF8_TEST_STOP', 'checkpoint:3');
      const prepared = prepare();
      const run = await begin(prepared);
      await write(run, 2);
      expect(kill).not.toHaveBeenCalled();
      await write(run, 1);
      expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGKILL');
      vi.stubEnv('UTF8_TEST_STOP', 'finished');
      await run.outputs.finish();
      kill.mockImplementationOnce(() => {
        expect(existsSync(prepared.at('undo'))).toBe(false);
        expect(readFileSync(prepared.checkpoint, 'utf8')).toContain('"completed"');
        return true;
      });
      run.commit(COUNTS);
      expect(kill).toHaveBeenCalledTimes(2);
      run.close();
      vi.stubEnv('UTF8_TEST_STOP', 'named:undo');
      stopAt('named:output');
      expect(kill).toHaveBeenCalledTimes(2);
      stopAt('named:undo');
      expect(kill).toHaveBeenCalledTimes(3);
      expect(stride()).toBe(1 << 26);
      vi.stubEnv('UTF8_TEST_STRIDE', '1000');
      expect(stride()).toBe(1000);
      vi.stubEnv('UTF8_TEST_STRIDE', 'many');
      expect(() => stride()).toThrow(UsageError);
    } finally {
      kill.mockRestore();
      vi.unstubAllEnvs();
    }
  });
});
