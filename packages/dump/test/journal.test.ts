/** What an interrupted run leaves, and what may not be made of it; `UTF8_SEED=1` repeats a run. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
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
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { seed } from '../../../tooling/tiers/tier.js';
import { applyDelta, findDelta } from '../src/checkpoint/delta.js';
import { Journal } from '../src/checkpoint/journal.js';
import { describeOwner, isAlive } from '../src/checkpoint/owner.js';
import { FINISHED, openResumable, Resumable } from '../src/checkpoint/resumption.js';
import { BusyError, UsageError } from '../src/error.js';
import { nameJournal } from '../src/path/derived-name.js';
import { identifyPlace } from '../src/path/place.js';
import { stopAt, stride } from '../src/test-hook.js';
import { onlyIf, useFolder } from './use-folder.js';

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
    journal: nameJournal(at('out'), identifyPlace()),
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
    run.journal.add({
      offset: step + 1,
      state: state as typeof STATE,
      counts: { records: step + 1 },
      digests: undefined,
      outputs: await run.sync(),
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
  run.journal.finish(run.outputs.kept);
  run.close();
  return prepared;
}

/** Expects a refusal, with --resume and without, that changes nothing. */
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

interface ForgedLine {
  readonly journal?: number;
  readonly owner?: object;
}

/** Changes the lines of a journal, and makes their checksums right. */
function forge(file: string, change: (line: ForgedLine) => object): void {
  let sum = 0;
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const forged = lines.map((line) => {
    const json = JSON.stringify(change(JSON.parse(line.slice(0, -9))));
    sum = crc32(json, sum);
    return `${json} ${sum.toString(16).padStart(8, '0')}\n`;
  });
  writeFileSync(file, forged.join(''));
}

describe('a run that was interrupted', () => {
  it('goes on at its last checkpoint, without what followed', async () => {
    const prepared = await interrupt();
    const run = (await prepared.open(true)) as Resumable;
    expect(run.checkpoint).toMatchObject({ offset: 2, counts: { records: 2 }, state: STATE });
    expect(readFileSync(prepared.temporary('out'), 'utf8')).toBe('output 0\noutput 1\n');
    expect(Buffer.from(run.readOutput(7, 16)).toString()).toBe('0\noutput ');
    await write(run, 1);
    await run.outputs.finish();
    run.commit();
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
      expect(run.checkpoint).toBeUndefined();
      expect(prepared.look()).toHaveLength(6);
      run.discard();
      run.close();
      expect(prepared.look()).toEqual([
        ['in', 'the input'],
        ['out', 'before'],
      ]);
    }
  });

  it('may have been killed while it wrote a line, or before the first one', async () => {
    for (const tail of ['x', '{"checkpoint":{"offset":[9]', '\0\0\0']) {
      const prepared = await interrupt();
      appendFileSync(prepared.journal, tail);
      for (let i = 0; i < 3; i++) {
        const run = (await prepared.open(true)) as Resumable;
        expect(run.checkpoint?.offset).toBe(i === 0 ? 2 : 1);
        await write(run, 1);
        run.close();
        appendFileSync(prepared.journal, tail);
      }
    }
    const prepared = prepare();
    writeFileSync(prepared.journal, '', { mode: 0o600 });
    const run = (await prepared.open(true)) as Resumable;
    expect(run.checkpoint).toBeUndefined();
    run.discard();
    run.close();
  });

  it('and had only names left to give gets them', async () => {
    for (const named of [[], ['undo'], ['undo', 'rejects'], ['undo', 'rejects', 'out']]) {
      const prepared = await interruptFinished();
      for (const name of named) renameSync(prepared.temporary(name), prepared.at(name));
      expect(await prepared.open(true)).toBe(FINISHED);
      expect(prepared.look()).toEqual([
        ['in', 'the input'],
        ['out', 'output 0\noutput 1\n'],
        ['rejects', 'rejects 0\nrejects 1\n'],
        ['undo', 'undo 0\nundo 1\n'],
      ]);
    }
  });

  it('keeps a journal without paths, that only this user can read', async () => {
    const { journal, at } = await interrupt();
    const text = readFileSync(journal, 'utf8');
    expect(text).not.toContain(at(''));
    expect(text.split('\n')[0]).toMatch(
      /"tokens":\{"output":"[\da-f]{8}","rejects":"[\da-f]{8}","undo":"[\da-f]{8}"\}\} [\da-f]{8}$/,
    );
    if (isPosix) expect(lstatSync(journal).mode & 0o777).toBe(0o600);
  });
});

