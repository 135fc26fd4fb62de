/**
 * The strings of Android's DEX files, with the kind and the uses of each.
 *
 * @packageDocumentation
 */
import { type Bytes, type ErrorPolicy, toUint8Array } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import { Budget } from './android/budget.js';
import { Callers } from './dex/caller.js';
import type { DexError } from './dex/error.js';
import { type Part, readParts, type Tell } from './dex/header.js';
import { Ids } from './dex/ids.js';
import { type DexString, Texts } from './dex/text.js';
import { createUse, type DexUse } from './dex/use.js';
import { Walk } from './dex/walk.js';
import { type StringKind, setOf } from './kind.js';

export type { Bytes, ErrorPolicy, Fault } from '@utf8/core';
export type { DexCaller } from './dex/caller.js';
export { DexError, type DexPlace, type DexReason } from './dex/error.js';
export type { DexMember } from './dex/ids.js';
export type { DexString } from './dex/text.js';
export type { DexAnnotation, DexBootstrap, DexUse } from './dex/use.js';
export type { IdSection } from './dex/walk.js';
export type { StringKind } from './kind.js';

/** Options of {@link readDex}. */
export interface DexOptions {
  /**
   * Policy for malformed strings. The default, `strict`, refuses the whole file, as Android does. A function
   * receives offsets from the start of the file.
   */
  readonly errors?: ErrorPolicy | undefined;
  /**
   * Receives each error that is skipped: a checksum, a section, the annotations, the code or the debug
   * information of one method. By default, the first such error is thrown.
   *
   * @param error - The error.
   */
  readonly lenient?: ((error: DexError) => void) | undefined;
}

/** Options of {@link DexFile.uses}. */
export interface DexUsesOptions {
  /** Kinds of uses to yield; all by default. */
  readonly kinds?: readonly StringKind[] | undefined;
}

/** A DEX file. Its strings and uses are created on demand from the same memory. */
export interface DexFile {
  /** Version: 35 for `dex\n035`, and so on to 41. */
  readonly version: number;
  /**
   * Strings in the order of `string_ids`; they can be iterated more than once. Parts of a container (version
   * 041) that have their own `string_ids` follow each other.
   */
  readonly strings: Iterable<DexString>;
  /**
   * Yields each place that refers to a string: identifiers (types, prototypes, fields, methods), then call
   * sites, then class by class.
   *
   * @param options - The kinds of uses to yield.
   * @returns The uses, which can be iterated more than once.
   */
  uses(options?: DexUsesOptions): Iterable<DexUse>;
}

/**
 * Reads a DEX file of the versions 035 to 041, or a container of several.
 *
 * The whole file is checked at once, in time linear in its size. Strings and uses are read later from the same
 * memory, which must not change until then.
 *
 * @param bytes - The file, such as `classes.dex` of an APK.
 * @param options - Policies for malformed strings and other errors.
 * @returns The file; its strings and uses are created on demand.
 * @throws DexError if the bytes are not a DEX file that Android loads, or a string is malformed and the
 *   policy is `strict`. With `lenient`, only if nothing can be read, or if reading takes more than linear
 *   time.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { readDex } from '@utf8/classfile/dex';
 *
 * // A header, a map of one item, one string id, and its string.
 * const u4 = (...numbers: number[]) => numbers.flatMap((n) => [n & 255, (n >> 8) & 255, n >> 16, 0]);
 * const rest = [
 *   ...[...Array(20).fill(0), ...u4(140, 112, 0x345678)],
 *   ...u4(0, 0, 116, 1, 112, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 116),
 *   ...u4(132, 1, 0, 1, 0),
 *   ...[3, 0x48, 0x69, 0xc0, 0x80, 0, 0, 0],
 * ];
 * rest[31] = 0x12;
 * let [a, b] = [1, 0];
 * for (const byte of rest) b = (b + (a = (a + byte) % 65521)) % 65521;
 * const file = [0x64, 0x65, 0x78, 10, 0x30, 0x33, 0x35, 0, ...[a & 255, a >> 8, b & 255, b >> 8], ...rest];
 *
 * const { version, strings } = readDex(Uint8Array.from(file));
 * version; // => 35
 * Array.from(strings, ({ string, offset }) => [string, offset]); // => [['Hi\0', 133]]
 * ```
 * @see {@link https://source.android.com/docs/core/runtime/dex-format | Dalvik Executable format}
 */
