/** The arrows between packages, and within them: all run one way, and none in a circle. */
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { isVariant, type Package, readPackages } from '../src/packages.js';

const packages = readPackages('packages');
const variants = packages.filter(isVariant).map(({ name }) => name);
const codecs = ['@utf8/core', '@utf8/simd', ...variants];

/** Packages from the bottom up: each may import those on the levels below its own. */
const levels: readonly (readonly string[])[] = [
  ['@utf8/core', '@utf8/simd'],
  variants,
  ['@utf8/detect', '@utf8/classfile', '@utf8/vectors'],
  ['@utf8/repair'],
  ['@utf8/dump'],
  ['@utf8/cli'],
];

/** What a package may import of the others. */
function allowed({ name }: Package): readonly string[] {
  const level = levels.findIndex((names) => names.includes(name));
  expect(level, `${name} has no level`).not.toBe(-1);
  return levels.slice(0, level).flat();
}

const importsOf = (source: string): string[] =>
  ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);

/** A source without its comments: only there may core speak of variants. */
function withoutComments(source: string): string {
  const scanner = ts.createScanner(
    ts.ScriptTarget.ES2022,
    true,
    ts.LanguageVariant.Standard,
    source,
  );
  let text = '';
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) text += `${scanner.getTokenText()} `;
  return text;
}

it('there are variants to check', () => {
  expect(variants).toContain('@utf8/strict');
  expect(variants.length).toBeGreaterThanOrEqual(4);
});

describe.each(packages.map((pkg) => [pkg.name, pkg] as const))('%s', (name, pkg) => {
  it('imports only what lies below it', () => {
    for (const [file, source] of pkg.sources) {
      for (const specifier of importsOf(source)) {
        if (!specifier.startsWith('@utf8/')) continue;
        const target = specifier.split('/').slice(0, 2).join('/');
        expect(allowed(pkg), `${name}/${file} imports ${specifier}`).toContain(target);
        const declared = Object.keys(pkg.manifest.dependencies ?? {});
        expect(declared, `${name}/${file} imports ${specifier}`).toContain(target);
      }
    }
  });

  it('has a private package as no dependency', () => {
    const published = packages.map((other) => other.name);
    const own = Object.keys(pkg.manifest.dependencies ?? {}).filter((d) => d.startsWith('@utf8/'));
    for (const dependency of own) expect(published).toContain(dependency);
  });

  it.runIf(codecs.includes(name))('has no third-party dependency', () => {
    for (const dependency of Object.keys(pkg.manifest.dependencies ?? {})) {
      expect(allowed(pkg)).toContain(dependency);
    }
    for (const [file, source] of pkg.sources) {
      const foreign = importsOf(source).filter((s) => !/^(\.|@utf8\/)/.test(s));
      // Only the entry for Node may use what Node has.
      expect(foreign, `${name}/${file}`).toEqual(file === 'src/node.ts' ? ['node:stream'] : []);
    }
  });

  it.runIf(codecs.includes(name))('asks nowhere which variant it is', () => {
    const forbidden =
      name === '@utf8/core'
        ? /\b\w*(cesu|mutf|rfc ?2279|java(?!script)|oracle database|modified utf)\w*\b/i
        : /\b(if|switch|case)\b[^;{]*\b\w*(cesu|mutf|rfc2279|java(?!script)|variant)/i;
    for (const [file, source] of pkg.sources) {
      if (file.startsWith('src/generated')) continue;
      expect(forbidden.exec(withoutComments(source))?.[0], `${name}/${file}`).toBeUndefined();
    }
  });
});

it('@utf8/classfile has third parties, and Node, in its reader of jars alone', () => {
  const pkg = packages.find(({ name }) => name === '@utf8/classfile') as Package;
  for (const dependency of Object.keys(pkg.manifest.dependencies ?? {})) {
    expect([...allowed(pkg), 'yauzl']).toContain(dependency);
  }
  for (const [file, source] of pkg.sources) {
    const isJar = /^src[\\/]jar\b/.test(file);
    for (const specifier of importsOf(source).filter((each) => !/^(\.|@utf8\/)/.test(each))) {
      const isAllowed = isJar && (specifier === 'yauzl' || specifier.startsWith('node:'));
      expect(isAllowed, `${file} imports ${specifier}`).toBe(true);
    }
  }
});

it('@utf8/repair uses nothing of Node, and has no third party', () => {
  const pkg = packages.find(({ name }) => name === '@utf8/repair') as Package;
  for (const [file, source] of pkg.sources) {
    const foreign = importsOf(source).filter((each) => !/^(\.|@utf8\/)/.test(each));
    expect(foreign, file).toEqual([]);
  }
});

/** The files of a package that a file imports. */
function importsWithin(pkg: Package, file: string): string[] {
  const relative = importsOf(pkg.sources.get(file) as string).filter((each) =>
    each.startsWith('.'),
  );
  return relative
    .map((each) => path.join(path.dirname(file), each).replace(/\.js$/, '.ts'))
    .filter((each) => pkg.sources.has(each));
}

/** A circle among names, as `a → b → a`; undefined if there is none. */
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

const layered = ['@utf8/repair', '@utf8/dump', '@utf8/cli', '@utf8/detect'];

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
