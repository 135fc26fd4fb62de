import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contests, PEERS } from '../src/native/contests.mjs';
import { measureNative, type NativeCell, type NativeReport } from '../src/native/measure.mjs';
import { planNative } from '../src/native/plan.mjs';
import { isOlder, lockedVersions, prepare } from '../src/native/programs.mjs';
import { answerFor, joinRecords, readRecords } from '../src/native/records.mjs';
import { makeRows } from '../src/native/rows.mjs';
import { showNative } from '../src/native/table.mjs';
import { takeTurns } from '../src/native/turns.mjs';

const source = (path: string): string =>
  fileURLToPath(new URL(`../native/${path}`, import.meta.url));
const programs = ['rust', 'simdutf', 'icu', 'java'] as const;

describe('records', () => {
  it('come back from a file as they were', () => {
    const records = [Uint8Array.of(), Uint8Array.of(1, 2, 3), new Uint8Array(300)];
    expect(readRecords(joinRecords(records))).toEqual(records);
  });

  it('have the checksum that FNV-1a has for all of them together', () => {
    const [left, right] = ['foo', 'bar'].map((text) => new TextEncoder().encode(text));
    expect(answerFor([left ?? [], right ?? []] as Uint8Array[])).toBe('gives 6 bf9cf968');
  });
});

describe('turns', () => {
  const lane = (name: string, nanoseconds: number, log: string[]) => ({
    time: async (calls: number) => {
      log.push(name);
      return calls * nanoseconds;
    },
  });

  it('give the speed of ours divided by that of each other', async () => {
    const [ours, other] = await takeTurns([lane('ours', 4e5, []), lane('other', 1e5, [])], 0);
    expect(ours).toMatchObject({ median: 4e5, lower: 4e5, upper: 4e5 });
    expect(ours).not.toHaveProperty('ratio');
    expect(other?.ratio).toEqual({ median: 0.25, lower: 0.25, upper: 0.25 });
  });

  it('alternate, and each begins a round as often as the others', async () => {
    const log: string[] = [];
    await takeTurns([lane('a', 1e9, log), lane('b', 1e9, log)], 0);
    // One block each warms up.
    expect(log.slice(2, 10).join('')).toBe('abbaabba');
  });
});

describe('a table', () => {
  const cell = { contest: 'decode utf-8', corpus: 'cjk', size: 64, bytes: 62 };
  const times = { lower: 1, upper: 1, rounds: 9, calls: 1 };
  const report: NativeReport = {
    versions: { simdutf: '7.7.1 (icelake)' },
    leftOut: ['encoding_rs, simdutf8, simd_cesu8, cesu8: no cargo'],
    lax: [{ contest: 'decode utf-8', contestant: 'JVM' }],
    cells: [
      { ...cell, ...times, contestant: 'ours', group: 'ours', median: 62 },
      {
        ...cell,
        ...times,
        contestant: 'simdutf',
        group: 'native',
        median: 31,
        ratio: { median: 0.5, lower: 0.49, upper: 0.51 },
      },
      {
        ...cell,
        ...times,
        contestant: 'JVM',
        group: 'native',
        median: 124,
        ratio: { median: 2, lower: 1, upper: 3 },
      },
      { ...cell, contestant: 'ICU', group: 'native', wrong: 'gives 1 00000000' },
    ],
  };

  it('has a row for each peer whose results are right', () => {
    expect(makeRows(report)).toEqual([
      expect.objectContaining({
        peer: 'simdutf',
        ours: 1000,
        speed: 2000,
        ratio: 0.5,
        isNoisy: false,
        isLax: false,
      }),
      expect.objectContaining({ peer: 'JVM', speed: 500, ratio: 2, isNoisy: true, isLax: true }),
    ]);
  });

  it('has none where ours is wrong', () => {
    const cells: NativeCell[] = report.cells.map((one) =>
      one.group === 'ours'
        ? { ...cell, contestant: 'ours', group: 'ours', wrong: 'gives 1 00000000' }
        : one,
    );
    expect(makeRows({ ...report, cells })).toEqual([]);
  });

  it('marks what is noisy and what accepts malformed input, and names what is left out', () => {
    const shown = showNative(report);
    expect(shown).toMatch(/ours {2}simdutf {2}ours\/simdutf {2}JVM † {2}ours\/JVM/);
    expect(shown).toMatch(/cjk {2}1000 +2000 +0\.50× +500 +~2\.00×/);
    expect(shown).toContain('simdutf 7.7.1 (icelake)');
    expect(shown).toContain('left out\n  encoding_rs, simdutf8, simd_cesu8, cesu8: no cargo');
  });
});

