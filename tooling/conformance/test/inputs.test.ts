/** Tests of the arguments of functions, the ownership of their results, and the errors of misuse. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as lite from '@utf8/cesu8/lite';
import { type Codec, createCodec, Transcoder, transcode } from '@utf8/core';
import * as strict from '@utf8/strict';
import { beforeAll, describe, expect, it } from 'vitest';

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const TEXT = 'aé한\u{1f600}';
const ENCODED = fromHex('61 C3 A9 ED 95 9C ED A0 BD ED B8 80');

/** Returns twelve bytes in every kind of memory, most of them not at its beginning. */
function inMemories(): Record<string, ArrayBuffer | SharedArrayBuffer | ArrayBufferView> {
  const buffer = new ArrayBuffer(20);
  new Uint8Array(buffer).set(ENCODED, 4);
  const shared = new SharedArrayBuffer(20);
  new Uint8Array(shared).set(ENCODED, 4);
  const whole = new SharedArrayBuffer(12);
  new Uint8Array(whole).set(ENCODED);
  return {
    Uint8Array: ENCODED,
    'a view with an offset': new Uint8Array(buffer, 4, 12),
    ArrayBuffer: ENCODED.slice().buffer,
    DataView: new DataView(buffer, 4, 12),
    Uint16Array: new Uint16Array(buffer, 4, 6),
    'Node Buffer from the pool': Buffer.from(ENCODED),
    SharedArrayBuffer: whole,
    'a view of shared memory': new Uint8Array(shared, 4, 12),
  };
}

describe.each(Object.entries(inMemories()))('input as %s', (_, bytes) => {
  it('is read by every function', () => {
    for (const codec of [cesu8, lite, lenient] as Codec[]) {
      expect(codec.decode(bytes)).toBe(TEXT);
      expect(codec.isValid(bytes)).toBe(true);
      expect(codec.findFault(bytes)).toBeUndefined();
      expect([...codec.faults(bytes)]).toEqual([]);
      expect(codec.decodedLength(bytes)).toBe(TEXT.length);
      expect(codec.countCodePoints(bytes)).toBe(4);
      expect(codec.floorBoundary(bytes, 9)).toBe(6);
      expect(codec.ceilBoundary(bytes, 9)).toBe(12);
      expect(codec.compare(bytes, ENCODED)).toBe(0);
      expect(codec.decodeCodePoints(bytes)).toHaveLength(4);
      expect(new codec.Decoder().decode(bytes)).toBe(TEXT);
      expect(new codec.TextDecoder().decode(bytes)).toBe(TEXT);
    }
    expect(transcode(bytes, cesu8, strict)).toEqual(strict.encode(TEXT));
  });
});

describe('results', () => {
  it.each([0, 1, 3, 40, 5000, 100_000])('of %d characters own their memory', (length) => {
    for (const codec of [cesu8, lite, strict] as Codec[]) {
      for (const text of ['a', 'é', '한', '\u{1f600}'].map((character) =>
        character.repeat(length),
      )) {
        const encoded = codec.encode(text);
        expect(encoded.byteOffset).toBe(0);
        expect(encoded.buffer.byteLength).toBe(encoded.length);
        const other = codec.encode(text);
        expect(other.buffer).not.toBe(encoded.buffer);
        const passed = transcode(encoded, codec, strict);
        expect(passed.buffer.byteLength).toBe(passed.length);
        expect(passed.buffer).not.toBe(encoded.buffer);
      }
    }
  });

  it('are a view of the input in truncate alone', () => {
    const bytes = ENCODED.slice();
    expect(cesu8.truncate(bytes, 8).buffer).toBe(bytes.buffer);
    expect(cesu8.truncate(bytes, 8)).toHaveLength(6);
    expect(cesu8.truncate(bytes, 100)).toHaveLength(12);
    expect(cesu8.truncate(bytes, -1)).toHaveLength(0);
  });

  it('are of the class of the input in truncate', () => {
    const { buffer } = ENCODED.slice();
    // Browsers have no class of this name.
    const { Buffer: Node = Uint8Array } = globalThis as { Buffer?: { prototype: object } };
    const inBuffer: Uint8Array = Object.setPrototypeOf(new Uint8Array(buffer), Node.prototype);
    expect(Object.getPrototypeOf(cesu8.truncate(inBuffer, 8))).toBe(Node.prototype);
    expect(cesu8.truncate(inBuffer, 8)).toHaveLength(6);
    for (const input of [buffer, new DataView(buffer), new Uint16Array(buffer, 0, 4)]) {
      expect(cesu8.truncate(input, 7)).toStrictEqual(new Uint8Array(buffer, 0, 6));
    }
    const shared = new SharedArrayBuffer(buffer.byteLength);
    new Uint8Array(shared).set(ENCODED);
    expect(cesu8.truncate(shared, 7)).toStrictEqual(new Uint8Array(shared, 0, 6));
  });
});

