/** The places in a class file that refer to strings. */
import { type KindSet, setOf } from '../kind.js';
import { NumberList } from './numbers.js';

const literal = setOf('literal');

/** Kind of reference from a place to a Utf8. */
export const Way = {
  /** By the index of the Utf8, in two bytes. */
  Direct: 0,
  /** By the index of a `CONSTANT_String`, in two bytes. */
  Wide: 1,
  /** By the index of a `CONSTANT_String`, in the one byte of an `ldc`. */
  Narrow: 2,
  /** The place is a `CONSTANT_String`: a use of its own only if nothing known refers to it. */
  Constant: 3,
  /** No string: an instruction that calls a bootstrap method. */
  Call: 4,
} as const;

/** Structure that begins or ends at an offset. */
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

/** All places of a file, in its order, in a few bytes each: places may make up most of a file. */
export class PlaceList {
  /** Offsets in bytes from the start of the file. */
  readonly offsets: NumberList<Float64Array> = new NumberList(Float64Array);
  /** The number of the kind, plus 16 times the reference. */
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

/** The kinds of a pool's Utf8s, and, if requested, the places that determine them. */
export class Places {
  /** Kinds by the index of a Utf8. */
  readonly #kinds: Uint16Array;
  /** 1 by the index of a `CONSTANT_String` if something known refers to it. */
  readonly #isLoaded: Uint8Array;
  readonly list: PlaceList | undefined;

  /**
   * @param count - The size of the pool.
   * @param list - Receives each place, if the caller needs more than the kinds.
   */
  constructor(count: number, list?: PlaceList) {
    this.#kinds = new Uint16Array(count);
    this.#isLoaded = new Uint8Array(count);
    this.list = list;
  }

  /** Records a place with the index of a Utf8. */
  add(kind: KindSet, index: number, offset: number): void {
    (this.#kinds[index] as number) |= kind;
    this.list?.add(kind, Way.Direct, offset);
  }

  /** Records a place with the index of a `CONSTANT_String`; {@link settle} decides its kind. */
  load(constant: number, offset: number, way: number): void {
    this.#isLoaded[constant] = 1;
    this.list?.add(literal, way, offset);
  }

  /**
   * Decides the kind of a loaded Utf8.
   *
   * @param place - Its position in the list, by default the last.
   */
  settle(kind: KindSet, index: number, place?: number): void {
    (this.#kinds[index] as number) |= kind;
    if (kind !== literal) this.list?.setKind(place ?? this.list.length - 1, kind);
  }

  isLoaded(constant: number): boolean {
    return this.#isLoaded[constant] === 1;
  }

  /** Returns the kinds of a Utf8. */
  kindsOf(index: number): KindSet {
    return this.#kinds[index] as KindSet;
  }
}
