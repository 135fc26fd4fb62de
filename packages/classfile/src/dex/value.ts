/** Encoded values of static fields, of annotations, and of call sites' arguments. */
import type { Cursor } from '../android/cursor.js';
import { kinds, type StringKind } from '../kind.js';
import { DexError, refuse } from './error.js';
import type { SIZES } from './header.js';
import type { Ids } from './ids.js';

/** The path of a value in an annotation, such as `value[2].name`; converted to text on demand. */
export class Path {
  readonly #parent: Path | undefined;
  readonly #ids: Ids;
  /** The index of the element's name, or -1 in an array. */
  readonly #name: number;
  readonly #position: number;
  /** True if levels between the parent and this one are left out. */
  readonly #isCut: boolean;
  #text: string | undefined;

  constructor(parent: Path | undefined, ids: Ids, name: number, position: number, isCut: boolean) {
    this.#parent = parent;
    this.#ids = ids;
    this.#name = name;
    this.#position = position;
    this.#isCut = isCut;
  }

  toString(): string {
    // Many values share the path of their array.
    this.#text ??= this.#print();
    return this.#text;
  }

  #print(): string {
    const step = this.#name < 0 ? `[${this.#position}]` : this.#ids.texts.textOf(this.#name);
    const parent = this.#parent?.toString() ?? '';
    const cut = this.#isCut ? '…' : '';
    return `${parent}${cut}${parent !== '' && this.#name >= 0 ? '.' : ''}${step}`;
  }
}

/** A string in a value. */
export interface FoundString {
  readonly kind: StringKind;
  /** The index of the string. */
  readonly index: number;
  /** Offset of that index, in bytes from the start of the file. */
  readonly offset: number;
  /** Position of its value in the outermost array, from 0. */
  readonly position: number;
  /** Its path in an annotation; undefined for the names of elements. */
  readonly path: Path | undefined;
}

/** Number of levels that a path keeps: values can be nested as deep as the file is long. */
const DEPTH = 16;

const Tag = {
  MethodType: 0x15,
  MethodHandle: 0x16,
  String: 0x17,
  Type: 0x18,
  Field: 0x19,
  Method: 0x1a,
  Enum: 0x1b,
  Array: 0x1c,
  Annotation: 0x1d,
  Null: 0x1e,
  Boolean: 0x1f,
} as const;

/** Most bytes of a number, by tag. */
const numbers: ReadonlyMap<number, number> = new Map([
  [0x00, 1], // byte
  [0x02, 2], // short
  [0x03, 2], // char
  [0x04, 4], // int
  [0x06, 8], // long
  [0x10, 4], // float
  [0x11, 8], // double
]);

/** Section that an index refers to, by tag; each index has up to four bytes. */
const references: ReadonlyMap<number, keyof typeof SIZES> = new Map([
  [Tag.MethodType, 'prototypes'],
  [Tag.MethodHandle, 'methodHandles'],
  [Tag.String, 'strings'],
  [Tag.Type, 'types'],
  [Tag.Field, 'fields'],
  [Tag.Method, 'methods'],
  [Tag.Enum, 'fields'],
]);

/** Annotations whose strings are not text for people, by descriptor. */
const special: ReadonlyMap<string, StringKind> = new Map([
  ['Lkotlin/Metadata;', 'kotlin-metadata'],
  ['Lscala/reflect/ScalaSignature;', 'scala-signature'],
  ['Lscala/reflect/ScalaLongSignature;', 'scala-signature'],
  // Equivalents of attributes of class files.
  ['Ldalvik/annotation/Signature;', 'signature'],
  ['Ldalvik/annotation/InnerClass;', 'name'],
  ['Ldalvik/annotation/MethodParameters;', 'name'],
  ['Ldalvik/annotation/Record;', 'name'],
  ['Ldalvik/annotation/SourceDebugExtension;', 'source'],
]);

/** Default values of an annotation's elements, which another annotation contains. */
const DEFAULTS = 'Ldalvik/annotation/AnnotationDefault;';

/** Reports an error that costs only one item, or throws it. */
export type Skip = (error: DexError) => void;

