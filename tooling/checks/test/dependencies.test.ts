/** The arrows between packages, and within them: all run one way, and none in a circle. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import specifiers from '../../../packages/variants.json' with { type: 'json' };
import { isVariant, type Package, readPackages, root } from '../src/packages.js';

const packages = readPackages('packages');
const variants = packages.filter(isVariant).map(({ name }) => name);
const codecs = ['@utf8/core', ...variants];

/** Packages from the bottom up: each may import those on the levels below its own. */
const levels: readonly (readonly string[])[] = [
  ['@utf8/files'],
  ['@utf8/core'],
  variants,
  ['@utf8/detect', '@utf8/classfile', '@utf8/vectors'],
  ['@utf8/repair'],
  ['@utf8/dump', '@utf8/explain'],
  ['@utf8/database'],
  ['@utf8/cli', '@utf8/spark'],
];

/** Packages that write files. Only these import the package for that. */
const writers = ['@utf8/classfile', '@utf8/dump', '@utf8/database', '@utf8/cli'];

/** Returns the packages that a package may import. */
function allowed({ name }: Package): readonly string[] {
  const level = levels.findIndex((names) => names.includes(name));
  expect(level, `${name} has no level`).not.toBe(-1);
  const below = levels.slice(0, level).flat();
  return writers.includes(name) ? below : below.filter((other) => other !== '@utf8/files');
}

const isPrivate = (name: string): boolean =>
  packages.some((each) => each.name === name && each.manifest.private);

/** Imports of sources, by their text. */
const imports = new Map<string, readonly string[]>();

function importsOf(source: string): readonly string[] {
  const known = imports.get(source);
  if (known) return known;
  const { importedFiles } = ts.preProcessFile(source, true, true);
  const found = importedFiles.map(({ fileName }) => fileName);
  imports.set(source, found);
  return found;
}

/** Finds words in a source outside of its comments. In core, only comments may name variants. */
function findOutsideComments(source: string, words: RegExp, sentence = words): string | undefined {
  // Most sources have none of the words, and compiling takes a hundred times as long.
  if (!words.test(source)) return undefined;
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      removeComments: true,
      target: ts.ScriptTarget.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  return sentence.exec(outputText)?.[0];
}

it('there are variants to check', () => {
  expect(variants).toContain('@utf8/strict');
  expect(variants.length).toBeGreaterThanOrEqual(5);
});

