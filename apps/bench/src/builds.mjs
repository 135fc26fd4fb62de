/** Our packages as an older commit has them, built below `node_modules/.cache` and kept there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '@utf8/conformance/runtimes/programs.mjs';
import { root } from './runtimes/bundle.mjs';
import { UsageError } from './usage-error.mjs';

/**
 * @typedef {object} Build
 * @property {string} commit - The first twelve digits.
 * @property {string} title - The first line of its message.
 * @property {string} clone - The folder that has it.
 */

/** @param {readonly string[]} args */
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** @param {string} name - Anything that git knows a commit by. @returns {Omit<Build, 'clone'>} */
function findCommit(name) {
  try {
    const [commit = '', title = ''] = git(
      'show',
      '--no-patch',
      '--format=%H%n%s',
      `${name}^{commit}`,
    )
      .trim()
      .split('\n');
    return { commit: commit.slice(0, 12), title };
  } catch {
    throw new UsageError(`unknown commit "${name}"`);
  }
}

/** @param {string} name @param {(what: string) => void} onProgress @returns {Build} */
export function buildCommit(name, onProgress) {
  const { commit, title } = findCommit(name);
  const clone = join(cache, 'bench', commit);
  const complete = join(clone, 'complete'); // a build that was cut short has none
  if (!existsSync(complete)) {
    rmSync(clone, { recursive: true, force: true });
    mkdirSync(clone, { recursive: true });
    const files = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: Infinity });
    run(clone, 'tar', ['-x', '-C', clone], files);
    const { packageManager } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
    const pnpm = ['--yes', '--prefer-offline', packageManager.split('+')[0]];
    onProgress(`installing what ${commit} depends on`);
    const store = join(root, 'node_modules/.pnpm-store');
    run(clone, 'npx', [
      ...[...pnpm, 'install', '--frozen-lockfile', '--prefer-offline', '--store-dir', store],
      ...['--cache-dir', join(cache, 'pnpm')],
    ]);
    onProgress(`building ${commit}`);
    /** @type {string[]} */
    const codecs = JSON.parse(readFileSync(join(clone, 'packages/variants.json'), 'utf8'));
    const packages = new Set(codecs.map((codec) => codec.split('/').slice(0, 2).join('/')));
    const filters = Array.from(packages, (one) => `--filter=${one}...`);
    // Without turbo, which tells changed files by what git says, and git ignores this folder; and without
    // types, which take most of the time.
    run(clone, 'npx', [...pnpm, ...filters, 'exec', 'tsup', '--no-dts']);
    writeFileSync(complete, '');
  }
  return { commit, title, clone };
}

/** @param {string} cwd @param {string} command @param {readonly string[]} args @param {Buffer} [input] */
function run(cwd, command, args, input) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    input,
    encoding: 'utf8',
    maxBuffer: Infinity,
    env: { ...process.env, CI: 'true' },
  });
  if (error) throw error;
  if (status === 0) return;
  const end = `${stdout}${stderr}`.trim().split('\n').slice(-10).join('\n');
  throw new Error(`${command} ${args.slice(0, 6).join(' ')} failed in ${cwd}:\n${end}`);
}
