import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { choose, isNight, scale, tier } from '../../../tooling/tiers/tier.js';
import { runBuilt } from './built.js';
import { hex, plainEnv, type Result, useFolder, utf8 } from './command.js';

const path = useFolder();

/** The least length of a segment, in bytes; so short they are in files of up to 2 MiB with 8 jobs. */
const CUT = 1 << 16;

const PIECES = [
  '0A',
  '41',
  '00',
  'C0 80',
  'EF BB BF',
  'ED 95 9C',
  'ED A0 BD ED B8 80',
  'F0 9F 98 80',
  'FC 84 80 80 80 80',
];
const BROKEN = ['80', 'BF', 'C3', 'E0', 'E0 80', 'ED', 'ED A0 BD', 'ED B8 80', 'F0 9F', 'F4', 'FF'];

/** Random numbers that are the same on every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Text with random pieces of a few bytes around every place where it may be cut. */
function createText(seed: number, cuts: number, pieces: readonly string[]): Buffer {
  const random = createRandom(seed);
  const bytes = Buffer.alloc((cuts + 1) * CUT - random(99), 'some text, and no end of it ');
  for (let i = 999; i < bytes.length; i += 999) bytes[i] = 0x0a;
  for (let cut = CUT; cut < bytes.length; cut += CUT) {
    const parts = Array.from({ length: 12 }, () => pieces[random(pieces.length)]);
    hex(parts.join('')).copy(bytes, cut - random(24));
  }
  return bytes;
}

const SEED = 20260401;

const isDay = tier === 'test';
const JOBS = isNight ? 8 : 2;
/** Places at which a text is cut. */
const CUTS = isNight ? 30 : 6;

const said = ({ status, stdout, stderr }: Result): unknown => [status, stdout.toString(), stderr];

/** Converts with one thread and with several, and holds them against each other. */
async function compare(args: readonly string[], jobs = JOBS): Promise<Result> {
  const before = Buffer.from('before');
  const run = async (...more: string[]): Promise<[Result, Buffer]> => {
    writeFileSync(path('out'), before);
    const result = await utf8(['convert', ...args, '-o', path('out'), ...more]);
    return [result, readFileSync(path('out'))];
  };
  const [alone, wanted] = await run();
  const [together, found] = await run('--jobs', String(jobs));
  expect(said(together)).toEqual(said(alone));
  expect(found.equals(wanted)).toBe(true);
  expect(found.equals(before)).toBe(alone.status !== 0);
  return together;
}

