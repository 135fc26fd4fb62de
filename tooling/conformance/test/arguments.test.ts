/** Arguments of a wrong type or out of range: options, indexes, codecs. */

import { type Codec, Transcoder, TranscoderStream, transcode } from '@utf8/core';
import { TranscoderTransform } from '@utf8/core/node';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { errorOf, outcomeOf } from './calls.js';
import { loadCodecs } from './entries.js';

const BYTES = Uint8Array.of(0x61, 0x62, 0x63);

type Call = (codec: Codec, value: never) => unknown;

const withOptions: Readonly<Record<string, Call>> = {
  decode: (codec, options) => codec.decode(BYTES, options),
  'decode of no bytes': (codec, options) => codec.decode(new Uint8Array(0), options),
  encode: (codec, options) => codec.encode('abc', options),
  'encode of no text': (codec, options) => codec.encode('', options),
  encodeInto: (codec, options) => codec.encodeInto('abc', new Uint8Array(9), options),
  byteLength: (codec, options) => codec.byteLength('abc', options),
  decodedLength: (codec, options) => codec.decodedLength(BYTES, options),
  decodeCodePoints: (codec, options) => codec.decodeCodePoints(BYTES, options),
  Decoder: (codec, options) => new codec.Decoder(options),
  Encoder: (codec, options) => new codec.Encoder(options),
  DecoderStream: (codec, options) => new codec.DecoderStream(options),
  EncoderStream: (codec, options) => new codec.EncoderStream(options),
  'Decoder.decode': (codec, options) => new codec.Decoder().decode(BYTES, options),
  'Encoder.encode': (codec, options) => new codec.Encoder().encode('abc', options),
  transcode: (codec, options) => transcode(BYTES, codec, strict, options),
  Transcoder: (codec, options) => new Transcoder(codec, strict, options),
  TranscoderStream: (codec, options) => new TranscoderStream(codec, strict, options),
  TranscoderTransform: (codec, options) => new TranscoderTransform(codec, strict, options),
};

const noObjects: readonly unknown[] = [
  ...['replace', 'strict', '', null, 0, 5, Number.NaN, true, false, 1n, Symbol('s')],
  () => '',
];

/** A TypeError of this project, and not of the engine that found a property missing. */
function expectTypeError(run: () => unknown, wanted: RegExp, what: string): void {
  const error = errorOf(run);
  expect(error, what).toBeInstanceOf(TypeError);
  expect(error?.name, what).toBe('TypeError');
  expect(error?.message, what).toMatch(wanted);
  expect(error?.message, what).not.toMatch(/Cannot (read|destructure|convert)/);
}

describe('what is no options object', async () => {
  const entries = await loadCodecs();

  describe.each(entries.map(({ entry, codec }) => [entry, codec] as const))('%s', (_, codec) => {
    it.each(Object.entries(withOptions))('is refused by %s', (_, call) => {
      for (const value of noObjects) {
        expectTypeError(() => call(codec, value as never), /option/i, String(value));
      }
    });

    it.each(Object.entries(withOptions))('does not include an empty object: %s', (_, call) => {
      const expected = JSON.stringify(outcomeOf(() => call(codec, undefined as never)));
      for (const options of [{}, Object.create(null)]) {
        expect(JSON.stringify(outcomeOf(() => call(codec, options as never)))).toBe(expected);
      }
    });

    // A transform stream of Node accepts further options of its own.
    const { TranscoderTransform: _other, ...checked } = withOptions;
    it.each(Object.entries(checked))('includes an object with an unknown option: %s', (_, call) => {
      const wanted = /^Unknown option "other"; expected [a-z]/;
      expectTypeError(() => call(codec, { other: 1 } as never), wanted, 'other');
    });
  });
});

describe('the index from of findFault', async () => {
  const entries = await loadCodecs();
  const faulty = Uint8Array.of(0x61, 0xff, 0x62, 0xff, 0x63);
  const { length } = faulty;

  describe.each(entries.map(({ entry, codec }) => [entry, codec] as const))('%s', (_, codec) => {
    const find = (from: unknown) => codec.findFault(faulty, from as number);

    it('is refused with a TypeError where it is no number', () => {
      for (const from of ['1', '', null, {}, [1], true, 1n, () => 1]) {
        expectTypeError(() => find(from), /from|index|number/i, String(from));
      }
    });

    it('is refused with a RangeError where it is no index of the bytes', () => {
      const { POSITIVE_INFINITY, NEGATIVE_INFINITY, MAX_SAFE_INTEGER } = Number;
      const others = [POSITIVE_INFINITY, NEGATIVE_INFINITY, MAX_SAFE_INTEGER, 2 ** 32, -(2 ** 32)];
      for (const from of [-1, -100, 0.5, 1.5, length + 0.5, length + 1, ...others]) {
        const error = errorOf(() => find(from));
        expect(error, String(from)).toBeInstanceOf(RangeError);
        expect(error?.message, String(from)).toContain(String(from));
      }
      expect(() => codec.findFault(new Uint8Array(0), 1)).toThrow(RangeError);
    });

    it('is refused where it is NaN', () => {
      expect(errorOf(() => find(Number.NaN))?.name).toMatch(/^(Type|Range)Error$/);
    });

    it('may be any index up to the length', () => {
      expect([0, 1, 2, 3, 4].map((from) => find(from)?.offset)).toEqual([1, 1, 3, 3, undefined]);
      expect(find(length)).toBeUndefined();
      expect(find(undefined)?.offset).toBe(1);
      expect(find(-0)?.offset).toBe(1);
      expect(codec.findFault(new Uint8Array(0), 0)).toBeUndefined();
    });
  });
});