describe('a journal is refused, and nothing is touched,', () => {
  const again = 'to begin again, remove this file';

  it.each([
    ['{"journal":1}', 'is not a journal of utf8'],
    ['{"journal":1}\n', 'is not a journal of utf8'],
    ['a diary\n', 'is not a journal of utf8'],
    ['null\n', 'is not a journal of utf8'],
    ['\n', 'is not a journal of utf8'],
    ['{"journal":1,"options":{},"parts":{}}\n', 'was written by another version of utf8'],
    ['{"journal":3,"options":{}} 00000000\n', 'was written by another version of utf8'],
    ['{"journal":2,"options":{}} 00000000\n', 'is damaged'],
    ['{"journal":2,"opt', 'is damaged'],
  ])('that is %j', async (text, why) => {
    const prepared = prepare();
    writeFileSync(prepared.journal, text, { mode: 0o600 });
    await expectRefusal(prepared, `${prepared.journal}: ${why}; ${again}`);
  });

  it('with any byte changed', async () => {
    const prepared = await interrupt();
    const good = readFileSync(prepared.journal);
    const size = good.lastIndexOf('\n');
    for (let i = 0; i < size; i++) {
      const bad = Buffer.from(good);
      bad[i] = (bad[i] as number) ^ 1;
      writeFileSync(prepared.journal, bad);
      expect(() => Journal.read(prepared.journal), `byte ${i}`).toThrow(
        /: (is damaged|is not a journal of utf8|was written by another version of utf8); to begin/,
      );
    }
    // As by hand.
    writeFileSync(prepared.journal, good.toString().replace('"offset":[2]', '"offset":[3]'));
    await expectRefusal(prepared, `${prepared.journal}: is damaged; ${again}`);
    // A line that is gone.
    writeFileSync(prepared.journal, good.toString().replace(/\n\{"checkpoint.*/, ''));
    await expectRefusal(prepared, `${prepared.journal}: is damaged; ${again}`);
  });

  it('with a name in place of a token', async () => {
    const prepared = await interrupt();
    writeFileSync(prepared.at('secret'), 'secret');
    for (const token of ['../secret', '/etc/hosts', '0123456', '0123ABCD', 7]) {
      forge(prepared.journal, (line) =>
        line.journal ? { ...line, tokens: { output: token } } : line,
      );
      await expectRefusal(prepared, `${prepared.journal}: is damaged; ${again}`);
    }
  });

  it('of another host', async () => {
    const prepared = await interrupt();
    forge(prepared.journal, (line) =>
      line.owner ? { ...line, owner: { ...line.owner, host: 'far', place: 'far' } } : line,
    );
    await expectRefusal(
      prepared,
      `${prepared.journal}: was written on another host, far; ${again}`,
    );
  });

  onlyIf(process.platform === 'linux')('of another place, wherever that is', async () => {
    const isOpen = (file: string): boolean =>
      readdirSync('/proc/self/fd').some((fd) => {
        try {
          return basename(readlinkSync(`/proc/self/fd/${fd}`)) === basename(file);
        } catch {
          // That of the listing itself.
          return false;
        }
      });
    const setHost = (host: unknown) => (line: ForgedLine) =>
      line.owner ? { ...line, owner: { ...line.owner, host } } : line;
    const places: [where: string, change: (journal: string) => void][] = [
      [`in another container or by another user on ${hostname()}`, () => {}],
      ['on host far', (journal) => forge(journal, setHost('far'))],
      [`on host ${'x'.repeat(255)}`, (journal) => forge(journal, setHost('x'.repeat(256)))],
      ['on another host or by another user', (journal) => forge(journal, setHost(5))],
      ['on another host or by another user', (journal) => writeFileSync(journal, 'null\n\n{}')],
      [
        'on another host or by another user',
        (journal) => {
          rmSync(journal);
          symlinkSync('nothing', journal);
        },
      ],
    ];
    for (const [where, change] of places) {
      const prepared = await interrupt();
      const other = nameJournal(prepared.at('out'), '01234567');
      renameSync(prepared.journal, other);
      change(other);
      const sentence = `${prepared.at('out')}: a run was started ${where}; resume it there, or leave out --resume to begin again`;
      await expectRefusal(prepared, sentence, [true]);
      expect(isOpen(other)).toBe(false);
    }
  });

  onlyIf(isPosix)('that others can write, or that is elsewhere too', async () => {
    const prepared = await interrupt();
    for (const mode of [0o620, 0o602]) {
      chmodSync(prepared.journal, mode);
      await expectRefusal(prepared, `${prepared.journal}: can be written by other users; ${again}`);
    }
    chmodSync(prepared.journal, 0o600);
    linkSync(prepared.journal, prepared.at('elsewhere'));
    await expectRefusal(prepared, `${prepared.journal}: has more than one hard link; ${again}`);
  });

  onlyIf(isRoot)('of another user', async () => {
    const prepared = await interrupt();
    chownSync(prepared.journal, 65_534, 65_534);
    await expectRefusal(prepared, `${prepared.journal}: belongs to another user; ${again}`);
  });

  onlyIf(isPosix)('that is no file', async () => {
    const make: Record<string, (prepared: Prepared) => void> = {
      link: ({ journal, at }) => {
        renameSync(journal, at('moved'));
        symlinkSync('moved', journal);
      },
      'link to nothing': ({ journal }) => {
        rmSync(journal);
        symlinkSync('nothing', journal);
      },
      folder: ({ journal }) => {
        rmSync(journal);
        mkdirSync(journal);
      },
    };
    for (const change of Object.values(make)) {
      const prepared = await interrupt();
      change(prepared);
      await expectRefusal(prepared, `${prepared.journal}: is not a regular file; ${again}`);
    }
  });

  it.runIf(isPosix)('that is a pipe', { tags: ['slow'] }, async () => {
    const prepared = await interrupt();
    rmSync(prepared.journal);
    execFileSync('mkfifo', [prepared.journal]);
    await expectRefusal(prepared, `${prepared.journal}: is not a regular file; ${again}`);
  });
});

describe('a planted journal deletes and moves nothing', () => {
  it('that it names by path, as an older one did', async () => {
    const prepared = prepare();
    writeFileSync(prepared.at('private'), 'private');
    const place = { target: prepared.at('shared'), temporary: prepared.at('private') };
    const head = { journal: 1, options: {}, input: {}, parts: { output: place } };
    writeFileSync(prepared.journal, `${JSON.stringify(head)}\n{"done":true}\n`, { mode: 0o600 });
    const sentence = `${prepared.journal}: was written by another version of utf8; to begin again, remove this file`;
    await expectRefusal(prepared, sentence);
  });
});

describe('--resume refuses', () => {
  const begins = 'leave out --resume to begin again';

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
    ['no-header', true],
    ['delimiter', ';'],
  ])('another --%s', async (name, value) => {
    const prepared = await interrupt();
    const before = prepared.look();
    await expect(prepared.open(true, { from: 'cesu-8', [name]: value })).rejects.toThrow(
      `${prepared.journal}: the interrupted run had a different --${name}; use the same, or ${begins}`,
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
        `--resume requires regular files; ${name} is not one`,
      );
      expect(await openResumable(input, { output }, {}, false)).toBeUndefined();
    }
  });
});

