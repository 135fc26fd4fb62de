/** The tree that ends the README names every package, app and tool, and nothing that is gone. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../src/packages.js';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

it.each(['packages', 'apps', 'tooling'])('README.md names each folder of %s', (name) => {
  const start = readme.indexOf(`\n${name}/\n`) + `\n${name}/\n`.length;
  const [lines = ''] = readme.slice(start).split(/\n(?! )/, 1);
  const named = [...lines.matchAll(/^ {2}([a-z0-9-]+)\/ /gm)].map(([, folder]) => folder);
  const folders = readdirSync(path.join(root, name), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isKept(path.join(root, name, entry.name)))
    .map((entry) => entry.name);
  expect(named.sort()).toEqual(folders.sort());
});

/** Git leaves the folders of former packages behind, with what was installed into them. */
function isKept(folder: string): boolean {
  return readdirSync(folder).some((name) => name !== 'node_modules' && !name.startsWith('.'));
}
