/** Makes programs of a target: what Jazzer.js instruments and runs. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundles, root, targetFolder } from './place.js';

/** The names of all targets. */
export const targetNames: readonly string[] = readdirSync(targetFolder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => path.basename(file, '.ts'))
  .sort();

export const fileOf = (name: string): string => path.join(targetFolder, `${name}.ts`);

const engine = path.join(bundles, 'engine.js');

/** Lets sources find their files, wherever the bundle is. */
const place: Plugin = {
  name: 'place',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:tooling|packages)[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(file).href),
      ),
      loader: 'ts',
    }));
  },
};

/** Programs of a run. */
export interface Programs {
  readonly engine: string;
  readonly program: string;
  /** True if the program contains the code under test, and so must be instrumented, too. */
  readonly hasSources: boolean;
}

/**
 * Bundles a target with the engine that runs it. Published packages stay outside: they are run as they are
 * built, and instrumented when they are loaded.
 *
 * @param file - The target; it exports `target`.
 * @returns Their paths.
 */
export async function bundle(name: string, file: string): Promise<Programs> {
  const program = path.join(bundles, `target-${name}.js`);
  const common = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  } as const;
  const packages = readdirSync(path.join(root, 'packages')).map((each) => `@utf8/${each}`);
  const { metafile } = await build({
    ...common,
    metafile: true,
    absWorkingDir: root,
    outfile: program,
    plugins: [place],
    external: [...packages, 'vitest', 'esbuild'],
    stdin: {
      resolveDir: path.join(root, 'tooling/nightly/fuzz/src'),
      loader: 'ts',
      contents: `
        import { target } from ${JSON.stringify(file)};
        import { check } from './check.js';
        import { fail, minimise } from './minimise.js';
        export const fuzz = (bytes: Uint8Array) => check(target, bytes);
        export { fail, minimise, target };
      `,
    },
  });
  await build({
    ...common,
    banner: {},
    outfile: engine,
    entryPoints: [path.join(root, 'tooling/nightly/fuzz/src/engine.ts')],
    packages: 'external',
  });
  const isTested = /^(?:packages\/\w+\/src|tooling\/fuzz\/test)\//;
  const hasSources = Object.keys(metafile.inputs).some((file) => isTested.test(file));
  return { engine, program, hasSources };
}
