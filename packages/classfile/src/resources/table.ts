/** Tables of resources (`resources.arsc`): packages, types, entries and their values. */
import type { Budget } from '../android/budget.js';
import { Cursor, readU2, readU4 } from '../android/cursor.js';
import { type Chunk, checkHeader, readChunks, Type } from './chunk.js';
import { printConfiguration } from './configuration.js';
import { ResourceError, refuse, type Tell } from './error.js';
import { checkIndex, type Reference, type Resource, readValue, STRING } from './reference.js';
import type { StringPool } from './string-pool.js';

const TABLE_HEADER = 12;
const PACKAGE_HEADER = 284;
const NAME_UNITS = 128;
const SPEC_HEADER = 16;
const ENTRIES_HEADER = 20;

/** Flags of a chunk of entries. */
const SPARSE = 1;
const OFFSETS_OF_16_BITS = 2;

const NO_OFFSET = 0xffff_ffff;
const NO_OFFSET_16 = 0xffff;

/** Flags of an entry. */
const COMPLEX = 1;
const COMPACT = 8;

/** A package, and its pools of names. */
interface Package {
  readonly chunk: Chunk;
  readonly id: number;
  readonly name: string;
  readonly types: StringPool | undefined;
  readonly names: StringPool | undefined;
}

export interface TableOptions {
  readonly tell: Tell;
  readonly budget: Budget;
}

/** Yields the chunks of string pools: first that of values, then those of packages. */
export function* readTablePools(
  bytes: Uint8Array,
  table: Chunk,
  tell: Tell,
): Generator<Chunk, undefined> {
  checkHeader(table, TABLE_HEADER);
  for (const chunk of readChunks(bytes, table.body, table.end, tell)) {
    if (chunk.type === Type.StringPool) yield chunk;
    if (chunk.type !== Type.Package) continue;
    for (const inner of readChunks(bytes, chunk.body, chunk.end, tell)) {
      if (inner.type === Type.StringPool) yield inner;
    }
  }
}

/** Yields the references to strings in a table. */
export class Table {
  readonly #bytes: Uint8Array;
  readonly #chunk: Chunk;
  /** Pools by the offset of their chunk. */
  readonly #pools: ReadonlyMap<number, StringPool>;
  readonly #options: TableOptions;
  readonly #values: StringPool | undefined;

  constructor(
    bytes: Uint8Array,
    chunk: Chunk,
    pools: ReadonlyMap<number, StringPool>,
    options: TableOptions,
  ) {
    this.#bytes = bytes;
    this.#chunk = chunk;
    this.#pools = pools;
    this.#options = options;
    this.#values = this.#findValues();
  }

  *references(): Generator<Reference, undefined> {
    const { tell } = this.#options;
    for (const chunk of readChunks(this.#bytes, this.#chunk.body, this.#chunk.end, tell)) {
      if (chunk.type === Type.Package) yield* this.#guard(() => this.#package(chunk));
    }
  }

  /** Returns the first pool outside of packages. */
  #findValues(): StringPool | undefined {
    for (const chunk of readChunks(this.#bytes, this.#chunk.body, this.#chunk.end, ignore)) {
      if (chunk.type === Type.StringPool) return this.#pools.get(chunk.start);
    }
    return undefined;
  }

  *#guard(open: () => Generator<Reference, undefined>): Generator<Reference, undefined> {
    try {
      yield* open();
    } catch (error) {
      if (!(error instanceof ResourceError) || error.reason === 'overlap') throw error;
      this.#options.tell(error);
    }
  }

  *#package(chunk: Chunk): Generator<Reference, undefined> {
    const bytes = this.#bytes;
    checkHeader(chunk, PACKAGE_HEADER);
    const { start } = chunk;
    const found: Package = {
      chunk,
      id: readU4(bytes, start + 8),
      name: readName(bytes, start + 12),
      types: this.#pools.get(start + readU4(bytes, start + 12 + 2 * NAME_UNITS)),
      names: this.#pools.get(start + readU4(bytes, start + 20 + 2 * NAME_UNITS)),
    };
    for (const inner of readChunks(bytes, chunk.body, chunk.end, this.#options.tell)) {
      if (inner.type === Type.TypeSpec) yield* this.#guard(() => this.#spec(inner, found));
      if (inner.type === Type.TypeEntries) yield* this.#guard(() => this.#entries(inner, found));
    }
  }

  /** Reads a type, which has its number instead of an index: the first string names the type 1. */
  *#spec(chunk: Chunk, { types }: Package): Generator<Reference, undefined> {
    checkHeader(chunk, SPEC_HEADER);
    const offset = chunk.start + 8;
    const index = (this.#bytes[offset] as number) - 1;
    // Types of other packages continue the numbers in overlays, and have no name here.
    if (types && index >= 0 && index < types.count)
      yield { kind: 'type', pool: types, index, offset };
  }

