/** Malformed class files, by name: each ends in a typed error that says where the fault is. */
import {
  ClassFileError,
  type ClassFileReason,
  readClass,
  readStrings,
  readUses,
  replaceStrings,
} from '@utf8/classfile';
import { DecodeError } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  type Bytes,
  classRef,
  dynamic,
  FIRST_CONSTANT,
  list,
  long,
  member,
  methodHandle,
  methodref,
  moduleRef,
  nameAndType,
  type Parts,
  string,
  u2,
  u4,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';

/** A malformed file, and where its fault is, in bytes. */
type Malformed = readonly [file: Uint8Array, offset: number];

/** Returns the offset of the end of the constant pool. */
const behind = (constants: readonly Bytes[]): number => FIRST_CONSTANT + constants.flat().length;

/** Distance from the end of the pool to the content of the first attribute of a class without members. */
const TO_ATTRIBUTE = 14 + 6;

/** Distance from the end of the pool to the content of the first attribute of the first method. */
const TO_CODE = 12 + 8 + 6;

/** A class with constants from index 5 on, and an error at a distance from the first of them, in bytes. */
const inPool = (at: number, constants: Bytes[], parts: Parts = {}): Malformed => [
  assemble({ ...parts, constants }),
  FIRST_CONSTANT + at,
];

/** A class with one attribute, and an error at a distance from the start of its content, in bytes. */
function inAttribute(
  at: number,
  name: string,
  content: Bytes,
  { length, constants = [] }: { length?: number; constants?: Bytes[] } = {},
): Malformed {
  const all = [utf8(name), ...constants];
  const file = assemble({ constants: all, attributes: [attribute(5, content, length)] });
  return [file, behind(all) + TO_ATTRIBUTE + at];
}

/** A class whose only method has the code. */
function inCode(at: number, content: Bytes, parts: Parts = {}): Malformed {
  const constants = [utf8('m'), utf8('()V'), utf8('Code')];
  const methods = [member(5, 6, attribute(7, content))];
  return [assemble({ ...parts, constants, methods }), behind(constants) + TO_CODE + at];
}

/** A class with annotations, in which 6 is a type and 1 a name. */
const inAnnotations = (at: number, content: Bytes): Malformed =>
  inAttribute(at, 'RuntimeVisibleAnnotations', content, { constants: [utf8('LV;')] });

/** A class with bootstrap methods, and with dynamic constants from 9 on, one of each method. */
function inBootstraps(at: number, ...argumentLists: number[][]): Malformed {
  const constants = [
    utf8('BootstrapMethods'),
    nameAndType(1, 1),
    methodref(2, 6),
    methodHandle(6, 7),
    ...argumentLists.map((_, method) => dynamic(method, 6)),
  ];
  const methods = argumentLists.map((indices) => [...u2(8), ...list(...indices.map(u2))]);
  const file = assemble({ constants, attributes: [attribute(5, list(...methods))] });
  return [file, behind(constants) + TO_ATTRIBUTE + at];
}

const code = (length: number, ...instructions: number[]): Bytes => [
  ...u2(1),
  ...u2(1),
  ...u4(length),
  ...instructions,
];

