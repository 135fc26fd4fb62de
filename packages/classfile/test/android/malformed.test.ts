/** A table of errors: the strict error of each, and the texts that are read leniently. */

import { DexError, readDex } from '@utf8/classfile/dex';
import { type ResourceError, readResources } from '@utf8/classfile/resources';
import { DecodeError } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import {
  assembleDex,
  type Bytes,
  sign,
  u2,
  u4,
} from '../../../../tooling/oracles/android/src/dex.js';

/** One string after its count. */
const assembleText = (units: number, bytes: Bytes): Buffer =>
  assembleDex({ strings: 4 }, (start) => ({
    strings: { count: 1, bytes: Buffer.from(u4(start)) },
    data: Buffer.from([units, ...bytes, 0]),
  }));

const NONE = 0xffff_ffff;

/** A class `a` with a static method `text()V`, whose code loads a string. */
function assembleMethod(index: number): Buffer {
  const sizes = { strings: 12, types: 8, prototypes: 12, methods: 8, classes: 32 };
  return assembleDex(sizes, (start) => {
    const texts = [
      3,
      ...Buffer.from('La;'),
      0,
      1,
      ...Buffer.from('V'),
      0,
      4,
      ...Buffer.from('text'),
      0,
    ];
    const padding = (4 - ((start + texts.length) % 4)) % 4;
    const code = start + texts.length + padding;
    const instructions = [...u2(1, 0, 0, 0), ...u4(0, 3), 0x1a, 0, ...u2(index), 0x0e, 0];
    const data = code + instructions.length;
    return {
      strings: { count: 3, bytes: Buffer.from(u4(start, start + 5, start + 8)) },
      types: { count: 2, bytes: Buffer.from(u4(0, 1)) },
      prototypes: { count: 1, bytes: Buffer.from(u4(1, 1, 0)) },
      methods: { count: 1, bytes: Buffer.from([...u2(0, 0), ...u4(2)]) },
      classes: { count: 1, bytes: Buffer.from(u4(0, 1, NONE, 0, NONE, 0, data, 0)) },
      data: Buffer.from([
        ...[...texts, ...new Array<number>(padding).fill(0), ...instructions],
        ...[0, 0, 1, 0, 0, 8, (code & 0x7f) | 0x80, code >> 7],
      ]),
    };
  });
}

const good = assembleText(2, [0x48, 0x69]);

/** The good file with other bytes at a place. */
function change(offset: number, bytes: Bytes | Buffer, isSigned = true): Buffer {
  const file = Buffer.from(good);
  file.set(bytes, offset);
  return isSigned ? sign(file) : file;
}

/** The place of the good file's string. */
const TEXT = 0x70 + 16 + 4;

interface Fault {
  readonly name: string;
  readonly file: Uint8Array;
  readonly reason: string;
  readonly offset: number;
  /** Texts that are read leniently; undefined if reading fails. */
  readonly texts?: readonly string[];
}

const faults: readonly Fault[] = [
  { name: 'nothing', file: new Uint8Array(0), reason: 'not-a-dex', offset: 0 },
  { name: 'another file', file: Buffer.from('PK\x03\x04....'), reason: 'not-a-dex', offset: 0 },
  {
    name: 'a version with letters',
    file: change(4, Buffer.from('03x')),
    reason: 'not-a-dex',
    offset: 0,
  },
  {
    name: 'the version 036',
    file: change(4, Buffer.from('036')),
    reason: 'unsupported',
    offset: 4,
  },
  {
    name: 'a version to come',
    file: change(4, Buffer.from('042')),
    reason: 'unsupported',
    offset: 4,
  },
  {
    name: 'a header alone that is cut',
    file: good.subarray(0, 40),
    reason: 'truncated',
    offset: 40,
  },
  {
    name: 'big-endian numbers',
    file: change(0x28, u4(0x78563412)),
    reason: 'unsupported',
    offset: 0x28,
  },
  {
    name: 'a wrong sum',
    file: change(TEXT, [2], false).fill(7, 8, 12),
    reason: 'checksum',
    offset: 8,
    texts: ['Hi'],
  },
  {
    name: 'a header of another size',
    file: change(0x24, u4(0x78)),
    reason: 'invalid-value',
    offset: 0x24,
    texts: ['Hi'],
  },
  {
    name: 'more bytes announced',
    file: change(0x20, u4(9999)),
    reason: 'truncated',
    offset: 0x20,
    texts: ['Hi'],
  },
  {
    name: 'fewer than a header announced',
    file: change(0x20, u4(9)),
    reason: 'invalid-value',
    offset: 0x20,
  },
  { name: 'no map', file: change(0x34, u4(0)), reason: 'truncated', offset: 0x34, texts: ['Hi'] },
  {
    name: 'more strings than fit',
    file: change(0x38, u4(100)),
    reason: 'truncated',
    offset: 0x38,
    texts: ['Hi'],
  },
  {
    name: 'types beyond the end',
    file: change(0x40, u4(1, 5000)),
    reason: 'truncated',
    offset: 0x40,
    texts: ['Hi'],
  },
  {
    name: 'a string beyond the end',
    file: change(0x80, u4(5000)),
    reason: 'truncated',
    offset: 0x80,
    texts: [],
  },
  {
    name: 'a string without its end',
    file: change(TEXT - 0 + 3, [0x21]),
    reason: 'truncated',
    offset: TEXT - 6 + 6,
    texts: [],
  },
  {
    name: 'a count that is too large',
    file: assembleText(3, [0x48, 0x69]),
    reason: 'count',
    offset: 0x84,
    texts: ['Hi'],
  },
  {
    name: 'a count that is too small',
    file: assembleText(1, [0x48, 0x69]),
    reason: 'count',
    offset: 0x84,
    texts: ['Hi'],
  },
  {
    name: 'a count of six bytes',
    file: assembleText(0xff, [0xff, 0xff, 0xff, 0xff, 0x01]),
    reason: 'invalid-value',
    offset: 0x84,
    texts: [],
  },
];

