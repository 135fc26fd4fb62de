import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { formatNames } from '@utf8/dump';
import { describe, expect, it } from 'vitest';
import { choose, isNight, scale, seed, tier } from '../../../tooling/tiers/tier.js';
import { BLOB, createDump, createRandom, formatArgs } from '../../dump/test/random-dump.js';
import { runBuilt } from './built.js';
import { hex, plainEnv, type Result, useFolder, utf8 } from './command.js';

const path = useFolder();

/** Of the dumps. */
const SEED = 20260402;

/** Number of times that a dump is cut into ranges. */
const CUTTINGS = isNight ? 10 : 1;

const FROM = ['--from', 'cesu-8+utf-8'];

/** Result of a run, and the contents of the files that it has made. */
interface Made {
  readonly result: Result;
  readonly output: Buffer;
  readonly rejects: Buffer;
  readonly undo: string;
  readonly stats: {
    readonly bytesRead: number;
    readonly bytesWritten: number;
    readonly bytesRejected: number;
    readonly records: {
      readonly in: number;
      readonly out: number;
      readonly rejected: number;
      readonly changed: number;
    };
    readonly findings: Readonly<Record<string, number>>;
  };
}

/** Converts a file with everything that can be asked for. */
async function convert(file: string, format: string, ...more: string[]): Promise<Made> {
  const files = { output: '-o', rejects: '--rejects', undo: '--undo', stats: '--stats' };
  const flags = Object.entries(files).flatMap(([name, flag]) => [flag, path(`made-${name}`)]);
  const args = ['convert', ...FROM, ...formatArgs(format), file, ...flags, ...more];
  const result = await utf8(args);
  const read = (name: string): Buffer => readFileSync(path(`made-${name}`));
  expect(result.stderr).not.toContain('bug');
  const stats = JSON.parse(read('stats').toString());
  expect(result.status).toBe(stats.records.rejected > 0 ? 1 : 0);
  return {
    result,
    output: read('output'),
    rejects: read('rejects'),
    undo: read('undo').toString(),
    stats,
  };
}

const formats = choose(formatNames, scale(20));

/** Joins what the runs on ranges rejected; of JSON, each has an array of its own. */
function joinRejects(format: string, parts: readonly Made[]): Buffer {
  const rejects = parts.map(({ rejects }) => rejects);
  if (format !== 'json') return Buffer.concat(rejects);
  const elements = rejects.map((each) => each.subarray(1, -3)).filter(({ length }) => length > 0);
  const text = elements.map((each) => each.toString('latin1')).join(',');
  return Buffer.from(`[${text}\n]\n`, 'latin1');
}

