/** Frames whose length is written in other ways, or counts code units. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import type { Codec, ErrorPolicy } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import * as dataInput from '@utf8/mutf8/data-input';
import {
  encodeLongUTF,
  encodeUnits,
  encodeUTF,
  FrameError,
  readLongUTF,
  readUnits,
  readUTF,
  type UTFOptions,
  writeLongUTF,
  writeUnits,
  writeUTF,
} from '@utf8/mutf8/framing';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import * as mb3 from '@utf8/strict/mb3';
import * as wtf8 from '@utf8/wtf8';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../tooling/conformance/test/calls.js';
import { choose, isNight, scale, seed } from '../../../tooling/tiers/tier.js';

/** A length as its definition has it, in arithmetic that the code under test has not. */
interface Form {
  readonly name: string;
  readonly options: UTFOptions;
  readonly limit: number;
  write(length: number): Uint8Array;
}

const fixed = (['be', 'le'] as const).flatMap((endian) =>
  ([1, 2, 4, 8] as const).flatMap((length) =>
    [false, true].map((signed): Form => {
      const bits = BigInt(8 * length - (signed ? 1 : 0));
      return {
        name: `${signed ? 'i' : 'u'}${length} ${endian}`,
        options: { length, endian, signed },
        limit: Math.min(Number(2n ** bits - 1n), Number.MAX_SAFE_INTEGER),
        write(value) {
          const view = new DataView(new ArrayBuffer(8));
          view.setBigUint64(
            0,
            BigInt(value) << BigInt(endian === 'be' ? 64 - 8 * length : 0),
            endian === 'le',
          );
          return new Uint8Array(view.buffer, 0, length);
        },
      };
    }),
  ),
);

const uleb128 = (value: number): Uint8Array => {
  const groups = value.toString(2).match(/.{1,7}(?=(.{7})*$)/g) as string[];
  const bytes = groups.toReversed().map((group) => Number.parseInt(group, 2) + 128);
  bytes[bytes.length - 1] = (bytes.at(-1) as number) - 128;
  return Uint8Array.from(bytes);
};

/** The documentation of WritableUtils.writeVLong: -112..127 alone; else -112 less the number of bytes. */
const hadoopVint = (value: number): Uint8Array => {
  if (value < 128) return Uint8Array.of(value);
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Uint8Array.of(256 - 112 - bytes.length, ...bytes);
};

const forms: readonly Form[] = [
  ...fixed,
  { name: 'uleb128', options: { length: 'uleb128' }, limit: 2 ** 32 - 1, write: uleb128 },
  {
    name: 'signed uleb128',
    options: { length: 'uleb128', signed: true },
    limit: 2 ** 31 - 1,
    write: uleb128,
  },
  {
    name: 'hadoop-vint',
    options: { length: 'hadoop-vint' },
    limit: 2 ** 31 - 1,
    write: hadoopVint,
  },
];

const around = (...bits: readonly number[]): number[] =>
  bits.flatMap((bit) => [2 ** bit - 1, 2 ** bit, 2 ** bit + 1]);

/** Each length below 300, of which some by day, and those around the powers of 2. */
const lengths = [
  ...[0, 1],
  ...choose(
    Array.from({ length: 300 }, (_, i) => i),
    30,
  ),
  ...around(7, 8, 9, 10, 13, 14, 15, 16),
];
/** Left to .ci/run. */
const longLengths = around(20, 21, 23, 24);

const target = new Uint8Array(2 ** 24 + 64);
const ascii = 'a'.repeat(2 ** 24 + 1);