const cases: Record<string, readonly [ClassFileReason, Malformed, says: string]> = {
  'nothing at all': ['truncated', [new Uint8Array(0), 0], '4 bytes needed, but 0 left'],
  'no class': ['not-a-class', [Uint8Array.of(0x50, 0x4b, 3, 4), 0], 'begins with CA FE BA BE'],
  'a byte less': [
    'truncated',
    [assemble().subarray(0, -1), assemble().length - 2],
    '2 bytes needed, but 1 left',
  ],
  'a byte more': [
    'excess-bytes',
    [Uint8Array.of(...assemble(), 0), assemble().length],
    '1 left after the class',
  ],

  'no constants, not even none': ['invalid-value', [assemble({ count: 0 }), 8], 'is 0'],
  'fewer constants than there are': [
    'invalid-index',
    // The rest of the pool is read as the flags, the class and so on.
    [assemble({ count: 4 }), FIRST_CONSTANT - 1],
    'there is no constant 768, where Class is wanted',
  ],
  'more constants than there are': [
    'invalid-tag',
    [assemble({ count: 6 }), FIRST_CONSTANT],
    'there is no constant of tag 0',
  ],
  '65,534 constants, and the end': [
    'invalid-tag',
    [assemble({ count: 0xffff }), FIRST_CONSTANT],
    'there is no constant of tag 0',
  ],
  'a constant of a tag that there is not': [
    'invalid-tag',
    inPool(0, [[2, 0, 0]]),
    'there is no constant of tag 2',
  ],
  'a constant that came with a later version': [
    'invalid-tag',
    inPool(0, [moduleRef(1)], { major: 52 }),
    'there is no constant of tag 19 in version 52',
  ],
  'a string that ends after the file': [
    'truncated',
    [assemble({ constants: [[1, 0xff, 0xff]] }), FIRST_CONSTANT + 3],
    '65535 bytes needed, but 14 left',
  ],
  'a Long without a second slot': [
    'invalid-index',
    inPool(0, [long(1)], { count: 6 }),
    'the constant 5 lacks its second slot',
  ],
  'an index of the second slot of a Long': [
    'invalid-index',
    inPool(10, [long(1), string(6)]),
    'there is no constant 6, where Utf8 is wanted',
  ],
  'an index of no constant': [
    'invalid-index',
    inPool(1, [string(77)]),
    'there is no constant 77, where Utf8 is wanted',
  ],
  'an index of a constant of another kind': [
    'invalid-index',
    inPool(1, [string(2)]),
    'the constant 2 has the tag Class, where Utf8 is wanted',
  ],
  'a constant that refers to itself': [
    'invalid-index',
    inPool(1, [classRef(5)]),
    'the constant 5 has the tag Class, where Utf8 is wanted',
  ],
  'a method handle of a kind that there is not': [
    'invalid-value',
    inPool(1, [methodHandle(10, 1)]),
    'there is no reference kind 10',
  ],
  'a method handle of no member': [
    'invalid-index',
    inPool(2, [methodHandle(6, 2)]),
    'the constant 2 has the tag Class, where Methodref or InterfaceMethodref is wanted',
  ],

  'no class of its own': [
    'invalid-index',
    [assemble({ thisClass: 0 }), behind([]) + 2],
    'there is no constant 0, where Class is wanted',
  ],
  'a superclass that is none': [
    'invalid-index',
    [assemble({ superClass: 1 }), behind([]) + 4],
    'the constant 1 has the tag Utf8, where Class is wanted',
  ],
  'an interface that is none': [
    'invalid-index',
    [assemble({ interfaces: [4, 99] }), behind([]) + 10],
    'there is no constant 99',
  ],
  'a field whose type is no Utf8': [
    'invalid-index',
    [assemble({ fields: [member(1, 2)] }), behind([]) + 14],
    'the constant 2 has the tag Class, where Utf8 is wanted',
  ],
  'an attribute without a name': [
    'invalid-index',
    [assemble({ attributes: [attribute(2, [])] }), behind([]) + 14],
    'the constant 2 has the tag Class, where Utf8 is wanted',
  ],

  'an unknown attribute of 4 GB': [
    'truncated',
    inAttribute(-4, 'Unknown', [], { length: 0xffffffff }),
    'the attribute "Unknown" has a length of 4294967295, but 0 bytes left',
  ],
  'a known attribute of 4 GB': [
    'truncated',
    inAttribute(-4, 'SourceFile', u2(1), { length: 0xffffffff }),
    'the attribute "SourceFile" has a length of 4294967295, but 2 bytes left',
  ],
  'an attribute that says it is shorter': [
    'truncated',
    inAttribute(0, 'SourceFile', u2(1), { length: 1 }),
    '2 bytes needed, but 1 left, in the attribute SourceFile',
  ],
  'an attribute that is longer': [
    'excess-bytes',
    inAttribute(2, 'SourceFile', [...u2(1), 0]),
    '1 byte left over, in the attribute SourceFile',
  ],
  'an attribute of more items than it holds': [
    'truncated',
    inAttribute(2, 'InnerClasses', u2(0xffff)),
    '2 bytes needed, but 0 left',
  ],
  'an attribute that refers to something else': [
    'invalid-index',
    inAttribute(2, 'NestMembers', list(u2(1))),
    'the constant 1 has the tag Utf8, where Class is wanted',
  ],

  'code of 4 GB': ['truncated', inCode(8, code(0xffffffff)), '4294967295 bytes needed, but 0 left'],
  'code that says it is longer': [
    'truncated',
    inCode(13, [...code(3, 0xb1), ...u2(0), ...u2(0)]),
    '2 bytes needed, but 0 left, in the attribute Code',
  ],
  'code that says it is shorter': [
    'truncated',
    inCode(10, [...code(0, 0xb1), ...u2(0), ...u2(0)]),
    '6 bytes needed, but 3 left',
  ],
  'more handlers than there are': [
    'truncated',
    inCode(11, [...code(1, 0xb1), ...u2(0xffff), ...u2(0)]),
    '6 bytes needed, but 2 left',
  ],

  'an annotation with a value of no kind': [
    'invalid-tag',
    inAnnotations(8, list([...u2(6), ...list([...u2(1), 0x3f])])),
    'there is no value of tag 63, in the attribute RuntimeVisibleAnnotations',
  ],
  'an annotation with a string that is none': [
    'invalid-index',
    inAnnotations(9, list([...u2(6), ...list([...u2(1), 0x73, ...u2(0)])])),
    'there is no constant 0, where Utf8 is wanted',
  ],
  'an annotation of more values than it holds': [
    'truncated',
    inAnnotations(6, list([...u2(6), ...u2(0xffff)])),
    '2 bytes needed, but 0 left',
  ],
  'an annotation of a type without a target': [
    'invalid-tag',
    inAttribute(2, 'RuntimeVisibleTypeAnnotations', list([0x30])),
    'there is no target of type 48',
  ],

  'a dynamic constant without bootstrap methods': [
    'invalid-index',
    inPool(6, [nameAndType(1, 1), dynamic(0, 5)]),
    'there is no bootstrap method 0 for the constant 6',
  ],
  'a dynamic constant of a bootstrap method that there is not': [
    'invalid-index',
    inPool(20, [utf8('BootstrapMethods'), dynamic(1, 7), nameAndType(1, 1)], {
      attributes: [attribute(5, list())],
    }),
    'there is no bootstrap method 1 for the constant 6',
  ],
  'a second list of bootstrap methods': [
    'invalid-value',
    [
      assemble({
        constants: [utf8('BootstrapMethods')],
        attributes: [attribute(5, list()), attribute(5, list())],
      }),
      behind([utf8('BootstrapMethods')]) + TO_ATTRIBUTE + 8,
    ],
    'the attribute occurs twice, in the attribute BootstrapMethods',
  ],
  'a dynamic constant that is an argument of its own': [
    'cycle',
    inBootstraps(6, [9]),
    'the constant 9 depends on itself',
  ],
  'dynamic constants that need each other': [
    'cycle',
    inBootstraps(20, [10], [2, 11], [9]),
    'the constant 9 depends on itself',
  ],
};