describe('programs', () => {
  it.each([
    ['rust', 'no cargo, no rustc, no cc'],
    ['simdutf', 'no c++, no cargo'],
    ['icu', 'no c++'],
    ['java', 'no java, no javac'],
  ] as const)('%s needs what it says', (name, missing) => {
    expect(prepare(name, () => false)).toEqual({ missing });
  });

  it('are pinned: the manifest and the lockfile name the same versions', () => {
    const manifest = readFileSync(source('rust/Cargo.toml'), 'utf8');
    const locked = lockedVersions(readFileSync(source('rust/Cargo.lock'), 'utf8'));
    expect(Object.keys(locked).sort()).toEqual([...PEERS.rust].sort());
    for (const [name, version] of Object.entries(locked)) {
      expect(manifest).toContain(`${name} = "=${version}"`);
    }
  });

  it('compares versions by number', () => {
    expect(isOlder('1.63.0', '1.88')).toBe(true);
    expect(isOlder('1.100.0', '1.88')).toBe(false);
    expect(isOlder('1.88.0', '1.88')).toBe(false);
    expect(isOlder('2.0', '1.88')).toBe(false);
  });

  it('that are missing leave out their peers, and ours runs all the same', {
    tags: ['slow'],
  }, async () => {
    const plan = planNative('smoke', ['ascii'], ['validate'], undefined, undefined);
    const report = await measureNative(
      plan,
      () => {},
      () => ({ missing: 'no compiler' }),
    );
    expect(report.leftOut).toEqual([
      'encoding_rs, simdutf8, simd_cesu8, cesu8: no compiler',
      'simdutf: no compiler',
    ]);
    expect(new Set(report.cells.map(({ contestant }) => contestant))).toEqual(
      new Set(['ours', 'Node']),
    );
    expect(report.cells.filter(({ wrong }) => wrong)).toEqual([]);
  });
});

describe('a run with all compilers', { tags: ['night'], timeout: 0 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-native-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const there = new Set<string>(['ours', 'Node']);
  beforeAll(() => {
    for (const program of programs) {
      const made = prepare(program);
      if (!('missing' in made)) for (const name of PEERS[program]) there.add(name);
      // Debian's Rust is older than what the crates need; the bench then says that it leaves them out.
      else if (!/rustc .* is older/.test(made.missing)) throw new Error(`missing: ${made.missing}`);
    }
  }, 0);

  const main = fileURLToPath(new URL('../src/main.mjs', import.meta.url));
  const bench = (...words: string[]) =>
    spawnSync(
      process.execPath,
      [main, '--native', '--smoke', '--out', folder, '--only', ...words],
      { encoding: 'utf8' },
    );
  const readReport = (): NativeReport =>
    JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).native;

  it('gets the same results from every peer, and times them', () => {
    const run = bench('decode', 'encode', 'validate', 'transcode', 'readUTF', 'emoji10');
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
    const { cells, leftOut } = readReport();
    expect(leftOut.length === 0).toBe(
      programs.every((each) => PEERS[each].every((name) => there.has(name))),
    );
    expect(cells.filter(({ wrong, median = 0 }) => wrong || median <= 0)).toEqual([]);
    for (const { title, lanes } of contests) {
      const names = cells.filter(({ contest }) => contest === title).map((one) => one.contestant);
      expect(new Set(names), title).toEqual(
        new Set(lanes.map(({ name }) => name).filter((name) => there.has(name))),
      );
    }
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toContain('"rows":[{"contest":"decode utf-8"');
  });

  it('fails if a result of ours is wrong', () => {
    const run = bench('validate', 'ascii', '--break', 'ours');
    expect(run.stdout).toMatch(
      /wrong, and so not timed\n {2}native validate utf-8 ours: ascii, 64 bytes: gives \d+ \w+, not/,
    );
    expect(run.status).toBe(1);
  });

  it('does not fail if a peer is wrong', () => {
    const run = bench('validate', 'ascii', '--break', 'Node');
    expect(run.stdout).toContain('native validate utf-8 Node: ascii, 64 bytes');
    expect(run.status).toBe(0);
    const cells = readReport().cells.filter(({ contestant }) => contestant === 'Node');
    expect(cells.every(({ wrong, median }) => wrong && median === undefined)).toBe(true);
  });
});
