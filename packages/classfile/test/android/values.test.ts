/** Values in annotations and of static fields, and lines of code: by hand, where compilers write few of them. */
import { type DexError, type DexFile, type DexUse, readDex } from '@utf8/classfile/dex';
import { describe, expect, it } from 'vitest';
import { assembleClass, listCode } from '../../../../tooling/oracles/android/src/class.js';
import { type Bytes, repeat, u4, uleb128 } from '../../../../tooling/oracles/android/src/dex.js';

/** A class with an annotation of its only type, which has these elements. */
const annotate = (elements: Bytes, strings?: readonly string[]): Buffer =>
  assembleClass(
    (at) => ({
      annotations: at,
      data: Buffer.from([...u4(at + 16, 0, 0, 0), ...u4(1, at + 24), 1, 0, ...elements]),
    }),
    strings,
  );

/** An element whose name is the string 1. */
const element = (value: Bytes): Bytes => [1, 1, ...value];

/** Lists the strings in annotations, with their paths. */
const listValues = (file: DexFile): string[] =>
  Array.from(file.uses())
    .filter(({ annotation }) => annotation !== undefined)
    .map(({ kind, string, annotation }) => `${kind} ${annotation?.path} ${string.string}`);

function refuse(file: Buffer): DexError {
  try {
    readDex(file);
  } catch (error) {
    return error as DexError;
  }
  return expect.unreachable();
}

/** Returns the error of a file without the place. */
const faultOf = (file: Buffer): string => refuse(file).what;

