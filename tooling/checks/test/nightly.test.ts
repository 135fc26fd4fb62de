/** The parts of `.ci/nightly`: together, they run every test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../src/packages.js';

const script = readFileSync(path.join(root, '.ci/nightly'), 'utf8');

it('without arguments, it runs each part', () => {
  const [, all = ''] = /\bparts=\((\w[^)]*)\)/.exec(script) ?? [];
  const defined = Array.from(script.matchAll(/^part_(\w+)\(\)/gm), ([, name]) => name);
  expect(all.split(' ').sort()).toEqual(defined.sort());
  expect(defined.length).toBeGreaterThan(5);
});

it('each test is in a folder that a part runs', () => {
  const words = Array.from(script.matchAll(/\btests ([^;&\n]+)/g), ([, list = '']) => list);
  const folders = words
    .flatMap((list) => list.trim().split(/\s+/))
    .filter((word) => /\w/.test(word));
  for (const folder of folders) expect(existsSync(path.join(root, folder)), folder).toBe(true);
  const files = ['apps', 'packages', 'tooling']
    .flatMap((top) => listTests(top))
    .filter((file) => !folders.some((folder) => file.startsWith(folder.replace(/\/?$/, '/'))));
  expect(files).toEqual([]);
});

function listTests(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : listTests(file);
    return /\/test\/.*\.test\.ts$/.test(file) ? [file] : [];
  });
}
