/** What is generated is what would be generated now. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../src/packages.js';

it.each([
  ['modules and tables of the codecs', 'tooling/codecs/generate.mjs'],
  ['WebAssembly of the kernels', 'packages/simd/assembly/build.mjs'],
])('no %s differ', (_, script) => {
  // It exits with 1 and names the files where some differ.
  const arguments_ = [path.join(root, script), '--check'];
  expect(execFileSync(process.execPath, arguments_, { encoding: 'utf8' })).toBe('');
});
