/** The tree in CONTRIBUTING.md names every package, app and tool, and nothing that is gone. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../src/packages.js';

const guide = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

it.each(['packages', 'apps', 'tooling'])('CONTRIBUTING.md names each folder of %s', (name) => {
  const start = guide.indexOf(`\n${name}/\n`) + `\n${name}/\n`.length;
  const [lines = ''] = guide.slice(start).split(/\n(?! )/, 1);
  let room = '';
  const named = Array.from(
    lines.matchAll(/^( {2}| {4})([a-z0-9-]+)\/ /gm),
    ([, indent, folder = '']) => {
      if (indent?.length === 4) return `${room}/${folder}`;
      room = folder;
      return folder;
    },
  );
  const folders = listFolders(name).flatMap((folder) => [
    folder,
    // The folders of a room are those with sources of their own.
    ...listFolders(`${name}/${folder}`)
      .filter((inner) => name === 'tooling' && isRoom(`${name}/${folder}/${inner}`))
      .map((inner) => `${folder}/${inner}`),
  ]);
  expect(named.sort()).toEqual(folders.sort());
});

/** Lists folders of packages. Git leaves those of former packages in place, with their dependencies. */
const listFolders = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'dist',
    )
    .map(({ name }) => name)
    .filter((name) =>
      readdirSync(path.join(root, folder, name)).some(
        (file) => !/^(node_modules|dist|\..*)$/.test(file),
      ),
    );

const isRoom = (folder: string): boolean =>
  ['src', 'generate.mjs', 'MakeSample.java'].some((file) =>
    existsSync(path.join(root, folder, file)),
  );
