/**
 * The strings of Android's compiled resources: `resources.arsc`, and the binary XML of manifests and
 * layouts.
 *
 * @packageDocumentation
 */
import { type Bytes, type ErrorPolicy, toUint8Array } from '@utf8/core';
import { Budget } from './android/budget.js';
import * as poolText from './generated/resources/pool/index.js';
import { type Chunk, readChunk, readChunks, Type } from './resources/chunk.js';
import { attempt, ResourceError, refuse, type Tell } from './resources/error.js';
import type { Reference, Resource, ResourceKind, XmlPlace } from './resources/reference.js';
import { type ResourceString, StringPool } from './resources/string-pool.js';
import { readTablePools, Table } from './resources/table.js';
import { Xml } from './resources/xml.js';

export type { Bytes, ErrorPolicy, Fault } from '@utf8/core';
export { ResourceError, type ResourceReason } from './resources/error.js';
export type { Resource, ResourceKind, XmlPlace } from './resources/reference.js';
export type { ResourceString } from './resources/string-pool.js';

/** Options of {@link readResources}. */
export interface ResourceOptions {
  /**
   * Policy for malformed strings in UTF-8. The default, `strict`, refuses the whole file. A function receives
   * offsets from the start of the file. Strings in UTF-16 are any code units.
   */
  readonly errors?: ErrorPolicy | undefined;
  /**
   * Receives each error that is skipped: a string, a chunk, an entry, a node. By default, the first such
   * error is thrown.
   *
   * @param error - The error.
   */
  readonly lenient?: ((error: ResourceError) => void) | undefined;
}

/** A place where resources refer to a string. */
export interface ResourceUse {
  /** The string, decoded on demand. */
  readonly string: ResourceString;
  /** Kind of this use of the string. */
  readonly kind: ResourceKind;
  /**
   * Offset of the index, in bytes from the start of the file. The index is a u4, or for some names a u1 or
   * u2.
   */
  readonly offset: number;
  /** The resource that has the string as its name or a value, in a table. */
  readonly resource: Resource | undefined;
  /** Place of the string in XML. */
  readonly xml: XmlPlace | undefined;
  /** Index of the styled string in the same pool, if the string is the name of a tag in it. */
  readonly styled: number | undefined;
}

/** Compiled resources. Strings and uses are created on demand from the same memory. */
export interface ResourceFile {
  /** Format of the file: `table` for `resources.arsc`, `xml` for binary XML. */
  readonly type: 'table' | 'xml';
  /** Strings of all pools, in the order of the file; they can be iterated more than once. */
  readonly strings: Iterable<ResourceString>;
  /**
   * Yields each place that refers to a string: tags in styled strings first, then in the order of the file.
   *
   * @returns The uses, which can be iterated more than once.
   */
  uses(): Iterable<ResourceUse>;
}

/**
 * Reads `resources.arsc` or binary XML, such as the `AndroidManifest.xml` of an APK.
 *
 * The whole file is checked at once, in time linear in its size. What is read later comes from the same
 * memory, which must not change until then.
 *
 * @param bytes - The file.
 * @param options - Policies for malformed strings and other errors.
 * @returns The file; its strings and uses are created on demand.
 * @throws ResourceError if the bytes are not resources that Android loads, or a string is malformed and the
 *   policy is `strict`. With `lenient`, only if nothing can be read, or if reading takes more than linear
 *   time.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { readResources } from '@utf8/classfile/resources';
 *
 * // Binary XML that contains one pool of one string, in UTF-8 as aapt2 writes it, and no element.
 * const u4 = (...numbers: number[]) => numbers.flatMap((n) => [n & 255, (n >> 8) & 255, n >> 16, 0]);
 * const text = [2, 6, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0];
 * const pool = [...u4(0x1c0001, 44, 1, 0, 256, 32, 0), ...u4(0), ...text, 0, 0, 0];
 * const [string] = readResources(Uint8Array.from([...u4(0x080003, 52), ...pool])).strings;
 * string?.string; // => '😀'
 * string?.offset; // => 42
 * ```
 * @see frameworks/base/libs/androidfw/include/androidfw/ResourceTypes.h in the Android Open Source Project
 */
export function readResources(bytes: Bytes, options: ResourceOptions = {}): ResourceFile {
  const { errors = 'strict', lenient } = options;
  if (lenient !== undefined && typeof lenient !== 'function') {
    throw new TypeError('The option lenient is a function.');
  }
  // Well-formed input, too, must reveal a policy that does not exist.
  poolText.decode(new Uint8Array(0), { errors });
  const tell: Tell = (error) => {
    if (!lenient) throw error;
    lenient(error);
  };
  const file = toUint8Array(bytes);
  const root = readRoot(file, tell);
  const pools = readPools(file, root, errors, tell);
  const found = new ParsedResources(file, root, pools);
  found.check(tell);
  return found;
}

