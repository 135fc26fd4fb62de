/** Frames: round trips in every codec at every offset, and descriptions of errors. */
import { Worker } from 'node:worker_threads';
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import { type Codec, createCodec, DecodeError, defineGrammar, EncodeError } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import * as dataInput from '@utf8/mutf8/data-input';
import {
  encodeCString,
  encodeDexString,
  encodeLongUTF,
  encodeUTF,
  FrameError,
  type FrameOptions,
  readCString,
  readDexString,
  readLongUTF,
  readUnits,
  readUTF,
  type TextFrame,
  type UTFOptions,
  writeCString,
  writeDexString,
  writeLongUTF,
  writeUTF,
} from '@utf8/mutf8/framing';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import * as wtf8 from '@utf8/wtf8';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../tooling/conformance/src/texts.js';
import { scale, seed } from '../../../tooling/tiers/tier.js';

/** Unknown to the drivers: it has no engine. */
const foreign: Codec = { ...strict, name: 'foreign', decode: (...args) => strict.decode(...args) };

const codecs: readonly Codec[] = [
  mutf8,
  dataInput,
  android,
  strict,
  cesu8,
  lenient,
  rfc2279,
  wtf8,
  foreign,
];

/** Those that hold lone surrogates. */
const ofCodeUnits: readonly Codec[] = [mutf8, dataInput, android, lenient, wtf8];

/** A text of any code units, of kinds that kernels treat differently. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
      anyText(12),
      fc.stringMatching(/^[а-я가-힣é😀]{0,12}$/u),
      fc.constantFrom('\0', '\ud800', '\udfff', '\ud83d\ude00', '中'),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

interface Kind {
  name: string;
  read(bytes: Uint8Array, offset: number, text: string, options: FrameOptions): TextFrame;
  write: typeof writeUTF;
  encode: typeof encodeUTF;
}

const utf = (name: string, form: UTFOptions): Kind => ({
  name,
  read: (bytes, offset, _, options) => readUTF(bytes, offset, { ...options, ...form }),
  write: (input, target, offset, options) =>
    writeUTF(input, target, offset, { ...options, ...form }),
  encode: (input, options) => encodeUTF(input, { ...options, ...form }),
});

const kinds: readonly Kind[] = [
  { name: 'UTF', read: (b, at, _, o) => readUTF(b, at, o), write: writeUTF, encode: encodeUTF },
  utf('UTF after an le u4', { length: 4, endian: 'le' }),
  utf('UTF after a uleb128', { length: 'uleb128' }),
  utf('UTF after a hadoop-vint', { length: 'hadoop-vint' }),
  {
    name: 'long UTF',
    read: (b, at, _, o) => readLongUTF(b, at, o),
    write: writeLongUTF,
    encode: encodeLongUTF,
  },
  {
    name: 'C string',
    read: (b, at, _, o) => readCString(b, at, o),
    write: writeCString,
    encode: encodeCString,
  },
  {
    name: 'DEX string',
    read: (b, at, _, o) => readDexString(b, at, o),
    write: writeDexString,
    encode: encodeDexString,
  },
];

/**
 * Adapts an input to a codec: without U+0000 if 00 ends a text, and without unpaired surrogates if the codec
 * refuses them.
 */
const fit = (codec: Codec, input: string, kind: string): string => {
  const written =
    codec.encode('\0').includes(0) && !kind.includes('UTF') ? input.replaceAll('\0', '') : input;
  return ofCodeUnits.includes(codec) ? written : written.toWellFormed();
};

