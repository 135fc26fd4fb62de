/** Memory that another realm made, and memory that another thread writes to. */
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as lite from '@utf8/cesu8/lite';
import { type Codec, transcode } from '@utf8/core';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';

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
    }
    expect(transcode(input, cesu8, strict)).toEqual(strict.encode(TEXT));
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
      for (let i = 0; i < 300; i++) {
        const text = cesu8.decode(shared, { errors: 'replace' });
        expect(text.isWellFormed()).toBe(true);
        const bytes = transcode(shared, cesu8, strict, { errors: 'replace' });
        expect(strict.isValid(bytes)).toBe(true);
        for (const fault of cesu8.faults(shared)) expect(fault.offset).toBeLessThan(4096);
      }
    } finally {
      await worker.terminate();
    }
  });
});
