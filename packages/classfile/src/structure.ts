/** A class file from beginning to end. */
import { classAttributes, fieldAttributes, methodAttributes } from './attributes.js';
import { checkBootstraps } from './bootstrap.js';
import { bytes, constant, list, optional, sequence, utf8 } from './layout.js';
import { Pool } from './pool.js';
import { Reader } from './reader.js';
import { readReferences } from './references.js';
import { type Use, Uses } from './uses.js';
import { Walk } from './walk.js';

const flags = bytes(2);
const classRef = constant('Class');
const member = sequence(flags, utf8('name'), utf8('descriptor'));

/**
 * What follows the constant pool.
 *
 * @see The Java Virtual Machine Specification, section 4.1
 */
const body = sequence(
  flags,
  classRef,
  optional(classRef), // superclass
  list(classRef), // interfaces
  list(member, fieldAttributes),
  list(member, methodAttributes),
  classAttributes,
);

/** The constants of a class file, and what refers to the strings among them. */
export interface Structure {
  readonly pool: Pool;
  readonly uses: Uses;
}

/**
 * Reads a class file.
 *
 * @param places - Gets each place that refers to a string.
 */
export function readStructure(file: Uint8Array, places?: Use[]): Structure {
  const reader = new Reader(file);
  const pool = new Pool(reader);
  const uses = new Uses(pool.count, places);
  const walk = new Walk(reader, pool, uses);
  readReferences(walk);
  body(walk);
  if (reader.left > 0) reader.refuse('excess-bytes', `${reader.left} left after the class`);
  checkBootstraps(walk);
  return { pool, uses };
}
