/** Annotations, including nested ones. */
import { type KindSet, setOf } from '../kind.js';
import { bytes, constant, type Layout, list, sequence, shortList, utf8 } from './layout.js';
import { Level, type Nesting } from './nesting.js';
import { Mark } from './places.js';
import type { Walk } from './walk.js';

const plain = setOf('annotation');
const elementName = setOf('name');

/** Annotations whose strings are not text for people, by descriptor. */
const special: ReadonlyMap<string, KindSet> = new Map([
  ['Lkotlin/Metadata;', setOf('kotlin-metadata')],
  ['Lscala/reflect/ScalaSignature;', setOf('scala-signature')],
  ['Lscala/reflect/ScalaLongSignature;', setOf('scala-signature')],
]);

const integer = constant('Integer');

/**
 * Values that contain no other values, by tag, except `s`, whose kind depends on the annotation.
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

const typeName = setOf('descriptor');

/** Reads values one after another. Not by recursion, since each level of nesting has only a few bytes. */
export class ValueReader {
  readonly #walk: Walk;
  readonly #nesting: Nesting;
  /** Number of levels around the last value. */
  depth = 0;

  constructor(walk: Walk, nesting: Nesting) {
    this.#walk = walk;
    this.#nesting = nesting;
    nesting.depth = 0;
  }

  /** Reads the head of an annotation: its type. Returns the number of its elements. */
  openAnnotation(): number {
    const { pool, reader } = this.#walk;
    const index = this.#walk.utf8(typeName);
    const strings = (index > 0 && special.get(pool.textOf(index))) || plain;
    this.#nesting.open(Level.Annotation, reader.u2(), strings);
    return index;
  }

  /** Starts with the value of an element whose name is elsewhere. */
  openElement(name: number): void {
    this.#nesting.open(Level.Element, 1, plain);
    this.#nesting.setName(name);
  }

  /** Reads a value, or the head of one that contains others; returns false if none is left. */
  next(): boolean {
    const nesting = this.#nesting;
    if (!nesting.next()) return false;
    this.depth = nesting.depth;
    const walk = this.#walk;
    const { reader } = walk;
    const strings = nesting.strings;
    if (nesting.level === Level.Annotation) nesting.setName(walk.utf8(elementName));
    const tag = String.fromCharCode(reader.u1());
    if (tag === 's') walk.utf8(strings);
    else if (tag === '@') this.openAnnotation();
    else if (tag === '[') nesting.open(Level.Array, reader.u2(), strings);
    else {
      const value = values.get(tag);
      if (!value)
        throw reader.error('invalid-tag', `there is no value of tag ${tag.charCodeAt(0)}`, 1);
      value(walk);
    }
    return true;
  }
}

/** Reads values, and marks their beginning and their end. */
function readAll(walk: Walk, mark: number, open: (values: ValueReader) => void): void {
  const { reader, places } = walk;
  const values = new ValueReader(walk, walk.nesting);
  places.list?.mark(mark, reader.offset);
  try {
    open(values);
    while (values.next());
  } finally {
    places.list?.mark(Mark.AnnotationEnd, reader.offset);
  }
}

/** `annotation`: JVMS 4.7.16. */
export const annotation: Layout = (walk) =>
  readAll(walk, Mark.Annotation, (values) => values.openAnnotation());

/** `element_value` of the attribute `AnnotationDefault`: JVMS 4.7.16.1. */
export const elementDefault: Layout = (walk) =>
  readAll(walk, Mark.Default, (values) => values.openElement(walk.memberName));

/**
 * Layouts of the targets of annotations on types, by target type.
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
