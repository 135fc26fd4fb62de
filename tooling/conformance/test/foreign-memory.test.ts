/** Functions read arrays with false lengths and other methods as they read a plain copy. */
import type { Bytes, Codec } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { choose } from '../../tiers/tier.js';
import { decoding, errorOf, examining, outcomeOf, rawOutcomeOf } from './calls.js';
import { type Disguise, define, disguises, getters, other } from './disguises.js';
import { findRefused, loadCodecs } from './entries.js';

/** Fills the memory that calls use again with a text that no later call may return. */
function fillMemory(codec: Codec): void {
  const secret = secrets.get(codec) ?? codec.encode('SECRET é 中 '.repeat(6000));
  secrets.set(codec, secret);
  codec.decode(secret);
}

const secrets = new WeakMap<Codec, Uint8Array>();

/** So many bytes of text, or of text with faults, in the midst of other memory. */
function inputsOf(codec: Codec, size: number): readonly (() => Uint8Array)[] {
  const clean = codec.encode('aé中xyz'.repeat(size / 5));
  const texts = [codec.encode('a'.repeat(size)), codec.truncate(clean, size)];
  const faulty = texts[1]?.slice() as Uint8Array;
  for (let i = 3; i < faulty.length; i += 97) faulty[i] = 0xfe;
  return [...texts, faulty].map((bytes) => () => {
    const memory = new Uint8Array(bytes.length + 64).fill(0x23);
    memory.set(bytes, 32);
    return memory.subarray(32, 32 + bytes.length);
  });
}

const readings = { ...decoding, ...examining };
const replacing = { errors: 'replace' } as const;

interface Reading {
  readonly name: string;
  readonly make: () => Uint8Array;
  readonly run: (bytes: Bytes) => unknown;
  /** Of a plain copy. */
  readonly expected: unknown;
}

/** Lists all functions that read, with their arguments. */
function listReadings(codec: Codec, size: number): readonly Reading[] {
  return inputsOf(codec, size).flatMap((make) =>
    Object.entries(readings).flatMap(([name, read]) =>
      (name in decoding ? [undefined, replacing] : [undefined]).map((options) => {
        const run = (bytes: Bytes) => rawOutcomeOf(() => read(codec, bytes, options));
        const expected = run(make().slice());
        // A result whose memory is reused must not change the expected one.
        const copy = ArrayBuffer.isView(expected) ? (expected as Uint8Array).slice() : expected;
        return { name: `${name} of ${size} bytes`, make, run, expected: copy };
      }),
    ),
  );
}

const listed = new Map<string, readonly Reading[]>();

/** Compares every function that reads with its result on a plain copy. */
function compareReading(
  entry: string,
  codec: Codec,
  disguise: (plain: Uint8Array) => Bytes,
  size: number,
): void {
  const key = `${entry} ${size}`;
  const calls = listed.get(key) ?? listReadings(codec, size);
  listed.set(key, calls);
  fillMemory(codec);
  for (const { name, make, run, expected } of calls) {
    const actual = run(disguise(make()));
    if (isSame(actual, expected)) continue;
    expect(print(actual).slice(0, 300), name).toBe(print(expected).slice(0, 300));
    expect.fail(`${name}: differs after 300 characters`);
  }
}

/** Compares elements one by one: as JSON, long arrays take ten times as long. */
function isSame(one: unknown, other: unknown): boolean {
  if (!ArrayBuffer.isView(one) || !ArrayBuffer.isView(other)) return print(one) === print(other);
  const [a, b] = [one as Uint8Array, other as Uint8Array];
  return a.constructor === b.constructor && a.length === b.length && a.every((x, i) => x === b[i]);
}

const print = (outcome: unknown): string =>
  JSON.stringify(ArrayBuffer.isView(outcome) ? Array.from(outcome as Uint8Array) : outcome) ?? '';

/** Compares truncate, last of all: with a wrong length it may not end. */
function compareTruncate(codec: Codec, disguise: Disguise, size: number): void {
  for (const make of inputsOf(codec, size)) {
    for (const most of [0, 3, size - 1, size, size + 1, 1e6]) {
      const result = codec.truncate(disguise(make()), most);
      expect(Array.from(result)).toEqual(Array.from(codec.truncate(make(), most)));
    }
  }
}

describe('memory of other callers', async () => {
  const entries = (await loadCodecs()).map(({ entry, codec }) => [entry, codec] as const);

  describe.each(entries)('is read as a plain copy: %s', (entry, codec) => {
    it.each(Object.entries(disguises))('%s', (_, disguise) => {
      for (const size of choose([5, 20, 100, 600], 2)) {
        compareReading(entry, codec, disguise, size);
        compareTruncate(codec, disguise, size);
      }
    });

    it.each(Object.entries(getters))('%s, long', (_, disguise) => {
      for (const size of choose([5000, 70_000], 1)) compareReading(entry, codec, disguise, size);
    });

    it.each<[string, (plain: Uint8Array) => Bytes]>([
      ['DataView', ({ buffer, byteOffset, length }) => new DataView(buffer, byteOffset, length)],
      ['ArrayBuffer', (plain) => plain.slice().buffer],
      ['SharedArrayBuffer', copyShared],
      ['Uint8Array of shared memory', (plain) => new Uint8Array(copyShared(plain))],
      ['Int8Array', ({ buffer, byteOffset, length }) => new Int8Array(buffer, byteOffset, length)],
    ])('%s with own properties', (_, make) => {
      for (const lie of [0, 1, 200]) {
        const properties = { length: lie, byteLength: lie, byteOffset: lie, buffer: other.buffer };
        const disguise = (plain: Uint8Array) => define(make(plain) as Uint8Array, properties);
        for (const size of [5, 100]) compareReading(entry, codec, disguise, size);
      }
    });

    it('findFault from a negative index reads nothing', () => {
      fillMemory(codec);
      const bytes = new Uint8Array(200).fill(0xfe).subarray(150);
      for (const from of [-1, -100, -(2 ** 31)]) {
        expect(errorOf(() => codec.findFault(bytes, from))?.name).toBe('RangeError');
      }
    });
  });

  describe.each(entries)('encodeInto fills a target of the true length: %s', (_, codec) => {
    const refused = findRefused(codec) ?? '';
    const texts = ['aé中x', `ab${refused}é`, 'abcdefgh', 'é中'].flatMap((text) => [
      text,
      text.repeat(12),
      text.repeat(2000),
    ]);

    it.each(Object.entries(disguises))('%s', (_, disguise) => {
      for (const text of texts) {
        for (const size of choose([0, 1, 7, 40, 300], 2)) {
          const run = (change: Disguise) => {
            const memory = new Uint8Array(size + 4096).fill(0xaa);
            const view = memory.subarray(64, 64 + size);
            const target = change(view);
            const { read, written } = codec.encodeInto(text, target, replacing);
            return { read, written, memory: Buffer.from(memory).toString('hex') };
          };
          expect(outcomeOf(() => run(disguise))).toEqual(run((target) => target));
        }
      }
    });
  });
});

function copyShared(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}
