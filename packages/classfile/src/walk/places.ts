/** Where a class file refers to strings. */
import { type KindSet, setOf } from '../kind.js';
import { NumberList } from './numbers.js';

const literal = setOf('literal');

/** How a place leads to a Utf8. */
export const Way = {
  /** By the index of the Utf8, in two bytes. */
  Direct: 0,
  /** By the index of a `CONSTANT_String`, in two bytes. */
  Wide: 1,
  /** By the index of a `CONSTANT_String`, in the one byte of an `ldc`. */
  Narrow: 2,
  /** It is a `CONSTANT_String`, a use of its own only where nothing known refers to it. */
  Constant: 3,
  /** Not at all: an instruction that has a bootstrap method called. */
  Call: 4,
} as const;

/** What begins or ends at an offset. */
export const Mark = {
  Class: 0,
  Field: 1,
  Method: 2,
  Component: 3,
  /** The content of the attribute `Code`. */
  Code: 4,
  Annotation: 5,
  /** The default of an element of an annotation. */
  Default: 6,
  AnnotationEnd: 7,
  BootstrapMethod: 8,
} as const;

/** All places of a file, in its order, in a few bytes each: a file may consist of nothing else. */
export class PlaceList {
  /** In bytes from the start of the file. */
  readonly offsets: NumberList<Float64Array> = new NumberList(Float64Array);
  /** The number of the kind, and 16 times the way. */
  readonly #codes = new NumberList(Uint8Array);
  readonly markOffsets: NumberList<Float64Array> = new NumberList(Float64Array);
  readonly marks: NumberList<Uint8Array> = new NumberList(Uint8Array);

  get length(): number {
    return this.offsets.length;
  }

  add(kind: KindSet, way: number, offset: number): void {
    this.offsets.push(offset);
    this.#codes.push((31 - Math.clz32(kind)) | (way << 4));
  }

  kindAt(place: number): KindSet {
    return 1 << (this.#codes.at(place) & 15);
  }

  setKind(place: number, kind: KindSet): void {
    this.#codes.items[place] = (31 - Math.clz32(kind)) | (this.wayAt(place) << 4);
  }

  wayAt(place: number): number {
    return this.#codes.at(place) >> 4;
  }

  mark(mark: number, offset: number): void {
    this.markOffsets.push(offset);
    this.marks.push(mark);
  }
}

/** What the Utf8s of a pool are for, and, where they are wanted, the places that say so. */
export class Places {
  /** By the index of a Utf8, what it is used for. */
  readonly #kinds: Uint16Array;
  /** By the index of a `CONSTANT_String`, whether something known refers to it. */
  readonly #isLoaded: Uint8Array;
  readonly list: PlaceList | undefined;

  /**
   * @param count - The size of the pool.
   * @param list - Gets each place, where the places are of interest and not the kinds alone.
   */
  constructor(count: number, list?: PlaceList) {
    this.#kinds = new Uint16Array(count);
    this.#isLoaded = new Uint8Array(count);
    this.list = list;
  }

  /** Notes a place with the index of a Utf8. */
  add(kind: KindSet, index: number, offset: number): void {
    (this.#kinds[index] as number) |= kind;
    this.list?.add(kind, Way.Direct, offset);
  }

  /** Notes a place with the index of a `CONSTANT_String`; {@link settle} says what it is for. */
  load(constant: number, offset: number, way: number): void {
    this.#isLoaded[constant] = 1;
    this.list?.add(literal, way, offset);
  }

  /**
   * Says what a Utf8 is loaded for.
   *
   * @param place - Its place in the list, by default the last.
   */
  settle(kind: KindSet, index: number, place?: number): void {
    (this.#kinds[index] as number) |= kind;
    if (kind !== literal) this.list?.setKind(place ?? this.list.length - 1, kind);
  }

  isLoaded(constant: number): boolean {
    return this.#isLoaded[constant] === 1;
  }

  /** What a Utf8 is used for. */
  kindsOf(index: number): KindSet {
    return this.#kinds[index] as KindSet;
  }
}
