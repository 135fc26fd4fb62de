/** `--index`: where ranges of quoted records begin. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { choose, scale } from '../../../tooling/tiers/tier.js';
import { createDump } from '../../dump/test/random-dump.js';
// Loaded before the first test, whose time is measured.
import '../src/command/convert.js';
import '../src/command/scan.js';
import { runBuilt } from './built.js';
import { plainEnv, type Result, useFolder, utf8 } from './command.js';

const path = useFolder();
const SEED = 20261123;
const ALL = 10 ** 12;

const FORMAT = ['--format', 'csv', '--from', 'cesu-8+utf-8'];
const dump = createDump('csv', SEED, 1000);
const names = ['out', 'rejects', 'undo', 'stats'];

/** Cuts follow each other closely, so that small files have many. */
const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv =>
  plainEnv({ UTF8_TEST_STEP: '2048', ...more });

const run = (args: readonly string[]): Promise<Result> =>
  utf8(args, '', { env: env(), cwd: path('.') });

/** Runs the command as a process, which is killed while it writes an index. */
const stop = (args: readonly string[], more?: NodeJS.ProcessEnv): Promise<Result> =>
  runBuilt(args, '', { env: env({ UTF8_TEST_STOP: 'index', ...more }), cwd: path('.') });

const list = (): string[] => readdirSync(path('.')).sort();

beforeEach(() => {
  for (const name of list()) rmSync(path(name));
  writeFileSync(path('in.csv'), dump);
});

/** Converts a range; the results are named after the first of the words. */
async function convert(name: string, range: string, ...more: string[]): Promise<string[]> {
  const files = names.flatMap((each) => [each === 'out' ? '-o' : `--${each}`, `${name}.${each}`]);
  const args = ['convert', ...FORMAT, 'in.csv', '--range', range, ...files, ...more];
  const { status } = await run(args);
  // Some ranges have rejected records.
  const rejected = readFileSync(path(`${name}.rejects`), 'latin1').split('\n').length > 2;
  expect(status).toBe(rejected ? 1 : 0);
  return names.map((each) => readFileSync(path(`${name}.${each}`), 'latin1'));
}

const scanIndex = (...more: string[]): Promise<Result> =>
  run(['scan', ...FORMAT, '--index', 'in.index', 'in.csv', ...more]);