/** Checks that an index refers to something. Returns false if not, and that is skipped. */
export function hasItem(
  { part, texts }: Ids,
  name: keyof typeof SIZES,
  index: number,
  offset: number,
  skip: Skip,
): boolean {
  const count = name === 'strings' ? texts.count : part[name].size;
  if (index < count) return true;
  const what = `the index ${index} exceeds the ${count} ${name}`;
  skip(new DexError('invalid-index', offset, what));
  return false;
}

/**
 * Reads the values of an `encoded_array`.
 *
 * @param kind - The kind of the strings in it.
 */
export function readArray(
  cursor: Cursor,
  ids: Ids,
  kind: StringKind,
  skip: Skip,
): Generator<FoundString, undefined> {
  const values = new Values(cursor, ids, skip);
  values.open(cursor.uleb128(), kind, 0, -1);
  return values.read();
}

/** Reads the type of an `encoded_annotation`, which names the annotation. */
export const readType = (cursor: Cursor, ids: Ids, skip: Skip): number => {
  const { offset } = cursor;
  const index = cursor.uleb128();
  hasItem(ids, 'types', index, offset, skip);
  return index;
};

/** Reads the part of an `encoded_annotation` after its type. */
export function readElements(
  cursor: Cursor,
  ids: Ids,
  type: number,
  skip: Skip,
): Generator<FoundString, undefined> {
  const values = new Values(cursor, ids, skip);
  values.openAnnotation(type, 'annotation', 0, -1);
  return values.read();
}

/** A level in one byte: the kind of its strings, and two flags. */
const KIND = 0x1f;
const NAMED = 0x20;
/** Nested annotations keep the kind. */
const FIXED = 0x40;

/** Levels of values, stored as numbers: a level has as few as two bytes in the file. */
class Levels {
  /** Number of values left, by level. */
  #left = new Uint32Array(DEPTH);
  #sizes = new Uint32Array(DEPTH);
  #flags = new Uint8Array(DEPTH);
  count = 0;

