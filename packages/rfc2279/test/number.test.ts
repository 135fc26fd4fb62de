/** FLAC's coded numbers, beside arithmetic that knows neither masks nor shifts. */
import * as lax from '@utf8/rfc2279/lax';
import { readNumber, writeNumber } from '@utf8/rfc2279/lax';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../tooling/oracles/interop/src/random.js';
import { seed } from '../../../tooling/tiers/tier.js';

/** Number of bits for the number, by length in bytes. */
const BITS = [0, 7, 11, 16, 21, 26, 31, 36];

/** The bytes of a number in some length, which may be more than it needs. */
function spell(value: number, length: number): number[] {
  if (length === 1) return [value];
  const bytes: number[] = [];
  let rest = value;
  for (let i = 1; i < length; i++) {
    bytes.unshift(128 + (rest % 64));
    rest = Math.floor(rest / 64);
  }
  return [256 - 2 ** (8 - length) + rest, ...bytes];
}

const lengthOf = (value: number): number => BITS.findIndex((bits) => bits && value < 2 ** bits);

const edges = BITS.slice(1).flatMap((bits) => [2 ** bits - 2, 2 ** bits - 1, 2 ** bits]);
const random = new Random(seed);
const values = [
  ...[0, 1, ...edges].filter((value) => value < 2 ** 36),
  ...Array.from({ length: 300 }, () => random.below(2 ** 32) % 2 ** random.between(1, 32)),
  ...Array.from({ length: 100 }, () => random.below(2 ** 32) * 16 + random.below(16)),
];

const failure = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('coded numbers', () => {
  it('are written and read as arithmetic has it, to 36 bits', () => {
    for (const value of values) {
      const bytes = spell(value, lengthOf(value));
      expect(Array.from(writeNumber(value)), `${value}`).toEqual(bytes);
      const source = Uint8Array.from([0xff, ...bytes, 0x80]);
      expect(readNumber(source, 1)).toEqual({ value, next: 1 + bytes.length });
      expect(readNumber(Uint8Array.from(bytes)).value).toBe(value);
    }
  });

  it('count frames of 4,096 samples beyond 85 minutes, where surrogates are numbers', () => {
    const minutes = (frame: number): number => Math.floor((frame * 4096) / 44_100 / 60);
    expect([minutes(55_296), minutes(57_343)]).toEqual([85, 88]);
    for (let frame = 55_290; frame < 57_350; frame++) {
      const bytes = writeNumber(frame);
      expect(Array.from(bytes)).toEqual(spell(frame, 3));
      expect(readNumber(bytes)).toEqual({ value: frame, next: 3 });
      expect(Array.from(lax.decodeCodePoints(bytes))).toEqual([frame]);
    }
  });

  it('are refused in more bytes than they need', () => {
    for (const value of values) {
      for (let length = lengthOf(value) + 1; length <= 7; length++) {
        const source = Uint8Array.from(spell(value, length));
        expect(
          failure(() => readNumber(source)),
          `${value} in ${length}`,
        ).toMatchObject({
          code: 'ERR_UTF8_DECODE',
          reason: 'overlong',
          offset: 0,
          length: 1,
          incomplete: false,
        });
      }
    }
  });

  it('are incomplete where the end cuts them, and truncated where another byte does', () => {
    for (const value of values) {
      const bytes = spell(value, lengthOf(value));
      for (let length = 1; length < bytes.length; length++) {
        const cut = [0x41, ...bytes.slice(0, length)];
        const fault = { code: 'ERR_UTF8_DECODE', reason: 'truncated', offset: 1, length };
        const atEnd = failure(() => readNumber(Uint8Array.from(cut), 1));
        expect(atEnd, `${cut}`).toMatchObject({ ...fault, incomplete: true });
        for (const other of [0x00, 0x7f, 0xc0, 0xff]) {
          const before = Uint8Array.from([...cut, other, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]);
          const inside = failure(() => readNumber(before, 1));
          expect(inside, `${before}`).toMatchObject({ ...fault, incomplete: false });
        }
      }
    }
    expect(failure(() => readNumber(Uint8Array.of(0x41), 1))).toMatchObject({
      reason: 'truncated',
      offset: 1,
      length: 0,
      incomplete: true,
    });
  });

  it('have the faults of the codec, for all pairs of bytes at the start but those of seven bytes', () => {
    for (let lead = 0; lead <= 0xff; lead++) {
      const sources = Array.from({ length: 256 }, (_, second) =>
        Uint8Array.of(lead, second, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf),
      );
      if (lead === 0xfe) {
        expect(sources.map((source) => lax.isValid(source))).toEqual(sources.map(() => false));
        continue;
      }
      const errors = sources.map((source) => failure(() => readNumber(source)));
      const faults = sources.map((source) => lax.findFault(source));
      // By the second byte.
      expect(errors, `${lead}`).toMatchObject(
        faults.map((fault) => (fault?.offset === 0 ? fault : undefined)),
      );
    }
  });

  it('are read of any buffer, and not of anything else', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(3));
    shared.set([0xed, 0xa0, 0x80]);
    const value = 55_296;
    expect(readNumber(shared.buffer)).toEqual({ value, next: 3 });
    expect(readNumber(Buffer.from([0x41, ...shared]), 1)).toEqual({ value, next: 4 });
    expect(readNumber(new DataView(shared.buffer, 0, 3))).toEqual({ value, next: 3 });
    expect(() => readNumber([0x41] as never)).toThrow(TypeError);
    for (const offset of [-1, 0.5, 4, Number.NaN]) {
      expect(() => readNumber(shared, offset)).toThrow(RangeError);
    }
  });

  it.each([-1, 0.5, 2 ** 36, Number.NaN, Number.POSITIVE_INFINITY, '5'])(
    'cannot be written of %s',
    (value) => {
      expect(() => writeNumber(value as number)).toThrow(RangeError);
    },
  );
});
