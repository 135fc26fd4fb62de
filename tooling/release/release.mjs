// Publishes all packages, or tries to: npm run release [-- --dry-run]
//
// A dry run does everything except publishing, in a temporary copy with the version that the changesets give. Without
// --dry-run, this runs in the release workflow alone: npm then shows which commit and which run packages come from.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyRepository } from './src/copy.mjs';
import { packAll } from './src/pack.mjs';
import { root } from './src/program.mjs';
import { findRefusal, publishAll } from './src/publish.mjs';
import { build } from './src/run.mjs';
import { tryPackages } from './src/try.mjs';

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== '--dry-run')) {
  console.error('usage: npm run release [-- --dry-run]');
  process.exit(2);
}
const isDry = option === '--dry-run';
const refusal = isDry ? undefined : findRefusal();
if (refusal) {
  console.error(`npm run release: ${refusal}`);
  process.exit(1);
}

const temporary = realpathSync(mkdtempSync(path.join(tmpdir(), 'utf8-release-')));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** @param {string} name */
const folder = (name) => {
  const made = path.join(temporary, name);
  mkdirSync(made);
  return made;
};

const kilobytes = (/** @type {number} */ size) => `${Math.round(size / 1000)} kB`.padStart(9);

try {
  const repository = isDry ? copyRepository(root, folder('repository')) : root;
  console.log('Building …');
  build(repository);
  const packages = packAll(repository, folder('packed'));
  console.log('Installing the packages into an empty project, and running them …');
  for (const line of tryPackages(packages, folder('project'))) console.log(`  ${line}`);

  console.log(`\n${isDry ? 'Would publish' : 'Publishes'}:\n`);
  console.log(`${'package'.padEnd(26)} ${'packed'.padStart(9)} ${'unpacked'.padStart(9)}`);
  for (const { name, version, packed, unpacked } of packages) {
    console.log(`${`${name} ${version}`.padEnd(26)} ${kilobytes(packed)} ${kilobytes(unpacked)}`);
  }
  if (!isDry) publishAll(packages, temporary);
} catch (error) {
  console.error(`npm run release: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
