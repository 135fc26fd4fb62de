/** Files that other runtimes load: a bundle of the program that races, and the files of our codecs. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { folderOf } from '../arena/copies.mjs';
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

/** Tells whether a clone's kernels can use a backend of choice. @param {string} clone */
export async function hasBackends(clone) {
  const file = findModules(clone).get('@utf8/core');
  return file !== undefined && 'useBackend' in (await import(file));
}

/**
 * Copies sets of our modules as a clone has built them. What an older clone does not have is left out.
 *
 * @param {string} clone
 * @param {string} folder - The target folder.
 * @param {readonly (readonly string[])[]} sets - Of specifiers.
 * @param {boolean} isSwitched - True to copy `useBackend` of the kernels in each set, too.
 */
export function copyModules(clone, folder, sets, isSwitched) {
  const modules = findModules(clone);
  for (const set of sets) {
    if (!set.every((specifier) => existsSync(modules.get(specifier) ?? ''))) continue;
    const target = join(folder, folderOf(set));
    const names = set.map((_, i) => `m${i}`);
    const entry = [
      ...set.map((specifier, i) => `import * as ${names[i]} from '${specifier}';`),
      ...(isSwitched ? ["export { useBackend } from '@utf8/core/internal';"] : []),
      `export const modules = [${names.join(', ')}];`,
    ];
    /** @type {Map<string, string>} */
    const written = new Map();
    const write = (
      /** @type {string} */ file,
      /** @type {string} */ source,
      /** @type {string} */ from,
    ) => {
      const place = join(target, file);
      if (written.has(place)) return;
      written.set(place, file);
      const link = (/** @type {string} */ specifier) => {
        if (specifier.startsWith('node:')) return specifier;
        const found = specifier.startsWith('.') ? join(from, specifier) : modules.get(specifier);
        if (!found) throw new Error(`there is no ${specifier} in ${clone}`);
        const inside = relative(join(clone, 'packages'), found);
        write(inside, readFileSync(found, 'utf8'), dirname(found));
        const path = relative(dirname(file), inside).replaceAll(sep, '/');
        return path.startsWith('.') ? path : `./${path}`;
      };
      const linked = source
        .replace(IMPORTS, (_, start, quote, specifier) => start + quote + link(specifier) + quote)
        .replace(/^\/\/# sourceMappingURL=.*$/gm, '');
      // One that were left would be of this build, whichever is meant.
      if (FOREIGN.test(linked))
        throw new Error(`${file} of ${clone} has an import of an unknown form`);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, linked);
    };
    write('index.mjs', entry.join('\n'), '');
  }
}

/** As bundlers write them: what comes before the specifier, its quotes, and the specifier. */
const IMPORTS =
  /^((?:import|export)(?:\s*(?:[\w$*]+|\{[^{}'"]*\}|,)\s*(?:as\s+[\w$]+\s*)?)*(?:from\s*)?)(['"])([^'"]+)\2/gm;

const FOREIGN = /^(?:import|export|\}) [^'"\n]*['"]@utf8\/|^[^*/\n]*\bimport\(['"]@utf8\//m;
