/** A bundle contains only the code that its program uses, by its source map and its words. */
import { describe, expect, it } from 'vitest';
import specifiers from '../../../../packages/variants.json' with { type: 'json' };
import { bundle } from '../src/bundle.js';

/** Sources that validation does not need, and words that only those contain. */
const others = [
  'boundary',
  'code-points',
  'compare',
  'decode',
  'encode',
  'fault/describe',
  'fault/error',
  'fault/policy',
  'rows/byte-sink',
  'stream/block-transcoder',
  'stream/carry',
  'stream/decoder',
  'stream/encoder',
  'stream/text-decoder',
  'stream/text-encoder',
  'stream/transcoder',
  'stream/web-idl',
  'stream/web-streams',
  'transcode',
].map((name) => `packages/core/src/${name}.ts`);
const words = [
  'ERR_UTF8',
  'backslashreplace',
  'surrogateescape',
  'TransformStream',
  'get ignoreBOM',
];

it('a bundle of all exports contains these sources and words, so that the next tests can fail', async () => {
  const { code, sources } = await bundle(
    `import * as core from '@utf8/core'; import * as internal from '@utf8/core/internal';
     import * as codec from '@utf8/strict'; export { core, internal, codec }`,
  );
  expect([...sources]).toEqual(expect.arrayContaining(others));
  for (const word of words) expect(code).toContain(word);
});

it('a bundle of codecFor contains kernels, so that the next test can fail', async () => {
  const { code, sources } = await bundle(`export { codecFor } from '@utf8/detect'`);
  expect(code).toContain('WebAssembly');
  expect(sources).toContain('packages/cesu8/src/generated/kernel.ts');
});

it.each([
  ['detect, Detector', '@utf8/detect'],
  ['labels, labelFor', '@utf8/detect'],
  ['explain, Notes', '@utf8/explain'],
])('a bundle of { %s } contains no WebAssembly', async (names, entry) => {
  const { code, sources } = await bundle(`export { ${names} } from '${entry}'`);
  expect(sources.size).toBeGreaterThan(1);
  expect([...sources].filter((source) => /\/(kernel|wasm)\.ts$/.test(source))).toEqual([]);
  expect(code).not.toContain('WebAssembly');
});

describe.each(specifiers.flatMap((specifier) => [specifier, `${specifier}/lite`]))(
  '%s',
  (entry) => {
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
      const { code, sources } = await bundle(`export { grammar } from '${entry}'`);
      // Its rows, what unpacks them, and the export itself.
      const isGrammar = (source: string) =>
        source.startsWith('packages/core/src/grammar/') ||
        /\/generated\/(.+\/)?(packed|index|lite)\.ts$/.test(source);
      expect([...sources].filter((source) => !isGrammar(source))).toEqual([]);
      for (const word of [...words, 'Encoding', 'create']) expect(code).not.toContain(word);
    });
  },
);