describe('a DEX file', () => {
  it('that is sound is read', () => {
    expect(Array.from(readDex(good).strings, ({ string }) => string)).toEqual(['Hi']);
  });

  it.each(faults)('is refused with $name', ({ file, reason, offset, texts }) => {
    expect(catchError(() => readDex(file))).toMatchObject({ code: 'ERR_DEX', reason, offset });
    const told: DexError[] = [];
    const read = (): string[] =>
      Array.from(
        readDex(file, { lenient: (error) => void told.push(error) }).strings,
        (s) => s.string,
      );
    if (texts) {
      expect(read()).toEqual(texts);
      expect(told[0]?.reason).toBe(reason);
    } else expect(catchError(read)).toBeInstanceOf(DexError);
  });

  it('names the class and the member of an index that refers to nothing', () => {
    const error = catchError(() => readDex(assembleMethod(3)));
    expect(error).toMatchObject({ reason: 'invalid-index', className: 'a', member: 'text()V' });
    expect((error as Error).message).toMatch(
      /^Malformed DEX file at byte \d+: the index 3 exceeds the 3 strings, in text\(\)V of the class a\.$/,
    );
    const [use, ...others] = readDex(assembleMethod(2)).uses({ kinds: ['literal'] });
    expect(use?.string.string).toBe('text');
    expect(use?.string.kinds).toEqual(['literal', 'name']);
    expect(others).toEqual([]);
  });

  it('with a malformed string is refused, or read by a policy', () => {
    const file = assembleText(3, [0x61, 0xf0, 0x9f, 0x98, 0x80]);
    const error = catchError(() => readDex(file)) as DexError;
    expect(error).toMatchObject({ reason: 'malformed-utf8', offset: 0x86 });
    expect(error.cause).toBeInstanceOf(DecodeError);
    // Lenient mode does not turn other bytes into text.
    expect(catchError(() => readDex(file, { lenient: () => {} }))).toMatchObject({
      reason: 'malformed-utf8',
    });
    const offsets: number[] = [];
    const [string] = readDex(file, {
      errors: ({ offset }) => {
        offsets.push(offset);
        return '?';
      },
    }).strings;
    expect(string?.string).toBe('a????');
    expect(string?.fault).toMatchObject({ offset: 0x86, reason: 'wrong-form' });
    expect(offsets).toEqual([0x86, 0x87, 0x88, 0x89]);
  });

  it('needs arguments of the right type', () => {
    expect(() => readDex('dex' as never)).toThrow(TypeError);
    expect(() => readDex(good, { lenient: true as never })).toThrow(TypeError);
    expect(() => readDex(good, { errors: 'nonsense' as never })).toThrow(TypeError);
  });

  it('may be a view, a buffer, or in shared memory', () => {
    const shared = new SharedArrayBuffer(good.length);
    new Uint8Array(shared).set(good);
    const padded = Buffer.concat([Buffer.alloc(5), good]);
    const copy = Uint8Array.from(good).buffer;
    for (const bytes of [shared, copy, padded.subarray(5), new DataView(copy)]) {
      expect(Array.from(readDex(bytes).strings, ({ string }) => string)).toEqual(['Hi']);
    }
  });
});

/** Binary XML of one pool, whose strings begin at these places of the data. */
function assembleXml(offsets: Bytes, data: Bytes, flags = 256): Buffer {
  const start = 28 + 4 * offsets.length;
  const size = start + data.length;
  const head = [
    ...u4(0x08_0003, 8 + size),
    ...u4(0x1c_0001, size, offsets.length, 0, flags, start, 0),
  ];
  return Buffer.from([...head, ...u4(...offsets), ...data]);
}

const textsOf = (file: Uint8Array): string[] =>
  Array.from(readResources(file).strings, (s) => s.string);