describe.each(packages.map((pkg) => [pkg.name, pkg] as const))('%s', (name, pkg) => {
  it('imports only what lies below it', () => {
    for (const [file, source] of pkg.sources) {
      for (const specifier of importsOf(source)) {
        if (!specifier.startsWith('@utf8/')) continue;
        const target = specifier.split('/').slice(0, 2).join('/');
        expect(allowed(pkg), `${name}/${file} imports ${specifier}`).toContain(target);
        // A package bundles its imports from private ones.
        const { dependencies = {}, devDependencies = {} } = pkg.manifest;
        const declared = Object.keys(isPrivate(target) ? devDependencies : dependencies);
        expect(declared, `${name}/${file} imports ${specifier}`).toContain(target);
      }
    }
  });

  it('has a private package as no dependency', () => {
    const published = packages.map((other) => other.name).filter((other) => !isPrivate(other));
    const own = Object.keys(pkg.manifest.dependencies ?? {}).filter((d) => d.startsWith('@utf8/'));
    for (const dependency of own) expect(published).toContain(dependency);
  });

  if (!codecs.includes(name)) return;

  it('has no third-party dependency', () => {
    for (const dependency of Object.keys(pkg.manifest.dependencies ?? {})) {
      expect(allowed(pkg)).toContain(dependency);
    }
    for (const [file, source] of pkg.sources) {
      const foreign = importsOf(source).filter((s) => !/^(\.|@utf8\/)/.test(s));
      // Only the entry for Node may use what Node has.
      expect(foreign, `${name}/${file}`).toEqual(file === 'src/node.ts' ? ['node:stream'] : []);
    }
  });

  it('asks nowhere which variant it is', () => {
    const words =
      /cesu|(?<!fro)mutf|wtf|mb3|android|rfc ?2279|java(?!script)|oracle|modified utf|variant/i;
    const forbidden =
      name === '@utf8/core'
        ? /\b\w*(cesu|(?<!fro)mutf|wtf|mb3|android|rfc ?2279|java(?!script)|oracle database|modified utf)\w*\b/i
        : /\b(if|switch|case)\b[^;{]*\b\w*(cesu|(?<!fro)mutf|wtf|mb3|android|rfc2279|java(?!script)|variant)/i;
    for (const [file, source] of pkg.sources) {
      if (file.startsWith('src/generated')) continue;
      expect(findOutsideComments(source, words, forbidden), `${name}/${file}`).toBeUndefined();
    }
  });
});

it('programs of apps and tooling import packages that their manifests name', () => {
  for (const pkg of [...readPackages('apps'), ...readPackages('tooling')]) {
    for (const [file, source] of pkg.sources) {
      for (const [, name] of source.matchAll(/\b(?:from|import\() ?'(@utf8\/[\w-]+)/g)) {
        const known = [pkg.name, ...Object.keys(pkg.manifest.dependencies ?? {})];
        expect(known, `${pkg.name}/${file}`).toContain(name);
      }
    }
  }
});

it('all published packages are released together', () => {
  const config = JSON.parse(readFileSync(path.join(root, '.changeset/config.json'), 'utf8'));
  const published = packages.filter(({ manifest }) => !manifest.private);
  expect(config.fixed.flat().sort()).toEqual(published.map(({ name }) => name).sort());
});

/** Modules in the package of a variant that are not codecs. */
const beside: Readonly<Record<string, RegExp>> = {
  '@utf8/cesu8': /^iconv-lite\//,
  '@utf8/mutf8': /^(framing|jni|protodef)\/|^compat\.ts$/,
  '@utf8/rfc2279': /^lax\/(number|index|lite)\.ts$/,
  '@utf8/wtf8': /^(concat|index|lite)\.ts$/,
};

describe.each(packages.filter(isVariant).map((pkg) => [pkg.name, pkg] as const))(
  'nothing of %s is written by hand',
  (name, pkg) => {
    const files = [...pkg.sources].map(
      ([file, source]) => [file.slice('src/'.length).replaceAll(path.sep, '/'), source] as const,
    );
    const written = files.filter(([file]) => !file.startsWith('generated/'));

    it('except grammars, and what is no codec', () => {
      const others = written
        .map(([file]) => file)
        .filter((file) => path.posix.basename(file) !== 'grammar.ts' && !beside[name]?.test(file));
      expect(others).toEqual([]);
    });

    it('that knows of a kernel, of loops or of tables', () => {
      for (const [file, source] of written) {
        const words = /\b(kernels?|loops|tables|packed|wasm)\b/i;
        expect(findOutsideComments(source, words), file).toBeUndefined();
      }
    });

    it('in the folder of what is generated', () => {
      const generated = files.map(([file]) => file).filter((file) => file.startsWith('generated/'));
      const names = new Set(generated.map((file) => path.posix.basename(file, '.ts')));
      expect([...names].sort()).toEqual(['index', 'kernel', 'lite', 'loops', 'packed', 'wasm']);
      const profiles = (list: readonly string[], base: string): string[] =>
        list.filter((file) => path.posix.basename(file) === base).map(path.posix.dirname);
      const grammars = profiles(
        written.map(([file]) => file),
        'grammar.ts',
      );
      for (const each of names) {
        const folders = profiles(generated, `${each}.ts`);
        expect(folders.sort(), each).toEqual(
          grammars.map((at) => path.posix.join('generated', at)).sort(),
        );
      }
    });
  },
);

it('the list of variants has every package and profile with a grammar that users can import', () => {
  const found = packages
    .filter(isVariant)
    .flatMap((pkg) =>
      [...pkg.sources.keys()]
        .filter((file) => path.basename(file) === 'grammar.ts')
        .map((file) => path.posix.join(pkg.name, path.dirname(path.relative('src', file)))),
    );
  expect([...specifiers].sort()).toEqual(found.sort());
});

it('@utf8/classfile has no third party, and Node in its reader of jars alone', () => {
  const pkg = packages.find(({ name }) => name === '@utf8/classfile') as Package;
  for (const dependency of Object.keys(pkg.manifest.dependencies ?? {})) {
    expect(allowed(pkg)).toContain(dependency);
  }
  for (const [file, source] of pkg.sources) {
    const isJar = /^src[\\/]jar\b/.test(file);
    for (const specifier of importsOf(source).filter((each) => !/^(\.|@utf8\/)/.test(each))) {
      const isAllowed = isJar && specifier.startsWith('node:');
      expect(isAllowed, `${file} imports ${specifier}`).toBe(true);
    }
  }
});

it.each(['@utf8/repair', '@utf8/explain'])(
  '%s uses nothing of Node, and has no third party',
  (wanted) => {
    const pkg = packages.find(({ name }) => name === wanted) as Package;
    for (const [file, source] of pkg.sources) {
      const foreign = importsOf(source).filter((each) => !/^(\.|@utf8\/)/.test(each));
      expect(foreign, file).toEqual([]);
    }
  },
);

/** The files of a package that a file imports. */
function importsWithin(pkg: Package, file: string): string[] {
  const relative = importsOf(pkg.sources.get(file) as string).filter((each) =>
    each.startsWith('.'),
  );
  return relative
    .map((each) => path.join(path.dirname(file), each).replace(/\.js$/, '.ts'))
    .filter((each) => pkg.sources.has(each));
}

/** Finds a cycle among names, as `a → b → a`; undefined if there is none. */
function findCircle(arrows: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const done = new Set<string>();
  const visit = (name: string, way: readonly string[]): string | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name].join(' → ');
    if (done.has(name)) return undefined;
    for (const next of arrows.get(name) ?? []) {
      const circle = visit(next, [...way, name]);
      if (circle) return circle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of arrows.keys()) {
    const circle = visit(name, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The folder below `src` that a file is in, or a file of `src` itself. */
const topOf = (file: string): string => file.split(path.sep)[1] as string;

const layered = [
  '@utf8/core',
  '@utf8/repair',
  '@utf8/files',
  '@utf8/dump',
  '@utf8/cli',
  '@utf8/detect',
  '@utf8/explain',
];

describe.each(
  packages.filter(({ name }) => layered.includes(name)).map((pkg) => [pkg.name, pkg] as const),
)('%s', (_, pkg) => {
  const files = [...pkg.sources.keys()];

  it('has no circle of files', () => {
    const arrows = new Map(files.map((file) => [file, new Set(importsWithin(pkg, file))]));
    expect(findCircle(arrows)).toBeUndefined();
  });

  it('has no circle of folders', () => {
    const arrows = new Map<string, Set<string>>();
    for (const file of files) {
      const folder = topOf(file);
      const others = importsWithin(pkg, file).map(topOf);
      const known = arrows.get(folder) ?? new Set<string>();
      for (const other of others) if (other !== folder) known.add(other);
      arrows.set(folder, known);
    }
    expect(findCircle(arrows)).toBeUndefined();
  });

  it('has no two files of one name', () => {
    const names = files.map((file) => path.basename(file));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});
