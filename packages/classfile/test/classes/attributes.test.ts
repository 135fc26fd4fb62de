/** Attributes and annotations: each row of the tables of the JVMS, section 4.7. */
import { type ClassFileError, readClass, readUses } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  type Bytes,
  classRef,
  dynamic,
  integer,
  list,
  long,
  member,
  methodHandle,
  methodref,
  nameAndType,
  string,
  u2,
  u4,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';

type Place = 'class' | 'field' | 'method' | 'code' | 'component';

const places: readonly Place[] = ['class', 'field', 'method', 'code', 'component'];
const onAll: readonly Place[] = ['class', 'field', 'method', 'component'];

/** First version and places of each attribute, by name. */
const known: Readonly<Record<string, readonly [since: number, on: readonly Place[]]>> = {
  ConstantValue: [45, ['field']],
  Code: [45, ['method']],
  Exceptions: [45, ['method']],
  SourceFile: [45, ['class']],
  InnerClasses: [45, ['class']],
  LocalVariableTable: [45, ['code']],
  LocalVariableTypeTable: [49, ['code']],
  EnclosingMethod: [49, ['class']],
  Signature: [49, onAll],
  RuntimeVisibleAnnotations: [49, onAll],
  RuntimeInvisibleAnnotations: [49, onAll],
  RuntimeVisibleParameterAnnotations: [49, ['method']],
  RuntimeInvisibleParameterAnnotations: [49, ['method']],
  AnnotationDefault: [49, ['method']],
  BootstrapMethods: [51, ['class']],
  RuntimeVisibleTypeAnnotations: [52, places],
  RuntimeInvisibleTypeAnnotations: [52, places],
  MethodParameters: [52, ['method']],
  Module: [53, ['class']],
  ModulePackages: [53, ['class']],
  ModuleMainClass: [53, ['class']],
  ModuleTarget: [53, ['class']],
  ModuleHashes: [53, ['class']],
  NestHost: [55, ['class']],
  NestMembers: [55, ['class']],
  Record: [60, ['class']],
  PermittedSubclasses: [61, ['class']],
  // These refer to no strings, or do not exist.
  StackMapTable: [50, []],
  LineNumberTable: [45, []],
  Deprecated: [45, []],
  Own: [45, []],
};

/** A module, so that its attributes matter, with one attribute of a name at a place. */
function assembleAt(place: Place, name: string, major: number, content: Bytes): Uint8Array {
  const constants = [utf8(name), utf8('Code'), utf8('Record'), utf8('LV;')];
  const own = attribute(5, content);
  const parts = { constants, major, flags: 0x8000 };
  if (place === 'class') return assemble({ ...parts, attributes: [own] });
  if (place === 'field') return assemble({ ...parts, fields: [member(1, 1, own)] });
  if (place === 'method') return assemble({ ...parts, methods: [member(1, 1, own)] });
  if (place === 'component') {
    const components = list([...u2(1), ...u2(1), ...list(own)]);
    return assemble({ ...parts, attributes: [attribute(7, components)] });
  }
  const code = attribute(6, [...u2(0), ...u2(0), ...u4(0), ...list(), ...list(own)]);
  return assemble({ ...parts, methods: [member(1, 1, code)] });
}

function faultOf(file: Uint8Array): ClassFileError | undefined {
  try {
    readClass(file);
    return undefined;
  } catch (error) {
    return error as ClassFileError;
  }
}

describe.each(places)('an attribute of a %s', (place) => {
  const first = place === 'component' ? 60 : 45;
  const isInvisible = (name: string): boolean => name.startsWith('RuntimeInvisible');

  it.each(Object.keys(known))('%s is looked at from its version on, where it belongs', (name) => {
    const [since, on] = known[name] as (typeof known)[string];
    for (const major of [first, since - 1, since, 69].filter((each) => each >= first)) {
      const reason = name === 'AnnotationDefault' ? 'invalid-tag' : 'truncated';
      const isKnown = major >= since && on.includes(place);
      const fault = faultOf(assembleAt(place, name, major, [0xff]));
      if (!isKnown || isInvisible(name)) expect(fault, `${major}`).toBeUndefined();
      else expect(fault, `${major}`).toMatchObject({ reason, attribute: name });
    }
  });

  it('refers to strings though a JVM does not look at it', () => {
    for (const name of Object.keys(known).filter(isInvisible)) {
      const [since, on] = known[name] as (typeof known)[string];
      const isOfParameters = name.endsWith('ParameterAnnotations');
      const head = isOfParameters ? [1, ...u2(1)] : u2(1);
      const target = name.endsWith('TypeAnnotations') ? [0x13, 0] : [];
      const content = [...head, ...target, ...u2(8), ...u2(0)];
      for (const major of [since - 1, since].filter((each) => each >= first)) {
        const file = assembleAt(place, name, major, content);
        const types = [...readUses(file)].filter(({ annotation }) => annotation?.type === 'LV;');
        expect(types.length > 0, name).toBe(major >= since && on.includes(place));
      }
    }
  });
});

