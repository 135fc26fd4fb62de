/** Runs that end early, and are resumed in the same process: wherever they ended, the results are the same. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tier } from '../../../tooling/tiers/tier.js';
import {
  BusyError,
  type ConvertOptions,
  convertDump,
  discardUnfinished,
  OutputError,
  revertDump,
} from '../src/index.js';
import { createDump, formatOptions } from './random-dump.js';
import { chooseByDay, useFolder } from './use-folder.js';

const inFolder = useFolder();

const usual = process.env.UTF8_TEST_STRIDE;
beforeAll(() => {
  // A checkpoint follows every segment.
  process.env.UTF8_TEST_STRIDE = '1';
});
afterAll(() => {
  if (usual === undefined) delete process.env.UTF8_TEST_STRIDE;
  else process.env.UTF8_TEST_STRIDE = usual;
});

const results = ['output', 'rejects', 'undo', 'stats'] as const;

/** Options of a run over `in`, whose results begin with a name. */
function optionsOf(
  format: string,
  name: string,
  more: Partial<ConvertOptions> = {},
): ConvertOptions {
  const [output, rejects, undo, stats] = results.map((each) => inFolder(`${name}.${each}`));
  const isRaw = format === 'none';
  return {
    ...{ input: inFolder('in'), output: output as string, undo, stats },
    ...(isRaw ? { errors: 'replace' as const } : { format, rejects }),
    ...{ from: 'cesu-8+utf-8', formatOptions: formatOptions[format], ...more },
  };
}

/** Lets a run fail when it tells its progress so often, as it does if a disk is full. */
async function fail(options: ConvertOptions, times: number): Promise<readonly string[]> {
  const told: string[] = [];
  let count = 0;
  const onProgress = (): void => {
    if (++count === times) throw new OutputError('full');
  };
  const onNotice = (sentence: string): void => void told.push(sentence);
  await expect(convertDump({ ...options, onProgress, onNotice })).rejects.toThrow('full');
  return told;
}

/** Files that runs have left besides results. */
const left = (): string[] => readdirSync(inFolder('.')).filter((name) => /utf8-/.test(name));

const read = (name: string): (string | undefined)[] =>
  results.map((each) => {
    const file = inFolder(`${name}.${each}`);
    return statSync(file, { throwIfNoEntry: false }) && readFileSync(file, 'latin1');
  });

function expectSame(name: string, whole: string): void {
  const wanted = read(whole);
  for (const [i, bytes] of read(name).entries()) {
    expect(bytes === wanted[i], `${name}.${results[i]}`).toBe(true);
  }
  expect(left()).toEqual([]);
}

// Files of a failed test must not fail other tests.
beforeEach(() => {
  for (const name of left()) rmSync(inFolder(name));
});

