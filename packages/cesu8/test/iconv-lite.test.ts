/** The codec that `register` puts into real iconv-lite, and what iconv-lite does without it. */
import { createRequire } from 'node:module';
import { Readable, type Transform } from 'node:stream';
import * as cesu8 from '@utf8/cesu8';
import { register } from '@utf8/cesu8/iconv-lite';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import type IconvLite from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { generateBytes, generateTexts } from '../../../tooling/oracles/interop/src/corpus.js';
import { loadFresh } from '../../../tooling/oracles/interop/src/fresh.js';
import { readHex, readUnits } from '../../../tooling/oracles/interop/src/hex.js';
import { scale, seed } from '../../../tooling/tiers/tier.js';

type Iconv = typeof IconvLite;

const require = createRequire(import.meta.url);

const inputs = Array.from(generateBytes(seed, scale(5000)), (bytes) => Buffer.from(bytes));
const texts = Array.from(generateTexts(seed, scale(5000)), readUnits);

/** Decodes input in chunks. */
function decodeChunks(iconv: Iconv, chunks: readonly Uint8Array[]): string {
  const decoder = iconv.getDecoder('cesu8', { stripBOM: false });
  const parts = chunks.map((chunk) => decoder.write(Buffer.from(chunk)));
  return [...parts, decoder.end() ?? ''].join('');
}

function encodeChunks(iconv: Iconv, chunks: readonly string[]): Buffer {
  const encoder = iconv.getEncoder('cesu8');
  const parts = chunks.map((chunk) => encoder.write(chunk));
  return Buffer.concat([...parts, encoder.end() ?? Buffer.alloc(0)]);
}

const pipe = (chunks: Iterable<unknown>, stream: NodeJS.ReadWriteStream): Transform =>
  Readable.from(chunks).pipe(stream as Transform);

