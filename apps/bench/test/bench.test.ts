import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from '@utf8/conformance/runtimes/browsers.mjs';
import { findProgram, thisNode } from '@utf8/conformance/runtimes/programs.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBackends, root } from '../src/runtimes/bundle.mjs';

const main = fileURLToPath(new URL('../src/main.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
const out = (name: string) => join(folder, name);

/** Runs the bench in seconds. Nothing here looks at a speed: on a busy machine none means anything. */
const bench = (...words: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' });

interface Cell {
  runtime: string;
  operation: string;
  contestant: string;
  edition?: string;
  ratio?: { median: number; lower: number; upper: number };
  median?: number;
  wrong?: string;
}

const readReport = (name: string) =>
  JSON.parse(readFileSync(join(out(name), 'report.json'), 'utf8'));
const readCells = (name: string): Cell[] => readReport(name).cells;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const one = ['--only', 'strict', 'encode', 'ascii'];

describe('a run in which a contestant of ours is wrong', () => {
  let run: SpawnSyncReturns<string>;
  beforeAll(() => {
    run = bench('--smoke', '--break', 'strict', '--out', out('ours'), ...one);
  });

  it('names it with where it is wrong, does not time it, and fails', () => {
    expect(run.stdout).toMatch(
      /wrong, and so not timed\n {2}encode strict: ascii, 64 bytes: input 0 differs from byte 0 on/,
    );
    expect(run.status).toBe(1);
    const cells = readCells('ours').filter(({ contestant }) => contestant === 'strict');
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.every(({ wrong, median }) => wrong && median === undefined)).toBe(true);
  });

  it('times the others, and says how noisy the machine was', () => {
    const others = readCells('ours').filter(({ contestant }) => contestant !== 'strict');
    expect(others.map(({ contestant }) => contestant)).toContain('TextEncoder');
    expect(others.filter(({ median = 0 }) => median <= 0)).toEqual([]);
    expect(run.stdout).toMatch(/\nnoise\n {2}node-\d+: .*; the reference loop varied by \d+ %/);
    const { reference, noise } = readReport('ours');
    for (const { samples } of reference) expect(Math.min(...samples)).toBeGreaterThan(0);
    const timed = readCells('ours').filter(({ median }) => median !== undefined);
    expect(noise).toMatchObject([{ runtime: thisNode, cells: timed.length }]);
  });

  it('leaves a page that holds its numbers and loads nothing', () => {
    const page = readFileSync(join(out('ours'), 'report.html'), 'utf8');
    expect(page).toContain('"contestant":"TextEncoder"');
    expect(page).not.toMatch(/(src|href)="/);
  });
});

it('a peer that is wrong does not fail the run', { tags: ['slow'] }, () => {
  const run = bench('--smoke', '--break', 'TextEncoder', '--out', out('peer'), ...one);
  expect(run.stdout).toContain('encode TextEncoder: ascii, 64 bytes');
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
});

it('a run times ours and their rivals, and only what was picked', { tags: ['slow'] }, () => {
  bench('--smoke', '--out', out('well'), '--only', 'cesu8', 'decode', 'transcode', 'start');
  const cells = readCells('well');
  const names = new Set(cells.map(({ contestant }) => contestant));
  for (const name of ['cesu8', 'cesu8/lite', 'TextDecoder fatal', 'iconv-lite', 'mixed → utf8']) {
    expect(names).toContain(name);
  }
  expect(names).not.toContain('mutf8');
  expect(new Set(cells.map(({ operation }) => operation))).toEqual(
    new Set(['decode', 'transcode']),
  );
});

describe('another runtime', { timeout: 0 }, () => {
  const test = (name: string): void => {
    const find = /^(deno|bun)$/.test(name) ? findProgram : findBrowser;
    if (!find(name)) throw new Error(`missing: ${name}`);
    const words = ['--only', 'strict', 'cesu8', 'decode', 'transcode', 'ascii'];
    const run = bench('--smoke', '--runtime', name, '--out', out(name), ...words);
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
    const cells = readCells(name);
    for (const contestant of ['strict', 'cesu8', 'TextDecoder fatal', 'mutf-8', 'cesu8 → utf8']) {
      expect(cells).toContainEqual(expect.objectContaining({ runtime: name, contestant }));
    }
    expect(cells.filter(({ median = 0 }) => median <= 0)).toEqual([]);
    expect(readReport(name).runtimes[0].about).toMatch(/^(Deno|Bun|Chromium|Firefox) [\d.]+$/);
  };

  it('chromium runs the same races', { tags: ['slow'] }, () => test('chromium'));

  it.each(['deno', 'bun', 'firefox'])('%s runs the same races', { tags: ['night'] }, test);

  it('stands beside the others in tables and page', { tags: ['night'] }, () => {
    if (!findProgram('bun')) throw new Error('missing: bun');
    const run = bench('--smoke', '--runtime', `${thisNode},bun`, '--out', out('two'), ...one);
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/times as fast as native in the same runtime\n +node-\d+ +bun\n/);
    expect(run.stdout).toMatch(/^ {2}strict, ascii( +[\d.]+×~?){2}$/m);
    expect(new Set(readCells('two').map(({ runtime }) => runtime))).toEqual(
      new Set([thisNode, 'bun']),
    );
    const page = readFileSync(join(out('two'), 'report.html'), 'utf8');
    expect(page).toMatch(/"about":"Bun [\d.]+"/);
  });
});

it('backends of kernels race each other, for a table of the fastest', {
  tags: ['slow'],
}, async () => {
  const words = ['--only', 'strict', 'decode', 'ascii'];
  const run = bench('--smoke', '--backends', '--out', out('backends'), ...words);
  if (!(await hasBackends(root))) {
    expect(run.stderr).toMatch(/^bench: --backends needs useBackend of @utf8\/core, /);
    expect(run.status).toBe(1);
    return;
  }
  expect(run.status).toBe(0);
  expect(new Set(readCells('backends').map(({ edition }) => edition))).toEqual(
    new Set(['platform', 'webassembly', 'javascript', 'fastest']),
  );
  const { backends } = JSON.parse(readFileSync(join(out('backends'), 'backends.json'), 'utf8'));
  expect(backends[0].speeds[backends[0].backend]).toBe(1);
  expect(readFileSync(join(out('backends'), 'backends.md'), 'utf8')).toMatch(
    /^\| Node \S+ \| decode /m,
  );
});

it('an older build races this one, pair by pair', { tags: ['night'], timeout: 0 }, () => {
  const run = bench('--smoke', '--against', 'HEAD', '--out', out('against'), ...one);
  expect(run.status, run.stderr).toBe(0);
  const cells = readCells('against').filter(({ contestant }) => contestant === 'strict');
  expect(new Set(cells.map(({ edition }) => edition))).toEqual(new Set(['then', 'now']));
  for (const { edition, ratio } of cells) {
    expect(ratio?.lower).toBeGreaterThan(0);
    if (edition === 'then') expect(ratio).toMatchObject({ median: 1, lower: 1, upper: 1 });
  }
});

it('files are converted and compared by every program there is', { tags: ['slow'] }, () => {
  const run = bench('--smoke', '--out', out('files'), '--only', 'files');
  expect(run.status).toBe(0);
  expect(readReport('files').commands).toContainEqual(
    expect.objectContaining({ contestant: 'utf8 convert', time: expect.anything() }),
  );
});

it('a command with a wrong answer is not timed, and its peers are', { tags: ['slow'] }, () => {
  const words = ['--break', 'utf8 scan', '--file-size', '4KiB', '--only', 'scan', 'csv'];
  const run = bench('--smoke', '--out', out('commands'), ...words);
  expect(run.status).toBe(1);
  expect(run.stdout).toMatch(/wrong, and so not timed\n {2}scan csv, utf8 scan: none damaged: /);
  const commands: (Cell & { time?: object; cpu?: object })[] = readReport('commands').commands;
  const times = commands.map(({ contestant, time, cpu }): [string, boolean] => [
    contestant,
    Boolean(time && cpu),
  ]);
  expect(new Map(times)).toEqual(
    new Map([
      ['utf8 scan', false],
      ['utf8 scan --json', true],
      ['utf8 convert', true],
      ['grep -P', true],
    ]),
  );
});

it.each([
  [['--only', 'cesu9', 'decode'], /^bench: nothing is called cesu9; there are decode, .*\.\n$/],
  [['decode'], /^bench: what is decode\? Words come after --only\.\n$/],
  [['--files-up-to', 'much'], /^bench: much is no size: write 256MiB or 4GiB\.\n$/],
  [['--runtime', 'node-4'], /^bench: unknown runtime "node-4"; expected node-20, .*firefox.*\.\n$/],
  [['--against', 'no-commit'], /^bench: unknown commit "no-commit"\.\n$/],
  [['--against', 'HEAD', '--backends'], /^bench: --against and --backends exclude each other\.\n$/],
  [['--native', '--only', 'files'], /^bench: no native peer does files\.\n$/],
  [
    ['--native', '--files-up-to', '1MiB'],
    /^bench: --native and --files-up-to exclude each other\.\n$/,
  ],
])('%j gets one sentence and exit code 2', { tags: ['night'] }, testWrong);

it('an unknown option gets one sentence and exit code 2', { tags: ['slow'] }, () =>
  testWrong(['--loud'], /^bench: unknown option '--loud'\.\n$/),
);

function testWrong(words: readonly string[], sentence: RegExp): void {
  const run = bench(...words, '--out', out('none'));
  expect(run.stderr).toMatch(sentence);
  expect(run.status).toBe(2);
  expect(existsSync(out('none'))).toBe(false);
}
