/** The types of the site, which has components of Vue. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = createRequire(import.meta.url).resolve('vue-tsc/bin/vue-tsc.js');

it('the site has no error of types', { tags: ['slow'] }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, [program, '-p', '.'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  });
  expect(stdout + stderr).toBe('');
});