describe('two runs never write one output', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  const sentence = ({ at }: Prepared, pid: number): string =>
    `${at('out')}: process ${pid} is writing this file; try again when it has ended`;

  it('in this process', async () => {
    const prepared = prepare();
    const run = await begin(prepared);
    await write(run, 1);
    for (const resume of [true, false]) {
      const error = await prepared.open(resume).catch((error) => error);
      expect(error).toBeInstanceOf(BusyError);
      expect(error.message).toBe(sentence(prepared, process.pid));
    }
    run.close();
    ((await prepared.open(true)) as Resumable).close();
  });

  it('in another process; one that only has its number does not matter', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    children.push(child);
    const pid = child.pid as number;
    const stat = (): string => readFileSync(`/proc/${pid}/stat`, 'latin1');
    const started =
      process.platform === 'linux' ? (/^.*\) (.*)/s.exec(stat())?.[1]?.split(' ')[19] ?? '') : null;
    const prepared = await interrupt();
    forge(prepared.journal, (line) =>
      line.owner ? { ...line, owner: { ...line.owner, pid, started } } : line,
    );
    const before = prepared.look();
    for (const resume of [true, false]) {
      const error = await prepared.open(resume).catch((error) => error);
      expect(error).toBeInstanceOf(BusyError);
      expect(error.message).toBe(sentence(prepared, pid));
      expect(prepared.look()).toEqual(before);
    }
    if (process.platform !== 'linux') return;
    for (const other of [{ started: '1' }, { boot: 'an earlier one' }]) {
      expect(isAlive({ ...describeOwner(), pid, started, ...other })).toBe(false);
    }
    forge(prepared.journal, (line) =>
      line.owner ? { ...line, owner: { ...line.owner, started: '1' } } : line,
    );
    const run = (await prepared.open(true)) as Resumable;
    expect(run.checkpoint?.offset).toBe(2);
    run.close();
  });

  it('that resume at the same moment', async () => {
    const prepared = await interrupt();
    const results = await Promise.allSettled([
      prepared.open(true),
      prepared.open(true),
      prepared.open(true),
    ]);
    const runs = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(runs).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BusyError);
    }
    // What the losers wrote into the journal does not count.
    const run = runs[0] as Resumable;
    await write(run, 1);
    run.close();
    const next = (await prepared.open(true)) as Resumable;
    expect(next.checkpoint?.offset).toBe(1);
    next.close();
  });

  it('that resume at the same moment, even if the one that may is killed at once', async () => {
    const prepared = await interrupt();
    for (let round = 0; round < 3; round++) {
      const results = await Promise.allSettled([prepared.open(true), prepared.open(true)]);
      const [run] = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      // The last line of the journal is that of the other one.
      (run as Resumable).close();
    }
    const next = (await prepared.open(true)) as Resumable;
    expect(next.checkpoint?.offset).toBe(2);
    next.close();
  });

  it('that begin at the same moment', async () => {
    const prepared = prepare();
    const results = await Promise.allSettled([prepared.open(false), prepared.open(false)]);
    const runs = results.filter(({ status }) => status === 'fulfilled');
    expect(runs).toHaveLength(1);
    expect(prepared.look()).toHaveLength(6);
  });

  it('knows which process it is', () => {
    const owner = describeOwner();
    expect(owner).toMatchObject({ host: hostname(), pid: process.pid });
    expect(isAlive(owner)).toBe(true);
    if (process.platform === 'linux') {
      expect(owner.started).toMatch(/^\d+$/);
      expect(owner.boot).toMatch(/^[\da-f-]{36}$/);
    }
  });
});

