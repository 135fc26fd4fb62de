/** The modules of the codecs are what `npm run generate` writes. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../src/packages.js';

it('no generated module differs', () => {
  const script = path.join(root, 'tooling/codecs/generate.mjs');
  // It exits with 1 and names the modules where some differ.
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
});