/** A class with annotations: the type is 6, and the name of an element 7. */
const annotate = (content: Bytes, attributeName = 'RuntimeVisibleAnnotations'): Uint8Array =>
  assemble({
    constants: [
      ...[utf8(attributeName), utf8('LV;'), utf8('value'), utf8('text')],
      ...[integer(1), [4, ...u4(1)], [6, ...u4(1), ...u4(1)], long(1)],
    ],
    attributes: [attribute(5, content)],
  });

/** The constants of {@link annotate} that are no Utf8. */
const constants = { Integer: 9, Float: 10, Double: 11, Long: 13 };

describe('a value of an annotation', () => {
  const ofValue = (...value: number[]): Uint8Array =>
    annotate([...u2(1), ...u2(6), ...u2(1), ...u2(7), ...value]);

  it.each([
    ['B', 'Integer'],
    ['C', 'Integer'],
    ['D', 'Double'],
    ['F', 'Float'],
    ['I', 'Integer'],
    ['J', 'Long'],
    ['S', 'Integer'],
    ['Z', 'Integer'],
  ] as const)('of the tag %s is of the type %s', (tag, wanted) => {
    for (const [name, index] of Object.entries(constants)) {
      const fault = faultOf(ofValue(tag.charCodeAt(0), ...u2(index)));
      if (name === wanted) expect(fault).toBeUndefined();
      else {
        expect(fault?.message).toContain(
          `the constant ${index} has the tag ${name}, where ${wanted} is wanted`,
        );
      }
    }
  });

  it('may be a text, a class, or a constant of an enum', () => {
    const usesOf = (...value: number[]): string[] =>
      Array.from(readUses(ofValue(...value)))
        .filter(({ annotation }) => annotation?.path === 'value')
        .map(({ kind, string }) => `${kind} ${string.string}`);
    const name = 'name value';
    expect(usesOf(0x73, ...u2(8))).toEqual([name, 'annotation text']);
    expect(usesOf(0x63, ...u2(6))).toEqual([name, 'descriptor LV;']);
    expect(usesOf(0x65, ...u2(6), ...u2(8))).toEqual([name, 'descriptor LV;', 'name text']);
    for (const tag of ['s', 'c', 'e']) {
      expect(faultOf(ofValue(tag.charCodeAt(0), ...u2(9), ...u2(9)))?.message).toContain(
        'the constant 9 has the tag Integer, where Utf8 is wanted',
      );
    }
    expect(faultOf(ofValue(0x65, ...u2(6), ...u2(9)))?.reason).toBe('invalid-index');
  });

  it('has no other tag', () => {
    for (let tag = 0; tag < 256; tag++) {
      if ('BCDFIJSZsce@['.includes(String.fromCharCode(tag))) continue;
      expect(faultOf(ofValue(tag, 0, 0))?.message).toContain(`there is no value of tag ${tag}`);
    }
  });
});

describe('an annotation of a type', () => {
  /** By type of the target, its bytes. JVMS 4.7.20, tables 4.7.20-A and B. */
  const lengths = new Map<number, number>([
    ...[0x00, 0x01, 0x16].map((type) => [type, 1] as const),
    ...[0x10, 0x11, 0x12, 0x17, 0x42, 0x43, 0x44, 0x45, 0x46].map((type) => [type, 2] as const),
    ...[0x13, 0x14, 0x15].map((type) => [type, 0] as const),
    ...[0x47, 0x48, 0x49, 0x4a, 0x4b].map((type) => [type, 3] as const),
  ]);
  const read = (...target: number[]): Uint8Array => {
    const annotation = [...u2(6), ...u2(1), ...u2(7), 0x73, ...u2(8)];
    const content = [...u2(1), ...target, 2, 3, 3, 3, 3, ...annotation];
    return annotate(content, 'RuntimeVisibleTypeAnnotations');
  };
  const textsIn = (file: Uint8Array): (string | undefined)[] =>
    Array.from(readUses(file, { kinds: ['annotation'] }), ({ annotation }) => annotation?.path);

  it('comes after its target, of as many bytes as its type says', () => {
    for (let type = 0; type < 256; type++) {
      const length = lengths.get(type);
      if (type === 0x40 || type === 0x41) {
        for (const count of [0, 1, 3]) {
          const table = [...u2(count), ...new Array<number>(6 * count).fill(9)];
          expect(textsIn(read(type, ...table))).toEqual(['value']);
        }
      } else if (length === undefined) {
        expect(faultOf(read(type))).toMatchObject({
          reason: 'invalid-tag',
          message: expect.stringContaining(`there is no target of type ${type}`),
        });
      } else {
        expect(textsIn(read(type, ...new Array<number>(length).fill(9)))).toEqual(['value']);
      }
    }
  });
});