describe('results that are too long', { tags: ['slow'] }, () => {
  // One byte more than the longest string of V8 has code units.
  let tooLong: Uint8Array;
  beforeAll(() => {
    tooLong = new Uint8Array(2 ** 29 - 24 + 1).fill(0x61);
  });

  it.each([
    ['with a kernel', cesu8],
    ['on the tables', lite],
  ])('decode says so and names the streaming way, %s', (_, codec) => {
    let error: unknown;
    try {
      codec.decode(tooLong);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(RangeError);
    expect((error as RangeError).message).toContain('Decoder');
    expect(codec.decodedLength(tooLong)).toBe(tooLong.length);
  });
});

describe('misuse', () => {
  it.each([
    ['a string', 'text', 'the string text'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an array', [1, 2], 'an object of type Array'],
    ['a number', 5, 'the number 5'],
  ])('%s for bytes is named', (_, value, named) => {
    const bytes = value as unknown as Uint8Array;
    for (const codec of [cesu8, lite]) {
      const calls = [
        () => codec.decode(bytes),
        () => codec.isValid(bytes),
        () => codec.findFault(bytes),
        () => codec.faults(bytes),
        () => codec.countCodePoints(bytes),
        () => codec.truncate(bytes, 1),
        () => codec.compare(ENCODED, bytes),
        () => transcode(bytes, codec, strict),
      ];
      for (const call of calls) {
        expect(call).toThrow(TypeError);
        expect(call).toThrow(named);
      }
    }
  });

  it('other wrong arguments are named too', () => {
    const number = 5 as unknown as string;
    expect(() => cesu8.encode(number)).toThrow('Expected a string, but got the number 5');
    expect(() => cesu8.byteLength(number)).toThrow(TypeError);
    expect(() => cesu8.encodeInto('', number as unknown as Uint8Array)).toThrow('Uint8Array');
    expect(() => cesu8.decode(ENCODED, { bom: 'add' as 'keep' })).toThrow('keep or strip');
    expect(() => cesu8.floorBoundary(ENCODED, Number.NaN)).toThrow('NaN');
    expect(() => cesu8.ceilBoundary(ENCODED, '1' as unknown as number)).toThrow(TypeError);
  });
});

describe('byte order marks', () => {
  const bytes = fromHex('EF BB BF 41');

  it('are kept by default, except by TextDecoder', () => {
    for (const codec of [cesu8, lite, lenient, strict] as Codec[]) {
      expect(codec.decode(bytes)).toBe('\ufeffA');
      expect(codec.decode(bytes, { bom: 'strip' })).toBe('A');
      expect(codec.decodedLength(bytes, { bom: 'strip' })).toBe(1);
      expect(Array.from(codec.decodeCodePoints(bytes, { bom: 'strip' }))).toEqual([0x41]);
      expect(new codec.Decoder().decode(bytes)).toBe('\ufeffA');
      expect(new codec.Decoder({ bom: 'strip' }).decode(bytes)).toBe('A');
      expect(new codec.TextDecoder().decode(bytes)).toBe('A');
      const keeping = new codec.TextDecoder(undefined, { ignoreBOM: true });
      expect(keeping.decode(bytes)).toBe('\ufeffA');
    }
  });

  it('are dropped once, at every split, and in each stream of a decoder', () => {
    const twice = fromHex('EF BB BF EF BB BF 41');
    const decoder = new cesu8.Decoder({ bom: 'strip' });
    for (let at = 0; at <= twice.length; at++) {
      const head = decoder.decode(twice.subarray(0, at), { stream: true });
      expect(head + decoder.decode(twice.subarray(at))).toBe('\ufeffA');
    }
  });
});

describe('a codec from elsewhere', () => {
  it('transcodes on the tables of its grammar', () => {
    const foreign = { ...cesu8, decode: () => '' } as Codec;
    expect(transcode(ENCODED, foreign, strict)).toEqual(strict.encode(TEXT));
  });

  it('is what createCodec makes of a grammar', () => {
    const made = createCodec('mine', cesu8.grammar);
    expect(made.decode(ENCODED)).toBe(TEXT);
    expect(new Transcoder(made, strict).push(ENCODED)).toEqual(strict.encode(TEXT));
  });
});

describe('time', { tags: ['slow'] }, () => {
  it('stays linear where every byte is malformed', () => {
    // A quadratic walk over 2 MiB would take hours.
    const bytes = new Uint8Array(2 << 20).fill(0xff);
    for (const codec of [cesu8, lite, strict] as Codec[]) {
      expect(codec.decode(bytes, { errors: 'replace' })).toHaveLength(bytes.length);
      expect(codec.countCodePoints(bytes)).toBe(bytes.length);
    }
    const lone = '\ud83d'.repeat(1 << 20);
    expect(cesu8.encode(lone, { errors: 'replace' })).toHaveLength(3 * lone.length);
    const halves = lenient.encode(lone);
    expect(lenient.floorBoundary(halves, halves.length - 1)).toBe(halves.length - 3);
    expect(transcode(halves, lenient, strict, { errors: 'replace' })).toHaveLength(halves.length);
  });
});
