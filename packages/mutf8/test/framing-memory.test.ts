/** Frames in shared memory, and in arrays of another realm. */
import { runInNewContext } from 'node:vm';
import {
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
  writeUnits,
  writeUTF,
} from '@utf8/mutf8/framing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../tooling/conformance/test/calls.js';
import { loadCodecs } from '../../../tooling/conformance/test/entries.js';
import { scale, seed } from '../../../tooling/tiers/tier.js';

const share = (bytes: Uint8Array): Uint8Array => {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
};

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'é', '中', '\u{1f600}', 'xyz', '\0') },
  fc.constantFrom('\ud83d', '\ude00'),
  fc.constantFrom([0xff], [0xe2, 0x82], [0xc3], [0x80], [0xf0, 0x9f], [0xed, 0xa0], [0xc0, 0x80]),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => Array.from(bytes)),
);

const policies: readonly FrameOptions['errors'][] = [
  undefined,
  'strict',
  'ignore',
  'replace',
  'backslashreplace',
  'surrogateescape',
  ({ offset, length }) => `<${offset} ${length}>`,
  () => '',
];

describe('readUnits, in shared memory', async () => {
  const entries = (await loadCodecs()).map(({ entry, codec }) => [entry, codec] as const);

  it.each(entries)(
    'readUnits returns the same from shared and from plain memory: %s',
    (_, codec) => {
      const input = fc
        .array(piece, { maxLength: 30 })
        .map((pieces) =>
          Uint8Array.from(
            pieces.flatMap((part) =>
              typeof part === 'string' ? [...codec.encode(part, { errors: 'replace' })] : part,
            ),
          ),
        );
      fc.assert(
        fc.property(input, fc.nat(6), fc.nat(60), fc.nat(7), (bytes, from, units, index) => {
          const offset = Math.min(from, bytes.length);
          const options: FrameOptions = { codec, errors: policies[index] };
          const read = (memory: Uint8Array) =>
            outcomeOf(() => readUnits(memory, offset, units, options));
          expect(read(share(bytes))).toEqual(read(bytes));
        }),
        { seed, numRuns: scale(2000) },
      );
    },
  );

  it('readUnits continues after any number of ignored faults', () => {
    for (const faults of [1, 2, 10, 100, 5000]) {
      const bytes = Uint8Array.from([...new Array(faults).fill(0xff), 0x61, 0x62]);
      const expected = { text: 'ab', next: faults + 2 };
      expect(readUnits(bytes, 0, 2, { errors: 'ignore' })).toEqual(expected);
      expect(readUnits(share(bytes), 0, 2, { errors: 'ignore' })).toEqual(expected);
    }
  });
});

describe('frames in arrays of another realm', () => {
  const create = (length: number): Uint8Array =>
    runInNewContext('new Uint8Array(length)', { length }) as Uint8Array;

  const as = (options: UTFOptions) =>
    [
      JSON.stringify(options),
      (text: string, target: Uint8Array, offset: number) => writeUTF(text, target, offset, options),
      (bytes: Uint8Array | ArrayBufferLike, offset: number) => readUTF(bytes, offset, options),
    ] as const;

  it.each<
    readonly [
      name: string,
      write: (text: string, target: Uint8Array, offset: number) => number,
      read: (bytes: Uint8Array | ArrayBufferLike, offset: number) => TextFrame,
    ]
  >([
    ['UTF', writeUTF, readUTF],
    as({ length: 4, endian: 'le', signed: true }),
    as({ length: 'uleb128', lengthIn: 'units' }),
    as({ length: 'hadoop-vint' }),
    ['long UTF', writeLongUTF, readLongUTF],
    ['C string', writeCString, readCString],
    ['DEX string', writeDexString, readDexString],
  ])('frames in arrays of another realm are written and read: %s', (_, write, read) => {
    for (const text of ['', 'abc', 'aé\0中\u{1f600}', 'x'.repeat(300), 'é'.repeat(5000)]) {
      for (const offset of [0, 3]) {
        const size = 6 * text.length + 20;
        const plain = new Uint8Array(size);
        const next = write(text, plain, offset);
        const target = create(size);
        expect(target).not.toBeInstanceOf(Uint8Array);
        expect(write(text, target, offset)).toBe(next);
        expect(Array.from(target)).toEqual(Array.from(plain));
        expect(read(target, offset)).toEqual({ text, next });
        expect(read(target.buffer, offset)).toEqual({ text, next });
      }
    }
  });

  it('writeUTF refuses an array of another realm without room', () => {
    for (const size of [0, 1, 4]) {
      const expected = outcomeOf(() => writeUTF('aé中', new Uint8Array(size)));
      expect(outcomeOf(() => writeUTF('aé中', create(size)))).toEqual(expected);
    }
  });

  it('writeUTF refuses other kinds of arrays of another realm', () => {
    for (const kind of ['Int8Array', 'Uint8ClampedArray', 'Uint16Array', 'Array', 'ArrayBuffer']) {
      const target = runInNewContext(`new ${kind}(20)`) as Uint8Array;
      expect(() => writeUTF('abc', target), kind).toThrow(TypeError);
    }
  });

  it('writeUnits and readUnits accept arrays of another realm', () => {
    const bytes = create(4);
    expect(writeUnits('aéb', bytes)).toEqual({ units: 3, next: 4 });
    expect(Array.from(bytes)).toEqual([0x61, 0xc3, 0xa9, 0x62]);
    expect(readUnits(bytes, 0, 2)).toEqual({ text: 'aé', next: 3 });
  });
});
