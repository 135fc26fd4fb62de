// Fetches the runtimes of versions.json into the clone: node tooling/runtimes/install.mjs [name…]
//
// They are half a gigabyte, which is why they are no dependencies: npm test skips what is not here.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const versions = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'));
const cache = fileURLToPath(new URL('../../node_modules/.cache/runtimes', import.meta.url));

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('Other runtimes are fetched for Linux on x64 alone.');
  process.exit(0);
}

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(versions)) {
  if (!Object.hasOwn(versions, name)) {
    console.error(`There is no runtime ${name}, but ${Object.keys(versions).join(', ')}.`);
    process.exit(2);
  }
  const specifier = versions[name].package;
  const folder = join(cache, name);
  const manifest = join(folder, 'package.json');
  const wanted = JSON.stringify({ private: true, dependencies: { [name]: `npm:${specifier}` } });
  // A download that was cut short leaves none.
  const complete = join(folder, 'complete.json');
  if (existsSync(complete) && readFileSync(complete, 'utf8') === wanted) continue;
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, wanted);
  const { status } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--silent'],
    { cwd: folder, stdio: 'inherit', timeout: 300_000 },
  );
  if (status === 0) writeFileSync(complete, wanted);
  else console.error(`could not fetch ${specifier}`);
}