describe('a value in an annotation', () => {
  const string = [0x17, 1];

  it.each([
    ['byte', 0x00, 1],
    ['short', 0x02, 2],
    ['char', 0x03, 2],
    ['int', 0x04, 4],
    ['long', 0x06, 8],
    ['float', 0x10, 4],
    ['double', 0x11, 8],
  ])('%s has up to so many bytes, after which the next one is read', (_, tag, most) => {
    for (let size = 1; size <= 8; size++) {
      const value = [tag | ((size - 1) << 5), ...new Array<number>(size).fill(0xff)];
      const file = annotate(element([0x1c, 2, ...value, ...string]));
      if (size <= most) expect(listValues(readDex(file))).toEqual(['annotation text[1] text']);
      else expect(faultOf(file)).toBe(`a value of tag ${tag} has the argument ${size - 1}`);
    }
  });

  it.each([
    ['prototype', 0x15, 1, 'prototypes'],
    ['string', 0x17, 2, 'strings'],
    ['type', 0x18, 1, 'types'],
    ['field', 0x19, 1, 'fields'],
    ['method', 0x1a, 1, 'methods'],
    ['constant of an enum', 0x1b, 1, 'fields'],
  ])('%s is an index of up to four bytes', (_, tag, count, section) => {
    for (let size = 1; size <= 8; size++) {
      const index = (value: number): Bytes =>
        [tag | ((size - 1) << 5), ...u4(value), 0, 0, 0, 0].slice(0, size + 1);
      const read = (value: number): Buffer =>
        annotate(element([0x1c, 2, ...index(value), ...string]));
      if (size > 4) {
        expect(faultOf(read(0))).toBe(`a value of tag ${tag} has the argument ${size - 1}`);
        continue;
      }
      expect(listValues(readDex(read(count - 1))).at(-1)).toBe('annotation text[1] text');
      expect(faultOf(read(count))).toBe(`the index ${count} exceeds the ${count} ${section}`);
      const highest = 0x80 * 256 ** (size - 1);
      expect(faultOf(read(highest))).toBe(`the index ${highest} exceeds the ${count} ${section}`);
    }
  });

  it('method handle is none where there are no such', () => {
    expect(faultOf(annotate(element([0x16, 0])))).toBe('the index 0 exceeds the 0 methodHandles');
  });

  it('null, boolean, array or annotation has an argument or none', () => {
    for (const [tag, most, ...rest] of [
      [0x1e, 0],
      [0x1f, 1],
      [0x1c, 0, 0],
      [0x1d, 0, 0, 0],
    ] as const) {
      for (let argument = 0; argument < 8; argument++) {
        const value = [tag | (argument << 5), ...rest];
        const file = annotate(element([0x1c, 2, ...value, ...string]));
        if (argument <= most)
          expect(listValues(readDex(file))).toEqual(['annotation text[1] text']);
        else expect(faultOf(file)).toBe(`a value of tag ${tag} has the argument ${argument}`);
      }
    }
  });

  it('has no other tag', () => {
    for (const tag of [1, 5, 7, 8, 0x0f, 0x12, 0x13, 0x14]) {
      expect(faultOf(annotate(element([tag, 0])))).toBe(`there is no value of tag ${tag}`);
    }
  });

  it('has a way through arrays, annotations and names', () => {
    const inner = [0x1d, 0, 2, 1, ...string, 0, ...string];
    const array = [0x1c, 3, 0x1e, ...string, 0x1c, 1, ...inner];
    expect(listValues(readDex(annotate([2, 1, ...array, 0, ...string])))).toEqual([
      'annotation text[1] text',
      'annotation text[2][0].text text',
      'annotation text[2][0].La; text',
      'annotation La; text',
    ]);
  });

  it.each([1, 14, 15, 16, 17, 18, 30, 200])(
    'has a way without steps between the first 15 and the last one: %i arrays',
    (levels) => {
      const value = [...repeat([0x1c, 2, 0x1e], levels), ...string];
      const [found] = listValues(readDex(annotate(element([...value]))));
      const steps = new Array<string>(levels).fill('[1]');
      const way = levels <= 15 ? steps.join('') : `${'[1]'.repeat(14)}…[1]`;
      expect(found).toBe(`annotation text${way} text`);
    },
  );

  it('is found again after what is nested deeply', () => {
    const deep = [...repeat([0x1c, 1], 100), ...string];
    const values = listValues(readDex(annotate(element([0x1c, 2, ...deep, ...string]))));
    expect(values).toHaveLength(2);
    expect(values[1]).toBe('annotation text[1] text');
  });

  it.each([
    ['Lkotlin/Metadata;', 'kotlin-metadata'],
    ['Lscala/reflect/ScalaSignature;', 'scala-signature'],
    ['Lscala/reflect/ScalaLongSignature;', 'scala-signature'],
    ['Ldalvik/annotation/Signature;', 'signature'],
    ['Ldalvik/annotation/InnerClass;', 'name'],
    ['Ldalvik/annotation/MethodParameters;', 'name'],
    ['Ldalvik/annotation/Record;', 'name'],
    ['Ldalvik/annotation/SourceDebugExtension;', 'source'],
    ['Ldalvik/annotation/AnnotationDefault;', 'annotation'],
    ['Lmine;', 'annotation'],
  ])('of %s is a %s', (type, kind) => {
    const value = [0x1c, 2, ...string, 0x1d, 0, 1, 1, ...string];
    const file = readDex(annotate(element(value), [type, 'text']));
    expect(listValues(file)).toEqual([`${kind} text[0] text`, `${kind} text[1].text text`]);
  });

  it('names the type, and the class of an error even where they are long', () => {
    for (const length of [198, 200, 201]) {
      const type = `L${'x'.repeat(length)};`;
      const [value] = [...readDex(annotate(element(string), [type, 'text'])).uses()].filter(
        ({ annotation }) => annotation,
      );
      expect(value?.annotation?.type).toBe(type);
      const { message, className } = refuse(annotate(element([1]), [type, 'text']));
      expect(className).toBe(type.slice(1, -1));
      const shown = length <= 200 ? type.slice(1, -1) : `${'x'.repeat(200)}…`;
      expect(message).toMatch(/there is no value of tag 1, in the class x+…?\.$/);
      expect(message.endsWith(`, in the class ${shown}.`)).toBe(true);
    }
  });
});

