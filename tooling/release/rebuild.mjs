// Builds the packages twice, in ways that must not matter, and compares: node tooling/release/rebuild.mjs [REVISION]
//
// Each build has its own folder, Node, time zone, locale, umask and home. What grammars are compiled to, WebAssembly
// included, must be what is committed, and the files of the packages must be the same, byte for byte; but pnpm writes
// the dependencies into a manifest in an order that changes from run to run. Ends with 1 if anything differs. Takes
// five minutes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../conformance/runtimes/programs.mjs';
import { root } from './src/program.mjs';

const [revision = 'HEAD', ...rest] = process.argv.slice(2);
if (rest.length > 0 || revision.startsWith('-')) {
  console.error('usage: node tooling/release/rebuild.mjs [REVISION]');
  process.exit(2);
}

/** @typedef {{ folder: string, node: string, TZ: string, LC_ALL: string, umask: string }} Build */

/** @type {[Build, Build]} */
const builds = [
  { folder: 'a', node: 'node-20', TZ: 'UTC', LC_ALL: 'C', umask: '022' },
  {
    folder: 'another folder/which is ünlike',
    node: 'node-26',
    TZ: 'Pacific/Kiritimati',
    LC_ALL: 'tr_TR.UTF-8',
    umask: '077',
  },
];

const temporary = mkdtempSync(path.join(tmpdir(), 'utf8-rebuild-'));
try {
  const [first, second] = [build(builds[0]), build(builds[1])];
  const names = [...new Set([...first.keys(), ...second.keys()])].sort();
  if (names.length === 0) throw new Error('no package was built');
  let differences = 0;
  for (const name of names) {
    const digest = first.get(name);
    const isSame = digest === second.get(name);
    console.log(`${isSame ? digest : 'differs'.padEnd(64)}  ${name}`);
    if (!isSame) differences++;
  }
  console.log(`${names.length} files, ${differences} of them differ`);
  process.exitCode = differences > 0 ? 1 : 0;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/**
 * Builds a revision, and returns the SHA-256 of each file of each package by its place.
 *
 * @param {Build} options
 * @returns {Map<string, string>}
 */
function build({ folder, node, umask, ...locale }) {
  const program = findProgram(node);
  if (!program)
    throw new Error(
      `${node} is not installed: node tooling/conformance/runtimes/install.mjs ${node}`,
    );
  const clone = path.join(temporary, folder);
  const packed = path.join(temporary, `${node}-packed`);
  const home = path.join(temporary, `${node}-home`);
  for (const each of [clone, packed, home]) mkdirSync(each, { recursive: true });
  const env = {
    ...process.env,
    ...locale,
    CI: 'true',
    HOME: home,
    // The folder of npm's downloads is the one thing that the two share.
    npm_config_cache: run('npm', ['config', 'get', 'cache']).trim(),
    PATH: `${path.dirname(program)}${path.delimiter}${process.env.PATH}`,
  };
  /** @type {(command: string, ...words: string[]) => string} */
  const within = (command, ...words) =>
    run('sh', ['-c', `umask ${umask} && exec "$0" "$@"`, command, ...words], { cwd: clone, env });
  run('sh', ['-c', `git archive ${revision} | tar -x -C "$0"`, clone], { cwd: root });
  console.error(`Building with ${node} …`);
  within('node', 'tooling/task.mjs', 'build');
  within('node', 'tooling/compiler/generate.mjs', '--check');
  const { packageManager } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'));
  const [pnpm] = packageManager.split('+');
  const filter = ['--recursive', '--filter', './packages/*'];
  within('npx', '--yes', '--prefer-offline', pnpm, ...filter, 'pack', '--pack-destination', packed);
  const digests = new Map();
  for (const archive of readdirSync(packed)) {
    const unpacked = path.join(temporary, `${node}-unpacked`, archive);
    mkdirSync(unpacked, { recursive: true });
    run('tar', ['-xzf', path.join(packed, archive), '-C', unpacked]);
    for (const entry of readdirSync(unpacked, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath ?? entry.path, entry.name);
      const name = path.relative(path.join(unpacked, 'package'), file);
      const isProgram = (statSync(file).mode & 0o100) !== 0;
      digests.set(`${archive}/${name}${isProgram ? '*' : ''}`, digestOf(name, readFileSync(file)));
    }
  }
  return digests;
}

/** @type {(name: string, bytes: Buffer) => string} */
function digestOf(name, bytes) {
  const content = name === 'package.json' ? sortDependencies(JSON.parse(bytes.toString())) : bytes;
  return createHash('sha256').update(content).digest('hex');
}

/** @type {(manifest: { dependencies?: Record<string, string> }) => string} */
function sortDependencies({ dependencies = {}, ...rest }) {
  return JSON.stringify({ ...rest, dependencies: Object.entries(dependencies).sort() });
}

/** @type {(command: string, words: string[], options?: import('node:child_process').SpawnSyncOptions) => string} */
function run(command, words, options) {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    encoding: 'utf8',
    maxBuffer: Infinity,
    ...options,
  });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`${command} ${words.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout.toString();
}
