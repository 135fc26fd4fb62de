/** What is generated is what would be generated now. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../src/packages.js';

it('no modules, kernels, WebAssembly or lists of the codecs differ', () => {
  // It exits with 1 and names the files where some differ.
  const arguments_ = [path.join(root, 'tooling/codecs/generate.mjs'), '--check'];
  expect(execFileSync(process.execPath, arguments_, { encoding: 'utf8' })).toBe('');
});