describe('the index of a boundary', async () => {
  const entries = await loadCodecs();
  const calls: Readonly<Record<string, (codec: Codec, index: unknown) => unknown>> = {
    floorBoundary: (codec, index) => codec.floorBoundary(BYTES, index as number),
    ceilBoundary: (codec, index) => codec.ceilBoundary(BYTES, index as number),
    truncate: (codec, index) => codec.truncate(BYTES, index as number).length,
  };

  it.each(Object.entries(calls))('is refused by %s where it is no number', (_, call) => {
    for (const { codec } of entries) {
      for (const index of ['1', '', null, undefined, {}, [1], true, 1n, Number.NaN]) {
        const wanted = /^Expected an index in bytes, but got /;
        expectTypeError(() => call(codec, index), wanted, String(index));
      }
    }
  });

  it.each(Object.entries(calls))('is brought within the bytes by %s', (_, call) => {
    for (const { codec } of entries) {
      const indices = [-1, Number.NEGATIVE_INFINITY, -0.5, 0.5, 1.9, 3.5, 4, 2 ** 32, Infinity];
      expect(indices.map((index) => call(codec, index))).toEqual([0, 0, 0, 0, 1, 3, 3, 3, 3]);
    }
  });
});

describe('what is no codec', async () => {
  const entries = await loadCodecs();
  const decode = () => '';
  const encode = () => new Uint8Array(0);
  const noCodecs: readonly unknown[] = [
    'cesu-8',
    '',
    undefined,
    null,
    5,
    {},
    { name: 'other' },
    { name: 'other', decode, encode },
    { name: 'other', decode, encode, grammar: null },
    { name: 'other', decode, encode, grammar: 'U+0000..U+007F = 00-7F' },
    { name: 'other', decode, encode, grammar: {} },
    new TextDecoder(),
  ];
  const conversions: Readonly<Record<string, (from: Codec, to: Codec) => unknown>> = {
    transcode: (from, to) => transcode(BYTES, from, to),
    'transcode of no bytes': (from, to) => transcode(new Uint8Array(0), from, to),
    Transcoder: (from, to) => new Transcoder(from, to),
    TranscoderStream: (from, to) => new TranscoderStream(from, to),
    TranscoderTransform: (from, to) => new TranscoderTransform(from, to),
  };

  describe.each(entries.map(({ entry, codec }) => [entry, codec] as const))('%s', (_, codec) => {
    it.each(Object.entries(conversions))('is refused on either side by %s', (_, convert) => {
      for (const value of noCodecs) {
        const what = typeof value === 'object' ? JSON.stringify(value) : String(value);
        const other = value as Codec;
        expectTypeError(() => convert(other, codec), /codec/i, `from ${what}`);
        expectTypeError(() => convert(codec, other), /codec/i, `to ${what}`);
        expectTypeError(() => convert(other, other), /codec/i, `from and to ${what}`);
      }
    });
  });

  it('is named in the message where it is a label', () => {
    const label = 'cesu-8' as unknown as Codec;
    expect(() => transcode(BYTES, label, 'utf-8' as never)).toThrow('cesu-8');
    expect(() => transcode(BYTES, strict, label)).toThrow('cesu-8');
  });
});

describe('what only claims to be an array', async () => {
  const entries = await loadCodecs();
  const claim = (tag: string): never =>
    ({ [Symbol.toStringTag]: tag, length: 8, byteLength: 8, byteOffset: 0 }) as never;

  describe.each(entries.map(({ entry, codec }) => [entry, codec] as const))('%s', (_, codec) => {
    it.each(['Uint8Array', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView'])('%s', (tag) => {
      const calls: Readonly<Record<string, () => unknown>> = {
        decode: () => codec.decode(claim(tag)),
        isValid: () => codec.isValid(claim(tag)),
        findFault: () => codec.findFault(claim(tag)),
        faults: () => [...codec.faults(claim(tag))],
        countCodePoints: () => codec.countCodePoints(claim(tag)),
        truncate: () => codec.truncate(claim(tag), 1),
        compare: () => codec.compare(BYTES, claim(tag)),
        encodeInto: () => codec.encodeInto('abc', claim(tag)),
        Decoder: () => new codec.Decoder().decode(claim(tag)),
        transcode: () => transcode(claim(tag), codec, strict),
      };
      for (const [name, call] of Object.entries(calls)) expectTypeError(call, /./, name);
    });
  });
});
