import { type Bytes, type OwnBytes, toUint8Array } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import { kinds as allKinds, type KindSet, type StringKind, setOf } from './kind.js';
import { Spelling } from './spelling.js';
import { type ClassString, createString, type ReadOptions } from './strings.js';
import { readStructure } from './structure.js';
import { Tag } from './tag.js';
import type { Use } from './uses.js';
import { PoolWriter } from './writer.js';

/** Options of {@link replaceStrings}. */
export interface ReplaceOptions extends ReadOptions {
  /** Which uses of strings are replaced; `['literal']` by default. */
  readonly kinds?: readonly StringKind[] | undefined;
}

/**
 * Writes a class file with other strings.
 *
 * Only the uses of the wanted kinds change: where a string serves others too, such as a literal "main"
 * beside a method main, a constant is added at the end of the pool, and the old one stays. No constant
 * moves. Where nothing is replaced, the result equals the input byte for byte.
 *
 * @param bytes - The class file.
 * @param replace - Gets each string that has a use of a wanted kind, in the order of the pool; returns
 *   the text in its place, or undefined (or the same text) to leave it.
 * @returns The new class file, in memory of its own.
 * @throws {@link ClassFileError} where the bytes are no class file that a JVM would take, or a string
 *   is malformed and the policy is `strict`.
 * @throws RangeError where a new string has more than 65,535 bytes in Modified UTF-8, or the pool is
 *   full.
 * @throws TypeError where an argument is of the wrong type.
 * @example
 * ```ts
 * import { readStrings, replaceStrings } from '@utf8/classfile';
 *
 * const file = 'yv66vgAAAD0ABQEAAUEHAAEBAAdIacCA7aC9CAADACAAAgAAAAAAAAAAAAA=';
 * const bytes = Uint8Array.from(atob(file), (char) => char.charCodeAt(0));
 * const changed = replaceStrings(bytes, () => '😀');
 * Array.from(readStrings(changed), ({ string }) => string); // => ['A', '😀']
 * ```
 * @see The Java Virtual Machine Specification, sections 4.4.3 and 4.4.7
 */
export function replaceStrings(
  bytes: Bytes,
  replace: (string: ClassString) => string | undefined,
  options: ReplaceOptions = {},
): OwnBytes {
  if (typeof replace !== 'function') {
    throw new TypeError(`Expected a function that replaces strings, but got ${typeof replace}.`);
  }
  const wanted = joinKinds(options.kinds ?? ['literal']);
  const uses: Use[] = [];
  const structure = readStructure(toUint8Array(bytes), uses);
  const spelling = new Spelling(structure.pool, options.errors);
  const { pool } = structure;
  const writer = new PoolWriter(pool);
  for (let index = 1; index < pool.count; index++) {
    if (pool.tags[index] !== Tag.Utf8) continue;
    // What is not used has a kind as well.
    const kinds = structure.uses.kindsOf(index) || UNUSED;
    if ((kinds & wanted) === 0) continue;
    const old = createString(structure, spelling, index);
    const text = replace(old);
    if (text === undefined || text === old.string) continue;
    const encoded = encode(text, old);
    if ((kinds & ~wanted) === 0) writer.replace(index, encoded);
    else writer.append(index, encoded);
  }
  return writer.finish(uses.filter(({ kind }) => kind & wanted));
}

const UNUSED = setOf('unused');

/** How many bytes a string has at most: its length has two. */
const LONGEST = 0xffff;

function encode(text: string, { index }: ClassString): Uint8Array {
  if (typeof text !== 'string') {
    throw new TypeError(
      `Expected a string or undefined in place of the constant ${index}, but got ${typeof text}.`,
    );
  }
  const bytes = mutf8.encode(text);
  if (bytes.length <= LONGEST) return bytes;
  throw new RangeError(
    `The text in place of the constant ${index} has ${bytes.length} bytes in Modified UTF-8; a class file holds up to ${LONGEST}.`,
  );
}

function joinKinds(list: readonly StringKind[]): KindSet {
  let set = 0;
  for (const kind of list) {
    if (!allKinds.includes(kind)) {
      throw new TypeError(
        `There is no kind ${String(kind)} of strings, but ${allKinds.join(', ')}.`,
      );
    }
    set |= setOf(kind);
  }
  return set;
}
