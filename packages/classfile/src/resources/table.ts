/** Tables of resources (`resources.arsc`): packages, types, entries and their values. */
import type { Budget } from '../android/budget.js';
import { Cursor, readU2, readU4 } from '../android/cursor.js';
import {
  type Chunk,
  checkHeader,
  findChunk,
  isCredible,
  type Reading,
  readChunks,
  Type,
  tellUnknown,
  tellUnusual,
} from './chunk.js';
import { printConfiguration } from './configuration.js';
import { isSkippable, ResourceError, refuse, type Tell } from './error.js';
import { hasString, type Reference, type Resource, readValue, STRING } from './reference.js';
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

export interface TableOptions extends Reading {
  readonly budget: Budget;
}

/** Yields the chunks of string pools: first that of values, then those of packages. */
export function* readTablePools(
  bytes: Uint8Array,
  table: Chunk,
  reading: Reading,
): Generator<Chunk, undefined> {
  if (reading.isLenient && table.body < TABLE_HEADER) {
    reading.tell(createHeaderError(table, TABLE_HEADER));
  } else checkHeader(table, TABLE_HEADER);
  if (table.body > TABLE_HEADER) {
    tellUnusual(reading, 2, `a header of ${table.body} bytes usually has ${TABLE_HEADER}`);
  }
  let count = 0;
  // The walk through the entries reports malformed chunks.
  const silent = { ...reading, tell: ignore };
  for (const chunk of readChunks(bytes, table.body, table.end, silent)) {
    if (chunk.type === Type.StringPool) {
      if (count++ > 0) tellUnusual(reading, chunk.start, 'a table has a single pool of values');
      yield chunk;
    } else if (chunk.type !== Type.Package) tellUnknown(reading, chunk, []);
    if (chunk.type !== Type.Package) continue;
    const body = findBody(bytes, chunk, reading);
    for (const inner of readChunks(bytes, body, chunk.end, silent)) {
      if (inner.type === Type.StringPool) yield inner;
    }
  }
}

