/**
 * The strings of Android's compiled resources: `resources.arsc`, and the binary XML of manifests and
 * layouts.
 *
 * @packageDocumentation
 */
import { type Bytes, type ErrorPolicy, toUint8Array } from '@utf8/core';
import { Budget } from './android/budget.js';
import * as poolText from './generated/resources/pool/index.js';
import {
  type Chunk,
  findChunk,
  isCredible,
  type Reading,
  readChunk,
  readChunks,
  Type,
  tellUnknown,
  tellUnusual,
} from './resources/chunk.js';
import { attempt, ResourceError, refuse, type Tell } from './resources/error.js';
import type { Reference, Resource, ResourceKind, XmlPlace } from './resources/reference.js';
import { type ResourceString, StringPool } from './resources/string-pool.js';
import { readTablePools, Table } from './resources/table.js';
import { isNode, Xml } from './resources/xml.js';

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
   * Receives each error that is skipped: a string, a chunk, an entry, an attribute, a value. It costs only
   * that item. Chunks after one with a wrong size are found again. Also receives, as `unusual`, properties that
   * Android ignores and tools do not write, such as a wrong type of a manifest. By default, the first error is
   * thrown.
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
 * The whole file is checked at once, in time linear in its size. Strings and uses are read later from the same
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
  const reading: Reading = { tell, isLenient: lenient !== undefined };
  const file = toUint8Array(bytes);
  const root = readRoot(file, reading);
  const pools = readPools(file, root, errors, reading);
  const found = new ParsedResources(file, root, pools, reading.isLenient);
  found.check(tell);
  return found;
}

/** The chunk that forms the file, and the chunks that Android would find in it. */
interface Root extends Chunk {
  readonly hasPackages: boolean;
  readonly hasNodes: boolean;
}

const TABLE_HEADER = 12;
const XML_HEADER = 8;

/**
 * Reads the chunk that forms the file. Android ignores its type, and the size of its header; bytes after it
 * do not belong to the format.
 */
function readRoot(file: Uint8Array, reading: Reading): Root {
  const { tell, isLenient } = reading;
  const type = file.length < 2 ? 0 : (file[0] as number) | ((file[1] as number) << 8);
  const isKnown = type === Type.Table || type === Type.Xml;
  const first = isKnown ? 0 : findChunk(file, XML_HEADER, file.length);
  if (!isKnown && (file.length < XML_HEADER || first === file.length)) {
    refuse('not-resources', 0, 'resources begin with the type of a table or of XML');
  }
  if (!isKnown) {
    const what = `the type is 0x${type.toString(16).padStart(4, '0')}, neither a table nor XML`;
    tell(new ResourceError('invalid-value', 0, what));
  }
  let chunk: Chunk;
  try {
    chunk = readChunk(file, 0, file.length);
  } catch (error) {
    if (!(error instanceof ResourceError) || file.length < XML_HEADER) throw error;
    tell(error);
    const header = type === Type.Table ? TABLE_HEADER : XML_HEADER;
    chunk = { type, start: 0, body: Math.min(header, file.length), end: file.length };
  }
  return survey(file, isLenient ? findExtent(file, chunk, reading) : chunk, reading);
}

/** Finds the body of the file if its header states another size, and its end. */
function findExtent(file: Uint8Array, root: Chunk, reading: Reading): Chunk {
  let { body, end } = root;
  const first = findChunk(file, XML_HEADER, file.length);
  const isWrong = isCredible(file, body, file.length) ? first < body : !leadsTo(file, body, first);
  // Android skips unknown chunks before the pool.
  if (first < file.length && isWrong) {
    const what = `a header of ${body} bytes, and the first chunk is at ${first}`;
    reading.tell(new ResourceError('invalid-value', 2, what));
    body = first;
  }
  if (end < file.length) {
    const isCut = isCredible(file, end, file.length) || !leadsTo(file, body, end);
    const what = `${file.length - end} bytes follow the end that the file states`;
    if (isCut) reading.tell(new ResourceError('invalid-value', 4, what));
    else tellUnusual(reading, 4, what);
    if (isCut) end = file.length;
  }
  return { ...root, body, end };
}

/** Tells whether chunks of unknown types fill the bytes between two offsets. */
function leadsTo(file: Uint8Array, start: number, end: number): boolean {
  try {
    let at = start;
    while (at < end) at = readChunk(file, at, file.length).end;
    return at === end;
  } catch {
    return false;
  }
}

