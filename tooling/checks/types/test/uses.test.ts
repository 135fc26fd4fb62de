/**
 * Every use of the published types, under each compiler, with and without the platform's types, by each resolution.
 *
 * @module-tag slow
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import {
  compile,
  type Format,
  type Library,
  type Outcome,
  resolutions,
  type Setting,
  type Version,
  versions,
} from '../src/compiler.js';
import { codecs, packageOf, packages } from '../src/packages.js';
import { Workspace } from '../src/workspace.js';

const read = (name: string): string =>
  readFileSync(new URL(`../programs/${name}.ts`, import.meta.url), 'utf8');

/** Programs about one codec, by the types that they need in addition to the language's. */
const programs: Readonly<Record<Library, readonly string[]>> = {
  none: ['uses'],
  dom: ['uses', 'platform', 'dom'],
  node: ['uses', 'platform', 'node'],
};

/** The types that the programs compare results with; arrays have no parameter before 5.7. */
const readOwn = (version: Version): string =>
  version === '5.4' ? read('own').replaceAll('<ArrayBuffer>', '') : read('own');

/** Tells whether the declarations of a module, or their imports, need Node's types. */
function needsNode(
  files: ReadonlyMap<string, string>,
  file: string,
  seen = new Set<string>(),
): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = files.get(file) ?? '';
  const imports = text.matchAll(/\b(?:from |import\()'(\.[^']*)\.js'/g);
  const next = Array.from(imports, ([, name]) =>
    path.posix.join(path.posix.dirname(file), `${name}.d.ts`),
  );
  return /\b(from |import\()'node:/.test(text) || next.some((each) => needsNode(files, each, seen));
}

/** The modules of a package that programs with a library can import. */
function listEntries({ name, subpaths, files }: (typeof packages)[number], library: Library) {
  const { exports } = JSON.parse(files.get('package.json') as string);
  return subpaths
    .filter((subpath) => {
      const { types } = exports[subpath].import ?? exports[subpath];
      return library === 'node' || !needsNode(files, path.posix.normalize(types));
    })
    .map((subpath) => path.posix.join(name, subpath));
}

/** Compiles each text as a file of an application that depends on some packages alone. */
class Project {
  readonly #workspace = new Workspace();
  readonly #files: string[] = [];

  constructor(private readonly setting: Setting) {}

  add(folder: string, dependencies: readonly string[], texts: Readonly<Record<string, string>>) {
    const { version, resolution } = this.setting;
    const { extensions } = resolutions[resolution];
    for (const [format, extension] of Object.entries(extensions) as [Format, string][]) {
      if (format === 'cjs' && dependencies.some((name) => packageOf(name).isModuleOnly)) continue;
      const own = `./own${extension.replace('ts', 'js')}`;
      const files = { own: readOwn(version), ...texts };
      for (const [name, text] of Object.entries(files)) {
        const file = `${folder}/${format}/${name}${extension}`;
        this.#workspace.add(`${folder}/${format}`, dependencies, {
          [`${name}${extension}`]: text.replaceAll("'./own.js'", `'${own}'`),
        });
        this.#files.push(file);
      }
    }
  }

  compile(): Outcome {
    return compile(this.#workspace, this.#files, this.setting);
  }
}

/** An application for each of some codecs, which has its package alone: nothing of core is in reach. */
function useAlone(setting: Setting, chosen: readonly string[]): Outcome {
  const project = new Project(setting);
  for (const codec of chosen) {
    const texts = programs[setting.library].map(
      (name) => [name, read(name).replaceAll("'@utf8/strict'", `'${codec}'`)] as const,
    );
    project.add(codec, [packageOf(codec).name], Object.fromEntries(texts));
  }
  return project.compile();
}

/** An application with several packages, and one for each package that imports all of its modules. */
function useTogether(setting: Setting): Outcome {
  const project = new Project(setting);
  for (const each of packages) {
    const lines = listEntries(each, setting.library).map(
      (entry, i) => `export * as entry${i} from '${entry}';`,
    );
    project.add(each.name, [each.name], { entries: lines.join('\n') });
  }
  const names = packages.filter(({ isModuleOnly }) => !isModuleOnly).map(({ name }) => name);
  project.add('others', names, { others: read('others') });
  return project.compile();
}

/** The errors in the files whose names start with one of some prefixes, each with its place. */
const errorsBelow = ({ errors }: Outcome, ...prefixes: string[]): string =>
  [...errors]
    .filter(([file]) => prefixes.some((prefix) => file.startsWith(prefix)))
    .flatMap(([file, messages]) => messages.map((message) => `${file}:${message}`))
    .join('\n');

const settings: readonly Setting[] = versions.flatMap((version) =>
  (Object.keys(programs) as Library[]).flatMap((library) => {
    const setting = { version, library, exactOptionalPropertyTypes: true };
    const nodenext = { ...setting, resolution: 'nodenext' as const };
    // Resolutions have nothing to do with Node's types, nor optional properties with either.
    if (library === 'node') return [nodenext];
    const bundler = { ...setting, resolution: 'bundler' as const };
    return [
      // In 5.4, nodenext is node16; later compilers extend nodenext alone.
      ...(version === '5.4' ? [{ ...setting, resolution: 'node16' as const }] : []),
      nodenext,
      bundler,
      { ...setting, resolution: 'node10' as const },
      ...(library === 'none' ? [{ ...bundler, exactOptionalPropertyTypes: false }] : []),
    ];
  }),
);

it('there are codecs to use', () => {
  expect(codecs).toEqual(expect.arrayContaining(['@utf8/strict', '@utf8/mutf8/data-input']));
  expect(codecs.length).toBeGreaterThanOrEqual(11);
});

for (const setting of settings) {
  const { version, library, resolution, exactOptionalPropertyTypes } = setting;
  const loose = exactOptionalPropertyTypes ? '' : ', without exactOptionalPropertyTypes';
  const title = `TypeScript ${version}, library ${library}, ${resolution}${loose}`;
  // Code that the oldest and the newest compiler accept is usually accepted by those between them.
  describe(title, { tags: version === '5.9' ? ['night'] : [] }, () => testUses(setting));
}

function testUses(setting: Setting): void {
  // Modules of codecs are compiled from one text.
  const chosen = choose(codecs, 1);
  let alone: Outcome;
  let together: Outcome;
  beforeAll(() => {
    alone = useAlone(setting, chosen);
    together = useTogether(setting);
  });
  const formats = Object.keys(resolutions[setting.resolution].extensions);

  it('is known to the compiler', () => {
    expect(alone.general).toEqual([]);
  });

  it('has published declarations without errors', () => {
    expect(errorsBelow(together, 'node_modules/')).toBe('');
  });

  it.each(chosen)('has every use of %s', (codec) => {
    expect(errorsBelow(alone, ...formats.map((format) => `${codec}/${format}/`))).toBe('');
  });

  it.each(packages.map(({ name }) => name))('has every module of %s', (name) => {
    expect(errorsBelow(together, ...formats.map((format) => `${name}/${format}/`))).toBe('');
  });

  it('has what packages do together', () => {
    expect(errorsBelow(together, 'others/')).toBe('');
  });

  it('has declarations of applications that name their own dependencies alone', () => {
    const strangers = [...alone.declarations].flatMap(([file, text]) => {
      const named = text.match(/@utf8\/[\w-]+|\.pnpm/g) ?? [];
      const own = file.split('/').slice(0, 2).join('/');
      return named.filter((name) => name !== own).map((name) => `${file} names ${name}`);
    });
    expect(strangers).toEqual([]);
  });
}
