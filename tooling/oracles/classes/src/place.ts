/** Classes that have one attribute somewhere. */
import { type ClassFileError, readClass } from '@utf8/classfile';
import {
  attribute,
  type Bytes,
  integer,
  list,
  type Parts,
  string,
  u2,
  u4,
  utf8,
} from './assemble.js';

const NAME = 6;
export const constants = (name: string): Bytes[] => [
  utf8(name),
  utf8('m'),
  utf8('()V'),
  utf8('I'),
  utf8('Code'),
  utf8('Record'),
  integer(7),
  string(1),
];

export const member = (flags: number, type: number, ...attributes: Bytes[]): Bytes => [
  ...u2(flags),
  ...u2(NAME),
  ...u2(type),
  ...list(...attributes),
];

const code = (...attributes: Bytes[]): Bytes =>
  attribute(9, [...u2(1), ...u2(1), ...u4(1), 0xb1, ...list(), ...list(...attributes)]);

const PUBLIC = 1;
export const PUBLIC_STATIC = 9;

/** Classes that have an attribute somewhere. */
export const places: Readonly<Record<string, (it: Bytes) => Parts>> = {
  class: (it) => ({ attributes: [it] }),
  'a static field': (it) => ({ fields: [member(PUBLIC_STATIC, 8, it)] }),
  'an instance field': (it) => ({ fields: [member(PUBLIC, 8, it)] }),
  'a method': (it) => ({ methods: [member(PUBLIC_STATIC, 7, code(), it)] }),
  code: (it) => ({ methods: [member(PUBLIC_STATIC, 7, code(it))] }),
  'a component': (it) => ({
    attributes: [attribute(10, list([...u2(NAME), ...u2(8), ...list(it)]))],
  }),
};

/** Returns the reason why a class is refused, or undefined. */
export function complain(file: Uint8Array): string | undefined {
  try {
    readClass(file);
    return undefined;
  } catch (error) {
    return (error as ClassFileError).message;
  }
}

/** An annotation with a string, and one with a value of no kind. */
export const annotations = list(
  [...u2(8), ...list([...u2(NAME), 0x73, ...u2(NAME)])],
  [...u2(8), ...list([...u2(NAME), 0x3f])],
);

/** Attributes that JVMs ignore: description, name, content and place. */
export const ignored: readonly (readonly [
  what: string,
  name: string,
  content: Bytes,
  place: string,
])[] = [
  [
    'a ConstantValue of an instance field, of nothing',
    'ConstantValue',
    u2(99),
    'an instance field',
  ],
  ['a ConstantValue of an instance field, of a class', 'ConstantValue', u2(2), 'an instance field'],
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
];