describe('an interrupted run', () => {
  const begin = async (more: Partial<ConvertOptions> = {}): Promise<ConvertOptions> => {
    writeFileSync(inFolder('in'), createDump('csv', 7, 8000, { pairs: 60, broken: 300 }));
    utimesSync(inFolder('in'), 1_700_000_000, 1_700_000_000);
    const options = optionsOf('csv', 'begun', more);
    expect(await fail(options, 3)).toHaveLength(1);
    return { ...options, resume: true };
  };
  const clear = async (options: ConvertOptions): Promise<void> => {
    expect((await convertDump(options)).status).toBe('converted');
    expect(left()).toEqual([]);
  };

  const others = [
    ['from', { from: 'utf-8', errors: 'replace' }, 'from'],
    ['to', { to: 'cesu-8' }, 'to'],
    ['errors', { errors: 'replace' }, 'errors'],
    ['nul', { nul: 'remove' }, 'nul'],
    ['unpairedSurrogates', { unpairedSurrogates: 'replace' }, 'unpairedSurrogates'],
    ['equalJsonKeys', { equalJsonKeys: 'keep' }, 'equalJsonKeys'],
    ['mojibake', { mojibake: 'repair' }, 'mojibake'],
    ['formatOptions', { formatOptions: { header: false } }, 'header'],
    ['format', { format: 'tsv' }, 'format'],
    ['range', { range: { from: 0, to: 1_000_000 } }, 'range'],
    ['allow', { allow: ['equal-keys'] }, 'allow'],
    ['stats', { stats: undefined }, 'wantsStats'],
    ['rejects', { rejects: undefined }, 'rejects'],
  ] as const;

  it.each(chooseByDay(others, 4))('is not continued with another %s', async (_, more, name) => {
    const options = await begin();
    const other = { ...options, ...(more as Partial<ConvertOptions>) };
    const error = await convertDump(other).catch((reason) => reason);
    expect(error.code).toBe('ERR_UTF8_USAGE');
    expect(error.message).toMatch(
      new RegExp(`had a different \`(?:${name}|stats|escape|quote|delimiter)\``),
    );
    // It is still there.
    await clear(options);
  });

  it('is not continued if its input has changed', async () => {
    const options = await begin();
    const before = readFileSync(inFolder('in'));
    const expectRefusal = async (): Promise<void> => {
      const sentence = `${inFolder('in')}: changed since the interrupted run; leave out \`resume\` to begin again`;
      await expect(convertDump(options)).rejects.toThrow(sentence);
    };
    writeFileSync(inFolder('in'), before);
    await expectRefusal();
    writeFileSync(inFolder('in'), Buffer.concat([before, Buffer.from('1,a,b\n')]));
    utimesSync(inFolder('in'), 1_700_000_000, 1_700_000_000);
    await expectRefusal();
    writeFileSync(inFolder('in'), before);
    utimesSync(inFolder('in'), 1_700_000_000, 1_700_000_000);
    await clear(options);
  });

  it('is begun again without the option, and nothing of it is left', async () => {
    const options = await begin();
    await clear({ ...options, resume: false });
  });

  it('is not resumed if there is none', async () => {
    const options = await begin();
    await clear(options);
    const notices: string[] = [];
    const { status } = await convertDump({ ...options, onNotice: (each) => notices.push(each) });
    expect([status, notices]).toEqual(['converted', []]);
  });

  it('lets no other run write the same output', async () => {
    writeFileSync(inFolder('in'), createDump('csv', 7, 8000, { pairs: 60, broken: 300 }));
    const options = optionsOf('csv', 'busy');
    const outcomes: unknown[] = [];
    const others: Promise<unknown>[] = [];
    let count = 0;
    const onProgress = (): void => {
      if (++count !== 2) return;
      for (const resume of [false, true]) {
        others.push(convertDump({ ...options, resume }).catch((error) => outcomes.push(error)));
      }
    };
    await convertDump({ ...options, onProgress });
    await Promise.all(others);
    expect(outcomes).toHaveLength(2);
    for (const error of outcomes) expect(error).toBeInstanceOf(BusyError);
    expect(left()).toEqual([]);
  });

  it('is kept by a signal once something is saved, and leaves nothing before', async () => {
    writeFileSync(inFolder('in'), createDump('csv', 7, 8000, { pairs: 60, broken: 300 }));
    const options = optionsOf('csv', 'signal');
    for (const times of [1, 2, 3]) {
      let sentences: string[] = [];
      let count = 0;
      const onProgress = (): void => {
        if (++count !== times) return;
        sentences = discardUnfinished();
        throw new OutputError('signal');
      };
      await expect(convertDump({ ...options, onProgress })).rejects.toThrow('signal');
      const saved = `progress on ${options.output} was saved; add \`resume\` to continue`;
      expect(sentences).toEqual(left().length > 0 ? [saved] : []);
    }
    expect((await convertDump({ ...options, resume: true })).status).toBe('converted');
    expect(left()).toEqual([]);
  });

  it('is discarded by an error that will not pass', async () => {
    const options = optionsOf('csv', 'other');
    let count = 0;
    const onProgress = (): void => {
      if (++count === 3) throw new Error('mine');
    };
    await expect(convertDump({ ...options, onProgress })).rejects.toThrow('mine');
    expect(left()).toEqual([]);
  });
});

describe.each(['mysqldump', ...chooseByDay(['csv', 'json', 'pg_dump', 'none'], 2)])(
  'a conversion of %s',
  (format) => {
    const tags = format === 'mysqldump' ? ['slow'] : [];

    it('has the same results wherever it failed, once or again and again', { tags }, async () => {
      const wholeName = `${format}-whole`;
      const written = (name: string) => read(name).map((bytes) => bytes !== undefined);
      const isRaw = format === 'none';
      const input = createDump(isRaw ? 'lines' : format, 18, isRaw ? 9000 : 6500, {
        pairs: 60,
        broken: 300,
      });
      writeFileSync(inFolder('in'), input);
      const whole = await convertDump(optionsOf(format, wholeName));
      expect(whole.status).toBe('converted');
      expect(written(wholeName)).toEqual([true, !isRaw, true, true]);
      const resume = true;
      let wasSaved = 0;
      for (const times of tier === 'test' ? [2] : [1, 2, 3]) {
        const options = optionsOf(format, `${format}-${times}`, isRaw ? { resume } : {});
        const told = await fail(options, times);
        const isSaved = told.length > 0;
        expect(told).toEqual(
          isSaved ? [`progress on ${options.output} was saved; add \`resume\` to continue`] : [],
        );
        expect(left().length).toBe(isSaved ? (isRaw ? 4 : 5) : 0);
        expect(written(`${format}-${times}`)).toEqual([false, false, false, false]);
        const notices: string[] = [];
        const again = {
          ...options,
          resume,
          onNotice: (sentence: string) => notices.push(sentence),
        };
        // It fails once more, wherever that is.
        if (isSaved && times === 2) await fail({ ...options, resume }, 2);
        const { status, stats } = await convertDump(again as ConvertOptions);
        expect(status).toBe('converted');
        expect(stats).toEqual(whole.stats);
        expect(notices.filter((each) => /^resumed at byte [1-9]\d* of /.test(each)).length).toBe(
          isSaved ? 1 : 0,
        );
        expectSame(`${format}-${times}`, wholeName);
        if (isSaved) wasSaved++;
      }
      expect(wasSaved).toBeGreaterThan(0);
      const { undo, output } = optionsOf(format, wholeName);
      await revertDump({ input: output, undo: undo as string, output: inFolder('reverted') });
      expect(readFileSync(inFolder('reverted')).equals(input)).toBe(true);
    });
  },
);