describe('resources', () => {
  it('in UTF-8 may have six bytes or four, 00, and unpaired surrogates', () => {
    expect(textsOf(assembleXml([0], [2, 6, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0]))).toEqual([
      '😀',
    ]);
    expect(textsOf(assembleXml([0], [2, 4, 0xf0, 0x9f, 0x98, 0x80, 0]))).toEqual(['😀']);
    expect(textsOf(assembleXml([0], [3, 3, 0x61, 0x00, 0x62, 0]))).toEqual(['a\0b']);
    expect(textsOf(assembleXml([0], [1, 3, 0xed, 0xa0, 0xbd, 0]))).toEqual(['\ud83d']);
    // The number of code units is not what Android goes by.
    expect(textsOf(assembleXml([0], [9, 1, 0x61, 0]))).toEqual(['a']);
  });

  it('in UTF-16 may have any code units', () => {
    expect(textsOf(assembleXml([0], u2(4, 0xd83d, 0xde00, 0xd83d, 0, 0), 0))).toEqual([
      '😀\ud83d\0',
    ]);
    const long = [...u2(0x8001, 0), ...new Array<number>(0x2_0000).fill(0x61), ...u2(0)];
    expect(textsOf(assembleXml([0], long, 0))[0]).toBe('\u6161'.repeat(0x1_0000));
  });

  it('in UTF-8 may be longer than their length says, as old versions of aapt wrote them', () => {
    const text = new Array<number>(0x8005).fill(0x61);
    expect(textsOf(assembleXml([0], [0x80, 5, 0x80, 5, ...text, 0]))[0]).toHaveLength(0x8005);
    const longer = new Array<number>(0x1_8005).fill(0x61);
    expect(textsOf(assembleXml([0], [0x80, 5, 0x80, 5, ...longer, 0]))[0]).toHaveLength(0x1_8005);
  });

  it.each([
    ['nothing', [], 'not-resources', 0],
    ['another file', [...Buffer.from('<?xml version')], 'not-resources', 0],
    ['a chunk that is cut', u4(0x08_0003, 100), 'truncated', 4],
    ['a chunk shorter than its header', u4(0x08_0003, 4), 'invalid-value', 2],
    ['a string beyond the end', assembleXml([99], [1, 1, 0x61, 0]), 'truncated', 36],
    ['a string without its 00', assembleXml([0], [1, 1, 0x61, 0x62]), 'invalid-value', 40],
    ['a string in UTF-16 that is cut', assembleXml([0], u2(9, 0x61, 0), 0), 'truncated', 40],
    [
      'a string in UTF-16 without its 0000',
      assembleXml([0], u2(1, 0x61, 1), 0),
      'invalid-value',
      40,
    ],
    ['a malformed string', assembleXml([0], [1, 1, 0xff, 0]), 'malformed-utf8', 42],
    [
      'a chunk that is none',
      [...assembleXml([0], [1, 1, 0x61, 0]).fill(52, 4, 5), ...u4(1, 3)],
      'invalid-value',
      46,
    ],
  ])('are refused with %s', (_, file, reason, offset) => {
    const error = catchError(() => readResources(Uint8Array.from(file)));
    expect(error).toMatchObject({ code: 'ERR_RESOURCE', reason, offset });
  });

  it('say in their errors which string is wrong, and how', () => {
    const refuse = (file: Buffer): string =>
      (catchError(() => readResources(file)) as Error).message;
    expect([
      refuse(assembleXml([99], [1, 1, 0x61, 0])),
      refuse(assembleXml([0], [1, 1, 0x61, 0x62])),
      refuse(assembleXml([0], u2(9, 0x61, 0), 0)),
      refuse(assembleXml([0], u2(0x8001), 0)),
      refuse(assembleXml([0], u2(1, 0x61, 1), 0)),
    ]).toMatchInlineSnapshot(`
      [
        "Malformed resources at byte 36: the offset of the string 0 is invalid: 139.",
        "Malformed resources at byte 40: the string 0 has no 00 at its end.",
        "Malformed resources at byte 40: the string 0 states 9 code units.",
        "Malformed resources at byte 40: the string 0 has no length.",
        "Malformed resources at byte 40: the string 0 has no 0000 at its end.",
      ]
    `);
  });

  it('are read leniently, except for what is malformed', () => {
    const told: ResourceError[] = [];
    const file = assembleXml([0, 99, 4], [1, 1, 0x61, 0, 1, 1, 0x62, 0]);
    const { strings } = readResources(file, { lenient: (error) => void told.push(error) });
    expect(Array.from(strings, ({ index, string }) => [index, string])).toEqual([
      [0, 'a'],
      [2, 'b'],
    ]);
    expect(told.map(({ reason }) => reason)).toEqual(['truncated']);
  });
});

/** Returns the error that an action throws. */
function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