describe('malformed', () => {
  it.each(Object.entries(cases))('%s', (_, [reason, [file, offset], says]) => {
    const functions = [
      readClass,
      readStrings,
      (bytes: Uint8Array) => replaceStrings(bytes, () => ''),
    ];
    for (const read of functions) {
      const error = catchError(() => read(file));
      expect(error).toBeInstanceOf(ClassFileError);
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({
        name: 'ClassFileError',
        code: 'ERR_CLASS_FILE',
        reason,
        offset,
      });
      expect(error.message).toMatch(/^Malformed class file at byte \d+: .*[^.]\.$/);
      expect(error.message).toContain(says);
    }
  });
});

/** Files that cannot be read at all, because the pool itself is malformed. */
const inConstants = [
  'nothing at all',
  'no class',
  'no constants, not even none',
  'more constants than there are',
  '65,534 constants, and the end',
  'a constant of a tag that there is not',
  'a constant that came with a later version',
  'a string that ends after the file',
  'a Long without a second slot',
];

describe('lenient', () => {
  const others = Object.entries(cases).filter(([name]) => !inConstants.includes(name));

  it.each(others)('%s is told, and all strings are read', (_, [, [file]]) => {
    const first = catchError(() => readStrings(file));
    const told: ClassFileError[] = [];
    const lenient = (error: ClassFileError): void => void told.push(error);
    const strings = [...readStrings(file, { lenient })];
    expect(told[0]).toEqual(first);
    expect(told[0]?.message).toBe(first.message);
    expect(strings.length).toBeGreaterThan(0);
    expect(readClass(file, { lenient }).strings).toEqual(strings);
    const uses = [...readUses(file, { lenient })];
    for (const { index, kinds } of strings) {
      const own = uses.filter(({ string }) => string.index === index).map(({ kind }) => kind);
      expect(new Set(kinds)).toEqual(new Set(own.length > 0 ? own : ['unused']));
    }
    expect(replaceStrings(file, () => undefined, { lenient })).toEqual(file);
  });

  it.each(inConstants)('%s is refused', (name) => {
    const [, [file]] = cases[name] as (typeof cases)[string];
    expect(catchError(() => readStrings(file, { lenient: () => expect.fail('told') }))).toEqual(
      catchError(() => readStrings(file)),
    );
  });

  it('every fault is told, once, with its place', () => {
    const constants = [
      utf8('m'),
      utf8('()V'),
      utf8('Code'),
      utf8('LocalVariableTable'),
      utf8('BootstrapMethods'),
      utf8('Record'),
      utf8('Signature'),
      string(1),
      nameAndType(1, 1),
      methodref(2, 13),
      methodHandle(6, 14),
    ];
    const tables = list(
      attribute(8, list([...u4(0), ...u2(2), ...u2(6), ...u2(0)])),
      attribute(8, [1]),
    );
    const load = [...code(3, 0x12, 12, 0xb0), ...u2(0), ...tables];
    const file = assemble({
      constants,
      thisClass: 1,
      interfaces: [4, 1],
      fields: [member(2, 6), member(5, 6, attribute(11, u2(77)))],
      methods: [member(5, 6, attribute(7, load))],
      attributes: [
        attribute(
          9,
          list([...u2(1), ...list(u2(12), u2(1), u2(12))], [...u2(15), ...list(u2(12))]),
        ),
        attribute(10, list([...u2(5), ...u2(6), ...list(attribute(11, []))])),
        attribute(9, list()),
      ],
    });
    const told: string[] = [];
    const { name, superName, interfaces, strings } = readClass(file, {
      lenient: ({ message }) => void told.push(message.replace(/^[^:]*: /, '')),
    });
    expect(told).toEqual([
      'the constant 1 has the tag Utf8, where Class is wanted.',
      'the constant 1 has the tag Utf8, where Class is wanted.',
      'the constant 2 has the tag Class, where Utf8 is wanted, in the field "".',
      'there is no constant 77, where Utf8 is wanted, in the attribute Signature of the field m.',
      'the constant 2 has the tag Class, where Utf8 is wanted, in the attribute LocalVariableTable of the method m()V.',
      '2 bytes needed, but 1 left, in the attribute LocalVariableTable of the method m()V.',
      'the constant 1 has the tag Utf8, where MethodHandle is wanted, in the attribute BootstrapMethods.',
      'the constant 1 has the tag Utf8, where Integer or Float or Long or Double or Class or String or MethodHandle or MethodType or Dynamic is wanted, in the attribute BootstrapMethods.',
      '2 bytes needed, but 0 left, in the attribute Signature of the component m.',
      'the attribute occurs twice, in the attribute BootstrapMethods.',
    ]);
    expect([name, superName, interfaces]).toEqual(['', 'java/lang/Object', ['java/lang/Object']]);
    expect(strings[0]).toMatchObject({
      string: 'A',
      kinds: ['literal', 'bootstrap-argument', 'name', 'descriptor'],
    });
    const uses = readUses(file, {
      lenient: () => undefined,
      kinds: ['literal', 'bootstrap-argument'],
    });
    expect(
      Array.from(
        uses,
        ({ member, bootstrap }) => member?.name ?? [bootstrap?.method, bootstrap?.argument],
      ),
    ).toEqual(['m', ['', 0], ['', 2], ['A.A', 0]]);
  });

  it('a class that is cut off anywhere after its pool is read as far as it goes', () => {
    const [file] = inCode(0, [...code(2, 0x12, 1), ...u2(0), ...u2(0)]);
    const end = FIRST_CONSTANT + [utf8('m'), utf8('()V'), utf8('Code')].flat().length;
    for (let length = end; length < file.length; length++) {
      const told: ClassFileError[] = [];
      const lenient = (error: ClassFileError): void => void told.push(error);
      const cut = file.subarray(0, length);
      const { name, strings } = readClass(cut, { lenient });
      expect(strings.length).toBe(5);
      expect(name).toBe(length < end + 4 ? '' : 'A');
      expect(told).toEqual([catchError(() => readClass(cut))]);
      expect([...readUses(cut, { lenient })].length).toBeGreaterThan(0);
    }
  });

  it('what the listener throws is thrown, and it is told no more', () => {
    const file = assemble({
      constants: [utf8('RuntimeVisibleAnnotations')],
      attributes: [attribute(5, list([...u2(99), ...u2(0)])), attribute(5, [1])],
    });
    const told: ClassFileError[] = [];
    const error = catchError(() =>
      readStrings(file, {
        lenient: (error) => {
          told.push(error);
          throw error;
        },
      }),
    );
    expect(told).toEqual([error]);
  });

  it('malformed strings are refused as ever, unless another policy is wanted', () => {
    const file = assemble({ constants: [utf8([0xff])], attributes: [[1]] });
    const lenient = (): void => undefined;
    expect(catchError(() => readStrings(file, { lenient })).reason).toBe('malformed-utf8');
    const strings = [...readStrings(file, { lenient, errors: 'replace' })];
    expect(strings.map(({ string }) => string)).toEqual(['A', 'java/lang/Object', '\ufffd']);
  });
});

