/** Memory that another realm made, and memory that another thread writes to. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Context, createContext, runInContext, runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as lite from '@utf8/cesu8/lite';
import { type Codec, DecodeError, transcode } from '@utf8/core';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { scale } from '../../tiers/tier.js';
import { errorOf } from './calls.js';
import { findRefused, loadCodecs } from './entries.js';

const TEXT = 'aé한\u{1f600}';

describe('memory of another realm', () => {
  const source = cesu8.encode(TEXT);
  const script = 'const bytes = new Uint8Array(source.length); bytes.set(source); bytes';
  const bytes = runInNewContext(script, { source }) as Uint8Array;

  it.each([
    ['a view', bytes],
    ['a buffer', bytes.buffer],
  ])('is read by every function: %s', (_, input) => {
    expect(bytes).not.toBeInstanceOf(Uint8Array);
    for (const codec of [cesu8, lite, lenient] as Codec[]) {
      expect(codec.decode(input)).toBe(TEXT);
      expect(codec.isValid(input)).toBe(true);
      expect(codec.findFault(input)).toBeUndefined();
      expect([...codec.faults(input)]).toEqual([]);
      expect(codec.decodedLength(input)).toBe(TEXT.length);
      expect(codec.countCodePoints(input)).toBe(4);
      expect(codec.floorBoundary(input, 9)).toBe(6);
      expect(codec.ceilBoundary(input, 9)).toBe(12);
      expect(codec.compare(input, source)).toBe(0);
      expect(codec.decodeCodePoints(input)).toHaveLength(4);
      expect(new codec.Decoder().decode(input)).toBe(TEXT);
      expect(new codec.TextDecoder().decode(input)).toBe(TEXT);
    }
    expect(transcode(input, cesu8, strict)).toEqual(strict.encode(TEXT));
  });
});

describe('arrays, options and functions of another realm', async () => {
  const entries = await loadCodecs();
  const create = (bytes: Uint8Array): Uint8Array =>
    runInNewContext('Uint8Array.from(source)', { source: Array.from(bytes) }) as Uint8Array;

  describe.each(entries.map(({ entry, codec }) => [entry, codec] as const))('%s', (_, codec) => {
    const refused = findRefused(codec) ?? '';
    const texts = ['aé中x', 'x'.repeat(300), `ab${refused}é`, `aé${refused}中`.repeat(900)];

    it('encodeInto writes to them', () => {
      for (const text of texts) {
        for (const size of [0, 1, 5, 100, 20_000]) {
          const plain = new Uint8Array(size);
          const target = create(plain);
          expect(target).not.toBeInstanceOf(Uint8Array);
          const errors = 'replace';
          const expected = codec.encodeInto(text, plain, { errors });
          expect(codec.encodeInto(text, target, { errors })).toEqual(expected);
          expect(Buffer.from(target).equals(plain)).toBe(true);
        }
      }
    });

    it('truncate returns a view of them', () => {
      for (const text of texts) {
        const plain = codec.encode(text, { errors: 'replace' });
        const input = create(plain);
        for (const most of [0, 1, 3, 4, plain.length - 1, plain.length, plain.length + 1]) {
          const result = codec.truncate(input, most);
          expect(Buffer.from(result).equals(codec.truncate(plain, most))).toBe(true);
          expect(result.buffer).toBe(input.buffer);
        }
      }
    });

    it('encodeInto refuses other kinds of arrays', () => {
      const kinds = ['Int8Array', 'Uint8ClampedArray', 'Uint16Array', 'ArrayBuffer', 'Array'];
      for (const kind of kinds) {
        const array = runInNewContext(`new ${kind}(20)`) as Uint8Array;
        expect(() => codec.encodeInto('abc', array), kind).toThrow(TypeError);
      }
    });

    it('options and policies are applied', () => {
      const options = runInNewContext("({ errors: ({ offset }) => '<' + offset + '>' })");
      expect(codec.decode(Uint8Array.of(0x41, 0xff), options)).toBe('A<1>');
      expect(new codec.Decoder(options).decode(Uint8Array.of(0x41, 0xff))).toBe('A<1>');
      const nothing = runInNewContext('({ errors: () => undefined })');
      expect(() => codec.decode(Uint8Array.of(0xff), nothing)).toThrow(TypeError);
    });
  });
});

describe('errors of another realm', { tags: ['slow'] }, () => {
  /** Loads CommonJS modules with the intrinsics of a realm that has nothing but the language. */
  const loadInRealm = (file: string, realm: Context): Record<string, unknown> => {
    const module = { exports: {} };
    const source = `(function (module, exports, require) {${readFileSync(file, 'utf8')}\n})`;
    const { resolve } = createRequire(file);
    runInContext(source, realm, { filename: file })(module, module.exports, (name: string) => {
      const found = modules.get(resolve(name)) ?? loadInRealm(resolve(name), realm);
      modules.set(resolve(name), found);
      return found;
    });
    return module.exports;
  };
  const modules = new Map<string, Record<string, unknown>>();
  // A CommonJS bundle of the suite has no import.meta.url. It lies as deep in the repository.
  const here = typeof __filename === 'string' ? pathToFileURL(__filename).href : import.meta.url;
  const file = fileURLToPath(new URL('../../../packages/cesu8/dist/index.cjs', here));
  const loaders: readonly (readonly [string, () => Codec])[] = [
    ['another realm', () => loadInRealm(file, createContext({})) as unknown as Codec],
    ['another copy of the packages', () => createRequire(file)(file) as Codec],
  ];

  it.each(loaders)('are told apart by code: %s', (_, load) => {
    const codec = load();
    expect(codec.decode).not.toBe(cesu8.decode);
    const bytes = Uint8Array.of(0x41, 0xff);
    const fault = errorOf(() => codec.decode(bytes));
    expect(fault).not.toBeInstanceOf(DecodeError);
    expect(fault).toMatchObject({
      code: 'ERR_UTF8_DECODE',
      name: 'DecodeError',
      encoding: 'CESU-8',
      offset: 1,
      length: 1,
      reason: 'invalid-lead',
      incomplete: false,
    });
    expect(fault?.message).toBe(errorOf(() => cesu8.decode(bytes))?.message);
    const refused = errorOf(() => codec.encode('ab\ud800'));
    expect(refused).toMatchObject({ code: 'ERR_UTF8_ENCODE', offset: 2, codePoint: 0xd800 });
    expect(errorOf(() => transcode(bytes, codec, strict))).toMatchObject({
      code: 'ERR_UTF8_DECODE',
      offset: 1,
    });
  });

  it.each(loaders)('its codecs transcode to and from those of this one: %s', (_, load) => {
    const codec = load();
    const bytes = codec.encode(TEXT);
    expect(Array.from(bytes)).toEqual(Array.from(cesu8.encode(TEXT)));
    expect(transcode(bytes, codec, strict)).toEqual(strict.encode(TEXT));
    expect(Array.from(transcode(strict.encode(TEXT), strict, codec))).toEqual(Array.from(bytes));
    expect(codec.decode(cesu8.encode(TEXT))).toBe(TEXT);
  });
});

describe('shared memory that another thread writes to', () => {
  it('is read without a crash, and what is returned was validated', async () => {
    const shared = new SharedArrayBuffer(4096);
    const worker = new Worker(
      `const { workerData } = require('node:worker_threads');
       const bytes = new Uint8Array(workerData);
       for (let i = 0; ; i++) bytes[i * 7919 % 4096] = i * 31;`,
      { eval: true, workerData: shared },
    );
    await new Promise((resolve) => worker.once('online', resolve));
    try {
      for (let i = 0; i < scale(300); i++) {
        const text = cesu8.decode(shared, { errors: 'replace' });
        expect(text.isWellFormed()).toBe(true);
        const bytes = transcode(shared, cesu8, strict, { errors: 'replace' });
        expect(strict.isValid(bytes)).toBe(true);
        expect([...cesu8.faults(shared)].every(({ offset }) => offset < 4096)).toBe(true);
      }
    } finally {
      await worker.terminate();
    }
  });
});