export function readDex(bytes: Bytes, options: DexOptions = {}): DexFile {
  const { errors = 'strict', lenient } = options;
  if (lenient !== undefined && typeof lenient !== 'function') {
    throw new TypeError('The option lenient is a function.');
  }
  // Well-formed input, too, must reveal a policy that does not exist.
  mutf8.decode(new Uint8Array(0), { errors });
  const tell: Tell = (error) => {
    if (!lenient) throw error;
    lenient(error);
  };
  const file = toUint8Array(bytes);
  const parts = readParts(file, tell);
  const texts = readTexts(file, parts, errors, tell);
  const all = parts.map((part) => new Ids(file, part, texts.get(keyOf(part)) as Texts));
  collectKinds(file, all, tell, lenient === undefined);
  return new ParsedDex(file, all, [...texts.values()]);
}

/** Identifies the strings of a part. Parts of a container usually share theirs. */
const keyOf = ({ strings }: Part): string => `${strings.offset} ${strings.size}`;

function readTexts(
  file: Uint8Array,
  parts: readonly Part[],
  errors: ErrorPolicy,
  tell: Tell,
): Map<string, Texts> {
  const texts = new Map<string, Texts>();
  let left = file.length;
  for (const part of parts) {
    const key = keyOf(part);
    if (texts.has(key)) continue;
    const own = new Texts(file, part.strings, errors, tell, left);
    left = own.left;
    texts.set(key, own);
  }
  return texts;
}

/** Walks the whole file once to find errors and the kinds of each string. */
function collectKinds(
  file: Uint8Array,
  parts: readonly Ids[],
  tell: Tell,
  isStrict: boolean,
): void {
  for (const walk of walkParts(file, parts, tell, isStrict)) {
    for (const { index, kind } of walk.references()) walk.ids.texts.addKind(index, setOf(kind));
  }
}

/** Leniently, a class with wrong counts may spend as much as a whole file, and others have as much left. */
const SHARES = 4;

/** Ignores an error: the first walk has reported it. */
const ignore: Tell = () => {};

/** Creates a second walk through a single part. */
const createWalk = (file: Uint8Array, ids: Ids): Walk =>
  new Walk(file, ids, { tell: ignore, budget: new Budget(file.length, SHARES) });

/** Yields a walk through each part; all share one budget. */
function* walkParts(
  file: Uint8Array,
  parts: readonly Ids[],
  tell: Tell,
  isStrict = false,
): Generator<Walk, undefined> {
  const budget = new Budget(file.length, isStrict ? 1 : SHARES);
  for (const ids of parts) yield new Walk(file, ids, { tell, budget });
}

class ParsedDex implements DexFile {
  readonly #file: Uint8Array;
  readonly #parts: readonly Ids[];
  readonly version: number;
  readonly strings: Iterable<DexString>;

  constructor(file: Uint8Array, parts: readonly Ids[], texts: readonly Texts[]) {
    this.#file = file;
    this.#parts = parts;
    this.version = (parts[0] as Ids).part.version;
    this.strings = { [Symbol.iterator]: () => generateStrings(texts) };
  }

  uses({ kinds }: DexUsesOptions = {}): Iterable<DexUse> {
    const wanted = kinds && new Set(kinds);
    return { [Symbol.iterator]: () => generateUses(this.#file, this.#parts, wanted) };
  }
}

function* generateStrings(all: readonly Texts[]): Generator<DexString, undefined> {
  for (const texts of all) yield* texts.readAll();
}

function* generateUses(
  file: Uint8Array,
  parts: readonly Ids[],
  wanted: ReadonlySet<StringKind> | undefined,
): Generator<DexUse, undefined> {
  for (const walk of walkParts(file, parts, ignore)) {
    const { ids } = walk;
    const callers = new Callers(createWalk(file, ids));
    for (const reference of walk.references()) {
      if (wanted && !wanted.has(reference.kind)) continue;
      if (ids.texts.has(reference.index)) yield createUse(ids, reference, callers);
    }
  }
}
