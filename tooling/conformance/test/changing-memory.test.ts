/** Input that a policy, a consumer of faults() or the getter of an option detaches or resizes while it is read. */
import type { Bytes, Codec, Fault } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { choose } from '../../tiers/tier.js';
import { decoding, limitPolicy, rawOutcomeOf } from './calls.js';
import { loadCodecs } from './entries.js';

interface Resizable extends ArrayBuffer {
  resize(length: number): void;
}
const ResizableBuffer = ArrayBuffer as unknown as new (
  length: number,
  options: { readonly maxByteLength: number },
) => Resizable;
const hasResizable = 'resize' in ArrayBuffer.prototype;

/** Ten bytes with an error in the eighth, so that a multiple of ten ends no character early. */
const BLOCK = Uint8Array.of(0x61, 0x62, 0x63, 0xc3, 0xa9, 0x64, 0x65, 0xfe, 0x79, 0x7a);

/** Blocks in memory that can be resized where the platform has that. */
function createMemory(size: number): ArrayBuffer {
  const buffer = hasResizable
    ? new ResizableBuffer(size, { maxByteLength: 2 * size })
    : new ArrayBuffer(size);
  const bytes = new Uint8Array(buffer);
  for (let i = 0; i < size; i += BLOCK.length) bytes.set(BLOCK, i);
  return buffer;
}

const views: Readonly<Record<string, (buffer: ArrayBuffer) => Bytes>> = {
  'an array that follows its buffer': (buffer) => new Uint8Array(buffer),
  'an array of a fixed length': (buffer) => new Uint8Array(buffer, 0, buffer.byteLength),
  'a Buffer': (buffer) => Buffer.from(buffer),
  'a DataView': (buffer) => new DataView(buffer),
  'the buffer itself': (buffer) => buffer,
};

const resize = (buffer: ArrayBuffer, length: number): void => {
  if (hasResizable) (buffer as Resizable).resize(length);
};

const changes: Readonly<Record<string, (buffer: ArrayBuffer) => void>> = {
  'detached by structuredClone': (buffer) => {
    structuredClone(buffer, { transfer: [buffer] });
  },
  'detached by transfer': (buffer) => {
    const { transfer } = buffer as { transfer?: () => ArrayBuffer };
    if (transfer) transfer.call(buffer);
    else structuredClone(buffer, { transfer: [buffer] });
  },
  'shrunk to nothing': (buffer) => resize(buffer, 0),
  'shrunk to ten bytes': (buffer) => resize(buffer, 10),
  'shrunk to a half': (buffer) => resize(buffer, 10 * Math.floor(buffer.byteLength / 20)),
  grown: (buffer) => resize(buffer, 2 * buffer.byteLength),
};

/** Expects a TypeError, or the result of an undisturbed run, possibly truncated. */
function expectSane(actual: unknown, expected: unknown, what: string): void {
  if ((actual as { thrown?: string } | undefined)?.thrown !== undefined) {
    expect((actual as { thrown: string }).thrown, what).toBe('TypeError');
    return;
  }
  if (typeof actual === 'string') {
    expect((expected as string).startsWith(actual), `${what}: ${actual.slice(0, 80)}`).toBe(true);
  } else if (typeof actual === 'number') {
    expect(actual, what).toBeLessThanOrEqual(expected as number);
  } else {
    const list = actual as ArrayLike<unknown>;
    const start = (expected as unknown[]).slice(0, list.length);
    const differs = start.findIndex((item, i) => !isSame(item, list[i]));
    expect(start.length, what).toBe(list.length);
    expect(differs, `${what}: differs at`).toBe(-1);
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

const isAlike = (one: unknown, other: unknown): boolean =>
  JSON.stringify(plain(one)) === JSON.stringify(plain(other));

const plain = (outcome: unknown): unknown =>
  ArrayBuffer.isView(outcome) ? Array.from(outcome as Uint8Array) : outcome;

/** Large input in one kind of view alone: the others differ before anything is read. */
const sizesOf = (kind: string): readonly number[] =>
  kind === 'an array that follows its buffer'
    ? [20, ...choose([100, 620, 5000, 70_000], 1)]
    : [20, 620];

describe('memory that changes while it is read', async () => {
  const entries = (await loadCodecs()).map(({ entry, codec }) => [entry, codec] as const);

  describe.each(entries)('%s', (_, codec: Codec) => {
    describe.each(Object.entries(changes))('%s', (_, change) => {
      it.each(Object.entries(decoding))('by the policy of %s', (name, call) => {
        for (const [kind, view] of Object.entries(views)) {
          for (const size of sizesOf(kind)) {
            const untouched = rawOutcomeOf(() =>
              call(codec, view(createMemory(size)), { errors: () => '?' }),
            );
            for (const when of [1, 2]) {
              const buffer = createMemory(size);
              const input = view(buffer);
              let calls = 0;
              const errors = limitPolicy(() => {
                if (++calls === when) change(buffer);
                return '?';
              });
              const actual = rawOutcomeOf(() => call(codec, input, { errors }));
              expectSane(actual, untouched, `${name} of ${kind}, ${size} bytes, fault ${when}`);
            }
          }
        }
      });

      it.each(Object.entries(decoding))('by the getter of an option of %s', (name, call) => {
        for (const [kind, view] of Object.entries(views)) {
          for (const size of [20, 620]) {
            const errors = (): string => '?';
            const before = rawOutcomeOf(() => call(codec, view(createMemory(size)), { errors }));
            const buffer = createMemory(size);
            const input = view(buffer);
            const changing = {
              get errors(): typeof errors {
                if (buffer.byteLength === size) change(buffer);
                return errors;
              },
            };
            const actual = rawOutcomeOf(() => call(codec, input, changing));
            const after = rawOutcomeOf(() => call(codec, input, { errors }));
            const what = `${name} of ${kind}, ${size} bytes`;
            // The order of the two is not guaranteed.
            if (!isAlike(actual, after)) expectSane(actual, before, what);
          }
        }
      });

      it('by the consumer of faults()', () => {
        for (const [kind, view] of Object.entries(views)) {
          for (const size of sizesOf(kind)) {
            const expected = Array.from(codec.faults(view(createMemory(size))));
            const buffer = createMemory(size);
            const found: Fault[] = [];
            const actual = rawOutcomeOf(() => {
              for (const fault of codec.faults(view(buffer))) {
                found.push(fault);
                if (found.length === 2) change(buffer);
                if (found.length > size) throw new Error('no end of faults');
              }
              return found;
            });
            expectSane(actual, expected, `${kind}, ${size} bytes`);
          }
        }
      });
    });
  });
});
