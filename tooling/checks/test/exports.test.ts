/** What every package exports, as a snapshot: a name that comes or goes shows in review. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Codec, createCodec, defineGrammar } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { isVariant, readPackages } from '../src/packages.js';

const packages = readPackages('packages');

/** Each subpath with its ESM and its CommonJS module. */
const entries = packages.flatMap((pkg) =>
  Object.entries(pkg.manifest.exports ?? {}).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return [];
    const specifier = path.posix.join(pkg.name, subpath);
    const load = (file: string) => path.join(pkg.folder, file);
    // What only Node runs is ESM alone, which Node 20.19 and later also `require`.
    const both = 'default' in target ? undefined : target;
    const esm = 'default' in target ? target.default : target.import.default;
    return [{ specifier, pkg, esm: load(esm), cjs: both && load(both.require.default) }];
  }),
);

const require = createRequire(import.meta.url);

it('every name that packages export is in the snapshot', async () => {
  const lines: string[] = [];
  for (const { specifier, esm } of entries) {
    const names = Object.keys(await import(esm)).sort();
    lines.push(specifier, ...names.map((name) => `  ${name}`), '');
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('../snapshots/exports.txt');
});

describe.each(entries.map((entry) => [entry.specifier, entry] as const))('%s', (_, entry) => {
  it('has the same names as ESM and as CommonJS', async () => {
    const names = Object.keys(await import(entry.esm)).sort();
    const required = Object.keys(require(entry.cjs ?? entry.esm));
    expect(required.filter((name) => name !== '__esModule').sort()).toEqual(names);
  });
});

/** The names of a codec, asked of one. */
const members = Object.keys(
  createCodec('any', defineGrammar('code units', 'U+0000..U+FFFF = 00-FF 00-FF')),
);

describe.each(
  entries
    .filter(
      ({ pkg, specifier }) =>
        isVariant(pkg) && !/framing|jni|compat|protodef|iconv/.test(specifier),
    )
    .map((entry) => [entry.specifier, entry] as const),
)('%s', (_, entry) => {
  it('is a codec', async () => {
    const codec = (await import(entry.esm)) as Codec;
    expect(Object.keys(codec)).toEqual(expect.arrayContaining(members));
    const text = codec.grammar.domain === 'bmp' ? 'é€' : 'é\u{1f600}';
    expect(codec.decode(codec.encode(text))).toBe(text);
  });
});
