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
});