  push(size: number, flags: number): void {
    if (this.count === this.#left.length) this.#grow();
    this.#left[this.count] = size;
    this.#sizes[this.count] = size;
    this.#flags[this.count] = flags;
    this.count++;
  }

  /** Takes one value from the innermost level. Returns false if none is left. */
  next(): boolean {
    const level = this.count - 1;
    const left = this.#left[level] as number;
    if (left === 0) return false;
    this.#left[level] = left - 1;
    return true;
  }

  /** Returns the position of the value being read in a level, from 0. */
  positionAt(level: number): number {
    return (this.#sizes[level] as number) - (this.#left[level] as number) - 1;
  }

  get flags(): number {
    return this.#flags[this.count - 1] as number;
  }

  #grow(): void {
    const length = Math.ceil(this.count * 1.5);
    const [left, sizes, flags] = [this.#left, this.#sizes, this.#flags];
    this.#left = new Uint32Array(length);
    this.#left.set(left);
    this.#sizes = new Uint32Array(length);
    this.#sizes.set(sizes);
    this.#flags = new Uint8Array(length);
    this.#flags.set(flags);
  }
}

/** Values that are nested in each other, read without recursion. */
class Values {
  readonly #cursor: Cursor;
  readonly #ids: Ids;
  readonly #skip: Skip;
  readonly #levels = new Levels();
  /** Paths of the outer levels. */
  readonly #paths: Path[] = [];
  #nameOffset = 0;

  constructor(cursor: Cursor, ids: Ids, skip: Skip) {
    this.#cursor = cursor;
    this.#ids = ids;
    this.#skip = skip;
  }

  /**
   * Begins a level.
   *
   * @param name - The name of the element that contains the values, or -1.
   */
  open(size: number, kind: StringKind, flags: number, name: number): void {
    const { count } = this.#levels;
    if (count > 0 && count < DEPTH) this.#paths.push(this.#createPath(name));
    this.#levels.push(size, kinds.indexOf(kind) | flags);
  }

  openAnnotation(type: number, kind: StringKind, flags: number, name: number): void {
    const descriptor = this.#ids.typeOf(type);
    const own = flags & FIXED ? kind : (special.get(descriptor) ?? 'annotation');
    const fixed = descriptor === DEFAULTS ? FIXED : flags & FIXED;
    this.open(this.#cursor.uleb128(), own, NAMED | fixed, name);
  }

  *read(): Generator<FoundString, undefined> {
    const levels = this.#levels;
    while (levels.count > 0) {
      if (!levels.next()) {
        if (levels.count > 1 && levels.count <= DEPTH) this.#paths.pop();
        levels.count--;
        continue;
      }
      const name = levels.flags & NAMED ? this.#readName() : -1;
      if (name >= 0 && name < this.#ids.texts.count) {
        yield this.#createFound('name', name, this.#nameOffset, undefined);
      }
      const found = this.#readValue(name);
      if (found) yield found;
    }
  }

  #readName(): number {
    this.#nameOffset = this.#cursor.offset;
    const index = this.#cursor.uleb128();
    hasItem(this.#ids, 'strings', index, this.#nameOffset, this.#skip);
    return index;
  }

  #createFound(
    kind: StringKind,
    index: number,
    offset: number,
    path: Path | undefined,
  ): FoundString {
    return { kind, index, offset, position: this.#levels.positionAt(0), path };
  }

  /** Creates the path of the value that is being read. */
  #createPath(name: number): Path {
    const level = this.#levels.count - 1;
    const position = this.#levels.positionAt(level);
    return new Path(this.#paths.at(-1), this.#ids, name, position, level >= DEPTH);
  }

  #readValue(name: number): FoundString | undefined {
    const cursor = this.#cursor;
    const { offset } = cursor;
    const head = cursor.u1();
    const tag = head & 0x1f;
    const argument = head >> 5;
    const { flags } = this.#levels;
    const kind = kinds[flags & KIND] as StringKind;
    const most = numbers.get(tag);
    const reference = references.get(tag);
    if (most !== undefined) {
      if (argument >= most) refuseArgument(offset, tag, argument);
      cursor.skip(argument + 1);
    } else if (reference !== undefined) {
      if (argument > 3) refuseArgument(offset, tag, argument);
      const index = readIndex(cursor, argument + 1);
      const isFound = hasItem(this.#ids, reference, index, offset + 1, this.#skip);
      if (tag === Tag.String && isFound) {
        return this.#createFound(kind, index, offset + 1, this.#createPath(name));
      }
    } else if (tag === Tag.Array || tag === Tag.Annotation) {
      if (argument > 0) refuseArgument(offset, tag, argument);
      if (tag === Tag.Array) this.open(cursor.uleb128(), kind, flags & FIXED, name);
      else this.openAnnotation(readType(cursor, this.#ids, this.#skip), kind, flags & FIXED, name);
    } else if (tag === Tag.Null || tag === Tag.Boolean) {
      if (argument > (tag === Tag.Null ? 0 : 1)) refuseArgument(offset, tag, argument);
    } else refuse('invalid-value', offset, `there is no value of tag ${tag}`);
    return undefined;
  }
}

const refuseArgument = (offset: number, tag: number, argument: number): never =>
  refuse('invalid-value', offset, `a value of tag ${tag} has the argument ${argument}`);

/** Reads an index of one to four bytes. */
export function readIndex(cursor: Cursor, bytes: number): number {
  let value = 0;
  for (let i = 0; i < bytes; i++) value += cursor.u1() * 2 ** (8 * i);
  return value;
}

/** Reads the method handle at the start of a call site, if there is one, without moving the cursor. */
export function peekHandle(cursor: Cursor): number | undefined {
  const { offset } = cursor;
  const size = cursor.uleb128();
  const head = size > 0 ? cursor.u1() : 0;
  const isHandle = (head & 0x1f) === Tag.MethodHandle && head >> 5 <= 3;
  const handle = isHandle ? readIndex(cursor, (head >> 5) + 1) : undefined;
  cursor.offset = offset;
  return handle;
}
