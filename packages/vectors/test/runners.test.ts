/** The runners run, agree with their platforms, and are short. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../runners', import.meta.url));
const bin = fileURLToPath(new URL('../generated/bin', import.meta.url));

function run(command: string, file: string, ...rest: readonly string[]): void {
  const result = spawnSync(command, [path.join(folder, file), ...rest], { encoding: 'utf8' });
  if (result.error) throw new Error(`missing: ${command}`);
  expect(result.stderr).toBe('');
  expect(result.stdout).toMatch(/^[^\n]*\d+ (vectors|checks), 0 failures\n$/);
  expect(result.status).toBe(0);
}

it('run.mjs', () => run(process.execPath, 'run.mjs'));
it('run.py', { tags: ['slow'] }, () => run('python3', 'run.py'));
it('Run.java', { tags: ['slow'] }, () => run('java', 'Run.java', bin));

it.each(readdirSync(folder))('%s has less than 60 lines', (file) => {
  const lines = readFileSync(path.join(folder, file), 'utf8').split('\n').length - 1;
  expect(lines).toBeLessThan(60);
});