describe('a checkpoint', () => {
  it('does not repeat tables', async () => {
    const prepared = prepare();
    const run = await begin(prepared);
    const tables: object[] = [];
    const table = (i: number) => ({
      name: `table_${i}`,
      columns: ['id', `column_${i}`],
      more: 'x'.repeat(500),
    });
    for (let i = 0; i < 100; i++) {
      tables.push(table(i));
      await write(run, 1, { ...STATE, context: { mode: 'sql', tables } });
    }
    for (let i = 0; i < 100; i++)
      await write(run, 1, { ...STATE, context: { mode: 'sql', tables } });
    run.close();
    const text = readFileSync(prepared.journal, 'utf8');
    for (let i = 0; i < 100; i++) expect(text.split(`"table_${i}"`)).toHaveLength(2);
    expect(text.length).toBeLessThan(130_000);
    const again = (await prepared.open(true)) as Resumable;
    expect(again.checkpoint?.state.context).toEqual({ mode: 'sql', tables });
    again.close();
  });

  it('is what was saved, whatever it was', () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, fc.array(json, { maxLength: 4 }), (first, others) => {
        let value: unknown = first;
        for (const next of [...others, { __proto__: null, ...Object(first), more: others }]) {
          const after = JSON.parse(JSON.stringify(next));
          const delta = findDelta(value, after);
          const made = delta ? applyDelta(value, JSON.parse(JSON.stringify(delta))) : value;
          expect(made).toEqual(after);
          value = made;
        }
      }),
      { seed },
    );
    expect(
      findDelta({ a: [1, 2], b: { c: 1 } }, { a: [1, 2, 3], b: { c: 1 }, d: undefined }),
    ).toEqual({
      a: [2, [3]],
    });
    const proto = JSON.parse('{"__proto__":{"a":2},"constructor":1}');
    expect(applyDelta({}, findDelta({}, proto)!)).toEqual(proto);
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
        expect(readFileSync(prepared.journal, 'utf8')).toContain('"done"');
        return true;
      });
      run.commit();
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
