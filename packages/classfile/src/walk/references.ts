/** The references of constants. */
import { setOf } from '../kind.js';
import type { Pool } from '../pool/pool.js';
import type { Reader } from '../pool/reader.js';
import { byTag, Tag, type TagSet, tagSet } from '../pool/tag.js';
import { bytes, constant, type Layout, sequence, utf8 } from './layout.js';
import { Places, Way } from './places.js';
import { type FaultListener, Walk } from './walk.js';

const member = sequence(constant('Class'), constant('NameAndType'));

// The index of a bootstrap method is checked when these are known.
const dynamic = sequence(bytes(2), constant('NameAndType'));

const field = tagSet('Fieldref');
const method = tagSet('Methodref');
const anyMethod = tagSet('Methodref', 'InterfaceMethodref');
const interfaceMethod = tagSet('InterfaceMethodref');

/**
 * Tags by reference kind: getField, getStatic, putField, putStatic, invokeVirtual, invokeStatic,
 * invokeSpecial, newInvokeSpecial, invokeInterface.
 *
 * @see The Java Virtual Machine Specification, section 4.4.8
 */
const handled: readonly TagSet[] = [
  0,
  field,
  field,
  field,
  field,
  method,
  anyMethod,
  anyMethod,
  method,
  interfaceMethod,
];

function methodHandle(walk: Walk): void {
  const kind = walk.reader.u1();
  const tags = handled[kind];
  if (!tags) walk.reader.refuse('invalid-value', `there is no reference kind ${kind}`, 1);
  walk.constant(tags);
}

const literal = setOf('literal');
const text = constant('Utf8');

/** `CONSTANT_String`: its kind is decided after everything that may refer to it. */
function string(walk: Walk): void {
  const { offset } = walk.reader;
  text(walk);
  walk.places.list?.add(literal, Way.Constant, offset);
}

/** Makes each `CONSTANT_String` without a known reference a literal. */
export function addStrayStrings({ pool, places }: Walk): void {
  for (let index = 1; index < pool.count; index++) {
    if (pool.tags[index] !== Tag.String || places.isLoaded(index)) continue;
    places.settle(literal, pool.reference(index));
  }
}

/** @see The Java Virtual Machine Specification, section 4.4 */
const layouts = byTag<Layout>({
  Class: utf8('name'),
  String: string,
  Fieldref: member,
  Methodref: member,
  InterfaceMethodref: member,
  NameAndType: sequence(utf8('name'), utf8('descriptor')),
  MethodHandle: methodHandle,
  MethodType: utf8('descriptor'),
  Dynamic: dynamic,
  InvokeDynamic: dynamic,
  Module: utf8('name'),
  Package: utf8('name'),
});

/** Most constants between one and the text that it leads to, such as a method handle and a name. */
const DEPTH = 4;

/**
 * Removes the constants whose references are invalid, and those that refer to them, so that each costs only what
 * uses it.
 */
export function dropDangling(reader: Reader, pool: Pool, listener: FaultListener): void {
  let isBad = false;
  const walk = new Walk(reader, pool, new Places(pool.count));
  walk.lenient = (error) => {
    isBad = true;
    listener(error);
  };
  for (let pass = 0; pass <= DEPTH; pass++) {
    let isChanged = false;
    for (let index = 1; index < pool.count; index++) {
      const layout = layouts[pool.tags[index] as number];
      if (!layout) continue;
      reader.offset = (pool.offsets[index] as number) + 1;
      isBad = false;
      walk.try(layout);
      if (isBad) pool.tags[index] = 0;
      isChanged ||= isBad;
    }
    if (!isChanged) break;
  }
}

/** Follows the references of all constants. */
export function readReferences(walk: Walk): void {
  const { reader, pool } = walk;
  for (let index = 1; index < pool.count; index++) {
    const layout = layouts[pool.tags[index] as number];
    if (!layout) continue;
    reader.offset = (pool.offsets[index] as number) + 1;
    layout(walk);
  }
  reader.offset = pool.end;
}
