/** Snapshot of every package's exports, so that review shows new and removed names. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Codec, createCodec, defineGrammar } from '@utf8/core';
import { expect, it } from 'vitest';
import { isVariant, readPackages } from '../src/packages.js';

const packages = readPackages('packages').filter(({ manifest }) => !manifest.private);

/** Each subpath with its ESM and its CommonJS module. */
const entries = packages.flatMap((pkg) =>
  Object.entries(pkg.manifest.exports ?? {}).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return [];
    const specifier = path.posix.join(pkg.name, subpath);
    const load = (file: string) => path.join(pkg.folder, file);
    // Modules for Node alone are only ESM, which Node 20.19 and later also `require`.
    const both = 'default' in target ? undefined : target;
    const esm = 'default' in target ? target.default : target.import.default;
    return [{ specifier, pkg, esm: load(esm), cjs: both && load(both.require.default) }];
  }),
);

// Node 20.19 and later also require ECMAScript modules; an import here would lead to the sources.
const require = createRequire(import.meta.url);
const namesOf = (file: string): string[] =>
  Object.keys(require(file))
    .filter((name) => name !== '__esModule')
    .sort();

it('every name that packages export is in the snapshot', async () => {
  const lines: string[] = [];
  for (const { specifier, esm } of entries) {
    lines.push(specifier, ...namesOf(esm).map((name) => `  ${name}`), '');
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('../snapshots/exports.txt');
});

it.each(entries.flatMap(({ specifier, esm, cjs }) => (cjs ? [[specifier, esm, cjs]] : [])))(
  '%s has the same names as ESM and as CommonJS',
  (_, esm = '', cjs = '') => expect(namesOf(cjs)).toEqual(namesOf(esm)),
);

it.each(
  entries
    .filter(({ pkg, specifier }) => isVariant(pkg) && specifier.endsWith('/lite'))
    .map(({ specifier, esm }) => [specifier, esm]),
)('%s has the names that its types, those of the full module, promise', (specifier, esm) => {
  const full = entries.find((entry) => entry.specifier === path.posix.dirname(specifier));
  expect(namesOf(esm)).toEqual(namesOf(full?.esm ?? ''));
});

/** The names of a codec, asked of one. */
const members = Object.keys(
  createCodec('any', defineGrammar('code units', 'U+0000..U+FFFF = 00-FF 00-FF')),
);

it.each(
  entries
    .filter(
      ({ pkg, specifier }) =>
        isVariant(pkg) && !/framing|jni|compat|protodef|iconv/.test(specifier),
    )
    .map(({ specifier, esm }) => [specifier, esm]),
)('%s is a codec', (_, esm = '') => {
  const codec: Codec = require(esm);
  expect(Object.keys(codec)).toEqual(expect.arrayContaining(members));
  const text = codec.grammar.domain === 'bmp' ? 'é€' : 'é\u{1f600}';
  expect(codec.decode(codec.encode(text))).toBe(text);
});
