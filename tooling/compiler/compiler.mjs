// The compiler for programs that Node runs: it is TypeScript, so it is bundled first.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleSources } from '../build/sources.mjs';

const outfile = fileURLToPath(new URL('dist/compiler.js', import.meta.url));

await build({
  entryPoints: [fileURLToPath(new URL('src/compiler.ts', import.meta.url))],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: ['assemblyscript', 'typescript'],
  plugins: [bundleSources()],
  logLevel: 'error',
});

export const { assemble, generate, listGrammars, planKernel, readGrammar, writeEntry } =
  await import(outfile);
