// Runs one task of this repository: node tooling/task.mjs <task> [arguments…]
//
// Needs nothing but Node and npm: npx fetches the pnpm that package.json pins, and pnpm installs
// the rest whenever the lockfile has changed since the last install.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache');
const temporary = join(cache, 'tmp');
const windows = process.platform === 'win32';

/** If a package fails, only the packages that depend on it are skipped. */
const goOn = '--continue=dependencies-successful';

const published = ['--filter=./packages/*'];

/** The folder for temporary files of vitest and of tests, by the variable that each system reads. */
const temporaryFolders = Object.fromEntries(
  ['TMPDIR', 'TMP', 'TEMP'].map((name) => [name, temporary]),
);

/** The steps of each task; `rest` are the arguments after the task's name. */
const tasks = {
  start: (rest) => [
    quiet('Building', turbo('build', '--filter=@utf8/cli...')),
    node('packages/cli/dist/demo.js', ...rest),
  ],
  build: (rest) => [turbo('build', ...rest)],
  test: (rest) => [
    turbo('build', 'typecheck', 'check:package'),
    biome(),
    node('node_modules/vitest/vitest.mjs', 'run', '--config', 'tooling/vitest.config.ts', ...rest),
  ],
  // One package after another: vitest itself uses all processors.
  'test:changed': (rest) => [turbo('test', '--concurrency=1', goOn, ...rest)],
  // A build does not wait until a test ends.
  dev: (rest) => [
    watch('build', 'test', '--concurrency=2', goOn, ...(rest.length > 0 ? rest : published)),
  ],
  bench: (rest) => [
    quiet('Building', turbo('build', '--filter=@utf8/bench^...')),
    pnpm('--silent', '--filter', '@utf8/bench', 'run', 'bench', ...rest),
  ],
  site: ([option, ...rest]) => [
    quiet('Building', turbo('build', '--filter=@utf8/site...')),
    option === '--open'
      ? pnpm('--silent', '--filter', '@utf8/site', 'exec', 'vitepress', 'preview', ...rest)
      : node('-p', '"The site is in apps/site/.vitepress/dist."'),
  ],
  mutation: (rest) => [
    quiet('Building', turbo('build', '--filter=@utf8/mutation^...')),
    node('tooling/mutation/mutation.mjs', ...rest),
  ],
  fuzz: (rest) => [
    quiet('Building', turbo('build', '--filter=@utf8/cli...', '--filter=@utf8/conformance^...')),
    node('tooling/fuzz/fuzz.mjs', ...rest),
  ],
  changeset: (rest) => [node('node_modules/@changesets/cli/bin.js', ...rest)],
  release: (rest) => [outside(node('tooling/release/release.mjs', ...rest))],
  'release:bundle': (rest) => [
    quiet('Building', turbo('build', '--filter=@utf8/cli...')),
    node('tooling/release/bundle.mjs', ...rest),
  ],
  generate: (rest) => [
    quiet('Building', turbo('build', '--filter=@utf8/core')),
    node('tooling/codecs/variants.mjs', ...rest),
    node('tooling/codecs/generate.mjs', ...rest),
    node('tooling/types/generate.mjs', ...rest),
  ],
  typecheck: (rest) => [turbo('typecheck', ...rest)],
  lint: (rest) => [biome(...rest)],
  format: (rest) => [biome('--write', ...rest)],
};

/** pnpm through npx. turbo calls pnpm too, and finds it because npx puts it on the PATH. */
function pnpm(...args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [specifier] = packageManager.split('+'); // npx does not accept the checksum
  // Prefer npm's cached copy: checking for a newer one takes time, and minutes without a network.
  return { command: 'npx', args: ['--yes', '--prefer-offline', specifier, ...args] };
}

function turbo(...args) {
  return pnpm('exec', 'turbo', 'run', ...args);
}

function watch(...args) {
  return pnpm('exec', 'turbo', 'watch', ...args);
}

function biome(...args) {
  return node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...args);
}

function node(...args) {
  return { command: process.execPath, args };
}

/** Prints one line instead of the step's output, and the output only if the step fails. */
function quiet(title, step) {
  return { ...step, title };
}

/** A step that uses the system's temporary folder: compilers skip sources inside node_modules. */
function outside(step) {
  return { ...step, isOutside: true };
}

/** Runs a step. If it fails, ends this process with the step's exit code. */
function run({ command, args, title, isOutside }) {
  if (title) console.error(`${title} …`);
  // On Windows, npx is a batch file, which only a shell can run; the shell needs quoted arguments.
  const shell = windows && command === 'npx';
  const words = shell ? args.map((word) => `"${word.replaceAll('"', '""')}"`) : args;
  const result = spawnSync(shell ? [command, ...words].join(' ') : command, shell ? [] : words, {
    cwd: root,
    shell,
    env: { ...environment(), ...(isOutside ? {} : temporaryFolders) },
    stdio: title ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    maxBuffer: Infinity,
  });
  if (result.error) throw result.error;
  if (result.status === 0) return;
  process.stderr.write(result.stdout ?? '');
  process.stderr.write(result.stderr ?? '');
  process.exit(result.status ?? 1); // null: killed by a signal
}

function environment() {
  return {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: '1',
    // Keeps the caches of Biome, and of Node from version 22 on, out of the home and temporary folders.
    XDG_CACHE_HOME: cache,
    NODE_COMPILE_CACHE: join(cache, 'node'),
    // Without a terminal, pnpm and vitest must not ask questions.
    ...(process.stdout.isTTY ? {} : { CI: 'true' }),
  };
}

/** Whether the last install used the current lockfile, of which pnpm keeps a copy. */
function isInstalled() {
  const installed = join(root, 'node_modules/.pnpm/lock.yaml');
  const wanted = join(root, 'pnpm-lock.yaml');
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted));
}

mkdirSync(temporary, { recursive: true });
const [name, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name ?? '')) {
  console.error(`usage: node tooling/task.mjs ${Object.keys(tasks).join('|')} [arguments…]`);
  process.exit(2);
}
if (!isInstalled()) run(quiet('Installing dependencies', pnpm('install', '--frozen-lockfile')));
for (const step of tasks[name](rest)) run(step);