describe.each(['iconv-lite', 'iconv-lite-0.4', 'iconv-lite-0.6', 'iconv-lite-1.0'])(
  '%s',
  (name) => {
    const load = (): Iconv => loadFresh<Iconv>(require, name);

    describe('as it is', () => {
      const iconv = load();
      // It loads its registry when it needs it, and would then find another copy's.
      iconv.encodingExists('cesu8');

      it('ends a text that is cut short with a digit zero', () => {
        expect(iconv.decode(readHex('41 ED A0'), 'cesu8')).toBe('A0\ufffd');
      });

      it('carries the beginning of one text over into the next', () => {
        const decoder = iconv.getDecoder('cesu8');
        decoder.write(readHex('ED A0'));
        decoder.end();
        expect(decoder.write(readHex('41'))).toBe('\ufffdA');
      });

      it('takes C0 80 for U+0000', () => {
        expect(iconv.decode(readHex('C0 80'), 'cesu8')).toBe('\0');
      });

      it('ignores fatal in CESU-8', () => {
        const fatal = { fatal: true } as object;
        expect(iconv.decode(readHex('41 ED A0'), 'cesu8', fatal)).toBe('A0\ufffd');
      });

      it('makes four U+FFFD of a four-byte character, and has no way to be told otherwise', () => {
        expect(iconv.decode(readHex('F0 9F 98 80'), 'cesu8')).toBe('\ufffd'.repeat(4));
      });
    });

    describe('with the codec', () => {
      const iconv = load();
      register(iconv);

      it('replaces what is cut short, once, and begins the next text afresh', () => {
        expect(iconv.decode(readHex('41 ED A0'), 'cesu8')).toBe('A\ufffd');
        const decoder = iconv.getDecoder('cesu8');
        expect(decoder.write(readHex('ED A0'))).toBe('');
        expect(decoder.end()).toBe('\ufffd');
        expect(decoder.write(readHex('41')) + (decoder.end() ?? '')).toBe('A');
      });

      it('decodes as @utf8/cesu8 does', () => {
        for (const bytes of inputs) {
          const text = cesu8.decode(bytes, { errors: 'replace' });
          expect(iconv.decode(bytes, 'cesu8', { stripBOM: false }), bytes.toString('hex')).toBe(
            text,
          );
        }
      });

      it('encodes as @utf8/cesu8 does, into a Buffer', () => {
        for (const text of texts) {
          const bytes = iconv.encode(text, 'cesu8');
          expect(Buffer.isBuffer(bytes)).toBe(true);
          expect(bytes.toString('hex'), JSON.stringify(text)).toBe(
            Buffer.from(cesu8.encode(text, { errors: 'replace' })).toString('hex'),
          );
        }
      });

      it('does both with long texts', () => {
        const text = 'a\u{1f600}中'.repeat(20_000);
        const bytes = iconv.encode(text, 'cesu8');
        expect(Buffer.isBuffer(bytes)).toBe(true);
        expect(Buffer.compare(bytes, cesu8.encode(text))).toBe(0);
        expect(iconv.decode(bytes, 'cesu8') === text).toBe(true);
      });

      it.each(['cesu8', 'CESU-8', 'cesu-8', 'Cesu_8'])('answers to %s', (label) => {
        expect(iconv.encodingExists(label)).toBe(true);
        expect(iconv.decode(readHex('41 ED A0'), label)).toBe('A\ufffd');
      });

      it('leaves its other encodings alone', () => {
        expect(iconv.decode(readHex('F0 9F 98 80'), 'utf8')).toBe('\u{1f600}');
        expect(iconv.encode('é', 'latin1')).toEqual(readHex('E9'));
        expect(iconv.decode(readHex('82 A0'), 'shift_jis')).toBe('あ');
      });

      it('lets it handle the byte order mark as before', () => {
        const bytes = readHex('EF BB BF EF BB BF 41');
        let stripped = 0;
        expect(iconv.decode(bytes, 'cesu8')).toBe('\ufeffA');
        expect(iconv.decode(bytes, 'cesu8', { stripBOM: false })).toBe('\ufeff\ufeffA');
        const stripBOM = (() => stripped++) as unknown as boolean;
        expect(iconv.decode(bytes, 'cesu8', { stripBOM })).toBe('\ufeffA');
        expect(stripped).toBe(1);
        expect(iconv.encode('A', 'cesu8', { addBOM: true })).toEqual(readHex('EF BB BF 41'));
        expect(iconv.encode('A', 'cesu8')).toEqual(readHex('41'));
      });

      it('is cut anywhere when it decodes', () => {
        const bytes = readHex(
          'EF BB BF 41 C3 A9 E4 B8 AD ED A0 BD ED B8 80 ED A0 BD 42 ED B8 80 ED A0',
        );
        const whole = '\ufeffAé中\u{1f600}\ufffdB\ufffd\ufffd';
        expect(decodeChunks(iconv, [bytes])).toBe(whole);
        expect(
          decodeChunks(
            iconv,
            Array.from(bytes, (byte) => Uint8Array.of(byte)),
          ),
        ).toBe(whole);
        for (let i = 0; i <= bytes.length; i++) {
          expect(decodeChunks(iconv, [bytes.subarray(0, i), bytes.subarray(i)]), `${i}`).toBe(
            whole,
          );
        }
      });

      it('is cut anywhere when it encodes', () => {
        const text = 'Aé中\u{1f600}\ud83dB\ude00\u{10ffff}\ud83d';
        const whole = readHex(
          '41 C3 A9 E4 B8 AD ED A0 BD ED B8 80 EF BF BD 42 EF BF BD ED AF BF ED BF BF EF BF BD',
        );
        expect(encodeChunks(iconv, text.split(''))).toEqual(whole);
        for (let i = 0; i <= text.length; i++) {
          expect(encodeChunks(iconv, [text.slice(0, i), text.slice(i)]), `${i}`).toEqual(whole);
        }
      });

      it('streams, with a pair and its halves in two chunks', async () => {
        const decoded = pipe(
          [readHex('41 ED A0'), readHex('BD ED'), readHex('B8 80')],
          iconv.decodeStream('cesu8'),
        );
        expect((await decoded.toArray()).join('')).toBe('A\u{1f600}');
        const encoded = pipe(['A\ud83d', '\ude00'], iconv.encodeStream('cesu8'));
        expect(Buffer.concat(await encoded.toArray())).toEqual(readHex('41 ED A0 BD ED B8 80'));
      });
    });

    it('makes no difference whether the encoding was used before', () => {
      const iconv = load();
      expect(iconv.decode(readHex('41 ED A0'), 'cesu8')).toBe('A0\ufffd');
      register(iconv);
      expect(iconv.decode(readHex('41 ED A0'), 'cesu8')).toBe('A\ufffd');
      register(iconv, { errors: 'ignore' });
      expect(iconv.decode(readHex('41 ED A0'), 'cesu8')).toBe('A');
    });

    it('throws under strict, and makes streams fail', async () => {
      const iconv = load();
      register(iconv, { errors: 'strict' });
      expect(() => iconv.decode(readHex('41 F0 9F'), 'cesu8')).toThrow(
        expect.objectContaining({ code: 'ERR_UTF8_DECODE', offset: 1, reason: 'wrong-form' }),
      );
      expect(() => iconv.encode('A\ud83d', 'cesu8')).toThrow(
        expect.objectContaining({ code: 'ERR_UTF8_ENCODE', offset: 1 }),
      );
      const stream = pipe(
        [readHex('41'), readHex('42 ED'), readHex('43')],
        iconv.decodeStream('cesu8'),
      );
      await expect(stream.toArray()).rejects.toMatchObject({ code: 'ERR_UTF8_DECODE', offset: 2 });
    });

    it('throws under fatal, at the first fault and at a text that is cut short', async () => {
      const iconv = load();
      const fatal = { fatal: true } as object;
      for (const errors of [undefined, 'ignore', 'strict'] as const) {
        register(iconv, { errors });
        expect(iconv.decode(readHex('41 ED A0 BD ED B8 80'), 'cesu8', fatal)).toBe('A\u{1f600}');
        expect(iconv.decode(readHex('EF BB BF 41'), 'cesu8', fatal)).toBe('A');
        for (const [hex, offset] of [
          ['41 ED A0 BD', 1],
          ['41 42 F0 9F 98 80', 2],
          ['EF BB BF 41 FF', 4],
        ] as const) {
          const error = expect.objectContaining({ code: 'ERR_UTF8_DECODE', offset });
          expect(() => iconv.decode(readHex(hex), 'cesu8', fatal)).toThrow(error);
          expect(() => iconv.decode(readHex(hex), 'cesu8', fatal)).toThrow(TypeError);
        }
        const decoder = iconv.getDecoder('cesu8', fatal);
        expect(decoder.write(readHex('41 42')) + decoder.write(readHex('ED A0'))).toBe('AB');
        expect(() => decoder.end()).toThrow(expect.objectContaining({ offset: 2 }));
        expect(decoder.write(readHex('43')) + (decoder.end() ?? '')).toBe('C');
        const stream = pipe([readHex('41'), readHex('ED')], iconv.decodeStream('cesu8', fatal));
        await expect(stream.toArray()).rejects.toMatchObject({
          code: 'ERR_UTF8_DECODE',
          offset: 1,
        });
      }
    });

    it('does as registered without fatal, and for what it encodes', () => {
      const iconv = load();
      register(iconv);
      for (const options of [undefined, {}, { fatal: false }] as (object | undefined)[]) {
        expect(iconv.decode(readHex('41 ED A0'), 'cesu8', options)).toBe('A\ufffd');
      }
      const fatal = { fatal: true } as object;
      expect(iconv.encode('A\ud83d', 'cesu8', fatal)).toEqual(readHex('41 EF BF BD'));
      register(iconv, { errors: 'strict' });
      expect(() => iconv.decode(readHex('ED'), 'cesu8', { fatal: false } as object)).toThrow();
    });

    it('reads and writes lone surrogates with the lenient codec, as it does itself', () => {
      const original = load();
      original.encodingExists('cesu8');
      const iconv = load();
      register(iconv, { codec: lenient });
      for (const text of texts) {
        expect(iconv.decode(iconv.encode(text, 'cesu8'), 'cesu8', { stripBOM: false })).toBe(text);
        expect(iconv.encode(text, 'cesu8')).toEqual(original.encode(text, 'cesu8'));
      }
    });

    it('reads both spellings of a pair with the mixed codec, and writes what it is told to', () => {
      const iconv = load();
      const both = readHex('F0 9F 98 80 ED A0 BD ED B8 80');
      register(iconv, { codec: mixed });
      expect(iconv.decode(both, 'cesu8')).toBe('\u{1f600}\u{1f600}');
      expect(iconv.encode('\u{1f600}', 'cesu8')).toEqual(readHex('F0 9F 98 80'));
      register(iconv, { codec: mixed, encodeAs: cesu8 });
      expect(iconv.decode(both, 'cesu8')).toBe('\u{1f600}\u{1f600}');
      expect(iconv.encode('\u{1f600}', 'cesu8')).toEqual(readHex('ED A0 BD ED B8 80'));
    });

    it('takes another name, as iconv-lite reads names', () => {
      const iconv = load();
      register(iconv, { name: 'Oracle UTF8:1999', codec: mixed });
      expect(iconv.decode(readHex('F0 9F 98 80'), 'oracle-utf8')).toBe('\u{1f600}');
      expect(iconv.decode(readHex('41 ED A0'), 'cesu8')).toBe('A0\ufffd');
    });

    it('says what is wrong with an argument, before it changes anything', () => {
      const iconv = load();
      expect(() => register({} as Iconv)).toThrow('Expected the exports of iconv-lite');
      expect(() => register(undefined as unknown as Iconv)).toThrow(
        'Expected the exports of iconv-lite',
      );
      expect(() => register(iconv, { name: '--' })).toThrow("but got '--'");
      expect(() => register(iconv, { errors: 'strickt' as 'strict' })).toThrow('strickt');
      expect(iconv.decode(readHex('41 ED A0'), 'cesu8')).toBe('A0\ufffd');
    });
  },
);

