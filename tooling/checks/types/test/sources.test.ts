/** The types of sources, and programs that use them, with the DOM library and without Node's types. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../src/packages.js';

const { stdout, stderr } = spawnSync(
  process.execPath,
  ['tooling/build/tsc.mjs', '-p', 'tooling/checks/tsconfig.browser.json'],
  { cwd: path.join(root), encoding: 'utf8' },
);

it('sources that browsers run have no type of Node, and every use of a codec has its type', () => {
  expect(stdout + stderr).toBe('');
});
