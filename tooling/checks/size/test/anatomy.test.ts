/** A bundle has in it what its program uses, and nothing else: told by its source map and its words. */
import { describe, expect, it } from 'vitest';
import specifiers from '../../../../packages/variants.json' with { type: 'json' };
import { bundle } from '../src/bundle.js';

/** What validation has nothing to do with, and words that only those files have. */
const others = [
  'drive/boundary',
  'drive/byte-sink',
  'drive/code-points',
  'drive/compare',
  'drive/decode',
  'drive/encode',
  'drive/text-sink',
  'drive/transcode',
  'fault/error',
  'fault/policy',
  'read/diagnosis',
  'stream/block-transcoder',
  'stream/carry',
  'stream/decoder',
  'stream/encoder',
  'stream/text-decoder',
  'stream/text-encoder',
  'stream/transcoder',
  'stream/web-idl',
  'stream/web-streams',
].map((name) => `packages/core/src/${name}.ts`);
const words = [
  'ERR_UTF8',
  'backslashreplace',
  'surrogateescape',
  'TransformStream',
  'get ignoreBOM',
];

it('these sources and words are in a bundle of everything, so that missing them says something', async () => {
  const { code, sources } = await bundle(
    `import * as core from '@utf8/core'; import * as internal from '@utf8/core/internal';
     import * as codec from '@utf8/strict'; export { core, internal, codec }`,
  );
  expect([...sources]).toEqual(expect.arrayContaining(others));
  for (const word of words) expect(code).toContain(word);
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
      expect(sources).toContain('packages/core/src/drive/validate.ts');
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
      for (const word of [...words, 'Engine', 'create']) expect(code).not.toContain(word);
    });
  },
);
