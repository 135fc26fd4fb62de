/** Node's streams around the coders. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as cesu8 from '@utf8/cesu8';
import { TranscoderTransform } from '@utf8/core/node';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';

const TEXT = 'aé한\u{1f600}\u{10ffff}';

describe('TranscoderTransform', () => {
  const collect = async (parts: Uint8Array[], transform: TranscoderTransform) => {
    const out: Uint8Array[] = [];
    await pipeline(Readable.from(parts), transform, async (source) => {
      for await (const chunk of source) out.push(chunk as Uint8Array);
    });
    return Buffer.concat(out);
  };

  it('transcodes chunk by chunk', async () => {
    const parts = Array.from(cesu8.encode(TEXT), (byte) => Uint8Array.of(byte));
    const result = await collect(parts, new TranscoderTransform(cesu8, strict));
    expect(result.toString()).toBe(TEXT);
  });

  it('is destroyed by a fault, at the end of the stream too', async () => {
    const faulty = [Uint8Array.of(0x41), Uint8Array.of(0xff)];
    const cut = [Uint8Array.of(0x41), Uint8Array.of(0xed, 0xa0)];
    for (const parts of [faulty, cut]) {
      const transform = new TranscoderTransform(cesu8, strict);
      await expect(collect(parts, transform)).rejects.toMatchObject({ offset: 1 });
    }
  });

  it('mends as told', async () => {
    const transform = new TranscoderTransform(cesu8, strict, { errors: 'replace' });
    const result = await collect([Uint8Array.of(0x41, 0xff)], transform);
    expect(result.toString()).toBe('A\ufffd');
  });

  describe.each([
    ['no options', {}],
    ['decodeStrings: true', { decodeStrings: true }],
    ['decodeStrings: false', { decodeStrings: false }],
    ['objectMode: true', { objectMode: true }],
    ['defaultEncoding: latin1', { defaultEncoding: 'latin1' as const }],
  ])('refuses strings, whatever the options of the stream: %s', (_, options) => {
    const refusal = expect.objectContaining({
      name: 'TypeError',
      message: expect.stringMatching(/string/i),
    });
    const writes: Readonly<Record<string, (transform: TranscoderTransform) => void>> = {
      'write(text)': (transform) => transform.write('text'),
      'write(text, encoding)': (transform) => transform.write('74c3a9', 'hex'),
      'write(text) after bytes': (transform) => {
        transform.write(Uint8Array.of(0x41));
        transform.write('é');
      },
      'end(text)': (transform) => transform.end('text'),
    };

    it.each(Object.entries(writes))('by %s', async (_, write) => {
      const transform = new TranscoderTransform(cesu8, strict, options);
      const out: Buffer[] = [];
      transform.on('data', (chunk: Buffer) => out.push(chunk));
      const failed = new Promise((resolve) => {
        transform.on('error', resolve).on('end', () => resolve('it ended'));
      });
      try {
        write(transform);
        transform.end();
      } catch (error) {
        // A stream may also throw where write() is called.
        transform.destroy(error as Error);
      }
      expect(await failed).toEqual(refusal);
      expect(Buffer.concat(out).toString()).toMatch(/^A?$/);
    });

    it('by a pipeline', async () => {
      for (const parts of [['text'], ['a', 'é'], [Uint8Array.of(0x41), 'é']]) {
        const transform = new TranscoderTransform(cesu8, strict, options);
        await expect(collect(parts as Uint8Array[], transform)).rejects.toEqual(refusal);
      }
    });

    it('and still takes a Buffer', async () => {
      const transform = new TranscoderTransform(cesu8, strict, options);
      const result = await collect([Buffer.from(cesu8.encode(TEXT))], transform);
      expect(result.toString()).toBe(TEXT);
    });
  });
});
