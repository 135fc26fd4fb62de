// Bundles the compiler, which is TypeScript, and runs it: node tooling/compiler/generate.mjs [--check]
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleSources } from '../build/sources.mjs';

const outfile = fileURLToPath(new URL('dist/main.js', import.meta.url));

await build({
  entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: ['assemblyscript', 'typescript'],
  plugins: [bundleSources()],
  logLevel: 'error',
});
await import(outfile);
