// Fuzzes what reads untrusted input: node tooling/nightly/fuzz/fuzz.mjs [TARGET…] [options]. Build first.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// As deep in the repository as its source, so that relative paths hold.
mkdirSync(at('dist'), { recursive: true });
await build({
  entryPoints: [at('src/main.ts')],
  outfile: at('dist/main.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
});
await import(new URL('dist/main.js', import.meta.url).href);
