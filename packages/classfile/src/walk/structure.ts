/** A class file from beginning to end. */

import { Pool } from '../pool/pool.js';
import { Reader } from '../pool/reader.js';
import { classAttributes, fieldAttributes, methodAttributes } from './attributes.js';
import { checkBootstraps } from './bootstrap.js';
import { constant, list, optional, sequence } from './layout.js';
import { leaveMembers, member } from './member.js';
import { Mark, type PlaceList, Places } from './places.js';
import { addStrayStrings, dropDangling, readReferences } from './references.js';
import { type FaultListener, Walk } from './walk.js';

const classRef = constant('Class');

/**
 * The class file after the constant pool.
 *
 * @see The Java Virtual Machine Specification, section 4.1
 */
const body = sequence(
  (walk) => {
    walk.classFlags = walk.reader.u2();
  },
  classRef,
  optional(classRef), // superclass
  list(classRef), // interfaces
  list(member(Mark.Field), fieldAttributes),
  list(member(Mark.Method), methodAttributes),
  leaveMembers,
  classAttributes,
);

/** The constants of a class file, and the references to its strings. */
export interface Structure {
  readonly pool: Pool;
  readonly places: Places;
}

/**
 * Reads a class file.
 *
 * @param lenient - Receives errors that are skipped; without it, they are thrown.
 * @param list - Receives each place that refers to a string.
 */
export function readStructure(
  file: Uint8Array,
  lenient?: FaultListener,
  list?: PlaceList,
): Structure {
  const reader = new Reader(file);
  const pool = new Pool(reader);
  if (lenient) dropDangling(reader, pool, lenient);
  const places = new Places(pool.count, list);
  const walk = new Walk(reader, pool, places);
  readReferences(walk);
  walk.lenient = lenient;
  const isRead = walk.try(body);
  walk.holder = Mark.Class;
  if (isRead && reader.left > 0) {
    walk.report(reader.error('excess-bytes', `${reader.left} left after the class`));
  }
  addStrayStrings(walk);
  checkBootstraps(walk);
  return { pool, places };
}
