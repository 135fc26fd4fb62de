import { ClassFileError, escapeName, type FaultPlace, quote } from '../error.js';
import type { KindSet } from '../kind.js';
import type { Pool } from '../pool/pool.js';
import { countBytes, type Reader } from '../pool/reader.js';
import { listTags, nameOf, Tag, type TagSet } from '../pool/tag.js';
import { Labels } from './labels.js';
import { Nesting } from './nesting.js';
import type { Places } from './places.js';
import { Mark } from './places.js';

const UTF8: TagSet = 1 << Tag.Utf8;

/** Receives an error that is skipped. */
export type FaultListener = (error: ClassFileError) => void;

const words: Readonly<Record<number, string>> = {
  [Mark.Field]: 'field',
  [Mark.Method]: 'method',
  [Mark.Component]: 'component',
};

/** A walk through a class file: the source that layouts read, and the lists that they fill. */
export class Walk implements FaultPlace {
  readonly reader: Reader;
  readonly pool: Pool;
  readonly places: Places;
  /** Offsets of the bootstrap methods, in bytes from the start of the file; undefined without the attribute. */
  bootstrapMethods: number[] | undefined;
  /** The name of the attribute that is being read. */
  attribute: string | undefined;
  /** The flags of the class. */
  classFlags = 0;
  /** Structure being read: the {@link Mark} of a class or a member. */
  holder: number = Mark.Class;
  /** The member's flags, and the indices of its name and its descriptor; 0 if it has none. */
  memberFlags = 0;
  memberName = 0;
  memberDescriptor = 0;
  /** Receives errors; without it, the first one is thrown. */
  lenient: FaultListener | undefined;
  #labels: Labels | undefined;
  #nesting: Nesting | undefined;
  /** True if a JVM ignores the part being read. */
  #isIgnored = false;
  /** True if an error comes from the listener, and must propagate. */
  #isTelling = false;

  constructor(reader: Reader, pool: Pool, places: Places) {
    this.reader = reader;
    this.pool = pool;
    this.places = places;
    reader.place = this;
  }

  /** The labels of switches over strings in the method that is being read. */
  get labels(): Labels {
    this.#labels ??= new Labels();
    return this.#labels;
  }

  /** The annotations and arrays around the value that is being read. */
  get nesting(): Nesting {
    this.#nesting ??= new Nesting();
    return this.#nesting;
  }

  get className(): string | undefined {
    return this.pool.className;
  }

  /** The member that is being read, for errors. */
  get member(): string | undefined {
    const word = words[this.holder];
    if (word === undefined) return undefined;
    const [name, type] = [this.memberName, this.memberDescriptor].map((index) =>
      index === 0 ? '' : this.pool.textOf(index),
    ) as [string, string];
    return `${word} ${quote(this.holder === Mark.Method ? name + type : name)}`;
  }

  /** Reads the index of a constant that has one of some tags. Returns 0 if it has another and that is skipped. */
  constant(tags: TagSet): number {
    const index = this.reader.u2();
    // No constant has the tag 0.
    if (((1 << (this.pool.tags[index] ?? 0)) & tags) !== 0) return index;
    // Creating an error takes time, and there may be millions.
    if (!this.#isIgnored) this.report(this.#unlike(index, tags));
    return 0;
  }

  /** Reads the index of a Utf8. */
  utf8(kind: KindSet): number {
    const { offset } = this.reader;
    const index = this.constant(UTF8);
    if (index > 0) this.places.add(kind, index, offset);
    return index;
  }

  /** Throws an error, or reports it in lenient mode. */
  report(error: ClassFileError): void {
    if (this.#isIgnored) return;
    if (!this.lenient) throw error;
    const listener = this.lenient;
    this.#isTelling = true;
    listener(error);
    this.#isTelling = false;
  }

  /**
   * Reads an attribute, which must have exactly its stated length. In lenient mode, a malformed one is
   * skipped.
   *
   * @param length - The length in bytes, from the current offset.
   * @param isIgnored - True if a JVM ignores it, so that its errors do not matter.
   */
  within(name: string, length: number, read: (walk: Walk) => void, isIgnored: boolean): void {
    const { reader, attribute } = this;
    this.expect(name, length);
    const { end } = reader;
    const wasIgnored = this.#isIgnored;
    const last = reader.offset + length;
    reader.end = last;
    this.attribute = name;
    this.#isIgnored ||= isIgnored;
    this.try(read, true);
    reader.offset = last;
    reader.end = end;
    this.attribute = attribute;
    this.#isIgnored = wasIgnored;
  }

  /** Checks the length of an attribute, which has just been read. */
  expect(name: string, length: number): void {
    const { reader } = this;
    if (length <= reader.left) return;
    const left = countBytes(reader.left);
    const shown = escapeName(name);
    // The length field directly precedes the reader.
    reader.refuse(
      'truncated',
      `the attribute ${shown} has a length of ${length}, but ${left} left`,
      4,
    );
  }

  /**
   * Reads something. Returns false if that failed.
   *
   * @param isWhole - True if no bytes may be left after it.
   */
  try(read: (walk: Walk) => void, isWhole = false): boolean {
    if (!this.lenient && !this.#isIgnored) {
      this.#read(read, isWhole);
      return true;
    }
    try {
      this.#read(read, isWhole);
      return true;
    } catch (error) {
      if (this.#isTelling || !(error instanceof ClassFileError)) throw error;
      this.report(error);
      return false;
    }
  }

  #read(read: (walk: Walk) => void, isWhole: boolean): void {
    const { reader } = this;
    read(this);
    if (isWhole && reader.left > 0) {
      reader.refuse('excess-bytes', `${countBytes(reader.left)} left over`);
    }
  }

  #unlike(index: number, tags: TagSet): ClassFileError {
    const tag = this.pool.tags[index];
    const what = tag
      ? `the constant ${index} has the tag ${nameOf(tag)}`
      : `there is no constant ${index}`;
    return this.reader.error('invalid-index', `${what}, where ${listTags(tags)} is wanted`, 2);
  }
}