describe.each(kinds)('$name', ({ name, read, write, encode }) => {
  it.each(codecs.map((codec) => [codec.name, codec] as const))(
    'is read as it was written, one behind the other: %s',
    (_, codec) => {
      const options = { codec };
      fc.assert(
        fc.property(fc.array(text, { maxLength: 8 }), fc.nat(5), (inputs, start) => {
          const texts = inputs.map((input) => fit(codec, input, name));
          const frames = texts.map((input) => encode(input, options));
          const size = frames.reduce((sum, { length }) => sum + length, start);
          const target = new Uint8Array(size);
          let at = start;
          for (const [i, input] of texts.entries()) {
            const next = write(input, target, at, options);
            expect(target.subarray(at, next)).toEqual(frames[i]);
            at = next;
          }
          expect(at).toBe(size);
          const view = new DataView(target.buffer);
          const shared = new Uint8Array(new SharedArrayBuffer(size));
          shared.set(target);
          for (const bytes of [target, view as never, Buffer.from(target), shared]) {
            at = start;
            for (const input of texts) {
              const frame = read(bytes, at, input, options);
              expect(frame.text).toBe(input);
              at = frame.next;
            }
            expect(at).toBe(size);
          }
        }),
        { seed, numRuns: scale(150) },
      );
    },
  );

  it('takes Modified UTF-8 where no codec is named', () => {
    const frame = encode('a\0😀\ud800');
    expect(read(frame, 0, 'a\0😀\ud800', {})).toEqual({
      text: 'a\0😀\ud800',
      next: frame.length,
    });
    expect(Buffer.from(frame).includes(Buffer.from(mutf8.encode('a\0😀\ud800')))).toBe(true);
  });

  it('writes into a target with room to the byte, and else nothing', () => {
    const frame = encode('é中😀');
    const target = new Uint8Array(frame.length + 2).fill(0xaa);
    expect(write('é中😀', target, 2)).toBe(frame.length + 2);
    expect(target).toEqual(Uint8Array.of(0xaa, 0xaa, ...frame));
    target.fill(0xaa);
    expect(() => write('é中😀', target, 4)).toThrow(
      expect.objectContaining({ name: 'FrameError', missing: 2, offset: 4 }),
    );
    expect(target).toEqual(new Uint8Array(frame.length + 2).fill(0xaa));
  });

  it('says how many bytes are missing, at every cut', () => {
    const frame = encode('é中😀a');
    for (let length = 0; length < frame.length; length++) {
      const error = catchError(() => read(frame.subarray(0, length), 0, '', {}));
      expect(error).toBeInstanceOf(FrameError);
      expect(error).toBeInstanceOf(RangeError);
      const { missing, code, message } = error as FrameError;
      expect(code).toBe('ERR_UTF8_FRAME');
      expect(missing).toBeGreaterThanOrEqual(1);
      expect(missing).toBeLessThanOrEqual(frame.length - length);
      expect(message).toMatch(
        /at byte 0 runs past the end: (at least )?\d+ bytes? (is|are) missing/,
      );
    }
  });

  it('refuses an offset that is none', () => {
    for (const offset of [-1, 0.5, Number.NaN, '0' as never, Number.POSITIVE_INFINITY]) {
      expect(() => read(encode('abc'), offset, '', {})).toThrow(RangeError);
      expect(() => write('abc', new Uint8Array(20), offset)).toThrow(RangeError);
    }
    expect(() => read(encode('abc'), 99, '', {})).toThrow(FrameError);
  });

  it('refuses arguments of other types', () => {
    expect(() => read('abc' as never, 0, '', {})).toThrow(TypeError);
    expect(() => write(1 as never, new Uint8Array(9))).toThrow(TypeError);
    expect(() => write('abc', [] as never)).toThrow(TypeError);
    expect(() => encode(undefined as never)).toThrow(TypeError);
    expect(() => encode('a', { codec: 'utf-8' as never })).toThrow(TypeError);
    expect(() => read(encode('abc'), 0, '', { errors: 'lax' as never })).toThrow(TypeError);
  });

  it('tells a fault by its place in the whole input, and mends it as it is told', () => {
    for (const padding of [0, 3, 40, 700]) {
      const frame = encode(`${'x'.repeat(padding)}é`);
      const input = Uint8Array.of(0x0b, ...frame);
      const at = input.indexOf(0xc3);
      // A text ends with the frame: what is cut at its end is a fault, and not the frame's.
      input[at + 1] = 0x41;
      const error = catchError(() => read(input, 1, '', {})) as DecodeError;
      expect(error).toBeInstanceOf(DecodeError);
      expect(error.offset).toBe(at);
      if (name === 'DEX string') continue;
      expect(read(input, 1, '', { errors: 'replace' }).text).toBe(`${'x'.repeat(padding)}\ufffdA`);
    }
  });
});