describe('a record that is refused', () => {
  const csv = Buffer.concat([
    Buffer.from('id,name\n1,"'),
    hex('ED A0 BD ED B8 80'),
    Buffer.from('"\n2,"'),
    hex('ED A0 BD'),
    Buffer.from('\n"\n3,'),
    hex('ED B8 80'),
    Buffer.from('\n4,x\n'),
  ]);

  it('ends the run with what it is and what to do', async () => {
    writeFileSync(path('in.csv'), csv);
    writeFileSync(path('out.csv'), 'before');
    const args = ['convert', ...FROM, '--format', 'csv', path('in.csv'), '-o', path('out.csv')];
    const { status, stderr } = await utf8(args);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `${path('in.csv')}:3: column name (record 2): offset 22: unpaired-surrogate: ED A0 BD\n` +
        `utf8: ${path('in.csv')}: add --rejects FILE to set such records aside, list all with utf8 scan --format csv ${path('in.csv')}, or repair them with --unpaired-surrogates escape\n` +
        'See https://utf8-codecs.github.io/utf8/guide/errors#surrogate\n',
    );
    expect(readFileSync(path('out.csv'), 'utf8')).toBe('before');
    expect(readdirSync(path('.')).filter((name) => name.startsWith('out.csv'))).toEqual([
      'out.csv',
    ]);
    const json = await utf8([...args, '--json']);
    expect(JSON.parse(json.stdout.toString())).toEqual({
      type: 'finding',
      file: path('in.csv'),
      record: 2,
      line: 3,
      column: 'name',
      offset: 22,
      kind: 'unpaired-surrogate',
      reason: 'surrogate',
      bytes: 'ED A0 BD',
      becomes: null,
    });
  });

  it('on stdout comes after what was before it', async () => {
    const { status, stdout } = await utf8(['convert', ...FROM, '--format', 'csv'], csv);
    expect([status, stdout.toString()]).toEqual([1, 'id,name\n1,"😀"\n']);
  });

  it('is written whole to --rejects, in the same format, and the run continues', async () => {
    writeFileSync(path('in.csv'), csv);
    const { output, rejects, stats, result } = await convert(path('in.csv'), 'csv');
    expect(output.toString()).toBe('id,name\n1,"😀"\n4,x\n');
    const wanted = [csv.subarray(0, 8), csv.subarray(csv.indexOf('2,"'), csv.indexOf('4,'))];
    expect(rejects.equals(Buffer.concat(wanted))).toBe(true);
    expect(stats).toMatchObject({
      bytesRead: csv.length,
      bytesRejected: rejects.length - 8,
      records: { in: 4, out: 2, rejected: 2, changed: 1 },
      findings: { pair: 1, 'unpaired-surrogate': 2 },
    });
    expect(result.stderr).toBe(
      `utf8: 4 records, 2 rejected to ${path('made-rejects')}; found: pair 1, unpaired-surrogate 2\n`,
    );
    // Rejected records can be converted with another policy.
    const again = await utf8(
      ['convert', ...FROM, '--format', 'csv', '--unpaired-surrogates', 'escape'],
      rejects,
    );
    expect(again.stdout.toString()).toBe('id,name\n2,"\\ud83d\n"\n3,\\ude00\n');
  });

  it('in several fields is one, and surrogates in two fields stay two', async () => {
    const line = Buffer.concat([
      hex('ED A0 BD'),
      Buffer.from('\t'),
      hex('ED B8 80'),
      Buffer.from('\n'),
    ]);
    writeFileSync(path('in'), line);
    const { output, rejects, stats } = await convert(path('in'), 'copy');
    expect([output.length, rejects.equals(line)]).toEqual([0, true]);
    expect(stats).toMatchObject({
      records: { rejected: 1 },
      findings: { 'unpaired-surrogate': 2, pair: 0 },
    });
  });
});

