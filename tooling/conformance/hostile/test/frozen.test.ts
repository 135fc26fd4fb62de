/** A language that nothing can change any more: `node --frozen-intrinsics`, and SES; a process that lacks memory. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { findProgram } from '../../runtimes/programs.mjs';
import { bundleCalls, listCodecs } from '../src/bundle.js';

const folder = mkdtempSync(path.join(tmpdir(), 'frozen-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'calls.js');
writeFileSync(file, await bundleCalls(listCodecs()));

const program = fileURLToPath(new URL('../src/outcomes.mjs', import.meta.url));

function run(node: string, options: readonly string[], how: string): string {
  const { status, stdout, stderr } = spawnSync(node, [...options, program, file, how], {
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

const usual = run(process.execPath, [], 'plain');

it('there are calls to compare', () => {
  expect(Number(usual.split(' ')[0])).toBeGreaterThan(listCodecs().length * 400);
});

it('all results are the same without memory for WebAssembly', () => {
  expect(run(process.execPath, [], 'no memory for WebAssembly')).toBe(usual);
});

it.skipIf(process.platform !== 'linux')('all results are the same in little address space', () => {
  // In which the 10 GB that V8 reserves for a memory of WebAssembly have no place.
  expect(run('sh', ['-c', 'ulimit -v 4000000 && exec "$0" "$@"', process.execPath], 'plain')).toBe(
    usual,
  );
});

const all = ['node-20', 'node-22', 'node-24', 'node-26'];
const hows = ['lockdown before', 'lockdown after', 'compartment'];
const isWhole = isNight;

describe.each(isWhole ? all : ['node-20', 'node-26'])('all results are the same in %s', (name) => {
  const node = findProgram(name);
  if (!node) {
    console.log(
      `skipped: frozen language in ${name}: run node tooling/conformance/runtimes/install.mjs`,
    );
  }

  it.skipIf(!node)('--frozen-intrinsics', () => {
    expect(run(node as string, ['--frozen-intrinsics'], 'plain')).toBe(usual);
  });

  it.skipIf(!node).each(isWhole ? hows : ['compartment'])('SES, %s', (how) => {
    expect(run(node as string, [], how)).toBe(usual);
  });
});
