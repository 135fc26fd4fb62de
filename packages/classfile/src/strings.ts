import { type Bytes, type ErrorPolicy, type Fault, toUint8Array } from '@utf8/core';
import type { ClassFileError } from './error.js';
import { listKinds, type StringKind } from './kind.js';
import { Spelling } from './pool/spelling.js';
import { Tag } from './pool/tag.js';
import { readStructure, type Structure } from './walk/structure.js';
import type { FaultListener } from './walk/walk.js';

/** Options of functions that read class files. */
export interface ReadOptions {
  /**
   * Policy for malformed strings. The default, `strict`, refuses the whole file, as a JVM does. A function
   * receives offsets from the start of the class file.
   *
   * As in HotSpot, overlong forms such as C1 81 are malformed from version 48 on; a raw 00 and four-byte forms
   * are malformed in every version.
   */
  readonly errors?: ErrorPolicy | undefined;
  /**
   * Receives each error after the constant pool, which is then skipped: an attribute, an index, the rest of a
   * truncated file. All strings are read, with the kinds that were found up to there. By default, the first
   * such error is thrown.
   *
   * @param error - The error.
   */
  readonly lenient?: ((error: ClassFileError) => void) | undefined;
}

/** Returns the listener of the options. */
export function listenerOf({ lenient }: ReadOptions): FaultListener | undefined {
  if (lenient === undefined || typeof lenient === 'function') return lenient;
  throw new TypeError(`Expected a function as option lenient, but got ${typeof lenient}.`);
}

/** A `CONSTANT_Utf8` of a class file. */
export interface ClassString {
  /** Its index in the constant pool. */
  readonly index: number;
  /** Offset of `bytes`, in bytes from the start of the class file. */
  readonly offset: number;
  /** The string as encoded in the file: a view, not a copy. */
  readonly bytes: Uint8Array;
  /** The string, decoded. */
  readonly string: string;
  /** Kinds of the string: at least one, in the order of {@link kinds}. */
  readonly kinds: readonly StringKind[];
  /**
   * The first error, with its offset from the start of the class file; undefined if the string is
   * well-formed, which it always is under the policy `strict`.
   */
  readonly fault: Fault | undefined;
}

/** Creates one string of a file. */
export function createString(
  { pool, places }: Structure,
  spelling: Spelling,
  index: number,
): ClassString {
  const bytes = pool.slice(index);
  const { string, fault } = spelling.read(index, bytes);
  return {
    index,
    offset: pool.startOf(index),
    bytes,
    string,
    kinds: listKinds(places.kindsOf(index)),
    fault,
  };
}

/**
 * Reads the strings of a class file: each `CONSTANT_Utf8`, in the order of the pool.
 *
 * The whole file is checked at once. Strings are decoded on demand from the same memory, which
 * must not change until then.
 *
 * @param bytes - The class file.
 * @param options - Policies for malformed strings and other errors.
 * @returns The strings, which can be iterated more than once.
 * @throws ClassFileError if the bytes are not a class file that a JVM accepts, or a string is malformed and
 *   the policy is `strict`.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { readStrings } from '@utf8/classfile';
 *
 * const file = 'yv66vgAAAD0ABQEAAUEHAAEBAAdIacCA7aC9CAADACAAAgAAAAAAAAAAAAA=';
 * const bytes = Uint8Array.from(atob(file), (char) => char.charCodeAt(0));
 * Array.from(readStrings(bytes), ({ string }) => string); // => ['A', 'Hi\0\ud83d']
 * ```
 * @see The Java Virtual Machine Specification, section 4.4.7
 */
export function readStrings(bytes: Bytes, options: ReadOptions = {}): Iterable<ClassString> {
  const structure = readStructure(toUint8Array(bytes), listenerOf(options));
  const spelling = new Spelling(structure.pool, options.errors);
  return { [Symbol.iterator]: () => generateStrings(structure, spelling) };
}

export function* generateStrings(
  structure: Structure,
  spelling: Spelling,
): Generator<ClassString, undefined> {
  const { pool } = structure;
  for (let index = 1; index < pool.count; index++) {
    if (pool.tags[index] === Tag.Utf8) yield createString(structure, spelling, index);
  }
}
