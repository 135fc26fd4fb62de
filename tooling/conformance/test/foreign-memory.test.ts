/** Arrays that lie about their length, and whose methods are others, are read as a plain copy is. */
import type { Bytes, Codec } from '@utf8/core';
import {
  type UTFOptions,
  writeCString,
  writeDexString,
  writeLongUTF,
  writeUnits,
  writeUTF,
} from '@utf8/mutf8/framing';
import { describe, expect, it } from 'vitest';
import { choose } from '../../tiers/tier.js';
import { decoding, errorOf, examining, outcomeOf, rawOutcomeOf } from './calls.js';
import { findRefused, loadCodecs } from './entries.js';

/** An array that does not say what the engine knows of it. */
type Disguise = (bytes: Uint8Array) => Uint8Array;

/** Ends a loop that asks for the length without end. Nothing has to ask the object even once. */
const MOST_READS = 1000;

function limitReads(length: number): () => number {
  let reads = 0;
  return () => {
    if (++reads > MOST_READS) throw new Error('the length is read without end');
    return length;
  };
}

const define = (
  bytes: Uint8Array,
  properties: Readonly<Record<PropertyKey, unknown>>,
): Uint8Array => {
  for (const name of Reflect.ownKeys(properties)) {
    Object.defineProperty(bytes, name, { value: properties[name as string], configurable: true });
  }
  return bytes;
};

/** Says another number of bytes, by own getters. */
function claimLength(bytes: Uint8Array, length: number): Uint8Array {
  const get = limitReads(length);
  Object.defineProperty(bytes, 'length', { get });
  return Object.defineProperty(bytes, 'byteLength', { get });
}

/** Says another number of bytes, by getters of a subclass. */
function inheritLength(bytes: Uint8Array, length: number): Uint8Array {
  const read = limitReads(length);
  class Claiming extends Uint8Array {
    override get length(): number {
      return read();
    }
    override get byteLength(): number {
      return read();
    }
  }
  return Object.setPrototypeOf(bytes, Claiming.prototype);
}

/** With a getter of a subclass. */
function override(bytes: Uint8Array, name: keyof Uint8Array, value: unknown): Uint8Array {
  class Overriding extends Uint8Array {}
  Object.defineProperty(Overriding.prototype, name, { get: () => value });
  return Object.setPrototypeOf(bytes, Overriding.prototype);
}

class OfSpecies extends Uint8Array {
  static get [Symbol.species](): never {
    return function make(): Uint8Array {
      return new Uint8Array(3).fill(0x3f);
    } as never;
  }
}

const other = new Uint8Array(90_000).fill(0x21);
const fail = (): never => {
  throw new Error('a method of the caller was called');
};

/** Disguises that claim another length. */
const lengths: Readonly<Record<string, Disguise>> = {
  'own length, longer': (bytes) => define(bytes, { length: bytes.byteLength + 5000 }),
  'own length, by one': (bytes) => define(bytes, { length: bytes.byteLength + 1 }),
  'own byteLength': (bytes) => define(bytes, { byteLength: bytes.length + 1000 }),
};

/** The same, where a loop that trusts the length is ended. */
const getters: Readonly<Record<string, Disguise>> = {
  'own getters, longer': (bytes) => claimLength(bytes, bytes.length + 70_000),
  'own getters, by one': (bytes) => claimLength(bytes, bytes.length + 1),
  'own getters, shorter': (bytes) => claimLength(bytes, 1),
  'own getters, 0': (bytes) => claimLength(bytes, 0),
  'own getters, NaN': (bytes) => claimLength(bytes, Number.NaN),
  'own getters, a string': (bytes) => claimLength(bytes, '9' as never),
  'own getters, undefined': (bytes) => claimLength(bytes, undefined as never),
  'getters of a subclass, longer': (bytes) => inheritLength(bytes, bytes.length + 1000),
  'getters of a subclass, shorter': (bytes) => inheritLength(bytes, 1),
  'getters of a subclass, 0': (bytes) => inheritLength(bytes, 0),
};

/** Disguises of other kinds. */
const others: Readonly<Record<string, Disguise>> = {
  'own byteOffset': (bytes) => define(bytes, { byteOffset: 5 }),
  'own buffer': (bytes) => define(bytes, { buffer: other.buffer }),
  'byteOffset of a subclass': (bytes) => override(bytes, 'byteOffset', 5),
  'buffer of a subclass': (bytes) => override(bytes, 'buffer', other.buffer),
  'byteLength of a subclass': (bytes) => override(bytes, 'byteLength', bytes.length + 1000),
  'own subarray, slice and set': (bytes) =>
    define(bytes, { subarray: () => other, slice: () => other, set: fail }),
  'own methods that throw': (bytes) =>
    define(bytes, { indexOf: fail, every: fail, fill: fail, copyWithin: fail, includes: fail }),
  'own iterator': (bytes) => define(bytes, { [Symbol.iterator]: fail, values: fail }),
  'own constructor': (bytes) => define(bytes, { constructor: Array }),
  'own constructor that throws': (bytes) => define(bytes, { constructor: fail }),
  'own conversions': (bytes) =>
    define(bytes, { toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail }),
  'subclass with a species': (bytes) => Object.setPrototypeOf(bytes, OfSpecies.prototype),
  'Buffer with an own length': ({ buffer, byteOffset, length }) =>
    define(Buffer.from(buffer, byteOffset, length), { length: length + 500 }),
  'Buffer with own properties': ({ buffer, byteOffset, length }) =>
    define(Buffer.from(buffer, byteOffset, length), { parent: other.buffer, offset: 7 }),
};

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

const disguises = { ...lengths, ...getters, ...others };
const readings = { ...decoding, ...examining };
const replacing = { errors: 'replace' } as const;

interface Reading {
  readonly name: string;
  readonly make: () => Uint8Array;
  readonly run: (bytes: Bytes) => unknown;
  /** Of a plain copy. */
  readonly expected: unknown;
}

/** Every function that reads, with what it is given. */
function listReadings(codec: Codec, size: number): readonly Reading[] {
  return inputsOf(codec, size).flatMap((make) =>
    Object.entries(readings).flatMap(([name, read]) =>
      (name in decoding ? [undefined, replacing] : [undefined]).map((options) => {
        const run = (bytes: Bytes) => rawOutcomeOf(() => read(codec, bytes, options));
        const expected = run(make().slice());
        // A result whose memory is used again must not change what is expected.
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

  it.each(Object.entries(disguises))('frames are written to: %s', (_, disguise) => {
    const as =
      (options: UTFOptions): typeof writeUTF =>
      (text, target, offset) =>
        writeUTF(text, target, offset, options);
    for (const write of [
      writeUTF,
      as({ length: 1, lengthIn: 'units' }),
      as({ length: 4, endian: 'le' }),
      as({ length: 'uleb128' }),
      as({ length: 'hadoop-vint', lengthIn: 'units' }),
      writeLongUTF,
      writeUnits,
      writeCString,
      writeDexString,
    ]) {
      for (const [text, size] of [
        ['aé中', 6] as const,
        ['aé中', 20] as const,
        ['x'.repeat(300), 100] as const,
      ]) {
        const run = (change: Disguise) => {
          const memory = new Uint8Array(size + 4096).fill(0xaa);
          const target = change(memory.subarray(64, 64 + size));
          const next = outcomeOf(() => write(text, target, 1));
          return { next, memory: Buffer.from(memory).toString('hex') };
        };
        expect(run(disguise)).toEqual(run((target) => target));
      }
    }
  });
});

function copyShared(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}
