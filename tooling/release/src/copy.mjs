/** A copy of the repository that has the version of the next release. */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pnpm, run } from './run.mjs';

/**
 * Copies the files that Git knows or would add, installs their dependencies, and applies the changesets.
 *
 * @param {string} repository
 * @param {string} folder - An empty one.
 */
export function copyRepository(repository, folder) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  for (const file of run('git', words, repository).split('\0')) {
    const source = path.join(repository, file);
    if (file && existsSync(source)) cpSync(source, path.join(folder, file));
  }
  console.log('Installing dependencies …');
  const store = path.join(repository, 'node_modules/.pnpm-store');
  pnpm(folder, [
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    ...(existsSync(store) ? ['--store-dir', store] : []),
  ]);
  if (!hasChangesets(folder)) return folder;
  console.log('Applying changesets …');
  // Changesets reads the history of its files: one commit is enough.
  const git = ['-c', 'user.name=release', '-c', 'user.email=release@localhost'];
  run('git', ['init', '--quiet'], folder);
  run('git', ['add', '--all'], folder);
  run('git', [...git, 'commit', '--quiet', '--message', 'Try a release'], folder);
  run(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'], folder);
  if (hasChangesets(folder)) throw new Error('changeset version left changesets');
  return folder;
}

/**
 * Tells whether there are changes that no release contains.
 *
 * @param {string} repository
 */
export function hasChangesets(repository) {
  return readdirSync(path.join(repository, '.changeset')).some(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
}
