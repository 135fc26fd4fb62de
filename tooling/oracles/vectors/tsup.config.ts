import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { defineConfig, type Options } from 'tsup';

// The sources are TypeScript, which the oldest Node that is supported does not run.
const options: Options = {
  entry: ['src/generate.ts'],
  format: ['esm'],
  target: 'es2022',
  outDir: 'node_modules/.cache/generate',
  silent: true,
  esbuildPlugins: [
    {
      // Programs lie beside the sources that start them, not beside the bundle.
      name: 'keep import.meta.url',
      setup: ({ onLoad }) =>
        onLoad({ filter: /tooling.*\.ts$/ }, async ({ path }) => {
          const source = await readFile(path, 'utf8');
          const url = JSON.stringify(pathToFileURL(path));
          return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' };
        }),
    },
  ],
};

export default defineConfig(options) as ReturnType<typeof defineConfig>;