describe('the name of a constant of an enum', () => {
  /** Returns the kind of a text that is loaded between `new`, `dup` and an instruction. */
  function kindOf(...next: number[]): string {
    const constants = [
      ...[utf8('<clinit>'), utf8('()V'), utf8('Code'), utf8('text'), string(8)],
      ...[integer(1), [4, ...u4(1)]],
    ];
    const code = [0xbb, ...u2(2), 0x59, 0x12, 9, ...next];
    const content = [...u2(9), ...u2(9), ...u4(code.length), ...code, ...list(), ...list()];
    const methods = [member(5, 6, attribute(7, content))];
    const [use] = readUses(assemble({ constants, methods, flags: 0x4021 }), {
      kinds: ['literal', 'enum-constant'],
    });
    return use?.kind ?? 'none';
  }

  it('comes before an int, by whatever instruction', () => {
    for (let opcode = 0; opcode < 256; opcode++) {
      const isInteger = (opcode >= 0x02 && opcode <= 0x08) || opcode === 0x10 || opcode === 0x11;
      if (opcode === 0x12 || opcode === 0x13) continue;
      expect(kindOf(opcode, 0, 10, 0, 0), `${opcode}`).toBe(
        isInteger ? 'enum-constant' : 'literal',
      );
    }
    expect(kindOf(0x12, 10)).toBe('enum-constant');
    expect(kindOf(0x12, 11)).toBe('literal');
    expect(kindOf(0x13, 0, 10)).toBe('enum-constant');
    expect(kindOf(0x13, 0, 11)).toBe('literal');
  });

  it('is none where the code ends before the int, or in it', () => {
    expect(kindOf()).toBe('literal');
    expect(kindOf(0x10)).toBe('literal');
    expect(kindOf(0x11, 0)).toBe('literal');
    expect(kindOf(0x12)).toBe('literal');
    expect(kindOf(0x13, 0)).toBe('literal');
  });
});

describe('a string that is compared', () => {
  /** Kinds of the string after a switch over a hash code of 0, with instructions before the comparison. */
  function kindOf(...between: number[]): string {
    const constants = [
      ...[utf8('m'), utf8('()V'), utf8('Code'), utf8(''), string(8)],
      ...[utf8('hashCode'), utf8('()I'), nameAndType(10, 11), methodref(2, 12)],
      ...[utf8('equals'), utf8('(Ljava/lang/Object;)Z'), nameAndType(14, 15), methodref(2, 16)],
    ];
    const lookup = [0xab, ...u4(0), ...u4(1), ...u4(0), ...u4(0)];
    const code = [0xb6, ...u2(13), ...lookup, 0x12, 9, ...between, 0xb6, ...u2(17), 0xb1];
    const content = [...u2(9), ...u2(9), ...u4(code.length), ...code, ...list(), ...list()];
    const methods = [member(5, 6, attribute(7, content))];
    const [use] = readUses(assemble({ constants, methods }), {
      kinds: ['literal', 'switch-label'],
    });
    return use?.kind ?? 'none';
  }

  it('may have a local variable loaded after it, by whatever instruction', () => {
    expect(kindOf()).toBe('switch-label');
    for (const load of [[0x2a], [0x2b], [0x2c], [0x2d], [0x19, 1], [0xc4, 0x19, 1, 1]]) {
      expect(kindOf(...load), `${load}`).toBe('switch-label');
    }
    for (const other of [
      [0x00],
      [0x29],
      [0x2e],
      [0x18, 1],
      [0x1a],
      [0xc4, 0x15, 1, 1],
      [0xc4, 0x18, 1, 1],
    ]) {
      expect(kindOf(...other), `${other}`).toBe('literal');
    }
  });
});

describe('arguments of a bootstrap method', () => {
  it.each([
    [
      'java/lang/invoke/StringConcatFactory',
      'makeConcatWithConstants',
      'recipe',
      'bootstrap-argument',
    ],
    [
      'java/lang/invoke/StringConcatFactory',
      'makeConcat',
      'bootstrap-argument',
      'bootstrap-argument',
    ],
    ['java/lang/runtime/SwitchBootstraps', 'typeSwitch', 'switch-label', 'switch-label'],
    ['java/lang/runtime/SwitchBootstraps', 'enumSwitch', 'switch-label', 'switch-label'],
    ['java/lang/runtime/ObjectMethods', 'bootstrap', 'record-components', 'record-components'],
    ['java/lang/runtime/ObjectMethods', 'typeSwitch', 'bootstrap-argument', 'bootstrap-argument'],
    ['Own', 'bootstrap', 'bootstrap-argument', 'bootstrap-argument'],
  ])('%s.%s are so', (owner, name, first, others) => {
    const constants = [
      ...[utf8('BootstrapMethods'), utf8(owner), classRef(6), utf8(name), utf8('()V')],
      ...[nameAndType(8, 9), methodref(7, 10), methodHandle(6, 11)],
      ...[utf8('a'), string(13), utf8('b'), string(15), dynamic(0, 10), integer(1)],
    ];
    const method = [...u2(12), ...list(u2(18), u2(14), u2(16), u2(16))];
    const file = assemble({ constants, attributes: [attribute(5, list(method))] });
    const uses = [...readUses(file)].filter(({ bootstrap }) => bootstrap);
    expect(uses.map(({ string, kind }) => [string.string, kind])).toEqual([
      ['a', first],
      ['b', others],
      ['b', others],
    ]);
  });
});
