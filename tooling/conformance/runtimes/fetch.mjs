/** Fetches the runtimes of versions.json from npm, into the clone. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './programs.mjs';

export const versions = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'));

const manifestOf = (name) =>
  JSON.stringify({ private: true, dependencies: versions[name].packages });

/** The folder of its packages, if those of this version are there as a whole. */
export function findRuntime(name) {
  const folder = join(cache, 'runtimes', name);
  // A download that was cut short leaves none.
  const complete = join(folder, 'complete.json');
  const isComplete = existsSync(complete) && readFileSync(complete, 'utf8') === manifestOf(name);
  return isComplete ? join(folder, 'node_modules') : undefined;
}

/** @returns Whether it is there now. */
export function fetchRuntime(name) {
  if (findRuntime(name)) return true;
  const folder = join(cache, 'runtimes', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifestOf(name));
  const { status } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--silent'],
    { cwd: folder, stdio: 'inherit', timeout: 300_000 },
  );
  if (status !== 0) return false;
  writeFileSync(join(folder, 'complete.json'), manifestOf(name));
  return true;
}
