import { type Bytes, toUint8Array } from '@utf8/core';
import { kinds as allKinds, joinKinds, type KindSet, type StringKind } from './kind.js';
import { Spelling } from './pool/spelling.js';
import { listenerOf, type ReadOptions } from './strings.js';
import { Locator } from './use/locator.js';
import type { StringUse } from './use/string-use.js';
import { PlaceList } from './walk/places.js';
import { readStructure } from './walk/structure.js';

/** Options of {@link readUses}. */
export interface UsesOptions extends ReadOptions {
  /** Kinds of uses to yield (default: all). */
  readonly kinds?: readonly StringKind[] | undefined;
}

/**
 * Finds the uses of strings in a class file and their kinds: each index that leads to a `CONSTANT_Utf8`, in
 * the order of the file. A string that an instruction loads, a constant field contains, or a bootstrap method
 * has as an argument, has a use for each of these, and none for the `CONSTANT_String` between.
 *
 * The whole file is checked at once. Uses are created and strings are decoded on demand from the
 * same memory, which must not change until then.
 *
 * @param bytes - The class file.
 * @param options - The kinds of uses to yield, and policies for malformed strings and other errors.
 * @returns The uses, which can be iterated more than once.
 * @throws ClassFileError if the bytes are not a class file that a JVM accepts, or a string is malformed and
 *   the policy is `strict`.
 * @throws TypeError if an argument is of the wrong type, or a kind is unknown.
 * @example
 * ```ts
 * import { readUses } from '@utf8/classfile';
 *
 * const file = 'yv66vgAAAD0ABQEAAUEHAAEBAAdIacCA7aC9CAADACAAAgAAAAAAAAAAAAA=';
 * const bytes = Uint8Array.from(atob(file), (char) => char.charCodeAt(0));
 * const [name, literal] = readUses(bytes);
 * name?.kind; // => 'name'
 * name?.constant; // => 2
 * literal?.string.string; // => 'Hi\0\ud83d'
 * literal?.className; // => 'A'
 * ```
 * @see The Java Virtual Machine Specification, sections 4.4, 4.7 and 6.5
 */
export function readUses(bytes: Bytes, options: UsesOptions = {}): Iterable<StringUse> {
  const wanted = joinKinds(options.kinds ?? allKinds);
  const list = new PlaceList();
  const structure = readStructure(toUint8Array(bytes), listenerOf(options), list);
  const spelling = new Spelling(structure.pool, options.errors);
  return {
    [Symbol.iterator]: () => generateUses(new Locator(structure, spelling, list), wanted),
  };
}

function* generateUses(locator: Locator, wanted: KindSet): Generator<StringUse, undefined> {
  while (locator.next()) {
    if (locator.kind & wanted) yield locator.locate();
  }
}
