/** Memory that was detached before the call: all functions read it as empty, as the platform's decoder does. */
import type { Bytes } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { decoding, examining, outcomeOf } from './calls.js';
import { loadCodecs } from './entries.js';

const views: Readonly<Record<string, (buffer: ArrayBuffer) => Bytes>> = {
  'an array': (buffer) => new Uint8Array(buffer, 8),
  'an array of larger elements': (buffer) => new Uint32Array(buffer, 8, 2),
  'a Buffer': (buffer) => Buffer.from(buffer, 8),
  'a DataView': (buffer) => new DataView(buffer, 8),
  'the buffer itself': (buffer) => buffer,
};

/** Creates a view of memory that is detached since. */
function detach(view: (buffer: ArrayBuffer) => Bytes): Bytes {
  const buffer = new ArrayBuffer(2000);
  const bytes = view(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  return bytes;
}

describe('detached memory', async () => {
  const entries = await loadCodecs();

  describe.each(Object.entries(views))('%s', (_, view) => {
    it.each(entries.map(({ entry, codec }) => [entry, codec] as const))(
      'is empty for each function of %s',
      (_, codec) => {
        const empty = new Uint8Array();
        const calls = {
          ...decoding,
          // At an index that an empty array has.
          ...Object.fromEntries(Object.entries(examining).filter(([name]) => !/from 3/.test(name))),
          TextDecoder: (_: unknown, bytes: Bytes) => new codec.TextDecoder().decode(bytes),
        };
        for (const [name, call] of Object.entries(calls)) {
          const expected = outcomeOf(() => call(codec, empty));
          expect(
            outcomeOf(() => call(codec, detach(view))),
            name,
          ).toEqual(expected);
        }
        expect(codec.truncate(detach(view), 5)).toHaveLength(0);
      },
    );
  });

  it.each(entries.map(({ entry, codec }) => [entry, codec] as const))(
    'has no room for encodeInto of %s',
    (_, codec) => {
      for (const text of ['', 'a', 'é'.repeat(1000)]) {
        const done = { read: 0, written: 0 };
        for (const view of ['an array', 'a Buffer']) {
          const target = (): Uint8Array => detach(views[view] as never) as Uint8Array;
          expect(codec.encodeInto(text, target())).toEqual(done);
          expect(new codec.TextEncoder().encodeInto(text, target())).toEqual(done);
        }
      }
    },
  );
});
