// Builds the package in the current folder: its bundles by tsup, and, if it has types, its declarations.
import { readFileSync } from 'node:fs';
import { build } from 'tsup';

await build({ silent: true });
if (/"types"/.test(readFileSync('package.json', 'utf8'))) await import('./declarations.mjs');
