// Fetches the runtimes of versions.json into the clone: node tooling/runtimes/install.mjs [name…]
//
// They are a gigabyte, which is why they are no dependencies: npm test skips what is not here.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const versions = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'));
const cache = fileURLToPath(new URL('../../node_modules/.cache/runtimes', import.meta.url));

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('Other runtimes are fetched for Linux on x64 alone.');
  process.exit(0);
}

let failed = false;
for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(versions)) {
  if (!Object.hasOwn(versions, name)) {
    console.error(`unknown runtime "${name}"; expected ${Object.keys(versions).join(', ')}`);
    process.exit(2);
  }
  // The Node that runs the tests is used as it is.
  if (name === `node-${process.versions.node.split('.')[0]}`) continue;
  const { packages } = versions[name];
  const folder = join(cache, name);
  const wanted = JSON.stringify({ private: true, dependencies: packages });
  // A download that was cut short leaves none.
  const complete = join(folder, 'complete.json');
  if (existsSync(complete) && readFileSync(complete, 'utf8') === wanted) continue;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), wanted);
  const { status } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--silent'],
    { cwd: folder, stdio: 'inherit', timeout: 300_000 },
  );
  if (status === 0) writeFileSync(complete, wanted);
  else {
    console.error(`could not fetch ${name}`);
    failed = true;
  }
}
process.exitCode = failed ? 1 : 0;
