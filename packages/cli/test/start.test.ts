/** Start of the command: the modules that it loads, and its message on a Node that is too old. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choose, scale } from '../../../tooling/tiers/tier.js';
import { program } from './built.js';

/** Everything that a file imports before it runs. */
const load = (file: string, loaded = new Set<string>()): Set<string> => {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, target = ''] of text.matchAll(/^import .*?'(\.\/.*?)'/gm)) {
    load(join(file, '..', target), loaded);
  }
  return loaded;
};

/** Runs the command as if on another version of Node. */
function runOn(version: string, ...args: string[]) {
  const versions = JSON.stringify({ ...process.versions, node: version });
  const code = `Object.defineProperty(process, 'versions', { value: ${versions} })`;
  const preload = `data:text/javascript,${encodeURIComponent(code)}`;
  return spawnSync(process.execPath, ['--import', preload, program, ...args], { encoding: 'utf8' });
}

describe('a Node before 20.19', () => {
  it.each(['18.20.4', '20.18.3', '16.0.0'])('%s gets one sentence and 2', (version) => {
    for (const args of choose([['--version'], ['check'], []], scale(10))) {
      const { status, stdout, stderr } = runOn(version, ...args);
      const sentence = `requires Node 20.19 or later; this is Node ${version}`;
      expect([status, stdout, stderr]).toEqual([2, '', `utf8: ${sentence}\n`]);
    }
  });

  it.each(['20.19.0', '22.0.0', '26.1.0'])('%s is none', (version) => {
    expect(runOn(version, '--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('can read what is imported before the check', () => {
    for (const file of load(program)) {
      const text = readFileSync(file, 'utf8');
      expect(text.length).toBeLessThan(1500);
      expect(text).not.toMatch(/^await\b|\?\?=|\|\|=|#\w+ in |static \{|\bwith \{/m);
    }
    expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

describe('what is loaded', () => {
  it('for --version, and to find a command, has no codec in it', () => {
    const [, dispatch = ''] = /import\('(.*?)'\)/.exec(readFileSync(program, 'utf8')) ?? [];
    const files = [...load(program), ...load(join(program, '..', dispatch))];
    expect(files.length).toBeGreaterThan(2);
    const size = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
    expect(size).toBeLessThan(40_000);
    for (const file of files) expect(readFileSync(file, 'utf8')).not.toContain('WebAssembly');
  });
});
