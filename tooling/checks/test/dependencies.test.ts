/** The arrows of the house: apps → cli → classfile, detect → variants → core, and variants → simd. */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { isVariant, type Package, readPackages } from '../src/packages.js';

const packages = readPackages('packages');
const variants = packages.filter(isVariant).map(({ name }) => name);
const codecs = ['@utf8/core', '@utf8/simd', ...variants];

/** What a package may import of the others. */
function allowed({ name }: Package): readonly string[] {
  if (name === '@utf8/core' || name === '@utf8/simd') return [];
  if (variants.includes(name)) return ['@utf8/core', '@utf8/simd'];
  if (name === '@utf8/cli') return packages.map((other) => other.name);
  return ['@utf8/core', ...variants];
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
