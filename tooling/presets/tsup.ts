import { existsSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { constants } from './constants.js';

/**
 * How every published package is built: ESM and CommonJS, each with declarations of its own.
 *
 * @param entry Paths below `src`, or below `src/generated`, without the extension; `dist` mirrors them.
 * @param options What this package wants otherwise.
 */
export function preset(entry: string[], options: Options = {}) {
  const find = (name: string): string =>
    [`src/${name}.ts`, `src/generated/${name}.ts`].find(existsSync) ?? name;
  return defineConfig({
    entry: Object.fromEntries(entry.map((name) => [name, find(name)])),
    format: ['esm', 'cjs'],
    target: 'es2022',
    // tsup itself sets `baseUrl`, which TypeScript 6 reports as deprecated.
    dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
    // Entries share their modules, so that an error class is the same one in all of them.
    splitting: true,
    // Rollup then writes the shared CommonJS modules. Sucrase, which would otherwise do it, turns
    // `?.`, `??` and class fields into calls, in hot loops too.
    treeshake: true,
    plugins: [constants],
    sourcemap: true,
    clean: true,
    // `node:stream` stays as written.
    removeNodeProtocol: false,
    ...options,
  });
}
