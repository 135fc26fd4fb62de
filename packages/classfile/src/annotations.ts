/** Annotations, with whatever is nested in them. */
import { type KindSet, setOf } from './kind.js';
import { bytes, constant, type Layout, list, sequence, shortList, utf8 } from './layout.js';
import type { Walk } from './walk.js';

const plain = setOf('annotation');
const elementName = utf8('name');

/** The annotations whose strings are no text for people, by descriptor. */
const special: ReadonlyMap<string, KindSet> = new Map([
  ['Lkotlin/Metadata;', setOf('kotlin-metadata')],
  ['Lscala/reflect/ScalaSignature;', setOf('scala-signature')],
  ['Lscala/reflect/ScalaLongSignature;', setOf('scala-signature')],
]);

const integer = constant('Integer');

/**
 * Values that hold no other values, by tag; `s` aside, whose kind depends on the annotation.
 *
 * @see The Java Virtual Machine Specification, section 4.7.16.1, table 4.7.16.1-A
 */
const values: ReadonlyMap<string, Layout> = new Map([
  ['B', integer],
  ['C', integer],
  ['D', constant('Double')],
  ['F', constant('Float')],
  ['I', integer],
  ['J', constant('Long')],
  ['S', integer],
  ['Z', integer],
  ['c', utf8('descriptor')],
  ['e', sequence(utf8('descriptor'), utf8('name'))],
]);

/** An annotation or an array, some of whose values are still to be read. */
interface Open {
  left: number;
  /** Whether each value has a name before it, as in an annotation. */
  readonly isNamed: boolean;
  /** What its strings are. */
  readonly strings: KindSet;
}

const typeName = setOf('descriptor');

/** Reads the head of an annotation: its type, and how many elements it has. */
function openAnnotation(walk: Walk): Open {
  const type = walk.pool.textOf(walk.utf8(typeName));
  return { left: walk.reader.u2(), isNamed: true, strings: special.get(type) ?? plain };
}

/** Reads values until none is left. Not by recursion: each level of nesting takes but a few bytes. */
function readValues(walk: Walk, outermost: Open): void {
  const { reader } = walk;
  const open = [outermost];
  for (let holder = open.at(-1); holder; holder = open.at(-1)) {
    if (holder.left === 0) {
      open.pop();
      continue;
    }
    holder.left--;
    if (holder.isNamed) elementName(walk);
    const tag = String.fromCharCode(reader.u1());
    if (tag === 's') walk.utf8(holder.strings);
    else if (tag === '@') open.push(openAnnotation(walk));
    else if (tag === '[') open.push({ ...holder, left: reader.u2(), isNamed: false });
    else {
      const value = values.get(tag);
      if (!value) {
        const code = tag.charCodeAt(0);
        walk.reader.refuse('invalid-tag', `there is no value of tag ${code}`, 1);
      }
      value(walk);
    }
  }
}

/** `annotation`: JVMS 4.7.16. */
export const annotation: Layout = (walk) => readValues(walk, openAnnotation(walk));

/** `element_value`: JVMS 4.7.16.1. */
export const elementValue: Layout = (walk) =>
  readValues(walk, { left: 1, isNamed: false, strings: plain });

/**
 * What the targets of annotations on types hold, by target type.
 *
 * @see The Java Virtual Machine Specification, tables 4.7.20-A and 4.7.20-B
 */
const targets: readonly (readonly [first: number, last: number, target: Layout])[] = [
  [0x00, 0x01, bytes(1)], // type_parameter_target
  [0x10, 0x10, bytes(2)], // supertype_target
  [0x11, 0x12, bytes(2)], // type_parameter_bound_target
  [0x13, 0x15, bytes(0)], // empty_target
  [0x16, 0x16, bytes(1)], // formal_parameter_target
  [0x17, 0x17, bytes(2)], // throws_target
  [0x40, 0x41, list(bytes(6))], // localvar_target
  [0x42, 0x42, bytes(2)], // catch_target
  [0x43, 0x46, bytes(2)], // offset_target
  [0x47, 0x4b, bytes(3)], // type_argument_target
];

const typePath = shortList(bytes(2));

/** `type_annotation`: JVMS 4.7.20. */
export function typeAnnotation(walk: Walk): void {
  const type = walk.reader.u1();
  const target = targets.find(([first, last]) => type >= first && type <= last);
  if (!target) walk.reader.refuse('invalid-tag', `there is no target of type ${type}`, 1);
  target[2](walk);
  typePath(walk);
  annotation(walk);
}