describe('values of static fields', () => {
  const make = (statics: number, values: Bytes, fields: Bytes = [0, 1]): Buffer =>
    assembleClass((at) => ({
      members: at,
      values: at + 4 + fields.length,
      data: Buffer.from([statics, 0, 0, 0, ...fields, ...values]),
    }));

  it('are of the fields in their order', () => {
    const uses = [...readDex(make(1, [1, 0x17, 1])).uses({ kinds: ['literal'] })];
    expect(uses.map(({ string, member }) => [string.string, member])).toEqual([
      ['text', { type: 'field', name: 'text', descriptor: 'La;' }],
    ]);
  });

  it('are no more than there are fields', () => {
    expect(faultOf(make(1, [2, 0x17, 1, 0x17, 1]))).toBe(
      'there are more values than static fields',
    );
    expect(faultOf(make(2, [2, 0x1e, 0x17, 1], [0, 1, 1, 1]))).toBe(
      'the index 1 exceeds the 1 fields',
    );
  });

  it('need fields', () => {
    const file = assembleClass((at) => ({ values: at, data: Buffer.from([1, 0x17, 1]) }));
    expect(faultOf(file)).toBe('a class without fields has values of static fields');
  });
});

describe('lines', () => {
  /** The lines and other places of strings in a method with such debug information, and so many loads. */
  const usesOf = (debug: Bytes, loads: number): DexUse[] => {
    const file = assembleClass((at) => {
      const size = listCode([0x1a, 0, 1, 0], loads).length;
      return {
        members: at + size + debug.length,
        data: Buffer.concat([
          listCode([0x1a, 0, 1, 0], loads, at + size),
          Buffer.from(debug),
          Buffer.from([0, 0, 1, 0, 0, 0, ...uleb128(at)]),
        ]),
      };
    });
    return [...readDex(file).uses()].filter(({ member }) => member !== undefined);
  };
  const linesOf = (debug: Bytes, loads: number): (number | undefined)[] =>
    usesOf(debug, loads).flatMap(({ kind, line }) => (kind === 'literal' ? [line] : []));

  it('begin where the first entry is, and go on to the next', () => {
    // The steps are 0x0a + 4 + lines + 15 * units of code.
    expect(linesOf([100, 0, 0x0e, 0x0e + 30 + 1, 0x0e + 60 - 4, 0], 4)).toEqual([
      100, 101, 101, 97,
    ]);
    expect(linesOf([...uleb128(1000), 0, 0x0e + 30 + 10, 0], 2)).toEqual([undefined, 1010]);
    expect(linesOf([5, 0, 0], 2)).toEqual([undefined, undefined]);
  });

  it('are moved by steps of their own, in both directions', () => {
    const advance = [2, ...uleb128(20), 0x0e];
    expect(linesOf([20, 0, ...advance, 1, 2, 2, 0x6c, 0x0e, 1, 4, 0x0e, 0], 4)).toEqual([
      40, 20, 20, 20,
    ]);
    expect(linesOf([1, 0, 2, 0xe4, 0x00, 0x0e, 0], 1)).toEqual([101]);
    expect(linesOf([...uleb128(200), 0, 2, 0x9c, 0x7f, 0x0e, 0], 1)).toEqual([100]);
  });

  it('are not disturbed by names, which have the lines before them', () => {
    const debug = [
      ...[7, 2, 2, 0], // the line, and two parameters, of which one has a name
      ...[3, 0, 2, 1], // a local variable
      ...[0x0e],
      ...[4, 1, 2, 1, 1], // and one with a signature
      ...[0x0e + 1],
      ...[3, 1, 0, 0], // and one without a name
      ...[5, 1, 6, 1, 7, 8, 9, 2, 9, 0], // ends and begins again, and a file
      ...[0x0e + 30, 0],
    ];
    const uses = usesOf(debug, 2);
    expect(uses.map(({ kind, line, string }) => [kind, line, string.string])).toEqual([
      ['literal', 8, 'text'],
      ['literal', 8, 'text'],
      ['name', undefined, 'text'],
      ['name', undefined, 'text'],
      ['name', 7, 'text'],
      ['signature', 7, 'La;'],
      ['source', 8, 'text'],
    ]);
  });

  it('need numbers of 32 bits', () => {
    expect(linesOf([0xff, 0xff, 0xff, 0xff, 0x07, 0, 0x0e, 0], 1)).toEqual([0x7fff_ffff]);
    expect(() => linesOf([0xff, 0xff, 0xff, 0xff, 0x1f, 0, 0x0e, 0], 1)).toThrow(
      'a uleb128 exceeds 32 bits',
    );
    expect(() => linesOf([1, 0, 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0x0e, 0], 1)).toThrow(
      'an sleb128 exceeds 32 bits',
    );
  });
});

