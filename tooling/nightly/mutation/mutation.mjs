/** Runs mutation tests on this repository: `npm run mutation -- FILE…`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { run } from './src/run.mjs';
import { tiers } from './src/tiers.mjs';

process.exitCode = await run(process.argv.slice(2), {
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  tiers,
  config: 'tooling/nightly/mutation/vitest.config.ts',
  equivalents: JSON.parse(readFileSync(new URL('./equivalent.json', import.meta.url), 'utf8')),
});