describe.each(forms)('$name', ({ options, limit, write }) => {
  const check = (some: readonly number[]): void => {
    for (const length of some) {
      const text = ascii.slice(0, length);
      if (length > limit) {
        for (const refused of [
          () => encodeUTF(text, options),
          () => writeUTF(text, target, 3, options),
        ]) {
          const error = catchError(refused);
          expect(error).toBeInstanceOf(FrameError);
          expect(error).toMatchObject({ missing: 0 });
          expect(String(error)).toContain(`takes ${length} bytes of Modified UTF-8, and a`);
          expect(String(error)).toContain(` allows at most ${limit}.`);
        }
        continue;
      }
      const header = write(length);
      const next = 3 + header.length + length;
      for (const lengthIn of ['bytes', 'units'] as const) {
        target.fill(0xaa, 0, next + 5);
        expect(writeUTF(text, target, 3, { ...options, lengthIn })).toBe(next);
        expect(target.subarray(0, 3 + header.length)).toEqual(
          Uint8Array.of(0xaa, 0xaa, 0xaa, ...header),
        );
        expect(target[next]).toBe(0xaa);
        const frame = readUTF(target, 3, { ...options, lengthIn });
        expect(frame.next).toBe(next);
        expect(frame.text === text).toBe(true);
      }
      if (length > 70_000) continue;
      expect(Buffer.compare(encodeUTF(text, options), target.subarray(3, next))).toBe(0);
    }
  };

  it('is written and read as it is defined, for each length that it holds', () => {
    check(lengths);
  });

  it('is written and read as it is defined, for long texts', { tags: ['slow'] }, () => {
    check(longLengths);
  });

  it('of any value says what is missing', () => {
    const values = [
      ...lengths,
      ...longLengths,
      ...[31, 32, 52].map((bits) => 2 ** bits - 1),
      2 ** 31,
    ];
    for (const value of values.filter((each) => each <= limit)) {
      const header = write(value);
      const found = Math.min(value, 5);
      const bytes = Uint8Array.of(0, ...header, ...new Uint8Array(found).fill(0x61));
      for (const lengthIn of ['bytes', 'units'] as const) {
        const outcome = catchError(() => readUTF(bytes, 1, { ...options, lengthIn }));
        if (found === value) expect(outcome).toBeUndefined();
        else {
          // A pair, of which two units are missing, may lack but its last byte.
          const missing = lengthIn === 'bytes' ? value - found : Math.max(value - found - 1, 1);
          expect(outcome).toMatchObject({ name: 'FrameError', offset: 1, missing });
        }
      }
    }
  });

  it('that is cut says how many bytes are missing at least', () => {
    const header = write(Math.min(limit, 0x12_3456));
    for (let length = 0; length < header.length; length++) {
      const error = catchError(() => readUTF(header.subarray(0, length), 0, options)) as FrameError;
      expect(error).toBeInstanceOf(FrameError);
      expect(error.missing).toBeGreaterThanOrEqual(1);
      expect(error.missing).toBeLessThanOrEqual(header.length - length);
      expect(error.message).toMatch(/^The text at byte 0 runs past the end: at least \d byte/);
    }
  });

  it('is written in place as apart, wherever there is room, and else nothing is', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            'a',
            'é',
            '中',
            '\0',
            '😀',
            '\ud800',
            'x'.repeat(100),
            'é'.repeat(60),
            '中'.repeat(200),
          ),
          fc.string(),
        ),
      )
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        text,
        fc.nat(6),
        fc.oneof(fc.nat(20), fc.constant(9000)),
        fc.boolean(),
        (input, at, room, isUnits) => {
          const wanted: UTFOptions = { ...options, lengthIn: isUnits ? 'units' : 'bytes' };
          const frame = outcomeOf(() => encodeUTF(input, wanted));
          const bytes = catchError(() => encodeUTF(input, wanted))
            ? undefined
            : encodeUTF(input, wanted);
          const memory = new Uint8Array(Math.max(0, at + (bytes?.length ?? 0) + room - 3)).fill(
            0xaa,
          );
          const before = memory.slice();
          if (!bytes) {
            expect(outcomeOf(() => writeUTF(input, memory, at, wanted))).toEqual(frame);
            expect(Buffer.compare(memory, before)).toBe(0);
          } else if (memory.length < at + bytes.length) {
            expect(() => writeUTF(input, memory, at, wanted)).toThrow(
              expect.objectContaining({
                name: 'FrameError',
                offset: at,
                missing: at + bytes.length - memory.length,
              }),
            );
            expect(Buffer.compare(memory, before)).toBe(0);
          } else {
            expect(writeUTF(input, memory, at, wanted)).toBe(at + bytes.length);
            before.set(bytes, at);
            expect(Buffer.compare(memory, before)).toBe(0);
            const shared = new Uint8Array(new SharedArrayBuffer(memory.length));
            shared.set(memory);
            for (const source of [memory, shared, new DataView(memory.buffer)]) {
              expect(readUTF(source, at, wanted)).toEqual({ text: input, next: at + bytes.length });
            }
          }
        },
      ),
      { seed, numRuns: scale(300) },
    );
  });
});

