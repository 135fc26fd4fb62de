/** Bundles for other runtimes: the program that races, and our codecs, each set of modules in one file. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { fileOf } from '../arena/copies.mjs';
import { listed } from '../arena/listed.mjs';

const arena = fileURLToPath(new URL('../arena', import.meta.url));

/** The folder of this repository. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Not in node_modules: Deno takes what lies there for a package. */
const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** A folder for the bundles of one run of the bench. */
export function makeFolder() {
  mkdirSync(dist, { recursive: true });
  return mkdtempSync(join(dist, 'run-'));
}

/** @type {import('esbuild').BuildOptions} */
const settings = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' };

/** Puts the list of codecs into a bundle, whose runtime may have no files. @type {import('esbuild').Plugin} */
const list = {
  name: 'list',
  setup({ onLoad }) {
    onLoad({ filter: /arena[\\/]listed\.mjs$/ }, () => ({
      contents: `export const listed = ${JSON.stringify(listed)};`,
    }));
  },
};

/**
 * Writes `program.mjs`, which Node, Deno and Bun run, and `run.mjs`, which a page loads.
 *
 * @param {string} folder
 */
export async function bundleArena(folder) {
  await build({
    ...settings,
    entryPoints: [join(arena, 'program.mjs')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    packages: 'external', // peers, as each runtime finds them
    plugins: [list],
  });
  await build({
    ...settings,
    entryPoints: [join(arena, 'run.mjs')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'browser',
    external: ['iconv-lite'], // needs Node's `Buffer`
    plugins: [list],
  });
}

/**
 * The files of our modules in a clone of this repository, by specifier.
 *
 * @param {string} clone
 * @returns {Map<string, string>}
 */
export function findModules(clone) {
  const modules = new Map();
  for (const name of readdirSync(join(clone, 'packages'))) {
    const folder = join(clone, 'packages', name);
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name: of, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    for (const [subpath, target] of Object.entries(exports)) {
      const file = target?.import?.default;
      if (file) modules.set(posix.join(of, subpath), join(folder, file));
    }
  }
  return modules;
}

/** Whether kernels can be told which way to work by. @param {string} clone */
export async function hasWays(clone) {
  const file = findModules(clone).get('@utf8/simd');
  return file !== undefined && 'useWays' in (await import(file));
}

/**
 * Bundles sets of our modules as a clone has built them. What an older clone does not have is left out.
 *
 * @param {string} clone
 * @param {string} folder - Where they go.
 * @param {readonly (readonly string[])[]} sets - Of specifiers.
 * @param {boolean} isSwitched - Whether each file also exports `useWays` of the kernels that are in it.
 */
export async function bundleCopies(clone, folder, sets, isSwitched) {
  const modules = findModules(clone);
  /** @type {import('esbuild').Plugin} */
  const ours = {
    name: 'ours',
    setup({ onResolve }) {
      onResolve({ filter: /^@utf8\// }, ({ path }) => {
        const file = modules.get(path);
        return file ? { path: file } : { errors: [{ text: `there is no ${path} in ${clone}` }] };
      });
    },
  };
  const ready = sets.filter((set) =>
    set.every((specifier) => existsSync(modules.get(specifier) ?? '')),
  );
  await Promise.all(
    ready.map((set) =>
      build({
        ...settings,
        logLevel: 'error', // packages without side effects import some chunks for nothing
        stdin: { contents: write(set, isSwitched), resolveDir: clone },
        outfile: join(folder, fileOf(set)),
        platform: 'neutral',
        external: ['node:*'],
        plugins: [ours],
      }),
    ),
  );
}

/** @param {readonly string[]} set @param {boolean} isSwitched */
function write(set, isSwitched) {
  const ways = isSwitched ? "export { useWays } from '@utf8/simd';\n" : '';
  const [first] = set;
  if (set.length === 1) return `${ways}export * from ${JSON.stringify(first)};`;
  const imports = set.map((name, i) => `import * as m${i} from ${JSON.stringify(name)};\n`);
  // As plain objects: a bundle has no namespaces, and the getters in their place are slow.
  return `${ways}${imports.join('')}export const modules = [${set.map((_, i) => `{ ...m${i} }`).join(', ')}];`;
}