it('gives plain bytes where iconv-lite has no Buffer', () => {
  // No version is like this yet; the web's of 1.0 has plain bytes for other encodings.
  const iconv = {
    encodings: {} as Record<
      string,
      new () => { encoder: new () => { write(text: string): unknown } }
    >,
    _codecDataCache: {},
    _canonicalizeEncoding: (name: string) => name,
    encode: () => new Uint8Array(),
  };
  register(iconv);
  const Codec = iconv.encodings.cesu8!;
  const Encoder = new Codec().encoder;
  expect(new Encoder().write('A')).toEqual(Uint8Array.of(0x41));
});

it('fatal is an option of iconv-lite 1.0, which throws a TypeError', () => {
  const decode = (name: string, options?: object): string =>
    loadFresh<Iconv>(require, name).decode(readHex('41 FF'), 'utf8', options);
  expect(decode('iconv-lite', { fatal: true })).toBe('A\ufffd');
  expect(decode('iconv-lite-1.0')).toBe('A\ufffd');
  expect(() => decode('iconv-lite-1.0', { fatal: true })).toThrow(TypeError);
});

it('takes the place of the codec of the web, too', () => {
  const iconv = loadFresh<Iconv>(require, 'iconv-lite-1.0/lib/index-web.js');
  register(iconv);
  const text = 'A\u{1f600}\ud83d';
  expect(iconv.decode(iconv.encode(text, 'cesu8'), 'cesu8')).toBe(text.toWellFormed());
});

it('reads memory that threads share', () => {
  const iconv = loadFresh<Iconv>(require, 'iconv-lite');
  register(iconv);
  const bytes = new Uint8Array(new SharedArrayBuffer(3));
  bytes.set([0x41, 0xc3, 0xa9]);
  expect(iconv.decode(bytes, 'cesu8')).toBe('Aé');
});

it('takes the namespace of the module, too', async () => {
  const namespace = await import('iconv-lite');
  register(namespace, { name: 'namespace' });
  expect(namespace.default.decode(readHex('ED A0'), 'namespace')).toBe('\ufffd');
});

it('is there for CommonJS', { tags: ['slow'] }, () => {
  const iconv = loadFresh<Iconv>(require, 'iconv-lite');
  require('@utf8/cesu8/iconv-lite').register(iconv);
  expect(iconv.decode(readHex('41 ED A0'), 'cesu8')).toBe('A\ufffd');
});
