/** A language that nothing can change any more: `node --frozen-intrinsics`, and SES; a process that lacks memory. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { findProgram } from '../../runtimes/programs.mjs';
import { bundleCalls, listCodecs } from '../src/bundle.js';

const program = fileURLToPath(new URL('../src/outcomes.mjs', import.meta.url));
const nodes = isNight ? ['node-20', 'node-22', 'node-24', 'node-26'] : ['node-20', 'node-26'];
const hows = isNight ? ['lockdown before', 'lockdown after', 'compartment'] : ['compartment'];

describe('in surroundings of another program', { tags: ['slow'] }, () => {
  let folder: string;
  let file: string;
  let usual: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'frozen-'));
    file = path.join(folder, 'calls.js');
    writeFileSync(file, await bundleCalls(listCodecs()));
    usual = run(process.execPath, [], 'plain');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(node: string | undefined, options: readonly string[], how: string): string {
    if (!node)
      throw new Error('missing: another Node, of tooling/conformance/runtimes/install.mjs');
    const { status, stdout, stderr } = spawnSync(node, [...options, program, file, how], {
      encoding: 'utf8',
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    expect(status, stderr).toBe(0);
    return stdout;
  }

  it('there are calls to compare', () => {
    expect(Number(usual.split(' ')[0])).toBeGreaterThan(listCodecs().length * 400);
  });

  it('all results are the same without memory for WebAssembly', () => {
    expect(run(process.execPath, [], 'no memory for WebAssembly')).toBe(usual);
  });

  it.skipIf(process.platform !== 'linux')(
    'all results are the same in little address space',
    () => {
      // In which the 10 GB that V8 reserves for a memory of WebAssembly have no place.
      const limit = 'ulimit -v 4000000 && exec "$0" "$@"';
      expect(run('sh', ['-c', limit, process.execPath], 'plain')).toBe(usual);
    },
  );

  describe.each(nodes)('all results are the same in %s', (name) => {
    it('--frozen-intrinsics', () => {
      expect(run(findProgram(name), ['--frozen-intrinsics'], 'plain')).toBe(usual);
    });

    it.each(hows)('SES, %s', (how) => {
      expect(run(findProgram(name), [], how)).toBe(usual);
    });
  });
});
