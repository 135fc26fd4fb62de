/** The runtimes that the races can be run in, and how each is found, fetched and started. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BROWSERS, findBrowser } from '@utf8/conformance/runtimes/browsers.mjs';
import { findProgram, thisNode } from '@utf8/conformance/runtimes/programs.mjs';
import { UsageError } from '../usage-error.mjs';

export { thisNode };

/**
 * @typedef {object} Runtime
 * @property {string} name - As `--runtime` has it.
 * @property {string} program
 * @property {boolean} isBrowser
 * @property {readonly string[]} options - Of the program, before the file.
 */

/** Returns the path of `install.mjs` or of its list. @param {string} name */
const tooling = (name) => fileURLToPath(import.meta.resolve(`@utf8/conformance/runtimes/${name}`));

/** Other programs of the list run no plain script. */
const isFetched = (/** @type {string} */ name) => /^(node-\d+|deno|bun)$/.test(name);

const fetched = Object.keys(JSON.parse(readFileSync(tooling('versions.json'), 'utf8'))).filter(
  isFetched,
);

export const RUNTIMES = [...new Set([thisNode, ...fetched]), ...BROWSERS];

/** @param {string} name @returns {readonly string[]} */
function optionsOf(name) {
  if (name === thisNode) return [...process.execArgv, '--expose-gc'];
  if (name.startsWith('node-')) return ['--expose-gc'];
  if (name === 'deno') return ['run', '--quiet', '--no-prompt', '--no-remote', '--allow-all'];
  return name === 'bun' ? ['--no-install'] : [];
}

/**
 * Finds runtimes by their names, and fetches those that npm has.
 *
 * @param {readonly string[]} names
 * @returns {Runtime[]}
 */
export function findRuntimes(names) {
  const unknown = names.filter((name) => !RUNTIMES.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`unknown runtime "${unknown[0]}"; expected ${RUNTIMES.join(', ')}`);
  }
  const missing = names.filter((name) => isFetched(name) && !findProgram(name));
  if (missing.length > 0) {
    spawnSync(process.execPath, [tooling('install.mjs'), ...missing], {
      stdio: ['ignore', process.stderr, process.stderr],
    });
  }
  return [...new Set(names)].map((name) => {
    const isBrowser = BROWSERS.includes(name);
    const program = isBrowser ? findBrowser(name) : findProgram(name);
    if (!program) throw new Error(`${name} is not installed and cannot be fetched`);
    return { name, program, isBrowser, options: optionsOf(name) };
  });
}

const NAMES = /** @type {const} */ ({ node: 'Node', deno: 'Deno', bun: 'Bun' });

/**
 * A runtime with its version, as people write it.
 *
 * @param {Runtime} runtime
 * @param {string} agent - The user agent of a browser; other runtimes are asked for their version.
 */
export function describeRuntime({ name, program, isBrowser }, agent) {
  if (isBrowser) {
    const [, browser = name, version = ''] = /(Chrome|Firefox|Version)\/([\d.]+)/.exec(agent) ?? [];
    const title = { Chrome: 'Chromium', Firefox: 'Firefox', Version: 'WebKit' }[browser] ?? browser;
    return `${title} ${version.replace(/(\.0)+$/, '')}`.trim();
  }
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const kind = /** @type {keyof typeof NAMES} */ (name.replace(/-\d+$/, ''));
  return `${NAMES[kind]} ${/\d+(\.\d+)+/.exec(stdout)?.[0] ?? ''}`.trim();
}
