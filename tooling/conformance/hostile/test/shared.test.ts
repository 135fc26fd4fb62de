/** Shared memory that another thread changes at a point that is known: while a policy waits for it. */
import { Worker } from 'node:worker_threads';
import { type Codec, Transcoder, transcode } from '@utf8/core';
import * as strict from '@utf8/strict';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCodecs } from '../../test/entries.js';

/** 0: the worker waits; 1: it writes; 2: it has written. */
const control = new Int32Array(new SharedArrayBuffer(8));
const shared = new SharedArrayBuffer(4096);

const worker = new Worker(
  `const { workerData: { control, shared } } = require('node:worker_threads');
   const bytes = new Uint8Array(shared);
   for (;;) {
     Atomics.wait(control, 0, 0);
     if (Atomics.load(control, 0) === 1) {
       bytes.fill(control[1]);
       Atomics.store(control, 0, 2);
       Atomics.notify(control, 0);
     }
     Atomics.wait(control, 0, 2);
   }`,
  { eval: true, workerData: { control, shared } },
);
afterAll(() => worker.terminate());

/** Has the worker overwrite all of the memory, and waits until it has. */
function overwrite(byte: number): void {
  control[1] = byte;
  Atomics.store(control, 0, 1);
  Atomics.notify(control, 0);
  Atomics.wait(control, 0, 1);
  Atomics.store(control, 0, 0);
  Atomics.notify(control, 0);
}

const codecs = (await loadCodecs()).map(({ entry, codec }) => [entry, codec] as const);

type Errors = () => string;

const calls: Readonly<
  Record<string, (codec: Codec, bytes: Uint8Array, errors: Errors) => unknown>
> = {
  decode: (codec, bytes, errors) => codec.decode(bytes, { errors }),
  decodedLength: (codec, bytes, errors) => codec.decodedLength(bytes, { errors }),
  decodeCodePoints: (codec, bytes, errors) => codec.decodeCodePoints(bytes, { errors }),
  Decoder: (codec, bytes, errors) => new codec.Decoder({ errors }).decode(bytes),
  transcode: (codec, bytes, errors) => transcode(bytes, codec, strict, { errors }),
  Transcoder: (codec, bytes, errors) => {
    const transcoder = new Transcoder(codec, strict, { errors });
    return Buffer.concat([transcoder.push(bytes), transcoder.flush()]);
  },
};

describe.each(codecs)('%s', (_, codec) => {
  // At edges of blocks of 16 and 64 bytes.
  it.each(Object.entries(calls))('reads shared memory once, whatever it becomes: %s', (_, call) => {
    for (const at of [0, 16, 63, 700, 4095]) {
      for (const byte of [0xff, 0xed]) {
        const bytes = new Uint8Array(shared);
        const fill = (): void => {
          bytes.fill(0x61);
          bytes[at] = 0xfe;
        };
        fill();
        const expected = call(codec, bytes.slice(), () => '?');
        let writes = 0;
        const actual = call(codec, bytes, () => {
          writes++;
          overwrite(byte);
          return '?';
        });
        expect(writes).toBe(1);
        expect(bytes[0]).toBe(byte);
        expect(actual).toEqual(expected);
      }
    }
  });
});
