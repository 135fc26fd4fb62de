/** Builds the native programs, or reports missing tools. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from '../commands/tasks.mjs';

/** @typedef {import('./contests.mjs').Program} Program */

/** Of crates, by the manifest. */
const FROM = [
  '--manifest-path',
  fileURLToPath(new URL('../../native/rust/Cargo.toml', import.meta.url)),
];
const source = fileURLToPath(new URL('../../native/', import.meta.url));
const built = fileURLToPath(
  new URL('../../../../node_modules/.cache/bench-native/', import.meta.url),
);

/**
 * @typedef {object} Recipe
 * @property {readonly string[]} needs - Commands.
 * @property {() => readonly string[]} build - Gives the command line of the program.
 * @property {() => Record<string, string>} versions - Versions that the program does not report itself.
 */

/** @type {Record<Exclude<Program, 'node'>, Recipe>} */
const recipes = {
  rust: {
    needs: ['cargo', 'rustc', 'cc'],
    build() {
      checkRust();
      const target = join(built, 'rust');
      run('cargo', ['build', '--release', '--locked', '--quiet', ...FROM, '--target-dir', target]);
      return [join(target, 'release/native-peers')];
    },
    versions: () => ({
      ...lockedVersions(readFileSync(join(source, 'rust/Cargo.lock'), 'utf8')),
      rustc: versionOf('rustc'),
    }),
  },
  simdutf: {
    needs: ['c++', 'cargo'],
    build() {
      checkRust();
      const release = findSimdutf();
      return compile('simdutf', [`-I${release}`, join(release, 'simdutf.cpp')], []);
    },
    versions: compilerVersion,
  },
  icu: {
    needs: ['c++'],
    build: () => compile('icu', [], ['-licuuc', '-licudata']),
    versions: compilerVersion,
  },
  java: {
    needs: ['java', 'javac'],
    // Without a file of its own in the system's temporary folder.
    build: () => ['java', '-XX:-UsePerfData', join(source, 'java/Peers.java')],
    versions: () => ({}),
  },
};

/** @param {string} command @param {readonly string[]} words */
function run(command, words) {
  try {
    return execFileSync(command, words, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' });
  } catch (error) {
    const { stderr, message } = /** @type {{ stderr?: string, message: string }} */ (error);
    const lines = (stderr || message).split('\n');
    const line = lines.find((text) => /error/i.test(text)) ?? lines[0] ?? '';
    throw new Error(`${command} failed: ${line.trim()}`);
  }
}

/** @param {string} command */
const versionOf = (command) => /\d+\.\d+[.\d]*/.exec(run(command, ['--version']))?.[0] ?? '';

function compilerVersion() {
  return { 'c++': versionOf('c++') };
}

/** Older Cargos fail at the lockfile, with a message that does not say why. */
function checkRust() {
  const manifest = readFileSync(join(source, 'rust/Cargo.toml'), 'utf8');
  const wanted = /^rust-version = "(.*)"$/m.exec(manifest)?.[1] ?? '';
  const found = versionOf('rustc');
  if (isOlder(found, wanted)) throw new Error(`rustc ${found} is older than ${wanted}`);
}

/** @param {string} version @param {string} other */
export function isOlder(version, other) {
  const [[major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]] = /** @type {const} */ ([
    version.split('.').map(Number),
    other.split('.').map(Number),
  ]);
  return major === otherMajor ? minor < otherMinor : major < otherMajor;
}

/** The versions of the crates that are peers. @param {string} lock - A Cargo.lock. */
export function lockedVersions(lock) {
  return Object.fromEntries(
    [...lock.matchAll(/^name = "(.*)"\nversion = "(.*)"$/gm)]
      .map(([, name = '', version = '']) => [name, version])
      .filter(([name = '']) => /^(encoding_rs|simdutf8|simd_cesu8|cesu8)$/.test(name)),
  );
}

/** Returns the folder in which Cargo has put the crate that contains simdutf in C++. */
function findSimdutf() {
  const { packages } = JSON.parse(
    run('cargo', ['metadata', '--locked', '--all-features', '--format-version', '1', ...FROM]),
  );
  const { manifest_path } = packages.find(
    (/** @type {{ name: string }} */ { name }) => name === 'simdutf',
  );
  return join(dirname(manifest_path), 'cpp');
}

/** @param {string} name @param {readonly string[]} more - Include folders and sources. @param {readonly string[]} libraries */
function compile(name, more, libraries) {
  const main = join(source, `cpp/${name}.cpp`);
  // No -march: the libraries choose at run time what the processor has, as those that people install do.
  const words = ['-std=c++17', '-O3', '-DNDEBUG', ...more, main];
  const hash = createHash('sha256').update(JSON.stringify([words, libraries, compilerVersion()]));
  for (const file of [main, join(source, 'cpp/serve.h')]) hash.update(readFileSync(file));
  const program = join(built, `${name}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(program)) return [program];
  mkdirSync(built, { recursive: true });
  // Two runs at once may compile the same program.
  const temporary = `${program}.${process.pid}`;
  run('c++', [...words, '-o', temporary, ...libraries]);
  renameSync(temporary, program);
  return [program];
}

/**
 * Builds a program.
 *
 * @param {Exclude<Program, 'node'>} name
 * @param {(command: string) => boolean} [isThere]
 * @returns {{ line: readonly string[], versions: Record<string, string> } | { missing: string }}
 */
export function prepare(name, isThere = isInstalled) {
  const { needs, build, versions } = recipes[name];
  const absent = needs.filter((command) => !isThere(command));
  if (absent.length > 0) return { missing: absent.map((command) => `no ${command}`).join(', ') };
  try {
    return { line: build(), versions: versions() };
  } catch (error) {
    return { missing: /** @type {Error} */ (error).message };
  }
}

/** Command line of our program. */
export const nodeLine = [
  process.execPath,
  ...process.execArgv,
  fileURLToPath(new URL('ours.mjs', import.meta.url)),
];