/** Reads a header followed by some bytes of text, and returns the missing bytes or the message of an error. */
const readHeader = (header: readonly number[], room: number, options: UTFOptions): unknown => {
  const bytes = new Uint8Array(header.length + room).fill(0x61);
  bytes.set(header);
  const error = catchError(() =>
    expect(readUTF(bytes, 0, options).next).toBeLessThanOrEqual(bytes.length),
  );
  return error instanceof FrameError ? error.missing || error.message : error;
};

describe('every header', () => {
  // By day, one of many: a prime, so that all bytes of a header differ.
  const step = isNight ? 1 : 31;

  it.each([false, true])('of two bytes; signed: %s', (signed) => {
    const view = new DataView(new ArrayBuffer(2));
    for (let value = seed % step; value <= 0xffff; value += step) {
      for (const endian of ['be', 'le'] as const) {
        view.setUint16(0, value, endian === 'le');
        const length = signed ? (value << 16) >> 16 : value;
        const expected =
          length < 0 ? 'The text at byte 0 has a negative length.' : length || undefined;
        const header = [view.getUint8(0), view.getUint8(1)];
        if (readHeader(header, 0, { length: 2, endian, signed }) !== expected) {
          expect.fail(`${header} ${endian}`);
        }
      }
    }
  });

  it('of up to three bytes of uleb128', () => {
    for (let bits = seed % step; bits < 2 ** 21; bits += step * (bits < 2 ** 16 ? 1 : 61)) {
      const value = bits;
      const header = [...uleb128(value)];
      // Zeros that are not needed are read too.
      const long = [...header.slice(0, -1), (header.at(-1) as number) | 0x80, 0];
      for (const each of [header, long]) {
        if (readHeader(each, 0, { length: 'uleb128' }) !== (value || undefined))
          expect.fail(`${each}`);
      }
    }
  });

  it('of uleb128 beyond 32 bits, or beyond 31 where it is signed', () => {
    const most = [0xff, 0xff, 0xff, 0xff];
    expect(readHeader([...most, 0x0f], 1, { length: 'uleb128' })).toBe(2 ** 32 - 2);
    expect(readHeader([...most, 0x07], 1, { length: 'uleb128', signed: true })).toBe(2 ** 31 - 2);
    for (const last of [0x08, 0x0f]) {
      expect(readHeader([...most, last], 1, { length: 'uleb128', signed: true })).toMatch(
        /negative/,
      );
    }
    for (const last of [0x10, 0x7f, 0x80, 0xff]) {
      expect(readHeader([...most, last, 0], 1, { length: 'uleb128' })).toMatch(/more than 32 bits/);
    }
  });

  it('that begins a hadoop-vint', () => {
    for (let first = 0; first <= 0xff; first++) {
      const signed = (first << 24) >> 24;
      const rest = [0, 0, 0, 0, 1, 2, 3, 4];
      const lax = { length: 'hadoop-vint', codec: dataInput } as const;
      const size = -112 - signed;
      const outcome = readHeader([first, ...rest], 0, lax);
      if (signed >= 0) expect(outcome).toBe(signed > 8 ? signed - 8 : undefined);
      else if (signed >= -112 || signed < -120) expect(outcome).toMatch(/negative/);
      else {
        const value = Number(`0x${Buffer.from(rest.slice(0, size)).toString('hex')}`);
        expect(outcome).toBe(Math.max(0, value - rest.length + size) || undefined);
      }
    }
    const long = [0x88, 0, 0, 0, 0, 0x80, 0, 0, 0];
    expect(readHeader(long, 0, { length: 'hadoop-vint' })).toMatch(/more than 31 bits/);
    expect(readHeader([0x88, ...new Array(8).fill(0xff)], 0, { length: 'hadoop-vint' })).toMatch(
      /more than 31/,
    );
  });

  it('of eight bytes that no memory holds', () => {
    const high = (byte: number): number[] => [byte, 0, 0, 0, 0, 0, 0, 0];
    for (const [byte, signed, unsigned] of [
      [0x80, /negative/, /more than 53 bits/],
      [0xff, /negative/, /more than 53 bits/],
      [0x7f, /more than 53 bits/, /more than 53 bits/],
      [0x01, /more than 53 bits/, /more than 53 bits/],
    ] as const) {
      expect(readHeader(high(byte), 9, { length: 8, signed: true })).toMatch(signed);
      expect(readHeader(high(byte), 9, { length: 8 })).toMatch(unsigned);
      expect(readHeader(high(byte).reverse(), 9, { length: 8, endian: 'le' })).toMatch(unsigned);
      expect(catchError(() => readLongUTF(Uint8Array.from(high(byte))))).toMatchObject({
        missing: 0,
      });
    }
    expect(readHeader([0, 0x20, 0, 0, 0, 0, 0, 0], 0, { length: 8 })).toMatch(/more than 53 bits/);
    const most = [0, 0x1f, 255, 255, 255, 255, 255, 255];
    expect(catchError(() => readUTF(Uint8Array.from(most), 0, { length: 8 }))).toBeInstanceOf(
      FrameError,
    );
    // A length in code units that is as long asks for no memory.
    const shared = new Uint8Array(new SharedArrayBuffer(9));
    shared.set([0, 0x1f, 255, 255, 255, 255, 255, 255, 0x61]);
    expect(catchError(() => readUTF(shared, 0, { length: 8, lengthIn: 'units' }))).toBeInstanceOf(
      FrameError,
    );
  });
});

