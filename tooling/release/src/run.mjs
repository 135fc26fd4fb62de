/** Programs that a release runs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Runs a program to its end, and returns its output on stdout.
 *
 * @param {string} program
 * @param {readonly string[]} words
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [environment] - In addition to that of this process.
 */
export function run(program, words, cwd, environment = {}) {
  // npm and npx are batch files on Windows, which only a shell runs.
  const shell = process.platform === 'win32' && /^np[mx]$/.test(program);
  const quoted = shell ? words.map((word) => `"${word}"`) : words;
  const { status, stdout, stderr, error } = spawnSync(program, quoted, {
    cwd,
    shell,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true', ...environment },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (error) throw error;
  if (status === 0) return stdout;
  throw new Error(`${program} ${words.join(' ')} ended with ${status}\n${stdout}${stderr}`);
}

/**
 * Runs the pnpm that a repository pins.
 *
 * @param {string} repository
 * @param {readonly string[]} words
 */
export function pnpm(repository, words) {
  const { packageManager } = JSON.parse(
    readFileSync(path.join(repository, 'package.json'), 'utf8'),
  );
  const [specifier] = packageManager.split('+');
  return run('npx', ['--yes', '--prefer-offline', specifier, ...words], repository);
}

/**
 * Builds the packages of a repository.
 *
 * @param {string} repository
 */
export function build(repository) {
  run(process.execPath, ['tooling/task.mjs', 'build'], repository);
}