  *#entries(chunk: Chunk, found: Package): Generator<Reference, undefined> {
    const bytes = this.#bytes;
    checkHeader(chunk, ENTRIES_HEADER + 4);
    const { start, body, end } = chunk;
    const flags = bytes[start + 9] as number;
    const count = readU4(bytes, start + 12);
    const first = start + readU4(bytes, start + 16);
    const isShort = (flags & (SPARSE | OFFSETS_OF_16_BITS)) === OFFSETS_OF_16_BITS;
    const width = isShort ? 2 : 4;
    if (count * width > end - body) {
      refuse('truncated', start + 12, `a chunk of ${end - start} bytes has ${count} entries`);
    }
    const group = new Group(bytes, chunk, found);
    for (let i = 0; i < count; i++) {
      const at = body + i * width;
      const [index, offset] = readEntryOffset(bytes, at, i, flags);
      if (offset === undefined) continue;
      yield* this.#guard(() => this.#entry(group, index, first + offset, at));
    }
  }

  *#entry(
    group: Group,
    position: number,
    start: number,
    at: number,
  ): Generator<Reference, undefined> {
    const bytes = this.#bytes;
    const { end } = group.chunk;
    if (start + 8 > end) refuse('truncated', at, `the offset of an entry is invalid: ${start}`);
    const cursor = new Cursor(bytes, refuse, this.#options.budget, start, end);
    const first = cursor.u2();
    const flags = cursor.u2();
    const isCompact = (flags & COMPACT) !== 0;
    const keyAt = isCompact ? start : start + 4;
    const key = isCompact ? first : readU4(bytes, keyAt);
    const resource = (item?: number) => (): Resource => group.createResource(position, key, item);
    const { names } = group.found;
    if (names) {
      checkIndex(names, key, keyAt);
      yield { kind: 'name', pool: names, index: key, offset: keyAt, resource: resource() };
    }
    if (isCompact) {
      cursor.skip(4);
      if (flags >> 8 === STRING) yield this.#value(start + 4, resource());
      return;
    }
    const isMap = (flags & COMPLEX) !== 0;
    if (first < (isMap ? 16 : 8)) {
      refuse('invalid-value', start, `an entry has a size of ${first}`);
    }
    cursor.skip(first - 4);
    for (let left = isMap ? readU4(bytes, start + 12) : 1; left > 0; left--) {
      const item = isMap ? cursor.u4() : undefined;
      const value = readValue(cursor);
      if (value.isString) yield this.#value(value.offset, resource(item));
    }
  }

  #value(offset: number, resource: () => Resource): Reference {
    const pool = this.#values;
    if (!pool) refuse('invalid-index', offset, 'a value is a string, and no pool has values');
    const index = readU4(this.#bytes, offset);
    checkIndex(pool, index, offset);
    return { kind: 'value', pool, index, offset, resource };
  }
}

/** The entries of one type for one configuration. */
class Group {
  readonly #bytes: Uint8Array;
  readonly chunk: Chunk;
  readonly found: Package;
  #configuration: string | undefined;

  constructor(bytes: Uint8Array, chunk: Chunk, found: Package) {
    this.#bytes = bytes;
    this.chunk = chunk;
    this.found = found;
  }

  createResource(position: number, key: number, item: number | undefined): Resource {
    const { id, name, types, names } = this.found;
    const { start, body } = this.chunk;
    const type = this.#bytes[start + 8] as number;
    this.#configuration ??= printConfiguration(this.#bytes, start + ENTRIES_HEADER, body);
    return {
      id: id * 0x100_0000 + type * 0x1_0000 + position,
      package: name,
      type: types?.textOf(type - 1) ?? '?',
      name: names?.textOf(key) ?? '?',
      configuration: this.#configuration,
      item,
    };
  }
}

/** Returns the entry at a position in the list of offsets, and its offset; undefined for none. */
function readEntryOffset(
  bytes: Uint8Array,
  at: number,
  position: number,
  flags: number,
): [index: number, offset: number | undefined] {
  if (flags & SPARSE) return [readU2(bytes, at), readU2(bytes, at + 2) * 4];
  if (flags & OFFSETS_OF_16_BITS) {
    const offset = readU2(bytes, at);
    return [position, offset === NO_OFFSET_16 ? undefined : offset * 4];
  }
  const offset = readU4(bytes, at);
  return [position, offset === NO_OFFSET ? undefined : offset];
}

/** Reads the name of a package, in UTF-16 up to a 0000. */
function readName(bytes: Uint8Array, start: number): string {
  const units: number[] = [];
  for (let i = 0; i < NAME_UNITS; i++) {
    const unit = readU2(bytes, start + 2 * i);
    if (unit === 0) break;
    units.push(unit);
  }
  return String.fromCharCode(...units);
}

/** Ignores an error: malformed chunks have been reported. */
const ignore: Tell = () => {};