describe('--jobs converts as one thread does', () => {
  const all = [...PIECES, ...BROKEN];

  const malformed = [
    ['cesu-8', 'utf-8', 'replace'],
    ['cesu-8', 'utf-8', 'escape'],
    ['cesu-8+utf-8', 'cesu-8', 'remove'],
    ['utf-8', 'cesu-8', 'escape'],
    ['mutf-8-lenient', 'utf-8', 'replace'],
    ['rfc2279', 'cesu-8-lenient', 'remove'],
  ] as const;

  it.each(choose(malformed, scale(10)))(
    'what is malformed at every cut: %s to %s, %s',
    async (from, to, errors) => {
      writeFileSync(path('in'), createText(SEED, CUTS, all));
      const args = [path('in'), '--from', from, '--to', to, '--errors', errors];
      const { stderr } = await compare([...args, '--stats', '-', '--nul', 'remove']);
      expect(stderr).toContain('malformed characters');
      if (!isDay) await compare([...args, '--json'], 3);
    },
  );

  const wellFormed = [
    ['cesu-8+utf-8', 'utf-8'],
    ['mutf-8-lenient', 'cesu-8'],
  ] as const;

  it.each(choose(wellFormed, scale(10)))(
    'what is well-formed at every cut: %s to %s',
    async (from, to) => {
      const pieces = PIECES.filter((piece) => !/^(C0|FC)/.test(piece) && !/^F0/.test(piece));
      writeFileSync(path('in'), createText(SEED + 1, CUTS, pieces));
      const flags = ['--from', from, '--to', to, '--stats', '-'];
      const policies = [
        ['keep', 'keep'],
        ['strip', 'remove'],
        ['add', 'replace'],
      ];
      for (const [bom, nul] of choose(policies, scale(10))) {
        const { status } = await compare([path('in'), ...flags, `--bom=${bom}`, `--nul=${nul}`]);
        expect(status).toBe(0);
      }
    },
  );

  it('the first fault, wherever it is', async () => {
    for (const seed of choose([2, 3], scale(10))) {
      const text = createText(SEED + seed, 20, PIECES.slice(0, 2));
      const random = createRandom(seed);
      for (const piece of BROKEN.slice(2)) hex(piece).copy(text, random(text.length));
      hex('ED A0 BD').copy(text, CUT * (5 + random(9)) - 1 - seed);
      writeFileSync(path('in'), text);
      const { status, stderr } = await compare([path('in'), '--from', 'cesu-8']);
      expect([status, stderr]).toEqual([1, expect.stringContaining(': malformed cesu-8; ')]);
      if (!isDay) await compare([path('in'), '--from', 'cesu-8', '--json']);
    }
    expect(readdirSync(path('.')).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('the first U+0000 that --nul fail refuses', async () => {
    writeFileSync(path('in'), createText(SEED + 4, 20, PIECES.slice(0, 3)));
    const { status, stderr } = await compare([path('in'), '--from', 'cesu-8', '--nul', 'fail']);
    expect([status, stderr]).toEqual([1, expect.stringContaining(': nul: 00\n')]);
  });

  it('a character that the target cannot encode', async () => {
    const text = createText(SEED + 5, 10, PIECES.slice(0, 2));
    hex('ED B8 80').copy(text, 3 * CUT - 1);
    writeFileSync(path('in'), text);
    const { stderr } = await compare([path('in'), '--from', 'cesu-8-lenient']);
    expect(stderr).toContain(': utf-8 cannot encode this; ');
  });

  it('several files, empty ones among them, with a mark that none of them has', async () => {
    const files = ['', 'a', 'b', 'c'].map((name) => path(`part${name}`));
    writeFileSync(files[0] as string, '');
    writeFileSync(files[1] as string, hex('FF'));
    writeFileSync(files[2] as string, createText(SEED + 6, 3, all));
    writeFileSync(files[3] as string, createText(SEED + 7, 3, all));
    const flags = ['--from', 'cesu-8', '--errors', 'remove', '--stats', '-'];
    const some = isDay ? files.slice(0, 3) : files;
    for (const bom of choose(['add', 'strip'], scale(10)))
      await compare([...some, ...flags, '--bom', bom]);
    if (!isDay) await compare([files[0] as string, files[0] as string, ...flags, '--bom', 'add']);
  });

  it('a range, wherever it begins and ends', async () => {
    writeFileSync(path('in'), createText(SEED + 8, 20, all));
    const flags = ['--from', 'cesu-8+utf-8', '--errors', 'escape', '--bom', 'add'];
    const ranges = ['0-700001', `${CUT - 3}-${17 * CUT + 2}`, `${CUT + 1}-`, '5-5'];
    for (const range of choose(ranges, scale(10))) {
      await compare([path('in'), ...flags, '--range', range]);
    }
  });
});

describe('--jobs needs no files', () => {
  const ways: [string, string[]][] = [
    ['from stdin to a file', ['-o', 'OUT']],
    ['from stdin to stdout', []],
    ['from a file to stdout', ['IN']],
    ['from a file to a device', ['IN', '-o', '/dev/null']],
  ];

  it.each(choose(ways, scale(10)))('%s', async (_, args) => {
    const text = createText(SEED + 10, CUTS, PIECES);
    writeFileSync(path('in'), text);
    const named = args.map((arg) => ({ IN: path('in'), OUT: path('out') })[arg] ?? arg);
    const options = ['convert', '--from', 'cesu-8+utf-8', '--errors', 'replace', ...named];
    const run = async (jobs: string): Promise<unknown[]> => {
      const { status, stdout, stderr } = await utf8([...options, '--jobs', jobs], text);
      const output = args[1] === 'OUT' ? readFileSync(path('out')) : stdout;
      return [status, stderr, createHash('sha256').update(output).digest('hex')];
    };
    const alone = await run('1');
    expect(alone[0]).toBe(0);
    expect(await run('3')).toEqual(alone);
  });
});

it.each([[1], [2]])(
  '64 MiB with --jobs %i take less than 100 MB',
  { tags: ['slow'] },
  async (jobs) => {
    const line = Buffer.concat([Buffer.from('1001,"Grün, 한국",text,'), hex('ED A0BD ED B880 0A')]);
    writeFileSync(path('big'), Buffer.alloc(64 << 20, line));
    writeFileSync(
      path('report.cjs'),
      // The maximum of getrusage includes the process that started this one.
      `if (require('node:worker_threads').isMainThread) process.on('exit', () => {
      let peak = process.resourceUsage().maxRSS;
      try {
        peak = /VmHWM:\\s*(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status'))[1];
      } catch {}
      process.stderr.write(String(peak * 1024));
    });`,
    );
    // V8 collects young objects at times that depend on the load, so their space is kept small.
    const young = '--max-semi-space-size=1';
    const env = plainEnv({ NODE_OPTIONS: `${young} --require=${path('report.cjs')}` });
    const args = ['convert', '--from', 'cesu-8', path('big'), '-o', path('bigger')];
    const errors = ['--errors', 'replace', '--jobs', String(jobs)];
    const { status, stderr } = await runBuilt([...args, ...errors], '', { env });
    expect(status).toBe(0);
    const peak = Number(/\d+$/.exec(stderr)?.[0]);
    expect(peak).toBeGreaterThan(1e6);
    expect(peak).toBeLessThan(100e6);
  },
);