/** Reads the chunk that forms the file; bytes after it do not belong to the format. */
function readRoot(file: Uint8Array, tell: Tell): Chunk {
  const type = file.length < 2 ? 0 : (file[0] as number) | ((file[1] as number) << 8);
  if (type !== Type.Table && type !== Type.Xml) {
    refuse('not-resources', 0, 'resources begin with the type of a table or of XML');
  }
  try {
    return readChunk(file, 0, file.length);
  } catch (error) {
    if (!(error instanceof ResourceError) || file.length < 8) throw error;
    tell(error);
    return {
      type,
      start: 0,
      body: Math.min(type === Type.Table ? 12 : 8, file.length),
      end: file.length,
    };
  }
}

/** Reads the pools by the offset of their chunk, in the order of the file. */
function readPools(
  file: Uint8Array,
  root: Chunk,
  errors: ErrorPolicy,
  tell: Tell,
): Map<number, StringPool> {
  const budget = new Budget(file.length);
  const pools = new Map<number, StringPool>();
  for (const chunk of listPools(file, root, tell)) {
    attempt(tell, () => {
      pools.set(chunk.start, new StringPool(file, chunk, pools.size, errors, tell, budget));
    });
  }
  return pools;
}

function* listPools(file: Uint8Array, root: Chunk, tell: Tell): Generator<Chunk, undefined> {
  if (root.type === Type.Table) return yield* readTablePools(file, root, tell);
  for (const chunk of readChunks(file, root.body, root.end, tell)) {
    // Android reads the first one, and ignores others.
    if (chunk.type === Type.StringPool) return yield chunk;
  }
}

/** Ignores an error: the first walk has reported it. */
const ignore: Tell = () => {};

class ParsedResources implements ResourceFile {
  readonly #file: Uint8Array;
  readonly #root: Chunk;
  readonly #pools: ReadonlyMap<number, StringPool>;
  readonly type: 'table' | 'xml';
  readonly strings: Iterable<ResourceString>;

  constructor(file: Uint8Array, root: Chunk, pools: ReadonlyMap<number, StringPool>) {
    this.#file = file;
    this.#root = root;
    this.#pools = pools;
    this.type = root.type === Type.Table ? 'table' : 'xml';
    this.strings = { [Symbol.iterator]: () => generateStrings(pools.values()) };
  }

  uses(): Iterable<ResourceUse> {
    return { [Symbol.iterator]: () => this.#generateUses() };
  }

  /** Walks all uses once to find errors. */
  check(tell: Tell): void {
    for (const _ of this.#references(tell));
  }

  *#generateUses(): Generator<ResourceUse, undefined> {
    for (const reference of this.#references(ignore)) {
      if (reference.pool.has(reference.index)) yield new LazyUse(reference);
    }
  }

  *#references(tell: Tell): Generator<Reference, undefined> {
    const file = this.#file;
    const root = this.#root;
    const budget = new Budget(file.length);
    try {
      for (const pool of this.#pools.values()) yield* readStyles(pool, budget, tell);
      const [first] = this.#pools.values();
      if (root.type === Type.Table) {
        yield* new Table(file, root, this.#pools, { tell, budget }).references();
      } else if (first) yield* new Xml(file, root, first, { tell, budget }).references();
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      tell(error);
    }
  }
}

function* generateStrings(pools: Iterable<StringPool>): Generator<ResourceString, undefined> {
  for (const pool of pools) yield* pool.readAll();
}

function* readStyles(
  pool: StringPool,
  budget: Budget,
  tell: Tell,
): Generator<Reference, undefined> {
  try {
    for (const style of pool.readStyles(budget)) yield { kind: 'style', pool, ...style };
  } catch (error) {
    if (!(error instanceof ResourceError) || error.reason === 'overlap') throw error;
    tell(error);
  }
}

/** A use whose names are created on demand. */
class LazyUse implements ResourceUse {
  readonly #reference: Reference;

  constructor(reference: Reference) {
    this.#reference = reference;
  }

  get string(): ResourceString {
    const { pool, index } = this.#reference;
    return pool.createString(index);
  }

  get kind(): ResourceKind {
    return this.#reference.kind;
  }

  get offset(): number {
    return this.#reference.offset;
  }

  get resource(): Resource | undefined {
    return this.#reference.resource?.();
  }

  get xml(): XmlPlace | undefined {
    return this.#reference.xml;
  }

  get styled(): number | undefined {
    return this.#reference.styled;
  }
}
