import { existsSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { constants } from './constants.js';
import { bundleSources } from './sources.mjs';
import { wholeFiles } from './whole.js';

/**
 * How every published package is built: ESM and CommonJS, each with declarations of its own.
 *
 * @param entry Paths below `src`, or below `src/generated`, without the extension; `dist` mirrors them.
 * @param options What this package wants otherwise.
 */
export function preset(entry: string[], options: Options = {}) {
  return defineConfig({
    entry: findSources(entry),
    format: ['esm', 'cjs'],
    target: 'es2022',
    // Without the paths of the root's, which would make other packages part of the bundle.
    tsconfig: '../../tsconfig.base.json',
    // `declarations.mjs` writes them, in a fraction of the time.
    dts: false,
    // Entries share their modules, so that an error class is the same one in all of them.
    splitting: true,
    // Rollup then writes the shared CommonJS modules. Sucrase, which would otherwise do it, turns
    // `?.`, `??` and class fields into calls, in hot loops too.
    treeshake: true,
    plugins: [constants],
    // Private, so that each package that uses it contains it.
    noExternal: [/^@utf8\/files$/],
    esbuildPlugins: [bundleSources(/^@utf8\/files$/)],
    sourcemap: true,
    clean: true,
    // `node:stream` stays as written.
    removeNodeProtocol: false,
    ...options,
  });
}

/**
 * How a package is built that programs load at their start: each entry is one file; see {@link wholeFiles}.
 *
 * @param entry As for {@link preset}. The first that reaches a module contains it.
 * @param options As for {@link preset}.
 */
export const wholePreset = (entry: string[], options: Options = {}) =>
  preset(entry, {
    splitting: false,
    esbuildPlugins: [wholeFiles(findSources(entry))],
    // Modules that are imported and not used are not loaded either.
    treeshake: { moduleSideEffects: 'no-external' },
    ...options,
  });

function findSources(entry: readonly string[]): Record<string, string> {
  const find = (name: string): string =>
    [`src/${name}.ts`, `src/generated/${name}.ts`].find(existsSync) ?? name;
  return Object.fromEntries(entry.map((name) => [name, find(name)]));
}