describe('an error names', () => {
  const constants = (name: string, attribute = 'Code'): Bytes[] => [
    utf8(name),
    utf8('([I)V'),
    utf8(attribute),
  ];

  it('the class, the member and the attribute', () => {
    const methods = [member(5, 6, attribute(7, [0]))];
    const error = catchError(() => readClass(assemble({ constants: constants('main'), methods })));
    expect(error).toMatchObject({ className: 'A', attribute: 'Code' });
    expect(error.message).toMatch(
      /: 4 bytes needed, but 1 left, in the attribute Code of the method main\(\[I\)V of the class A\.$/,
    );
  });

  it('what it can, before the class has a name', () => {
    expect(catchError(() => readClass(new Uint8Array(0)))).toMatchObject({
      className: undefined,
      attribute: undefined,
    });
    const error = catchError(() => readClass(assemble({ interfaces: [1] })));
    expect(error.message).toMatch(/is wanted, in the class A\.$/);
  });

  it('strange and long names so that they can be read', () => {
    const fields = (name: string) =>
      assemble({
        constants: constants(name, 'Signature'),
        fields: [member(5, 6, attribute(7, u2(0)))],
      });
    expect(catchError(() => readClass(fields('a\nb\u202e'))).message).toContain(
      'of the field "a\\nb\\u202e" of the class A.',
    );
    expect(catchError(() => readClass(fields('x'.repeat(60_000)))).message).toContain(
      `of the field ${'x'.repeat(200)}… of the class A.`,
    );
  });
});

function catchError(action: () => unknown): ClassFileError {
  try {
    action();
  } catch (error) {
    return error as ClassFileError;
  }
  return expect.fail('nothing was thrown');
}

describe('large', () => {
  /** A class with an annotation in an annotation in an annotation, or an array in an array, and so on. */
  const nested = (depth: number, level: Bytes, innermost: Bytes): Uint8Array => {
    const content = new Array<Bytes>(depth).fill(level).flat();
    const head = [...u2(1), ...u2(6), ...u2(1), ...u2(1)];
    return inAnnotations(0, [...head, ...content, ...innermost])[0];
  };

  it.each([
    ['annotations', [0x40, ...u2(6), ...u2(1), ...u2(1)]],
    ['arrays', [0x5b, ...u2(1)]],
  ] as const)('50,000 %s in each other are read', (_, level) => {
    const file = nested(50_000, level, [0x73, ...u2(1)]);
    const [first] = readStrings(file);
    expect(first?.kinds).toEqual(['name', 'annotation']);
  });

  it('50,000 annotations in each other are followed to the fault', () => {
    const file = nested(50_000, [0x40, ...u2(6), ...u2(1), ...u2(1)], [0x3f]);
    expect(catchError(() => readClass(file))).toMatchObject({
      reason: 'invalid-tag',
      offset: file.length - 1,
    });
  });

  it('20,000 dynamic constants that each need the next are read, or say that they are a circle', () => {
    const count = 20_000;
    const chain = Array.from({ length: count }, (_, i) => (i + 1 < count ? [9 + i + 1] : []));
    expect(readClass(inBootstraps(0, ...chain)[0]).name).toBe('A');
    const circle = [...chain.slice(0, -1), [9]];
    expect(catchError(() => readClass(inBootstraps(0, ...circle)[0])).reason).toBe('cycle');
  });

  it('a pool of 65,534 strings is read', () => {
    const constants = Array.from({ length: 65_530 }, (_, i) => utf8(String(i)));
    const strings = [...readStrings(assemble({ constants }))];
    expect(strings.length).toBe(65_532);
    expect(strings.at(-1)).toMatchObject({ index: 65_534, string: '65529', kinds: ['unused'] });
  });

  it('65,535 interfaces of one long name are read in little memory', () => {
    const file = assemble({
      constants: [utf8('x'.repeat(65_535)), classRef(5)],
      interfaces: new Array<number>(65_535).fill(6),
    });
    const { interfaces } = readClass(file);
    expect(interfaces.length).toBe(65_535);
    expect(interfaces.at(-1)?.length).toBe(65_535);
  });

  it('65,535 attributes of one long name are passed over', () => {
    const attributes = new Array<Bytes>(65_535).fill(attribute(5, []));
    const strings = readStrings(assemble({ constants: [utf8('x'.repeat(65_535))], attributes }));
    expect([...strings][2]?.kinds).toEqual(['attribute']);
  });

  it('a string of 65,535 bytes is read', () => {
    const text = 'x'.repeat(65_535);
    const [, , last] = readStrings(assemble({ constants: [utf8(text)] }));
    expect(last?.string).toBe(text);
  });
});

describe('a malformed string', () => {
  // A trail byte without lead after an A.
  const file = assemble({ constants: [utf8([0x41, 0x80, 0x42]), string(5)] });
  const offset = FIRST_CONSTANT + 4;

  it('refuses the whole file under strict, with the error of the codec as cause', () => {
    for (const read of [readClass, readStrings]) {
      const error = catchError(() => read(file));
      expect(error).toMatchObject({ code: 'ERR_CLASS_FILE', reason: 'malformed-utf8', offset });
      expect(error.message).toBe(
        `Malformed class file at byte ${offset}: the constant 5 is not Modified UTF-8: unexpected-continuation, in the class A.`,
      );
      expect(error.cause).toBeInstanceOf(DecodeError);
      expect(error.cause).toMatchObject({ offset, length: 1, reason: 'unexpected-continuation' });
    }
  });

  it.each([
    ['replace', 'A\ufffdB'],
    ['ignore', 'AB'],
    ['backslashreplace', 'A\\x80B'],
    ['surrogateescape', 'A\udc80B'],
  ] as const)('is read under %s, and its fault told', (errors, text) => {
    const strings = [...readStrings(file, { errors })];
    expect(strings.map(({ string }) => string)).toEqual(['A', 'java/lang/Object', text]);
    expect(strings.map(({ fault }) => fault)).toEqual([
      undefined,
      undefined,
      { offset, length: 1, reason: 'unexpected-continuation', incomplete: false },
    ]);
  });

  it('is given to a function, with its place in the file', () => {
    const told: unknown[] = [];
    const errors = (fault: unknown, bytes: Uint8Array): string => {
      told.push(fault, [...bytes]);
      return '?';
    };
    expect(readClass(file, { errors }).strings[2]?.string).toBe('A?B');
    expect(told).toEqual([
      { offset, length: 1, reason: 'unexpected-continuation', incomplete: false },
      [0x80],
    ]);
  });

  it('stays as it is where it is not replaced', () => {
    const errors = 'replace';
    expect(replaceStrings(file, ({ string }) => string, { errors })).toEqual(file);
    const changed = replaceStrings(file, ({ string }) => `${string}!`, { errors });
    expect([...readStrings(changed)][2]?.string).toBe('A\ufffdB!');
  });
});