describe.each(formats)('%s', (format) => {
  it('comes through byte by byte where nothing is wrong', async () => {
    const dump = createDump(format, SEED, 150, {
      pairs: Number.POSITIVE_INFINITY,
      broken: Number.POSITIVE_INFINITY,
    });
    writeFileSync(path('in'), dump);
    const { output, undo, stats } = await convert(path('in'), format);
    expect(output.equals(dump)).toBe(true);
    expect(undo.split('\n').length).toBe(3);
    expect(stats.records).toMatchObject({ rejected: 0, changed: 0 });
  });

  it('reconciles, is well-formed, and does not change a second time', async () => {
    const dump = createDump(format, SEED + 1, 200);
    writeFileSync(path('in'), dump);
    const { output, rejects, undo, stats } = await convert(path('in'), format);
    const { records, findings } = stats;
    expect(records.in).toBe(records.out + records.rejected);
    expect(records.rejected).toBeGreaterThan(6);
    expect(findings.pair).toBeGreaterThan(30);
    const text = output.toString('latin1').replaceAll(BLOB.toString('latin1'), '');
    expect(Buffer.from(text, 'latin1').toString()).not.toContain('\uFFFD');
    expect(stats.bytesWritten).toBe(output.length);
    writeFileSync(path('again'), output);
    const second = await convert(path('again'), format);
    expect(second.output.equals(output)).toBe(true);
    expect(second.stats.records).toEqual({
      in: records.out,
      out: records.out,
      rejected: 0,
      changed: 0,
    });
    // The rejects are a file of their own, with all of their records to reject.
    writeFileSync(path('rejects'), rejects);
    const isSql = /mysqldump|pg_dump/.test(format);
    const third = await convert(
      path('rejects'),
      format,
      ...(isSql ? ['--schema', path('in')] : []),
    );
    expect(third.stats.records).toMatchObject({ in: records.rejected, out: 0 });
    expect(undo.endsWith('\n')).toBe(true);
  });

  it('counts what scan counts', async () => {
    writeFileSync(path('in'), createDump(format, SEED + 5, 200));
    const { stats } = await convert(path('in'), format, '--nul', 'fail');
    await utf8(['scan', ...formatArgs(format), path('in'), '--report', path('report')]);
    const counts: Record<string, number> = Object.fromEntries(
      Object.keys(stats.findings).map((kind) => [kind, 0]),
    );
    for (const line of readFileSync(path('report'), 'utf8').split('\n').slice(0, -1)) {
      const { kind } = JSON.parse(line);
      if (kind in counts) counts[kind] = (counts[kind] ?? 0) + 1;
    }
    expect(counts).toEqual(stats.findings);
    expect(counts).toMatchObject({ nul: expect.toSatisfy((count) => count > 1) });
  });

  it('is the same in ranges, wherever they are cut', async () => {
    const dump = createDump(format, SEED + 3, 200);
    writeFileSync(path('in'), dump);
    const whole = await convert(path('in'), format);
    const random = createRandom(seed);
    for (let round = 0; round < CUTTINGS; round++) {
      const cuts = [
        0,
        ...Array.from({ length: tier === 'test' ? 1 : 4 }, () => random(dump.length)).sort(
          (a, b) => a - b,
        ),
      ];
      const parts: Made[] = [];
      for (const [i, cut] of cuts.entries()) {
        const range = `${cut}-${cuts[i + 1] ?? ''}`;
        parts.push(
          await convert(path('in'), format, '--range', range, '--jobs', i === 1 ? '2' : '1'),
        );
      }
      expect(Buffer.concat(parts.map(({ output }) => output)).equals(whole.output)).toBe(true);
      expect(joinRejects(format, parts).equals(whole.rejects)).toBe(true);
      const rejected = parts.map(({ stats }) => stats.records.rejected);
      expect(rejected.reduce((a, b) => a + b)).toBe(whole.stats.records.rejected);
    }
  });

  it('says where in the file a refusal is, also in a range', async () => {
    const dump = createDump(format, SEED + 4, 400, { pairs: 3, broken: Number.POSITIVE_INFINITY });
    const at = dump.lastIndexOf(hex('ED A1 80 ED B0 80'));
    const broken = Buffer.concat([dump.subarray(0, at), dump.subarray(at + 3)]);
    writeFileSync(path('in'), broken);
    const line = broken.subarray(0, at).toString('latin1').split('\n').length;
    const run = (...more: string[]) =>
      utf8(['convert', ...FROM, ...formatArgs(format), path('in'), ...more]);
    const { status, stderr } = await run();
    expect(status).toBe(1);
    expect(stderr).toContain(`${path('in')}:${line}: `);
    expect(stderr).toContain(`: offset ${at}: unpaired-surrogate: ED B0 80\n`);
    const part = await run('--range', `${broken.length >> 1}-`, '-o', path('part'));
    expect(part.stderr).toBe(stderr);
    expect(existsSync(path('part'))).toBe(false);
  });
});

it.each(choose(formats, scale(10)))('%s is the same from several threads', async (format) => {
  const create = (rows: number) => createDump(format, SEED + 2, rows, { pairs: 40, broken: 400 });
  let dump = create(3000);
  // More than a thread gets at once.
  if (dump.length < 7 << 15) dump = create(6000);
  writeFileSync(path('in'), dump);
  const alone = await convert(path('in'), format);
  for (const jobs of choose(['2', '5'], 1)) {
    const together = await convert(path('in'), format, '--jobs', jobs);
    // Looked at as a whole: to compare byte by byte takes the test runner 20 s.
    expect(together.output.equals(alone.output), jobs).toBe(true);
    expect(together.rejects.equals(alone.rejects), jobs).toBe(true);
    expect(together.undo === alone.undo, jobs).toBe(true);
    expect([together.stats, together.result], jobs).toEqual([alone.stats, alone.result]);
  }
});

it('a thread that fails ends the run with one sentence, and leaves nothing', async () => {
  writeFileSync(path('in'), createDump('copy', SEED, 10_000));
  writeFileSync(
    path('break.cjs'),
    `if (!require('node:worker_threads').isMainThread) throw new Error('no such luck');`,
  );
  const env = plainEnv({ NODE_OPTIONS: `--require=${path('break.cjs')}` });
  const args = ['convert', ...FROM, '--format', 'copy', path('in'), '-o', path('broken')];
  const { status, stderr } = await runBuilt([...args, '--jobs', '2'], '', { env });
  expect([status, stderr]).toEqual([
    3,
    'utf8: a worker thread failed: no such luck; run again without --jobs\n',
  ]);
  expect(readdirSync(path('.')).filter((name) => name.startsWith('broken'))).toEqual([]);
});

