/** Number of files that are loaded before anything runs: each adds 0.5 to 1 ms to the start. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import specifiers from '../../../packages/variants.json' with { type: 'json' };
import { type Package, readPackages, root } from '../src/packages.js';

const packages = new Map(readPackages('packages').map((pkg) => [pkg.name, pkg]));

/** Finds the built file of a specifier such as `@utf8/cesu8/lite`. */
function locate(specifier: string): string {
  const [scope, name, ...rest] = specifier.split('/');
  const { folder, manifest } = packages.get(`${scope}/${name}`) as Package;
  const target = manifest.exports?.[['.', ...rest].join('/')];
  if (typeof target !== 'object') throw new Error(`${specifier} is no module`);
  return path.join(folder, 'default' in target ? target.default : target.import.default);
}

/** Imports of a file that happen when it is loaded, by file. */
const imports = new Map<string, readonly string[]>();

function listImports(file: string): readonly string[] {
  const known = imports.get(file);
  if (known) return known;
  // As bundlers write imports; parsing takes a hundred times as long.
  const pattern = /^(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*(['"])(.+?)\1/gm;
  const found = Array.from(
    readFileSync(file, 'utf8').matchAll(pattern),
    ([, , specifier = '']) => specifier,
  );
  imports.set(file, found);
  return found;
}

/** Lists our files that a file loads, including itself, without later imports. */
function listLoaded(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const name of listImports(file)) {
    if (name.startsWith('.')) listLoaded(path.join(path.dirname(file), name), loaded);
    else if (name.startsWith('@utf8/')) listLoaded(locate(name), loaded);
  }
  return loaded;
}

const namesOf = (files: Iterable<string>): string[] =>
  Array.from(files, (file) => path.relative(root, file).split(path.sep).join('/')).sort();

describe.each(specifiers.flatMap((specifier) => [specifier, `${specifier}/lite`]))(
  '%s',
  (specifier) => {
    it('is its own file and one of the core', () => {
      const file = locate(specifier);
      const expected = namesOf([file, locate('@utf8/core/parts')]);
      expect(namesOf(listLoaded(file))).toEqual(expected);
    });

    it('has the same grammar as its definition', async () => {
      const { folder } = packages.get(specifier.split('/').slice(0, 2).join('/')) as Package;
      const profile = specifier
        .split('/')
        .slice(2)
        .filter((part) => part !== 'lite');
      const definition = await import(path.join(folder, 'src', ...profile, 'grammar.ts'));
      const { grammar } = await import(locate(specifier));
      expect(grammar).toEqual(definition.grammar);
      expect(structuredClone(grammar)).toEqual(definition.grammar);
    });
  },
);

it('utf8 --version needs nothing but the program', () => {
  const { folder } = packages.get('@utf8/cli') as Package;
  expect(namesOf(listLoaded(path.join(folder, 'dist/utf8.js')))).toEqual([
    'packages/cli/dist/utf8.js',
  ]);
});

it('only utf8 repair loads @utf8/database', () => {
  const { folder } = packages.get('@utf8/cli') as Package;
  const dist = path.join(folder, 'dist');
  // The regular expression must find the imports of all files.
  expect(listLoaded(path.join(dist, 'dispatch.js')).size).toBeGreaterThan(3);
  const loads = (file: string): boolean =>
    [...listLoaded(path.join(dist, file))].some((each) =>
      readFileSync(each, 'utf8').includes('an interrupted run has left its progress'),
    );
  const commands = readdirSync(dist).filter((file) =>
    /^(check|convert|detect|explain|repair|revert|scan|strings|verify)-\w+\.js$/.test(file),
  );
  expect(new Set(commands.map((file) => file.split('-')[0])).size).toBe(9);
  for (const file of ['dispatch.js', 'thread.js', ...commands]) {
    expect(loads(file), file).toBe(file.startsWith('repair-'));
  }
});
