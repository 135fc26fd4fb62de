/** Output of `npm run mutation`: for a package with a gap in its tests, and for invalid arguments. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { readArguments, usage } from '../src/parts.mjs';

const fixture = fileURLToPath(new URL('fixture', import.meta.url));

function run(words: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(fixture, 'mutation.mjs'), ...words],
    // As a user's shell has it: not as part of vitest.
    { encoding: 'utf8', env: { ...process.env, VITEST: undefined, NODE_ENV: undefined, ...more } },
  );
  return { status, stdout, stderr };
}

beforeAll(() => rmSync(path.join(fixture, 'node_modules'), { recursive: true, force: true }));

it('lists the mutants that no test notices, and fails below the bound', () => {
  const { status, stdout } = run(['packages/toy']);
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    '8 mutants',
    '75.0 % (6 of 8) packages/toy/src/clamp.ts',
    '  packages/toy/src/clamp.ts:4 survived: value > greatest → false',
    '  packages/toy/src/clamp.ts:4 survived: value > greatest → value >= greatest',
    'toy: 75.0 %; at least 90 % are wanted',
  ]);
  expect(status).toBe(1);
});

it('judges a sample of lines', () => {
  const { status, stdout } = run(['packages/toy/src/clamp.ts:3-3', '--sample', '2', '--seed', '7']);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '2 of 3 mutants, seed 7',
    '100.0 % (2 of 2) packages/toy/src/clamp.ts',
    'toy: 100.0 % (34 to 100); at least 90 % are wanted',
  ]);
  expect(status).toBe(0);
});

it('judges nothing by tests that fail without a mutant, be it as a whole file', () => {
  const { status, stdout, stderr } = run(['packages/toy'], { UTF8_BROKEN: '1' });
  expect(`${stdout}${stderr}`).toContain('this file does not load');
  expect(stdout).not.toContain('%');
  expect(status).toBe(1);
});

it('says how to use it', () => {
  const { status, stderr } = run([]);
  expect(stderr).toContain('mutation: specify a file or folder');
  expect(stderr).toContain(usage);
  expect(status).toBe(2);
});

it.each([
  [['packages/none'], 'packages/none: no such file or folder'],
  [['packages/toy/test'], 'packages/toy/test: no source of toy'],
  [['packages/toy/src:1-2'], 'packages/toy/src:1-2: expected lines of a file, from 1 on'],
  [
    ['packages/toy/src/clamp.ts:3-1'],
    'packages/toy/src/clamp.ts:3-1: expected lines of a file, from 1 on',
  ],
  [['packages/toy', '--sample', 'x'], '--sample: expected a number from 1 on, not "x"'],
  [
    ['packages/toy', '--seed', '4294967296'],
    '--seed: expected a number from 0 on, not "4294967296"',
  ],
  [['packages/toy', '--simple'], "Unknown option '--simple'"],
])('refuses %j', (words, message) => {
  const place = { root: fixture, tiers: { toy: { bound: 90, tests: [] } } };
  expect(() => readArguments(words, place)).toThrow(message);
});
