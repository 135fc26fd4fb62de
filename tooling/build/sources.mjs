/** Resolves imports of packages to their sources, so that tests and bundles wait for no build. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** Finds the source of a file of `dist`; undefined if it has none. */
function findSource(folder, built) {
  const [, name] = /^dist[\\/](.*)\.c?js$/.exec(path.normalize(built)) ?? [];
  return ['src', 'src/generated']
    .map((from) => path.join(packages, folder, from, `${name}.ts`))
    .find((file) => name && existsSync(file));
}

/**
 * Lists the modules that packages export.
 *
 * @returns {Map<string, string>} Sources by specifier, such as `@utf8/cesu8/lite`.
 */
export function listSources() {
  const sources = new Map();
  for (const folder of readdirSync(packages)) {
    const manifest = path.join(packages, folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    for (const [subpath, conditions] of Object.entries(exports)) {
      const built = conditions.import?.default ?? conditions.default;
      const source = built && findSource(folder, built);
      if (source) sources.set(path.posix.join(name, subpath), source);
    }
  }
  return sources;
}

/** A plugin of esbuild, and so of tsup. `filter` selects the packages whose code becomes part of the bundle. */
export const bundleSources = (filter = /^@utf8\//) => ({
  name: 'sources',
  setup({ onResolve }) {
    const sources = listSources();
    onResolve({ filter }, ({ path: specifier }) =>
      sources.has(specifier) ? { path: sources.get(specifier) } : undefined,
    );
  },
});

/** A module that does nothing when it is published. */
const POINTS = path.join(packages, 'files/src/stop-point.ts');

/** Reads what stops a program at named points, for tests. */
const readPoints = () => readFileSync(path.join(packages, 'files/test/stop-point.ts'), 'utf8');

/** A plugin of esbuild, and so of tsup, for bundles that tests stop at named points. It is never for published ones. */
export const addStopPoints = {
  name: 'stop points',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]stop-point\.ts$/ }, ({ path: file }) =>
      file === POINTS ? { contents: readPoints(), loader: 'ts' } : undefined,
    );
  },
};

/**
 * A plugin of vite, and so of vitest. It also resolves imports of a file in `dist`, and lets tests stop at named points.
 */
export function resolveSources() {
  const sources = listSources();
  return {
    name: 'sources',
    enforce: 'pre',
    resolveId(specifier) {
      if (sources.has(specifier)) return sources.get(specifier);
      const file = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier;
      if (!file.startsWith(packages)) return undefined;
      const [folder, ...rest] = path.relative(packages, file).split(path.sep);
      return findSource(folder, rest.join('/'));
    },
    load: (id) => (path.normalize(id) === POINTS ? readPoints() : undefined),
  };
}
