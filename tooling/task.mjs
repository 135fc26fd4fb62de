// Runs one task of this repository: node tooling/task.mjs <task> [arguments…]
//
// Needs nothing but Node and npm: npx fetches the pnpm that package.json pins, and pnpm installs
// the rest whenever the lockfile has changed since the last install.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCommandCurrent } from './build/command.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache');
const temporary = join(cache, 'tmp');
const windows = process.platform === 'win32';

/** The folder for temporary files of vitest and of tests, by the variable that each system reads. */
const temporaryFolders = Object.fromEntries(
  ['TMPDIR', 'TMP', 'TEMP'].map((name) => [name, temporary]),
);

/**
 * What a task needs of the dependencies: the command alone, all that `npm test` runs, or everything. Each contains the
 * one before.
 */
const installs = {
  command: ['--prod', '--filter=@utf8/cli...'],
  test: ['packages/*', 'apps/*', 'tooling/checks', 'tooling/conformance'].map(
    (folder) => `--filter=./${folder}`,
  ),
  all: [],
};

const tier = process.env.UTF8_TIER ?? 'test';
const forTests = tier === 'test' ? 'test' : 'all';

/** The dependencies of tasks that do not need all. */
const needs = {
  start: 'command',
  test: forTests,
  'test:changed': forTests,
  watch: forTests,
  build: 'test',
  typecheck: 'all',
  lint: 'test',
  format: 'test',
};

/** The steps of each task; `rest` are the arguments after the task's name. */
const tasks = {
  start: (rest) => [
    ...(isCommandCurrent()
      ? []
      : [quiet('Building', inside('packages/cli', node('../../tooling/build/build.mjs')))]),
    node('packages/cli/dist/demo.js', ...rest),
  ],
  build: (rest) => [turbo('build', '--filter=./packages/*', ...rest)],
  // Tests run on sources, so some of them need no build.
  test: (rest) =>
    rest.length > 0
      ? [vitest('run', ...rest)]
      : [
          quiet('Building', turbo('build', '--filter=./packages/*')),
          quiet('Checking types', tsc(tier === 'test' ? 'tooling/tiers' : '.')),
          quiet('Linting', biome()),
          vitest('run'),
        ],
  'test:changed': (rest) => [vitest('run', '--changed', ...rest)],
  watch: (rest) => [vitest('watch', ...rest)],
  bench: (rest) => [
    quiet('Building', turbo('build', '--filter=./packages/*')),
    pnpm('--silent', '--filter', '@utf8/bench', 'run', 'bench', ...rest),
  ],
  site: ([option, ...rest]) => [
    quiet('Building', turbo('build', '--filter=./packages/*')),
    quiet('Building the site', pnpm('--filter', '@utf8/site', 'run', 'build')),
    option === '--open'
      ? pnpm('--silent', '--filter', '@utf8/site', 'exec', 'vitepress', 'preview', ...rest)
      : node('-p', '"The site is in apps/site/.vitepress/dist."'),
  ],
  mutation: (rest) => [
    quiet('Building', turbo('build', '--filter=./packages/*')),
    node('tooling/nightly/mutation/mutation.mjs', ...rest),
  ],
  fuzz: (rest) => [
    quiet('Building', turbo('build', '--filter=./packages/*')),
    node('tooling/nightly/fuzz/fuzz.mjs', ...rest),
  ],
  changeset: (rest) => [node('node_modules/@changesets/cli/bin.js', ...rest)],
  release: (rest) => [outside(node('tooling/release/release.mjs', ...rest))],
  'release:bundle': (rest) => [
    quiet('Building', turbo('build', '--filter=./packages/*')),
    node('tooling/release/bundle.mjs', ...rest),
  ],
  // The codecs from their grammars; or `vectors` or `readers`, which ask other programs.
  generate: ([name = '', ...rest]) =>
    ['vectors', 'readers'].includes(name)
      ? [
          quiet('Building', turbo('build', '--filter=./packages/*')),
          node('tooling/oracles/generate.mjs', name, ...rest),
        ]
      : [
          quiet('Building', turbo('build', '--filter=@utf8/core')),
          ...['compiler', 'checks/types'].map((room) =>
            node(`tooling/${room}/generate.mjs`, ...(name ? [name, ...rest] : [])),
          ),
        ],
  // Rooms of tooling that try published packages import the builds.
  typecheck: (rest) => [
    quiet('Building', turbo('build', '--filter=./packages/*')),
    tsc('.', ...rest),
  ],
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
  // The scripts of node_modules/.bin need sed and other programs.
  return pnpm('exec', 'node', 'node_modules/turbo/bin/turbo', 'run', ...args);
}

function vitest(...args) {
  return node('node_modules/vitest/vitest.mjs', ...args);
}

/** Checks all types in one process, on sources. */
function tsc(project, ...args) {
  return node('tooling/build/tsc.mjs', '-p', project, ...args);
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

function inside(folder, step) {
  return { ...step, folder };
}

/** Runs a step. If it fails, ends this process with the step's exit code. */
function run({ command, args, title, isOutside, folder = '.' }) {
  if (title) console.error(`${title} …`);
  // On Windows, npx is a batch file, which only a shell can run; the shell needs quoted arguments.
  const shell = windows && command === 'npx';
  const words = shell ? args.map((word) => `"${word.replaceAll('"', '""')}"`) : args;
  const result = spawnSync(shell ? [command, ...words].join(' ') : command, shell ? [] : words, {
    cwd: join(root, folder),
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

const lockfile = join(root, 'pnpm-lock.yaml');

/** A copy of the lockfile that an install used. */
const installed = (name) => join(cache, `installed-${name}.yaml`);

/** Installs what a task needs, unless this or more was installed from the current lockfile. */
function install(task) {
  const names = Object.keys(installs);
  const needed = needs[task] ?? 'all';
  const isCurrent = (name) =>
    existsSync(installed(name)) && readFileSync(installed(name)).equals(readFileSync(lockfile));
  if (names.slice(names.indexOf(needed)).some(isCurrent)) return;
  run(quiet('Installing dependencies', pnpm('install', '--frozen-lockfile', ...installs[needed])));
  copyFileSync(lockfile, installed(needed));
}

mkdirSync(temporary, { recursive: true });
const [name, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name ?? '')) {
  console.error(`usage: node tooling/task.mjs ${Object.keys(tasks).join('|')} [arguments…]`);
  process.exit(2);
}
install(name);
for (const step of tasks[name](rest)) run(step);
