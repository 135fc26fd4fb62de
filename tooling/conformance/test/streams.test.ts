/** Web streams around the coders. */
import * as cesu8 from '@utf8/cesu8';
import { TranscoderStream } from '@utf8/core';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';

const TEXT = 'aé한\u{1f600}\u{10ffff}';

/** A web stream that hands out an input one element at a time. */
function trickle<T>(elements: Iterable<T>): ReadableStream<T> {
  const iterator = elements[Symbol.iterator]();
  return new ReadableStream<T>({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

async function gather<T>(stream: ReadableStream<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream as unknown as AsyncIterable<T>) parts.push(part);
  return parts;
}

describe('web streams', () => {
  it('decode chunk by chunk', async () => {
    const bytes = Array.from(cesu8.encode(TEXT), (byte) => Uint8Array.of(byte));
    const stream = new cesu8.DecoderStream();
    expect((await gather(trickle(bytes).pipeThrough(stream))).join('')).toBe(TEXT);
    expect(stream.encoding).toBe('CESU-8');
  });

  it('encode chunk by chunk, pairs put together', async () => {
    const stream = new cesu8.EncoderStream();
    const parts = await gather(trickle(TEXT.split('')).pipeThrough(stream));
    expect(Array.from(Buffer.concat(parts))).toEqual(Array.from(cesu8.encode(TEXT)));
    expect(stream.encoding).toBe('CESU-8');
  });

  it('transcode chunk by chunk', async () => {
    const bytes = Array.from(cesu8.encode(TEXT), (byte) => Uint8Array.of(byte));
    const parts = await gather(trickle(bytes).pipeThrough(new TranscoderStream(cesu8, strict)));
    expect(Buffer.concat(parts).toString()).toBe(TEXT);
  });

  it('fail with the fault', async () => {
    const bytes = [Uint8Array.of(0x41), Uint8Array.of(0xff)];
    const decoder = new cesu8.DecoderStream();
    await expect(gather(trickle(bytes).pipeThrough(decoder))).rejects.toMatchObject({ offset: 1 });
    const transcoder = new TranscoderStream(cesu8, strict);
    await expect(gather(trickle(bytes).pipeThrough(transcoder))).rejects.toMatchObject({
      offset: 1,
    });
    const encoder = new cesu8.EncoderStream();
    const halves = trickle(['a\ud83d', 'b']).pipeThrough(encoder);
    await expect(gather(halves)).rejects.toMatchObject({ offset: 1, code: 'ERR_UTF8_ENCODE' });
  });
});
