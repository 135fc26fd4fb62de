/** The runners run, agree with their platforms, and are short. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../runners', import.meta.url));
const bin = fileURLToPath(new URL('../generated/bin', import.meta.url));

const runners = [
  { file: 'run.mjs', command: process.execPath, rest: [] },
  { file: 'run.py', command: 'python3', rest: [] },
  { file: 'Run.java', command: 'java', rest: [bin] },
];

it.for(runners)('$file', ({ file, command, rest }, { skip }) => {
  const result = spawnSync(command, [path.join(folder, file), ...rest], { encoding: 'utf8' });
  // A java without a compiler cannot run a source file.
  if (result.error || /jdk\.compiler/.test(result.stderr)) {
    console.log(`skipped: ${file}: there is no ${command}`);
    skip();
  }
  expect(result.stderr).toBe('');
  expect(result.stdout).toMatch(/^[^\n]*\d+ (vectors|checks), 0 failures\n$/);
  expect(result.status).toBe(0);
});

it.each(readdirSync(folder))('%s has less than 60 lines', (file) => {
  const lines = readFileSync(path.join(folder, file), 'utf8').split('\n').length - 1;
  expect(lines).toBeLessThan(60);
});
