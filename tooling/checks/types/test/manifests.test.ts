/** Checks that the fields that old resolvers read agree with the `exports` of each package. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../generate.mjs', import.meta.url));

it('no main, module, types or folder of a subpath differs from what exports say', () => {
  // It exits with 1 and names the files where some differ.
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
});
