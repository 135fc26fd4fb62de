/** What a JVM does not look at: no fault in it matters, and its strings are read as far as they go. */
import { type ClassFileError, readClass, readStrings, readUses } from '@utf8/classfile';
import { formatBytes } from '@utf8/oracles/interop/answer';
import { afterAll, describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  type Bytes,
  integer,
  list,
  type Parts,
  string,
  u2,
  u4,
  utf8,
} from '../src/assemble.js';
import { startJvm } from '../src/jvm.js';

const jvm = await startJvm();
afterAll(() => jvm?.stop());

const names = [
  'AnnotationDefault',
  'BootstrapMethods',
  'Code',
  'ConstantValue',
  'EnclosingMethod',
  'Exceptions',
  'InnerClasses',
  'LineNumberTable',
  'LocalVariableTable',
  'LocalVariableTypeTable',
  'MethodParameters',
  'Module',
  'ModuleHashes',
  'ModuleMainClass',
  'ModulePackages',
  'ModuleTarget',
  'NestHost',
  'NestMembers',
  'PermittedSubclasses',
  'Record',
  'RuntimeInvisibleAnnotations',
  'RuntimeInvisibleParameterAnnotations',
  'RuntimeInvisibleTypeAnnotations',
  'RuntimeVisibleAnnotations',
  'RuntimeVisibleParameterAnnotations',
  'RuntimeVisibleTypeAnnotations',
  'Signature',
  'SourceFile',
];

/** What attributes may have in them: counts and indices that lie. */
const contents: readonly Bytes[] = [
  [],
  [0],
  u2(0),
  u2(1),
  u2(2),
  u2(0xffff),
  [...u2(1), 0],
  [...u2(1), ...u2(0)],
  [...u2(1), ...u2(1)],
  [...u2(1), ...u2(99)],
  new Array<number>(7).fill(0xff),
  [...u2(1), ...u2(1), ...new Array<number>(8).fill(0)],
  new Array<number>(40).fill(0),
];

const NAME = 6;
const constants = (name: string): Bytes[] => [
  utf8(name),
  utf8('m'),
  utf8('()V'),
  utf8('I'),
  utf8('Code'),
  utf8('Record'),
  integer(7),
  string(1),
];

const member = (flags: number, type: number, ...attributes: Bytes[]): Bytes => [
  ...u2(flags),
  ...u2(NAME),
  ...u2(type),
  ...list(...attributes),
];

const code = (...attributes: Bytes[]): Bytes =>
  attribute(9, [...u2(1), ...u2(1), ...u4(1), 0xb1, ...list(), ...list(...attributes)]);

const PUBLIC = 1;
const PUBLIC_STATIC = 9;

/** Classes that have an attribute somewhere. */
const places: Record<string, (it: Bytes) => Parts> = {
  class: (it) => ({ attributes: [it] }),
  'a static field': (it) => ({ fields: [member(PUBLIC_STATIC, 8, it)] }),
  'an instance field': (it) => ({ fields: [member(PUBLIC, 8, it)] }),
  'a method': (it) => ({ methods: [member(PUBLIC_STATIC, 7, code(), it)] }),
  code: (it) => ({ methods: [member(PUBLIC_STATIC, 7, code(it))] }),
  'a component': (it) => ({
    attributes: [attribute(10, list([...u2(NAME), ...u2(8), ...list(it)]))],
  }),
};

function complain(file: Uint8Array): string | undefined {
  try {
    readClass(file);
    return undefined;
  } catch (error) {
    return (error as ClassFileError).message;
  }
}

/** What reflection complains of. */
const reflected = /the attribute "?(RuntimeVisible\w*Annotations|AnnotationDefault)\b/;

describe.runIf(jvm)('what HotSpot takes is taken', () => {
  it.each(Object.entries(places))('in %s', async (_, make) => {
    const refused: [complaint: string, file: Uint8Array][] = [];
    for (const major of [45, 48, 49, 52, 55, 61]) {
      for (const name of names) {
        for (const content of contents) {
          const parts = make(attribute(5, content));
          const file = assemble({ major, constants: constants(name), ...parts });
          const complaint = complain(file);
          if (complaint && !reflected.test(complaint)) refused.push([complaint, file]);
        }
      }
    }
    expect(refused.length).toBeGreaterThan(0);
    const answers =
      (await jvm?.ask(
        'define',
        refused.map(([, file]) => formatBytes(file)),
      )) ?? [];
    const taken = refused.filter((_, i) => answers[i]?.startsWith('ok'));
    expect(taken.map(([complaint]) => complaint)).toEqual([]);
  });
});

