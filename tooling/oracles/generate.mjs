// Writes the questions for other programs: node tooling/oracles/generate.mjs vectors|readers
//
// Needs built packages, and every program: a missing one would take its answers away.

import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleSources } from '../build/sources.mjs';

const [name] = process.argv.slice(2);
if (name !== 'vectors' && name !== 'readers') {
  console.error('usage: node tooling/oracles/generate.mjs vectors|readers');
  process.exit(2);
}

/** Programs are next to the sources that start them, not next to the bundle. */
const keepUrls = {
  name: 'keep import.meta.url',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]tooling[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path));
      return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' };
    }),
};

// Below this package, so that modules outside of the bundle are found.
const outfile = fileURLToPath(new URL(`node_modules/.cache/generate-${name}.mjs`, import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL(`${name}/src/generate.ts`, import.meta.url))],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  plugins: [bundleSources(), keepUrls],
  logLevel: 'error',
});
await import(pathToFileURL(outfile).href);