describe('long UTF', () => {
  it('is a signed length of eight bytes', () => {
    const long: UTFOptions = { length: 8, signed: true };
    for (const length of [0, 1, 40, 65_535, 65_536, 200_000]) {
      const text = '中'.repeat(length);
      const frame = encodeLongUTF(text);
      expect(Buffer.compare(frame, encodeUTF(text, long))).toBe(0);
      expect(writeLongUTF(text, target, 7)).toBe(7 + frame.length);
      expect(Buffer.compare(target.subarray(7, 7 + frame.length), frame)).toBe(0);
      expect(readLongUTF(target, 7)).toEqual({ text, next: 7 + frame.length });
    }
  });
});

const policies: readonly ErrorPolicy[] = [
  'strict',
  'replace',
  'ignore',
  'backslashreplace',
  'surrogateescape',
  ({ offset }) => `<${offset}>`,
];

describe('a length in code units', () => {
  const codecs: readonly Codec[] = [
    mutf8,
    dataInput,
    android,
    strict,
    mb3,
    cesu8,
    lenient,
    rfc2279,
    wtf8,
  ];
  const input = fc
    .array(
      fc.constantFrom(
        'a',
        'é',
        '中',
        '\0',
        '😀',
        '\ud83d',
        '\ude00',
        '\udc80',
        '\udcc3',
        '\udca9',
        'xyz',
      ),
    )
    .map((pieces) => pieces.join(''));

  it.each(codecs.map((codec) => [codec.name, codec] as const))(
    'is what a reader finds, whatever a policy wrote: %s',
    (_, codec) => {
      fc.assert(
        fc.property(input, fc.constantFrom(...policies), fc.nat(4), (text, errors, offset) => {
          const options = { codec, errors };
          const written = outcomeOf(() => codec.encode(text, { errors }));
          const error = catchError(() => codec.encode(text, { errors }));
          if (error) {
            expect(outcomeOf(() => encodeUnits(text, options))).toEqual(written);
            expect(outcomeOf(() => writeUnits(text, target, offset, options))).toEqual(written);
            return;
          }
          const bytes = codec.encode(text, { errors });
          if (errors === 'surrogateescape' && /\p{Surrogate}/u.test(text)) {
            for (const call of [
              () => encodeUnits(text, options),
              () => writeUnits(text, target, offset, options),
              () => encodeUTF(text, { ...options, lengthIn: 'units' }),
            ]) {
              expect(call).toThrow(/surrogateescape restores/);
            }
            return;
          }
          const back = codec.decode(bytes, { errors });
          expect(encodeUnits(text, options)).toEqual({ bytes, units: back.length });
          const next = offset + bytes.length;
          target.fill(0xaa, 0, next + 9);
          expect(writeUnits(text, target, offset, options)).toEqual({ units: back.length, next });
          expect(Buffer.compare(target.subarray(offset, next), bytes)).toBe(0);
          expect(target[next]).toBe(0xaa);
          // A policy that drops faults reads nothing more once it has enough.
          expect(readUnits(target, offset, back.length, options)).toEqual({ text: back, next });
          const wanted: UTFOptions = { ...options, length: 'uleb128', lengthIn: 'units' };
          const end = writeUTF(text, target, offset, wanted);
          expect(readUTF(target, offset, wanted)).toEqual({ text: back, next: end });
        }),
        { seed, numRuns: scale(500) },
      );
    },
  );

  it('that its form does not hold is refused', () => {
    const text = '中'.repeat(256);
    for (const write of [
      writeUTF,
      (each: string, _: unknown, __: unknown, o: UTFOptions) => encodeUTF(each, o),
    ]) {
      expect(() => write(text, target, 0, { length: 1, lengthIn: 'units' })).toThrow(
        'The text has 256 code units, and a length of one byte allows at most 255.',
      );
    }
    expect(writeUTF(text.slice(1), target, 0, { length: 1, lengthIn: 'units' })).toBe(766);
  });

  it('ends a text before a low surrogate that begins the next', () => {
    for (const codec of [mutf8, dataInput, android, lenient]) {
      const options: UTFOptions = { codec, length: 1, lengthIn: 'units' };
      const bytes = Buffer.concat(['a\ud83d', '\ude00b'].map((text) => codec.encode(text)));
      expect(readUnits(bytes, 0, 2, { codec })).toEqual({ text: 'a\ud83d', next: 4 });
      expect(readUnits(bytes, 4, 2, { codec })).toEqual({ text: '\ude00b', next: 8 });
      const frames = Buffer.concat(['a\ud83d', '\ude00b'].map((text) => encodeUTF(text, options)));
      expect(readUTF(frames, 0, options)).toEqual({ text: 'a\ud83d', next: 5 });
      expect(readUTF(frames, 5, options)).toEqual({ text: '\ude00b', next: 10 });
    }
  });

  it('that ends within a character is refused', () => {
    const frame = Uint8Array.of(9, 1, 0xf0, 0x9f, 0x98, 0x80);
    for (const codec of [strict, android, wtf8]) {
      expect(() => readUTF(frame, 1, { codec, length: 1, lengthIn: 'units' })).toThrow(
        'The text at byte 1 has a count of 1 code unit, which ends within a character.',
      );
    }
  });

  it('writes nothing where there is no room', () => {
    const memory = new Uint8Array(5).fill(0xaa);
    expect(() => writeUnits('中é', memory, 1)).toThrow(
      expect.objectContaining({ name: 'FrameError', missing: 1, offset: 1 }),
    );
    expect(memory).toEqual(new Uint8Array(5).fill(0xaa));
    expect(writeUnits('中é', memory)).toEqual({ units: 2, next: 5 });
    for (const offset of [-1, 0.5, Number.NaN, '0' as never]) {
      expect(() => writeUnits('a', memory, offset)).toThrow(RangeError);
    }
    expect(() => writeUnits(1 as never, memory)).toThrow(TypeError);
    expect(() => writeUnits('a', [] as never)).toThrow(TypeError);
  });
});

