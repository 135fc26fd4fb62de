import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../src/main.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
const out = (name: string) => join(folder, name);

/** Runs the bench in seconds. Nothing here looks at a speed: on a busy machine none means anything. */
const bench = (...words: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' });

interface Cell {
  operation: string;
  contestant: string;
  median?: number;
  wrong?: string;
}

const readCells = (name: string): Cell[] =>
  JSON.parse(readFileSync(join(out(name), 'report.json'), 'utf8')).cells;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a run in which all is well', () => {
  let run: SpawnSyncReturns<string>;
  beforeAll(() => {
    run = bench('--smoke', '--out', out('well'), '--only', 'cesu8', 'decode', 'transcode', 'start');
  });

  it('ends with exit code 0, whatever the numbers', () => {
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
  });

  it('times ours and their rivals, and only what was picked', () => {
    const cells = readCells('well');
    const names = new Set(cells.map(({ contestant }) => contestant));
    for (const name of ['cesu8', 'cesu8/lite', 'TextDecoder fatal', 'iconv-lite', 'mixed → utf8']) {
      expect(names).toContain(name);
    }
    expect(names).not.toContain('mutf8');
    expect(new Set(cells.map(({ operation }) => operation))).toEqual(
      new Set(['decode', 'transcode']),
    );
    expect(cells.filter(({ median = 0 }) => median <= 0)).toEqual([]);
  });

  it('leaves a page that holds its numbers and loads nothing', () => {
    const page = readFileSync(join(out('well'), 'report.html'), 'utf8');
    expect(page).toContain('"contestant":"cesu8/lite"');
    expect(page).not.toMatch(/(src|href)="/);
  });
});

describe('a contestant that is wrong', () => {
  const one = ['--only', 'strict', 'encode', 'ascii'];

  it('is named with where it is wrong, is not timed, and fails the run if it is ours', () => {
    const run = bench('--smoke', '--break', 'strict', '--out', out('ours'), ...one);
    expect(run.stdout).toMatch(
      /wrong, and so not timed\n {2}encode strict: ascii, 64 bytes: input 0 differs from byte 0 on/,
    );
    expect(run.status).toBe(1);
    const cells = readCells('ours').filter(({ contestant }) => contestant === 'strict');
    expect(cells.every(({ wrong, median }) => wrong && median === undefined)).toBe(true);
  });

  it('does not fail the run if it is a peer', () => {
    const run = bench('--smoke', '--break', 'TextEncoder', '--out', out('peer'), ...one);
    expect(run.stdout).toContain('encode TextEncoder: ascii, 64 bytes');
    expect(run.status).toBe(0);
  });
});

describe('files', () => {
  it('are converted and compared by every program that is installed', () => {
    const run = bench('--smoke', '--out', out('files'), '--only', 'files');
    expect(run.status).toBe(0);
    const { files } = JSON.parse(readFileSync(join(out('files'), 'report.json'), 'utf8'));
    expect(files).toContainEqual(
      expect.objectContaining({ contestant: 'utf8 convert', time: expect.anything() }),
    );
  });
});

describe('a wrong command', () => {
  it.each([
    [['--only', 'cesu9', 'decode'], /^bench: nothing is called cesu9; there are decode, .*\.\n$/],
    [['decode'], /^bench: what is decode\? Words come after --only\.\n$/],
    [['--files-up-to', 'much'], /^bench: much is no size: write 256MiB or 4GiB\.\n$/],
    [['--loud'], /^bench: unknown option '--loud'\.\n$/],
    [['--quick', '--targets'], /^bench: --quick and --targets exclude each other\.\n$/],
  ])('%j gets one sentence and exit code 2', (words, sentence) => {
    const run = bench(...words, '--out', out('none'));
    expect(run.stderr).toMatch(sentence);
    expect(run.status).toBe(2);
    expect(existsSync(out('none'))).toBe(false);
  });
});
