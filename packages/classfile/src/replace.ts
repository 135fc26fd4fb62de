import { type Bytes, type OwnBytes, toUint8Array } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import { joinKinds, type KindSet, type StringKind, setOf } from './kind.js';
import { Spelling } from './pool/spelling.js';
import { Tag } from './pool/tag.js';
import { PoolWriter } from './pool/writer.js';
import { type ClassString, createString, listenerOf, type ReadOptions } from './strings.js';
import { Locator } from './use/locator.js';
import { Redirection } from './use/redirect.js';
import type { StringUse } from './use/string-use.js';
import { PlaceList } from './walk/places.js';
import { readStructure } from './walk/structure.js';

/** Options of {@link replaceStrings}. */
export interface ReplaceOptions extends ReadOptions {
  /** Kinds of uses to replace (default: `['literal']`). */
  readonly kinds?: readonly StringKind[] | undefined;
  /**
   * Chooses the uses of these kinds to replace (default: all). A string of the kind `unused` has no use, so
   * it stays if this option is set.
   *
   * @param use - A use of a string, with the text that the file has.
   * @returns True to replace it.
   */
  readonly where?: ((use: StringUse) => boolean) | undefined;
  /**
   * Receives each use that cannot be replaced: an `ldc` with an index of one byte, whose `CONSTANT_String`
   * another `ldc` needs unchanged. By default, the first such use is a `RangeError`.
   *
   * @param use - The use that stays.
   */
  readonly onKept?: ((use: StringUse) => void) | undefined;
}

/**
 * Writes a class file with other strings.
 *
 * Only the wanted uses change: if a string has other uses too, such as a literal "main" and a method
 * main, constants are added at the end of the pool, and the old ones stay. No constant moves, and no
 * instruction changes its length. Where nothing is replaced, the result equals the input byte for byte.
 *
 * @param bytes - The class file.
 * @param replace - Gets each string that has a wanted use, in the order of the pool; returns the text in
 *   its place, or undefined (or the same text) to leave it.
 * @param options - Which uses are wanted, by default all of the kind `literal`.
 * @returns The new class file, in new memory.
 * @throws ClassFileError if the bytes are not a class file that a JVM accepts, or a string is malformed and
 *   the policy is `strict`.
 * @throws RangeError if a new string has more than 65,535 bytes in Modified UTF-8, the pool is full,
 *   or, without `onKept`, an `ldc` has no room for the index of a new constant.
 * @throws TypeError if an argument is of the wrong type, or a kind is unknown.
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
  const { onKept } = options;
  checkFunction('where', options.where);
  checkFunction('onKept', onKept);
  const wanted = joinKinds(options.kinds ?? ['literal']);
  const list = new PlaceList();
  const structure = readStructure(toUint8Array(bytes), listenerOf(options), list);
  const spelling = new Spelling(structure.pool, options.errors);
  const { pool, places } = structure;
  const writer = new PoolWriter(pool);
  const redirection = new Redirection(pool, writer, list.length);
  const locate = (): Locator => new Locator(structure, spelling, list);
  choose(locate(), redirection, wanted, options.where);
  const takesUnused = (wanted & UNUSED) !== 0 && !options.where;
  for (let index = 1; index < pool.count; index++) {
    if (pool.tags[index] !== Tag.Utf8) continue;
    const isUnused = takesUnused && places.kindsOf(index) === 0;
    if (!isUnused && !redirection.has(index)) continue;
    const old = createString(structure, spelling, index);
    const text = replace(old);
    if (text !== undefined && text !== old.string) redirection.replace(index, encode(text, old));
  }
  redirection.part();
  for (const locator = locate(); locator.next(); ) {
    if (redirection.write(locator)) continue;
    const use = locator.locate();
    if (!onKept) throw new RangeError(describeKept(use));
    onKept(use);
  }
  return writer.finish();
}

/** Finds the uses to change. */
function choose(
  locator: Locator,
  redirection: Redirection,
  wanted: KindSet,
  where: ((use: StringUse) => boolean) | undefined,
): void {
  while (locator.next()) {
    const isOfKind = (locator.kind & wanted) !== 0;
    redirection.add(locator, isOfKind && (!where || where(locator.locate())));
  }
}

function checkFunction(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new TypeError(`Expected a function as option ${name}, but got ${typeof value}.`);
}

function describeKept({ string, offset, member, className, line }: StringUse): string {
  const place = member ? `${member.name}${member.descriptor} of ` : '';
  const at = line === undefined ? '' : `, line ${line}`;
  return `The constant ${string.index} cannot be replaced at byte ${offset} (${place}${className}${at}): another use shares its CONSTANT_String, and ldc has no room for the index of a new one; set the option onKept to leave such strings as they are.`;
}

const UNUSED = setOf('unused');

/** Most bytes of a string: its length field has two bytes. */
const LONGEST = 0xffff;

function encode(text: string, { index }: ClassString): Uint8Array {
  if (typeof text !== 'string') {
    throw new TypeError(
      `Expected a string or undefined as the new text of the constant ${index}, but got ${typeof text}.`,
    );
  }
  const bytes = mutf8.encode(text);
  if (bytes.length <= LONGEST) return bytes;
  throw new RangeError(
    `The new text of the constant ${index} has ${bytes.length} bytes in Modified UTF-8; a class file allows at most ${LONGEST}.`,
  );
}
