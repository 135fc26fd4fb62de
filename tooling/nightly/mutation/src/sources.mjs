/**
 * Lets tests import the sources of packages, in which the mutants are, where their manifests say `dist`:
 * nothing is built for a mutant.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Maps what can be imported of the packages of a folder to sources.
 *
 * @param {string} packages The folder of all packages.
 * @returns {Map<string, string>} Sources by specifier, such as `@utf8/cesu8/lite`.
 */
export function findSources(packages) {
  const sources = new Map();
  for (const folder of readdirSync(packages)) {
    const manifest = path.join(packages, folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    for (const [subpath, conditions] of Object.entries(exports)) {
      const built = conditions.import?.default ?? conditions.default;
      const source = built && findSource(path.join(packages, folder, built));
      if (source) sources.set(path.posix.join(name, subpath), source);
    }
  }
  return sources;
}

/**
 * Finds what a file below `dist` is built from.
 *
 * @param {string} file Its path.
 * @returns {string | undefined} Undefined if it is no such file.
 */
export function findSource(file) {
  const [, folder, name] = /^(.*)[\\/]dist[\\/](.*)\.c?js$/.exec(file) ?? [];
  if (!folder) return undefined;
  return ['src', 'src/generated']
    .map((from) => path.join(folder, from, `${name}.ts`))
    .find((source) => existsSync(source));
}

/**
 * Resolves imports of packages to their sources.
 *
 * @param {string} packages The folder of all packages.
 * @returns {import('vite').Plugin}
 */
export function resolveSources(packages) {
  const sources = findSources(packages);
  return {
    name: 'sources',
    enforce: 'pre',
    resolveId(specifier) {
      if (sources.has(specifier)) return sources.get(specifier);
      const file = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier;
      return file.startsWith(packages) ? findSource(file) : undefined;
    },
  };
}

/**
 * Replaces the WebAssembly of kernels.
 *
 * @param {string} folder Each in a file of its own, as {@link nameKernel} names it; of those that are missing the
 *   module is as it was. Tests see what is there when they begin.
 * @returns {import('vite').Plugin}
 */
export function replaceKernels(folder) {
  return {
    name: 'kernels',
    enforce: 'pre',
    transform(code, module) {
      if (path.basename(module) !== 'wasm.ts') return undefined;
      const file = JSON.stringify(path.join(folder, nameKernel(module)));
      return `import { existsSync, readFileSync } from 'node:fs';
${code.replace('const wasm', 'const built')}
export const wasm = existsSync(${file}) ? readFileSync(${file}, 'utf8') : built;
`;
    },
  };
}

/** Names the file in place of a module's WebAssembly. */
export const nameKernel = (module) =>
  `${module.split(path.sep).join('/').split('/packages/').at(-1).replaceAll('/', '-')}.hex`;
