/** The attributes that refer to strings, and their layouts. */

import { setOf } from '../kind.js';
import { annotation, elementDefault, typeAnnotation } from './annotations.js';
import { bootstrapMethods } from './bootstrap.js';
import { instructions } from './instructions.js';
import {
  bytes,
  constant,
  type Layout,
  list,
  optional,
  sequence,
  shortList,
  utf8,
} from './layout.js';
import { constantValue } from './loads.js';
import { ACC_MODULE, ACC_STATIC, leaveMembers, member } from './member.js';
import { Mark } from './places.js';
import type { Walk } from './walk.js';

/** Holder of attributes. */
type Place = 'class' | 'field' | 'method' | 'code' | 'component';

/**
 * An attribute: the first version of class files in which a JVM reads it, its holders, and its content.
 * `isIgnored` tells whether HotSpot ignores it, so that its errors do not matter.
 */
type Attribute = readonly [
  since: number,
  places: readonly Place[],
  layout: Layout,
  isIgnored?: (walk: Walk) => boolean,
];

const onClass: readonly Place[] = ['class'];
const onField: readonly Place[] = ['field'];
const onMethod: readonly Place[] = ['method'];
const onCode: readonly Place[] = ['code'];
const onAll: readonly Place[] = ['class', 'field', 'method', 'component'];
const onAllAndCode: readonly Place[] = [...onAll, 'code'];

const classRef = constant('Class');
const moduleRef = constant('Module');
const packageRef = constant('Package');
const name = utf8('name');
const descriptor = utf8('descriptor');
const signature = utf8('signature');
const source = utf8('source');
const u2 = bytes(2);

const code = sequence(
  (walk) => walk.places.list?.mark(Mark.Code, walk.reader.offset),
  instructions, // max_stack, max_locals, code
  list(bytes(6), optional(classRef)), // exception_table
  (walk) => codeAttributes(walk),
);

/** The first version in which HotSpot allows nothing after the inner classes. */
const JAVA_5 = 49;

const innerClasses = sequence(list(classRef, optional(classRef), optional(name), u2), (walk) => {
  if (walk.pool.majorVersion < JAVA_5) walk.reader.skip(walk.reader.left);
});
const enclosingMethod = sequence(classRef, optional(constant('NameAndType')));
const localVariables = (type: Layout): Layout => list(bytes(4), name, type, u2);
const methodParameters = shortList(optional(name), u2);
const components = list(member(Mark.Component), (walk) => componentAttributes(walk));
const record: Layout = (walk) => {
  try {
    components(walk);
  } finally {
    leaveMembers(walk);
  }
};

const annotations = list(annotation);
const parameterAnnotations = shortList(annotations);
const typeAnnotations = list(typeAnnotation);

const exported = list(packageRef, u2, list(moduleRef));
const module_ = sequence(
  moduleRef,
  u2,
  optional(source), // version
  list(moduleRef, u2, optional(source)), // requires
  exported, // exports
  exported, // opens
  list(classRef), // uses
  list(classRef, list(classRef)), // provides
);
const hash: Layout = ({ reader }) => reader.skip(reader.u2());

const always = (): boolean => true;
const isNotStatic = ({ memberFlags }: Walk): boolean => (memberFlags & ACC_STATIC) === 0;
const isNoModule = ({ classFlags }: Walk): boolean => (classFlags & ACC_MODULE) === 0;

/**
 * The attributes that refer to constants. Others are skipped like unknown ones: `LineNumberTable`,
 * `StackMapTable`, `Synthetic`, `Deprecated`, `SourceDebugExtension` and more.
 *
 * @see The Java Virtual Machine Specification, section 4.7, tables 4.7-A and 4.7-C
 */
const attributes: Readonly<Record<string, Attribute>> = {
  ConstantValue: [45, onField, constantValue, isNotStatic],
  Code: [45, onMethod, code],
  Exceptions: [45, onMethod, list(classRef)],
  SourceFile: [45, onClass, source],
  LocalVariableTable: [45, onCode, localVariables(descriptor)],
  InnerClasses: [45, onClass, innerClasses],
  EnclosingMethod: [49, onClass, enclosingMethod],
  Signature: [49, onAll, signature],
  LocalVariableTypeTable: [49, onCode, localVariables(signature)],
  RuntimeVisibleAnnotations: [49, onAll, annotations],
  RuntimeInvisibleAnnotations: [49, onAll, annotations, always],
  RuntimeVisibleParameterAnnotations: [49, onMethod, parameterAnnotations],
  RuntimeInvisibleParameterAnnotations: [49, onMethod, parameterAnnotations, always],
  AnnotationDefault: [49, onMethod, elementDefault],
  BootstrapMethods: [51, onClass, bootstrapMethods],
  RuntimeVisibleTypeAnnotations: [52, onAllAndCode, typeAnnotations],
  RuntimeInvisibleTypeAnnotations: [52, onAllAndCode, typeAnnotations, always],
  MethodParameters: [52, onMethod, methodParameters],
  Module: [53, onClass, module_, isNoModule],
  ModulePackages: [53, onClass, list(packageRef), isNoModule],
  ModuleMainClass: [53, onClass, classRef, isNoModule],
  NestHost: [55, onClass, classRef],
  NestMembers: [55, onClass, list(classRef)],
  Record: [60, onClass, record],
  PermittedSubclasses: [61, onClass, list(classRef)],

  // The JDK writes these into its own modules: jdk.internal.module.ClassFileAttributes.
  ModuleTarget: [53, onClass, source, isNoModule],
  ModuleHashes: [53, onClass, sequence(source, list(moduleRef, hash)), isNoModule],
};

const attributeName = setOf('attribute');

/** Returns the layout of a holder's attributes. An attribute of another holder is unknown. */
function attributesOf(place: Place): Layout {
  const known = new Map(Object.entries(attributes).filter(([, [, on]]) => on.includes(place)));
  return list((walk) => {
    const { reader, pool } = walk;
    const index = walk.utf8(attributeName);
    const name = index === 0 ? '' : pool.textOf(index);
    const length = reader.u4();
    const attribute = known.get(name);
    if (attribute && attribute[0] <= pool.majorVersion) {
      walk.within(name, length, attribute[2], attribute[3]?.(walk) ?? false);
    } else {
      walk.expect(name, length);
      reader.skip(length);
    }
  });
}

const codeAttributes = attributesOf('code');
const componentAttributes = attributesOf('component');
export const fieldAttributes: Layout = attributesOf('field');
export const methodAttributes: Layout = attributesOf('method');
export const classAttributes: Layout = attributesOf('class');