describe('instructions', () => {
  /** By how many units of two bytes they have; all others have one. "Summary of bytecode set" */
  const units: Readonly<Record<number, readonly (readonly [first: number, last: number])[]>> = {
    2: [
      ...([
        [0x02, 0x02],
        [0x05, 0x05],
        [0x08, 0x08],
        [0x13, 0x13],
        [0x15, 0x16],
      ] as const),
      ...([
        [0x19, 0x1a],
        [0x1c, 0x1c],
        [0x1f, 0x20],
        [0x22, 0x23],
        [0x29, 0x29],
      ] as const),
      ...([
        [0x2d, 0x3d],
        [0x44, 0x6d],
        [0x90, 0xaf],
        [0xd0, 0xe2],
        [0xfe, 0xff],
      ] as const),
    ],
    3: [
      ...([
        [0x03, 0x03],
        [0x06, 0x06],
        [0x09, 0x09],
        [0x14, 0x14],
        [0x17, 0x17],
      ] as const),
      ...([
        [0x1b, 0x1b],
        [0x24, 0x26],
        [0x2a, 0x2c],
        [0x6e, 0x72],
        [0x74, 0x78],
      ] as const),
      [0xfc, 0xfd],
    ],
    4: [[0xfa, 0xfb]],
    5: [[0x18, 0x18]],
  };
  const unitsOf = (opcode: number): number =>
    Number(
      Object.keys(units).find((count) =>
        units[Number(count)]?.some(([first, last]) => opcode >= first && opcode <= last),
      ) ?? 1,
    );

  /** The offsets in the code of the strings that it loads. */
  function loadsIn(...code: number[]): number[] {
    let start = 0;
    const file = assembleClass((at) => {
      start = at + 16;
      return {
        members: at + 16 + code.length,
        data: Buffer.from([...listCode(code, 1), 0, 0, 1, 0, 0, 0, ...uleb128(at)]),
      };
    });
    return Array.from(readDex(file).uses({ kinds: ['literal'] }), ({ offset }) => offset - start);
  }

  it('are as long as the operands of each opcode are', () => {
    // The operands contain the index that a shorter instruction would load.
    const load = [0x1a, 0, 1, 0];
    for (let opcode = 0; opcode < 256; opcode++) {
      if (opcode === 0x1a || opcode === 0x1b) continue;
      const operands = [0x1a, 0, 0, 0, 0x1a, 0, 0, 0].slice(0, 2 * (unitsOf(opcode) - 1));
      const at = 2 + operands.length + 2;
      expect(loadsIn(opcode, 0, ...operands, ...load), `${opcode}`).toEqual([at]);
    }
    expect(loadsIn(...load, 0x1b, 0, 1, 0, 0, 0, ...load)).toEqual([2, 6, 12]);
  });

  it('may be tables, as long as their sizes say', () => {
    const load = [0x1a, 0, 1, 0];
    const filler = (bytes: number): number[] => [...repeat([0x1a, 0], bytes / 2)];
    for (const size of [0, 1, 2, 5]) {
      const packed = [0, 1, size, 0, ...filler(4 + 4 * size)];
      expect(loadsIn(...packed, ...load)).toEqual([packed.length + 2]);
      const sparse = [0, 2, size, 0, ...filler(8 * size)];
      expect(loadsIn(...sparse, ...load)).toEqual([sparse.length + 2]);
      for (const width of [1, 2, 4, 8]) {
        const array = [0, 3, width, 0, size, 0, 0, 0, ...filler(2 * Math.ceil((size * width) / 2))];
        expect(loadsIn(...array, ...load)).toEqual([array.length + 2]);
      }
    }
    // Others are no tables.
    expect(loadsIn(0, 4, ...load)).toEqual([4]);
  });

  it('end with the code', () => {
    expect(() => loadsIn(0x1a, 0)).toThrow('the code ends within an instruction');
    expect(() => loadsIn(0x1b, 0, 1, 0)).toThrow('the code ends within an instruction');
    expect(() => loadsIn(0, 1, 9, 0)).toThrow('the code ends within an instruction');
    expect(() => loadsIn(0x1a, 0, 2, 0)).toThrow('the index 2 exceeds the 2 strings');
  });
});