describe('UTF', () => {
  it('holds 65,535 bytes, and not one more', () => {
    const most = '中'.repeat(21_845);
    const target = new Uint8Array(70_000).fill(0xaa);
    expect(writeUTF(most, target)).toBe(65_537);
    expect(target.subarray(0, 2)).toEqual(Uint8Array.of(0xff, 0xff));
    expect(readUTF(target)).toEqual({ text: most, next: 65_537 });
    target.fill(0xaa);
    for (const write of [() => writeUTF(`${most}a`, target), () => encodeUTF(`${most}a`)]) {
      const error = catchError(write);
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).toMatch(/65536 bytes of Modified UTF-8.*65535/);
    }
    expect(target.every((byte) => byte === 0xaa)).toBe(true);
    expect(() => writeUTF('a'.repeat(65_536), target)).toThrow(RangeError);
    expect(writeUTF('a'.repeat(65_535), target)).toBe(65_537);
  });

  it('passes a lone surrogate to the codec that is asked for', () => {
    expect(() => encodeUTF('\ud800', { codec: strict })).toThrow(EncodeError);
    expect(encodeUTF('\ud800', { codec: strict, errors: 'replace' })).toEqual(
      Uint8Array.of(0, 3, 0xef, 0xbf, 0xbd),
    );
  });

  it('ends a text with its frame: what follows does not complete it', () => {
    const error = catchError(() => readUTF(Uint8Array.of(0, 1, 0xc3, 0xa9)));
    expect(error).toMatchObject({ reason: 'truncated', offset: 2, incomplete: true });
    expect(readUTF(Uint8Array.of(0, 1, 0xc3, 0xa9), 0, { errors: 'replace' })).toEqual({
      text: '\ufffd',
      next: 3,
    });
  });

  it('follows memory that changes, grows and shrinks under it', () => {
    const Growing = ArrayBuffer as unknown as new (
      length: number,
      options: { maxByteLength: number },
    ) => ArrayBuffer & { resize(length: number): void };
    const buffer = new Growing(64, { maxByteLength: 256 });
    const bytes = new Uint8Array(buffer);
    const view = new DataView(buffer);
    for (const length of [64, 128, 40, 256]) {
      buffer.resize(length);
      const size = length - 2;
      for (const input of ['a', 'b', 'é']) {
        writeUTF(input.repeat(size / (input === 'é' ? 2 : 1)), bytes);
        for (const source of [bytes, view, bytes, view]) {
          expect(readUTF(source)).toEqual({
            text: input.repeat(size / (input === 'é' ? 2 : 1)),
            next: length,
          });
        }
      }
    }
    structuredClone(buffer, { transfer: [buffer] });
    expect(() => readUTF(bytes)).toThrow(FrameError);
  });

  it('never returns what was not validated, of memory that another thread writes to', async () => {
    const shared = new SharedArrayBuffer(64);
    const bytes = new Uint8Array(shared);
    const worker = new Worker(
      `const { workerData } = require('node:worker_threads');
       const bytes = new Uint8Array(workerData);
       for (let i = 0; ; i++) bytes[2 + i % 62] = i % 3 ? 0x41 : 0xe9;`,
      { eval: true, workerData: shared },
    );
    await new Promise((resolve) => worker.once('online', resolve));
    try {
      for (let i = 0; i < scale(20_000); i++) {
        bytes[1] = 13 + (i % 49);
        const read = () => readUTF(bytes, 0, i % 2 ? {} : { errors: 'replace' });
        const error = catchError(() => expect(read().text).not.toContain('é'));
        if (error) expect(error).toBeInstanceOf(DecodeError);
      }
    } finally {
      await worker.terminate();
    }
  });
});

describe('C string', () => {
  it('does not write what would end it', () => {
    expect(() => encodeCString('a\0', { codec: strict })).toThrow(
      /UTF-8 writes U\+0000 as 00, which would end the C string at byte 1 of 2/,
    );
    expect(encodeCString('a\0')).toEqual(Uint8Array.of(0x61, 0xc0, 0x80, 0x00));
  });
});