/** Finds out whether the file is a table or XML. Android ignores its type, which may be wrong. */
function survey(file: Uint8Array, root: Chunk, { tell, isLenient }: Reading): Root {
  const isTable = root.type === Type.Table;
  let hasPackages = false;
  let hasNodes = false;
  for (const chunk of readChunks(file, root.body, root.end, { tell: ignore, isLenient })) {
    hasPackages ||= chunk.type === Type.Package;
    hasNodes ||= isNode(chunk);
  }
  if (isTable ? hasNodes && !hasPackages : hasPackages && !hasNodes) {
    const [stated, found] = isTable ? ['a table', 'XML'] : ['XML', 'a table'];
    tell(
      new ResourceError('invalid-value', 0, `the type is that of ${stated}, but it is ${found}`),
    );
  }
  // Another type is ignored in lenient mode only.
  hasPackages = isTable ? hasPackages || !hasNodes : hasPackages && isLenient;
  hasNodes = isTable ? hasNodes && isLenient : hasNodes || !hasPackages;
  return { ...root, hasPackages, hasNodes };
}

/** Reads the pools by the offset of their chunk, in the order of the file. */
function readPools(
  file: Uint8Array,
  root: Root,
  errors: ErrorPolicy,
  reading: Reading,
): Map<number, StringPool> {
  const budget = new Budget(file.length);
  const pools = new Map<number, StringPool>();
  for (const chunk of listPools(file, root, reading)) {
    attempt(reading.tell, () => {
      pools.set(chunk.start, new StringPool(file, chunk, pools.size, errors, reading, budget));
    });
  }
  return pools;
}

function* listPools(file: Uint8Array, root: Root, reading: Reading): Generator<Chunk, undefined> {
  if (root.hasPackages) return yield* readTablePools(file, root, reading);
  let count = 0;
  // The walk through the nodes reports malformed chunks.
  for (const chunk of readChunks(file, root.body, root.end, { ...reading, tell: ignore })) {
    if (isNode(chunk) && !reading.isLenient) return;
    if (chunk.type !== Type.StringPool) {
      if (!isNode(chunk)) tellUnknown(reading, chunk, [Type.ResourceMap]);
      continue;
    }
    if (count++ > 0) tellUnusual(reading, chunk.start, 'a document has a single pool of strings');
    yield chunk;
  }
}

/** Returns the pool of a document: like Android, the last one before the first node. */
function findPool(
  file: Uint8Array,
  root: Root,
  pools: ReadonlyMap<number, StringPool>,
  isLenient: boolean,
): StringPool | undefined {
  let [found] = pools.values();
  for (const chunk of readChunks(file, root.body, root.end, { tell: ignore, isLenient })) {
    if (isNode(chunk)) break;
    if (chunk.type === Type.StringPool) found = pools.get(chunk.start) ?? found;
  }
  return found;
}

/** Ignores an error: the first walk has reported it. */
const ignore: Tell = () => {};

class ParsedResources implements ResourceFile {
  readonly #file: Uint8Array;
  readonly #root: Root;
  readonly #pools: ReadonlyMap<number, StringPool>;
  readonly #isLenient: boolean;
  readonly type: 'table' | 'xml';
  readonly strings: Iterable<ResourceString>;

  constructor(
    file: Uint8Array,
    root: Root,
    pools: ReadonlyMap<number, StringPool>,
    isLenient: boolean,
  ) {
    this.#file = file;
    this.#root = root;
    this.#pools = pools;
    this.#isLenient = isLenient;
    const isTable = root.type === Type.Table ? root.hasPackages : !root.hasNodes;
    this.type = isTable ? 'table' : 'xml';
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
    const options = { tell, budget, isLenient: this.#isLenient };
    try {
      for (const pool of this.#pools.values()) {
        for (const style of pool.readStyles(budget, tell)) yield { kind: 'style', pool, ...style };
      }
      if (root.hasPackages) yield* new Table(file, root, this.#pools, options).references();
      const pool = root.hasNodes && findPool(file, root, this.#pools, options.isLenient);
      if (pool) yield* new Xml(file, root, pool, options).references();
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      tell(error);
    }
  }
}

function* generateStrings(pools: Iterable<StringPool>): Generator<ResourceString, undefined> {
  for (const pool of pools) yield* pool.readAll();
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