describe('--index', () => {
  const findRanges = async (jobs: number): Promise<void> => {
    expect(await scanIndex()).toMatchObject({ status: 1, stderr: '' });
    const index = readFileSync(path('in.index'), 'utf8');
    expect(index.split('\n').length).toBeGreaterThan(dump.length / 3 / 2048);
    // Threads may get other segments, and the index other cuts.
    if (jobs > 1) {
      await run([
        'scan',
        ...FORMAT,
        'in.csv',
        '--index',
        'other.index',
        '--jobs',
        `${jobs}`,
        '--json',
      ]);
    }
    const cuts = jobs > 1 ? [0, 15_001, 15_002, ALL] : [0, 15_001, ALL];
    for (const [i, from] of cuts.slice(0, -1).entries()) {
      const range = `${from}-${cuts[i + 1]}`;
      const threads = jobs > 1 ? ['--jobs', `${jobs}`] : [];
      const found = await convert('found', range, '--index', 'in.index', ...threads);
      expect(found).toEqual(await convert('counted', range));
      if (jobs > 1) expect(await convert('other', range, '--index', 'other.index')).toEqual(found);
    }
    const scanned = await scanIndex('--range', '15001-40000', '--json');
    const counted = await run(['scan', ...FORMAT, 'in.csv', '--range', '15001-40000', '--json']);
    expect(scanned).toEqual(counted);
    expect(scanned.stdout.length).toBeGreaterThan(1000);
  };

  it('of a scan is what ranges are found by', () => findRanges(1));

  it('of a scan with several threads is what threads find ranges by', { tags: ['slow'] }, () =>
    findRanges(3),
  );

  it('is written by the first job that finds none', async () => {
    const args = ['convert', ...FORMAT, 'in.csv', '--range', '9000-9900', '--index', 'in.index'];
    const more = ['-o', 'out', '--rejects', 'rejects'];
    const { status, stderr } = await run([...args, ...more]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^utf8: wrote in\.index after reading all of in\.csv\n/),
    ]);
    expect(list()).toEqual(['in.csv', 'in.index', 'out', 'rejects']);
    const written = readFileSync(path('in.index'));
    await scanIndex();
    expect(readFileSync(path('in.index')).equals(written)).toBe(true);
    expect((await run([...args, ...more])).stderr).not.toContain('wrote');
  });

  it('is written by several jobs at once without harm', { tags: ['slow'] }, async () => {
    const jobs = Array.from({ length: 5 }, async (_, i) => {
      const range = `${i * 12_000}-${i === 4 ? ALL : (i + 1) * 12_000}`;
      const args = ['convert', ...FORMAT, 'in.csv', '--range', range, '--index', 'in.index'];
      const files = ['-o', `part${i}`, '--rejects', `rejects${i}`];
      const { status } = await runBuilt([...args, ...files], '', { env: env(), cwd: path('.') });
      expect([0, 1]).toContain(status);
      return readFileSync(path(`part${i}`));
    });
    const parts = Buffer.concat(await Promise.all(jobs));
    const whole = await run(['convert', ...FORMAT, 'in.csv', '--rejects', 'rejects']);
    expect(parts.equals(whole.stdout)).toBe(true);
    expect(list().filter((name) => name.includes('utf8-'))).toEqual([]);
    const written = readFileSync(path('in.index'));
    await scanIndex();
    expect(readFileSync(path('in.index')).equals(written)).toBe(true);
  });

  const jobs = [
    ['scan', ['scan', ...FORMAT, 'in.csv', '--index', 'in.index']],
    [
      'convert',
      ['convert', ...FORMAT, 'in.csv', '--range', '0-9', '--index', 'in.index', '-o', 'out'],
    ],
  ] as const;

  it.each(choose(jobs, scale(10)))('leaves a temporary file if %s is killed', async (_, args) => {
    for (const before of choose([undefined, '{"index":0}'], scale(10))) {
      for (const name of list()) if (name !== 'in.csv') rmSync(path(name));
      if (before) writeFileSync(path('in.index'), before);
      const { signal } = await stop(args);
      if (before && args[0] === 'convert') {
        // It is refused before anything is written.
        expect(signal).toBe(null);
        expect(list()).toEqual(['in.csv', 'in.index']);
        continue;
      }
      expect(signal).toBe('SIGKILL');
      const left = list().filter((name) => name !== 'in.csv' && name !== 'in.index');
      expect(left).toEqual([expect.stringMatching(/^\.in\.index\.utf8-unfinished-[\da-f]{8}$/)]);
      expect(list().includes('in.index') && readFileSync(path('in.index'), 'utf8')).toBe(
        before ?? false,
      );
    }
    expect((await scanIndex()).status).toBe(1);
    await convert('found', '25000-', '--index', 'in.index');
  });

  it.runIf(process.platform !== 'win32').each(choose(jobs, scale(10)))(
    'leaves nothing if a signal ends %s',
    async (_, args) => {
      const { status, signal } = await stop(args, { UTF8_TEST_SIGNAL: 'SIGTERM' });
      expect([status, signal]).not.toEqual([0, null]);
      expect(list().filter((name) => name.includes('utf8-'))).toEqual([]);
    },
  );

  it('is refused with exit code 2 and one sentence if it does not belong there', async () => {
    await scanIndex();
    const range = ['--range', '100-200', '--index', 'in.index'];
    const refused = async (args: readonly string[], why: string): Promise<void> => {
      const { status, stdout, stderr } = await run(args);
      expect([status, stdout.length, stderr]).toEqual([2, 0, `utf8: ${why}\n`]);
    };
    await refused(
      ['convert', ...FORMAT, 'in.csv', ...range, '--quote', "'"],
      'in.index: was written with a different --quote; use the same, or remove this file to write it again',
    );
    writeFileSync(path('other.csv'), dump.subarray(0, -10));
    await refused(
      ['scan', ...FORMAT, 'other.csv', ...range],
      'in.index: belongs to another file, or other.csv has changed since it was written; to write it again, remove this file',
    );
    writeFileSync(path('in.index'), readFileSync(path('in.index')).subarray(0, -1));
    await refused(
      ['convert', ...FORMAT, 'in.csv', ...range],
      'in.index: is damaged or incomplete; to write it again, remove this file',
    );
    writeFileSync(path('in.index'), 'id,name\n');
    await refused(
      ['scan', ...FORMAT, 'in.csv', '--index', 'in.index'],
      'in.index: is not an index of utf8; choose another file',
    );
  });

  it('is refused where nothing is found by it', async () => {
    writeFileSync(path('in.csv.gz'), gzipSync(dump));
    const packed = await run(['scan', ...FORMAT, 'in.csv.gz', '--index', 'in.index']);
    expect([packed.status, packed.stderr]).toEqual([
      3,
      expect.stringContaining(
        'cannot be read from an arbitrary position; decompress it first: gzip -dk FILE',
      ),
    ]);
    for (const [args, why] of [
      [
        ['convert', '--from', 'utf-8', '--format', 'none', 'in.csv', '--range', '0-9'],
        '--index needs a format with records',
      ],
      [['convert', ...FORMAT, 'in.csv'], '--index needs --range; a scan with --index writes one'],
      [['scan', ...FORMAT, 'in.csv', 'in.csv'], '--index needs a single file'],
      [['scan', ...FORMAT], '--index requires a regular file; - is not one'],
    ] as const) {
      const { status, stderr } = await run([...args, '--index', 'in.index']);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`utf8: ${why}`)]);
    }
    expect(list()).toEqual(['in.csv', 'in.csv.gz']);
  });
});