describe('units', () => {
  const units = (codec: Codec) =>
    fc.assert(
      fc.property(text, text, fc.nat(40), (before, input, behind) => {
        const start = codec.encode(before).length;
        const whole = fit(codec, input, 'UTF');
        const bytes = codec.encode(before + whole + '!'.repeat(behind));
        expect(readUnits(bytes, start, whole.length, { codec })).toEqual({
          text: whole,
          next: start + codec.byteLength(whole),
        });
      }),
      { seed, numRuns: scale(200) },
    );

  it.each([mutf8, dataInput, lenient].map((codec) => [codec.name, codec] as const))(
    'may end between halves where these stand alone: %s',
    (_, codec) => {
      const bytes = codec.encode('a😀b');
      expect(readUnits(bytes, 0, 2, { codec })).toEqual({ text: 'a\ud83d', next: 4 });
    },
  );

  it.each([strict, cesu8, rfc2279, android, wtf8].map((codec) => [codec.name, codec] as const))(
    'may not end within a character: %s',
    (_, codec) => {
      units({ ...codec, encode: (input) => codec.encode(input.toWellFormed()) });
      const bytes = codec.encode('a😀b');
      expect(() => readUnits(bytes, 0, 2, { codec })).toThrow(/ends within a character/);
      expect(readUnits(bytes, 0, 3, { codec }).text).toBe('a😀');
    },
  );

  it('reads Modified UTF-8 of any length', () => {
    units(mutf8);
    const long = 'a中😀\0'.repeat(50_000);
    const bytes = mutf8.encode(`${long}!`);
    expect(readUnits(bytes, 0, long.length)).toEqual({ text: long, next: bytes.length - 1 });
  });

  it('says what is missing, and never more than that', () => {
    const bytes = cesu8.encode('中a😀');
    for (let length = 0; length < bytes.length; length++) {
      const error = catchError(() =>
        readUnits(bytes.subarray(0, length), 0, 4, { codec: cesu8 }),
      ) as FrameError;
      expect(error).toBeInstanceOf(FrameError);
      expect(error.missing).toBeGreaterThanOrEqual(1);
      expect(error.missing).toBeLessThanOrEqual(bytes.length - length);
    }
  });

  it('counts what stands for a fault', () => {
    const bytes = Uint8Array.of(0xe2, 0x82, 0x41, 0xff, 0x42);
    const options = { errors: 'replace' } as const;
    expect(readUnits(bytes, 0, 1, options)).toEqual({ text: '\ufffd', next: 2 });
    expect(readUnits(bytes, 0, 4, options)).toEqual({ text: '\ufffdA\ufffdB', next: 5 });
    expect(catchError(() => readUnits(bytes, 2, 3))).toMatchObject({ offset: 3 });
  });

  it('refuses a count that is none, and a codec that it cannot count by', () => {
    for (const count of [-1, 0.5, Number.NaN, '1' as never]) {
      expect(() => readUnits(Uint8Array.of(0x61), 0, count)).toThrow(RangeError);
    }
    expect(() => readUnits(Uint8Array.of(0x61), 0, 1, { codec: foreign })).toThrow(TypeError);
  });
});

describe('DEX string', () => {
  it('has lengths in as many bytes as they take, or more', () => {
    for (const length of [0, 1, 127, 128, 16_383, 16_384, 100_000]) {
      const input = 'é'.repeat(length);
      const frame = encodeDexString(input);
      expect(readDexString(frame)).toEqual({ text: input, next: frame.length });
    }
    expect(readDexString(Uint8Array.of(0x81, 0x80, 0x80, 0x80, 0x00, 0x61, 0x00))).toEqual({
      text: 'a',
      next: 7,
    });
    expect(() => readDexString(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x10, 0x00))).toThrow(
      /more than 32 bits/,
    );
    expect(() => readDexString(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f))).toThrow(FrameError);
  });

  it('is refused where its count is not what it has', () => {
    expect(() => readDexString(Uint8Array.of(2, 0x61, 0))).toThrow(
      /at byte 0 says 2 code units, but has 1\./,
    );
    expect(() => readDexString(Uint8Array.of(1, 0x61, 0x62, 0))).toThrow(/1 code unit, but has 2/);
    expect(() => readDexString(new Uint8Array(99).fill(0x61).fill(1, 0, 1))).toThrow(/is longer/);
  });
});

it('a codec of another grammar reads and writes frames', () => {
  const utf16be = createCodec(
    'UTF-16BE',
    defineGrammar(
      'scalar values',
      `
      U+0000..U+D7FF    = 00-D7 00-FF
      U+E000..U+FFFF    = E0-FF 00-FF
      U+10000..U+10FFFF = D8-DB 00-FF + DC-DF 00-FF
    `,
    ),
  );
  const frame = encodeUTF('hé', { codec: utf16be });
  expect(frame).toEqual(Uint8Array.of(0, 4, 0, 0x68, 0, 0xe9));
  expect(readUTF(frame, 0, { codec: utf16be })).toEqual({ text: 'hé', next: 6 });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