describe('any bytes', () => {
  const options = fc.record({
    form: fc.constantFrom(...forms),
    codec: fc.constantFrom(mutf8, dataInput, android, strict, cesu8, lenient, rfc2279, wtf8),
    errors: fc.constantFrom(undefined, ...policies),
    lengthIn: fc.constantFrom('bytes', 'units'),
  });
  const bytes = fc
    .tuple(
      fc.oneof(
        fc.uint8Array({ maxLength: 9 }),
        fc.constantFrom(...forms).map(({ write }) => write(7)),
      ),
      fc.array(
        fc.oneof(
          fc.constantFrom(
            [0x61],
            [0xc3, 0xa9],
            [0xe4, 0xb8, 0xad],
            [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
          ),
          fc.constantFrom([0xf0, 0x9f, 0x98, 0x80], [0xc0, 0x80], [0xff], [0xe2, 0x82]),
        ),
      ),
    )
    .map(([header, text]) => Uint8Array.of(...header, ...text.flat()));

  it('are read to the same of shared and of plain memory, within their end, or refused in words', () => {
    let texts = 0;
    fc.assert(
      fc.property(bytes, options, fc.nat(3), (input, { form, codec, errors, lengthIn }, offset) => {
        const wanted = { ...form.options, codec, errors, lengthIn } as UTFOptions;
        const shared = new Uint8Array(new SharedArrayBuffer(input.length));
        shared.set(input);
        const outcome = outcomeOf(() => readUTF(input, offset, wanted));
        expect(outcomeOf(() => readUTF(shared, offset, wanted))).toEqual(outcome);
        const error = catchError(() => {
          const { next } = readUTF(input, offset, wanted);
          expect(next).toBeGreaterThan(offset);
          expect(next).toBeLessThanOrEqual(input.length);
          texts++;
        }) as Error | undefined;
        if (error) expect(['FrameError', 'DecodeError']).toContain(error.name);
      }),
      { seed, numRuns: scale(20_000) },
    );
    expect(texts).toBeGreaterThan(scale(1000));
  });
});

describe('a policy', () => {
  it('is obeyed in place as apart', () => {
    for (const errors of policies) {
      for (const text of ['\udc80', 'a\udcc3\udca9', '\ud800', 'plain']) {
        for (const length of [undefined, 2, 4, 'uleb128'] as const) {
          const options = { errors, length };
          const apart = outcomeOf(() => encodeUTF(text, options));
          const inPlace = outcomeOf(() => target.slice(5, writeUTF(text, target, 5, options)));
          expect(inPlace).toEqual(apart);
        }
      }
    }
    expect(() => writeUTF('a', target, 0, { errors: 'lax' as never })).toThrow(TypeError);
  });
});

describe('an option that is none', () => {
  it.each([
    [{ length: 3 }, /length is 1, 2, 4, 8, 'uleb128' or 'hadoop-vint', but got 3/],
    [{ length: '2' }, /but got 2/],
    [{ length: 'varint' }, /but got varint/],
    [{ length: null }, /but got null/],
    [{ length: 'toString' }, /but got toString/],
    [{ endian: 'big' }, /endian is 'be' or 'le', but got big/],
    [{ endian: true }, /endian/],
    [{ length: 'uleb128', endian: 'le' }, /endian is for integers, but the length is uleb128/],
    [{ length: 'hadoop-vint', endian: 'be' }, /endian is for integers/],
    [{ signed: 1 }, /signed is true or false, but got 1/],
    [{ lengthIn: 'chars' }, /lengthIn is 'bytes' or 'units', but got chars/],
  ])('is refused: %o', (options, message) => {
    for (const call of [
      () => readUTF(Uint8Array.of(0, 0), 0, options as never),
      () => writeUTF('', target, 0, options as never),
      () => encodeUTF('', options as never),
    ]) {
      const error = catchError(call);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(message);
    }
  });

  it('but undefined is as none', () => {
    const nothing: UTFOptions = {
      length: undefined,
      endian: undefined,
      signed: undefined,
      lengthIn: undefined,
    };
    expect(encodeUTF('é', nothing)).toEqual(encodeUTF('é'));
    expect(encodeUTF('é', { length: 2 })).toEqual(encodeUTF('é'));
    expect(encodeUTF('é', { endian: 'be' })).toEqual(encodeUTF('é'));
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
