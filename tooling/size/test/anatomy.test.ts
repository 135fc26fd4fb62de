/** A bundle has in it what its program uses, and nothing else: told by its source map and its words. */
import { describe, expect, it } from 'vitest';
import { bundle } from '../src/bundle.js';

const entries = [
  'strict',
  'cesu8',
  'cesu8/lenient',
  'cesu8/mixed',
  'mutf8',
  'mutf8/data-input',
  'rfc2279',
].map((name) => `@utf8/${name}`);

/** The drivers that validation has nothing to do with, and words that only they have. */
const others = [
  'boundary',
  'code-points',
  'compare',
  'decode',
  'decoder',
  'diagnosis',
  'encode',
  'encoder',
  'error',
  'pending',
  'policy',
  'streams',
  'transcode',
].map((name) => `packages/core/src/${name}.ts`);
const words = [
  'ERR_UTF8',
  'backslashreplace',
  'surrogateescape',
  'TransformStream',
  'this.ignoreBOM',
];

it('these sources and words are in a bundle of everything, so that missing them says something', async () => {
  const { code, sources } = await bundle(
    `import * as core from '@utf8/core'; import * as codec from '@utf8/strict'; export { core, codec }`,
  );
  expect([...sources]).toEqual(expect.arrayContaining(others));
  for (const word of words) expect(code).toContain(word);
});

describe.each(entries)('%s', (entry) => {
  it('imported for nothing leaves nothing', async () => {
    expect((await bundle(`import '${entry}'`)).code.trim()).toBe('');
    expect((await bundle(`import * as codec from '${entry}'`)).code.trim()).toBe('');
  });

  it('imported for isValid has no decoder, encoder, stream or policy', async () => {
    const { code, sources } = await bundle(`export { isValid } from '${entry}'`);
    expect(sources).toContain('packages/core/src/validate.ts');
    expect([...sources].filter((source) => others.includes(source))).toEqual([]);
    for (const word of words) expect(code).not.toContain(word);
  });

  it('imported for its grammar has grammars alone', async () => {
    const { sources } = await bundle(`export { grammar } from '${entry}'`);
    expect([...sources].filter((source) => !source.endsWith('/grammar.ts'))).toEqual([]);
  });
});