/** An annotation with a string, and one with a value of no kind. */
const annotations = list(
  [...u2(8), ...list([...u2(NAME), 0x73, ...u2(NAME)])],
  [...u2(8), ...list([...u2(NAME), 0x3f])],
);

describe('ignored', () => {
  it.each<[string, string, Bytes, keyof typeof places]>([
    [
      'a ConstantValue of an instance field, of nothing',
      'ConstantValue',
      u2(99),
      'an instance field',
    ],
    [
      'a ConstantValue of an instance field, of a class',
      'ConstantValue',
      u2(2),
      'an instance field',
    ],
    [
      'a ConstantValue of an instance field, too long',
      'ConstantValue',
      [1, 2, 3],
      'an instance field',
    ],
    ['a Module that is none', 'Module', [1], 'class'],
    ['ModulePackages that are none', 'ModulePackages', list(u2(2)), 'class'],
    ['a ModuleMainClass that is none', 'ModuleMainClass', u2(1), 'class'],
    ['a ModuleTarget that is none', 'ModuleTarget', [], 'class'],
    ['ModuleHashes that are none', 'ModuleHashes', u2(0xffff), 'class'],
    ['invisible annotations', 'RuntimeInvisibleAnnotations', annotations, 'class'],
    ['invisible annotations of components', 'RuntimeInvisibleAnnotations', [9], 'a component'],
    ['invisible annotations of types', 'RuntimeInvisibleTypeAnnotations', list([0x30]), 'code'],
    [
      'invisible annotations of parameters',
      'RuntimeInvisibleParameterAnnotations',
      [9, 9],
      'a method',
    ],
  ])('%s', async (_, name, content, place) => {
    const parts = places[place]?.(attribute(5, content));
    const file = assemble({ constants: constants(name), ...parts });
    const told: unknown[] = [];
    const lenient = (error: unknown): void => void told.push(error);
    expect([...readStrings(file, { lenient })]).toEqual([...readStrings(file)]);
    expect(told).toEqual([]);
    expect([...readUses(file)].length).toBeGreaterThan(0);
    if (jvm) expect(await jvm.ask('define', [formatBytes(file)])).toEqual(['ok 0041']);
    // The same where a JVM looks at it.
    if (name === 'RuntimeInvisibleAnnotations') {
      const visible = constants('RuntimeVisibleAnnotations');
      expect(complain(assemble({ constants: visible, ...parts }))).toMatch(/RuntimeVisible/);
    }
    if (name === 'ConstantValue') {
      const looked = assemble({
        constants: constants(name),
        fields: [member(PUBLIC_STATIC, 8, attribute(5, content))],
      });
      expect(complain(looked)).toMatch(
        /, in the attribute ConstantValue of the field m of the class A\.$/,
      );
    }
  });

  it('what is read before the fault stays', () => {
    const file = assemble({
      constants: constants('RuntimeInvisibleAnnotations'),
      attributes: [attribute(5, annotations)],
    });
    const uses = [...readUses(file, { kinds: ['annotation'] })];
    expect(uses.map(({ string, annotation }) => [string.string, annotation])).toEqual([
      ['m', { type: 'I', path: 'm' }],
    ]);
  });

  it('a ConstantValue of an instance field is a use, as javac writes it', () => {
    const [use, ...others] = readUses(
      assemble({
        constants: constants('ConstantValue'),
        ...places['an instance field']?.(attribute(5, u2(12))),
      }),
      { kinds: ['literal'] },
    );
    expect(others).toEqual([]);
    expect(use).toMatchObject({
      string: { string: 'A' },
      member: { type: 'field', name: 'm', descriptor: 'I' },
      constant: undefined,
    });
  });

  it('a Module of a module is looked at', () => {
    const error = complain(
      assemble({ constants: constants('Module'), attributes: [attribute(5, [1])], flags: 0x8000 }),
    );
    expect(error).toMatch(/, in the attribute Module of the class A\.$/);
  });
});