/** Returns the offset of the first chunk of a package, whose header may state a wrong size. */
function findBody(bytes: Uint8Array, { start, body, end }: Chunk, reading: Reading): number {
  if (!reading.isLenient || body === end || isCredible(bytes, body, end)) return body;
  const first = findChunk(bytes, start + PACKAGE_HEADER, end);
  if (first === end) return body;
  const what = `a header of ${body - start} bytes, and the first chunk is at ${first}`;
  reading.tell(new ResourceError('invalid-value', start + 2, what));
  return first;
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
    const options = this.#options;
    let last: Package | undefined;
    for (const chunk of readChunks(this.#bytes, this.#chunk.body, this.#chunk.end, options)) {
      if (chunk.type === Type.Package) {
        yield* this.#guard(() => {
          last = this.#open(chunk);
          return this.#package(last);
        });
        // A package that states too small a size continues after its end.
      } else if (last && options.isLenient) yield* this.#part(chunk, last);
    }
  }

  /** Returns the first pool outside of packages. */
  #findValues(): StringPool | undefined {
    const reading = { ...this.#options, tell: ignore };
    for (const chunk of readChunks(this.#bytes, this.#chunk.body, this.#chunk.end, reading)) {
      if (chunk.type === Type.StringPool) return this.#pools.get(chunk.start);
    }
    return undefined;
  }

  *#guard(open: () => Generator<Reference, undefined>): Generator<Reference, undefined> {
    try {
      yield* open();
    } catch (error) {
      if (!isSkippable(error)) throw error;
      this.#options.tell(error);
    }
  }

  /** Reads the header of a package. */
  #open(chunk: Chunk): Package {
    const bytes = this.#bytes;
    const { start, end } = chunk;
    if (this.#options.isLenient && end - start >= PACKAGE_HEADER) {
      if (chunk.body - start < PACKAGE_HEADER) {
        this.#options.tell(createHeaderError(chunk, PACKAGE_HEADER));
      }
    } else checkHeader(chunk, PACKAGE_HEADER);
    return {
      chunk: { ...chunk, body: findBody(bytes, chunk, { ...this.#options, tell: ignore }) },
      id: readU4(bytes, start + 8),
      name: readName(bytes, start + 12),
      types: this.#findNames(chunk, start + 12 + 2 * NAME_UNITS, 0),
      names: this.#findNames(chunk, start + 20 + 2 * NAME_UNITS, 1),
    };
  }

  /** Returns a pool of a package. If its offset is wrong, the position among these pools decides. */
  #findNames({ start, end }: Chunk, at: number, position: number): StringPool | undefined {
    const offset = readU4(this.#bytes, at);
    const found = this.#pools.get(start + offset);
    if (found || offset === 0) return found;
    this.#options.tell(
      new ResourceError('invalid-value', at, `there is no pool of strings at ${start + offset}`),
    );
    const own = [...this.#pools].filter(([pool]) => pool > start && pool < end);
    return own[position]?.[1];
  }

  *#package(found: Package): Generator<Reference, undefined> {
    const { body, end } = found.chunk;
    for (const inner of readChunks(this.#bytes, body, end, this.#options)) {
      yield* this.#part(inner, found);
    }
  }

  *#part(chunk: Chunk, found: Package): Generator<Reference, undefined> {
    if (chunk.type === Type.TypeSpec) yield* this.#guard(() => this.#spec(chunk, found));
    if (chunk.type === Type.TypeEntries) yield* this.#guard(() => this.#entries(chunk, found));
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
    const most = Math.floor((end - body) / width);
    if (count > most) {
      const what = `a chunk of ${end - start} bytes has ${count} entries`;
      this.#options.tell(new ResourceError('truncated', start + 12, what));
    }
    const group = new Group(bytes, chunk, found);
    for (let i = 0; i < Math.min(count, most); i++) {
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
    if (names && hasString(names, key, keyAt, this.#options.tell)) {
      yield { kind: 'name', pool: names, index: key, offset: keyAt, resource: resource() };
    }
    if (isCompact) {
      cursor.skip(4);
      if (flags >> 8 === STRING) yield* this.#value(start + 4, resource());
      return;
    }
    const isMap = (flags & COMPLEX) !== 0;
    const usual = isMap ? 16 : 8;
    if (first < usual) {
      const what = `an entry has a size of ${first}`;
      this.#options.tell(new ResourceError('invalid-value', start, what));
    }
    cursor.skip(this.#sizeEntry(start, first, usual, end) - 4);
    if (!isMap) return yield* this.#item(cursor, resource());
    const count = readU4(bytes, start + 12);
    for (let left = count; left > 0; left--) {
      const item = cursor.u4();
      yield* this.#item(cursor, resource(item));
    }
  }

  /** Returns the size of an entry without its values: the usual one if values do not follow the stated one. */
  #sizeEntry(start: number, stated: number, usual: number, end: number): number {
    if (stated === usual || stated < usual) return usual;
    if (!this.#options.isLenient) return stated;
    // An item of a map begins with its name.
    const skip = usual === 16 ? 4 : 0;
    const isValue = (size: number): boolean =>
      isCredibleValue(this.#bytes, start + size + skip, end);
    if (isValue(stated) || !isValue(usual)) return stated;
    const what = `an entry has a size of ${stated}, and its values follow ${usual} bytes`;
    this.#options.tell(new ResourceError('invalid-value', start, what));
    return usual;
  }

  /** Reads a value that may be a string. */
  *#item(cursor: Cursor, resource: () => Resource): Generator<Reference, undefined> {
    const { offset } = cursor;
    try {
      readValue(cursor);
    } catch (error) {
      if (!isSkippable(error) || cursor.end - offset < VALUE_SIZE) throw error;
      this.#options.tell(error);
      cursor.offset = offset + VALUE_SIZE;
    }
    const isLong = cursor.offset !== offset + VALUE_SIZE;
    if (isLong && this.#options.isLenient && cursor.offset < cursor.end) {
      // All values that tools write have one size.
      const isNext = isCredibleValue(cursor.bytes, cursor.offset + 4, cursor.end);
      if (!isNext) {
        const what = `a value has a size of ${cursor.offset - offset}`;
        this.#options.tell(new ResourceError('invalid-value', offset, what));
        cursor.offset = offset + VALUE_SIZE;
      }
    }
    if (cursor.bytes[offset + 3] === STRING) yield* this.#value(offset + 4, resource);
  }

  *#value(offset: number, resource: () => Resource): Generator<Reference, undefined> {
    const pool = this.#values;
    if (!pool) refuse('invalid-index', offset, 'a value is a string, and no pool has values');
    const index = readU4(this.#bytes, offset);
    if (!hasString(pool, index, offset, this.#options.tell)) return;
    yield { kind: 'value', pool, index, offset, resource };
  }
}

const VALUE_SIZE = 8;

/** Tells whether a value of the usual size may begin at an offset. */
const isCredibleValue = (bytes: Uint8Array, offset: number, end: number): boolean =>
  end - offset >= VALUE_SIZE && readU2(bytes, offset) === VALUE_SIZE && bytes[offset + 2] === 0;

function createHeaderError({ start, body }: Chunk, least: number): ResourceError {
  const what = `a header of ${body - start} bytes has ${least} at least`;
  return new ResourceError('truncated', start + 2, what);
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
