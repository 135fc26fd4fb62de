import { type Bytes, toUint8Array } from '@utf8/core';
import { type Constant, createConstant } from './constant.js';
import { Spelling } from './pool/spelling.js';
import { Tag } from './pool/tag.js';
import { type ClassString, generateStrings, listenerOf, type ReadOptions } from './strings.js';
import { readStructure, type Structure } from './walk/structure.js';

/**
 * A class file. Its strings and constants are created on first access from the same memory, which must not
 * change until then.
 */
export interface ClassFile {
  /** Major version: 52 for Java 8, 61 for Java 17, and so on. */
  readonly majorVersion: number;
  /** Minor version; 65535 if the class depends on preview features. */
  readonly minorVersion: number;
  /** Access flags: the bits of JVMS table 4.1-B. */
  readonly accessFlags: number;
  /** Name in the internal form, `java/lang/Object`. Empty if it is missing and the option `lenient` is set. */
  readonly name: string;
  /** The superclass, in the internal form; undefined for `java/lang/Object` and for modules. */
  readonly superName?: string | undefined;
  /** Interfaces that the class implements, in the internal form. */
  readonly interfaces: readonly string[];
  /** Constants by index; undefined at 0, and in the second slots of Long and Double. */
  readonly constants: readonly (Constant | undefined)[];
  /** Each `CONSTANT_Utf8`, in the order of the pool, as {@link readStrings} yields them. */
  readonly strings: readonly ClassString[];
}

class ParsedClass implements ClassFile {
  readonly #structure: Structure;
  readonly #spelling: Spelling;
  #strings: ClassString[] | undefined;
  #constants: (Constant | undefined)[] | undefined;
  readonly majorVersion: number;
  readonly minorVersion: number;
  readonly accessFlags: number;
  readonly name: string;
  readonly superName: string | undefined;
  readonly interfaces: readonly string[];

  constructor(structure: Structure, spelling: Spelling) {
    this.#structure = structure;
    this.#spelling = spelling;
    const { pool } = structure;
    const { end } = pool;
    this.majorVersion = pool.majorVersion;
    this.minorVersion = pool.minorVersion;
    this.accessFlags = pool.u2(end);
    this.name = this.#className(end + 2) ?? '';
    this.superName = this.#className(end + 4);
    this.interfaces = this.#interfaceNames(end + 6);
  }

  get strings(): readonly ClassString[] {
    this.#strings ??= [...generateStrings(this.#structure, this.#spelling)];
    return this.#strings;
  }

  get constants(): readonly (Constant | undefined)[] {
    this.#constants ??= this.#createConstants();
    return this.#constants;
  }

  #createConstants(): (Constant | undefined)[] {
    const { pool } = this.#structure;
    const strings = this.strings.values();
    // Both lists are in the order of the pool.
    const next = (): ClassString => strings.next().value as ClassString;
    return Array.from(pool.tags, (tag, index) =>
      tag ? createConstant(pool, index, next) : undefined,
    );
  }

  /** Returns the interfaces that have a name; their number is at an offset. */
  #interfaceNames(offset: number): string[] {
    const { pool } = this.#structure;
    const first = offset + 2;
    // A truncated file has fewer than it states.
    const end = Math.min(first + 2 * pool.u2(offset), pool.bytes.length - 1);
    const names: string[] = [];
    for (let at = first; at < end; at += 2) {
      const name = this.#className(at);
      if (name !== undefined) names.push(name);
    }
    return names;
  }

  /** Returns the name of the class whose index is at an offset. */
  #className(offset: number): string | undefined {
    const { pool } = this.#structure;
    const index = pool.u2(offset);
    if (pool.tags[index] !== Tag.Class) return undefined;
    return this.#spelling.textOf(pool.reference(index));
  }
}

/**
 * Reads a class file of any version: its names, its constants, its strings.
 *
 * @param bytes - The class file.
 * @param options - Policies for malformed strings and other errors.
 * @returns The class file; its strings and constants are created on first access.
 * @throws ClassFileError if the bytes are not a class file that a JVM accepts, or a string is malformed and
 *   the policy is `strict`.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { readClass } from '@utf8/classfile';
 *
 * const file = 'yv66vgAAAD0ABQEAAUEHAAEBAAdIacCA7aC9CAADACAAAgAAAAAAAAAAAAA=';
 * const { majorVersion, name } = readClass(Uint8Array.from(atob(file), (char) => char.charCodeAt(0)));
 * majorVersion; // => 61
 * name; // => 'A'
 * ```
 * @see The Java Virtual Machine Specification, section 4.1
 */
export function readClass(bytes: Bytes, options: ReadOptions = {}): ClassFile {
  const structure = readStructure(toUint8Array(bytes), listenerOf(options));
  return new ParsedClass(structure, new Spelling(structure.pool, options.errors));
}