describe('refuses', () => {
  const needsFormat = (flag: string): string =>
    `${flag} needs a format with records, not --format none; see utf8 convert --help`;

  it.each([
    ...[
      ['--rejects', 'r'],
      ['--unpaired-surrogates', 'fail'],
      ['--delimiter', ';'],
      ['--quote', "'"],
      ['--columns', 'a'],
    ].map(([flag = '', value = '']): [string[], string] => [
      ['IN', '--format', 'none', flag, value],
      needsFormat(flag),
    ]),
    [['IN', '--format', 'none', '--no-header'], needsFormat('--no-header')],
    [['IN', '--rejects', 'r'], 'IN: its format is not recognised; specify it with --format'],
    [['IN', '--no-header'], 'IN: its format is not recognised; specify it with --format'],
    [['IN', '--resume'], '--resume needs an output file; specify it with -o'],
    [
      ['IN', 'IN', '--format', 'lines'],
      '--format accepts only one file; run utf8 once per file; see utf8 convert --help',
    ],
    [
      ['IN', '--format', 'lines', '--unpaired-surrogates', 'keep'],
      '--unpaired-surrogates keep requires a target that encodes surrogates, and UTF-8 does not; use fail, replace or escape; see utf8 convert --help',
    ],
    [
      ['IN', '--format', 'lines', '--rejects', '-'],
      '--rejects needs a file of its own; specify one',
    ],
    [['IN', '--format', 'lines', '--undo', '-'], '--undo needs a file of its own; specify one'],
    [
      ['IN', '--format', 'lines', '-o', 'x', '--undo', './x'],
      '--undo and -o are the same file, ./x; choose another file',
    ],
    [
      ['IN', '--format', 'lines', '-o', 'x', '--rejects', 'y', '--stats', 'y'],
      '--stats and --rejects are the same file, y; choose another file',
    ],
    [
      ['IN', '--format', 'lines', '--rejects', 'IN'],
      '--rejects and the input are the same file, IN; choose another file',
    ],
    [['IN', '--format', 'lines', '--resume'], '--resume needs an output file; specify it with -o'],
    [
      ['-', '--format', 'lines', '--resume', '-o', 'x'],
      '--resume needs an input that can be read again; specify a file',
    ],
    [
      ['IN', '--format', 'lines', '--resume', '-o', '/dev/null'],
      '--resume requires regular files; /dev/null is not one',
    ],
    [
      ['-', '--format', 'lines', '--range', '0-1'],
      '--range requires a regular file; - is not one; see utf8 convert --help',
    ],
    [
      ['/dev/null', '--format', 'lines', '--range', '0-1'],
      '--range requires a regular file; /dev/null is not one; see utf8 convert --help',
    ],
  ])('%j', async (args, sentence) => {
    const real = (text: string): string => text.replaceAll('IN', path('some'));
    writeFileSync(path('some'), 'text\n');
    const { status, stdout, stderr } = await utf8(['convert', ...FROM, ...args.map(real)]);
    expect([status, stdout.toString(), stderr]).toEqual([2, '', `utf8: ${real(sentence)}\n`]);
    expect(readFileSync(path('some'), 'utf8')).toBe('text\n');
  });

  it('a line that is not of the format, with its number in the file, also in a range', async () => {
    const before = createDump('copy', SEED, 500);
    writeFileSync(path('in'), Buffer.concat([before, Buffer.from('1\\\n2\n')]));
    const line = before.toString('latin1').split('\n').length;
    const args = ['convert', ...FROM, '--format', 'copy', '--errors', 'replace', path('in')];
    const policies = ['--unpaired-surrogates', 'replace', '--rejects', path('none')];
    for (const more of [[], ['--range', '9000-'], ['--range', '9000-', '--jobs', '2']]) {
      const { status, stderr } = await utf8([...args, ...policies, '-o', path('part'), ...more]);
      expect([status, stderr]).toEqual([3, expect.stringContaining(`:${line}: `)]);
    }
  });

  it('a file that is not of the format, with its line', async () => {
    writeFileSync(path('in'), 'a,b\n1,"x\n');
    const { status, stderr } = await utf8(['convert', ...FROM, '--format', 'csv', path('in')]);
    expect(status).toBe(3);
    expect(stderr).toBe(
      `utf8: ${path('in')}:2: unterminated quoted field; close the quote, or set --quote\n`,
    );
    const jobs = await utf8(['convert', ...FROM, '--format', 'csv', path('in'), '--jobs', '2']);
    expect(jobs.stderr).toBe(stderr);
  });
});
