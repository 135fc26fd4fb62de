/** The constant pool of a file: the offset and the kind of each constant. */
import * as mutf8 from '@utf8/mutf8';
import { type Reader, readU2 } from './reader.js';
import { byTag, Tag, type TagSet } from './tag.js';

/**
 * Number of bytes after the tag (for a Utf8, those before its text), and the version that introduced the tag.
 *
 * @see The Java Virtual Machine Specification, section 4.4
 */
const forms = byTag<readonly [size: number, since: number]>({
  Utf8: [2, 45],
  Integer: [4, 45],
  Float: [4, 45],
  Long: [8, 45],
  Double: [8, 45],
  Class: [2, 45],
  String: [2, 45],
  Fieldref: [4, 45],
  Methodref: [4, 45],
  InterfaceMethodref: [4, 45],
  NameAndType: [4, 45],
  MethodHandle: [3, 51],
  MethodType: [2, 51],
  Dynamic: [4, 55],
  InvokeDynamic: [4, 51],
  Module: [2, 53],
  Package: [2, 53],
});

/** The constants of a class file, found but not yet decoded. */
export class Pool {
  readonly bytes: Uint8Array;
  readonly majorVersion: number;
  readonly minorVersion: number;
  /** Tags by index; 0 at index 0 and in the second slots of Long and Double. */
  readonly tags: Uint8Array;
  /**
   * Offset of each constant's tag by index, in bytes from the start of the file. A pool can have a little
   * more than 4 GB.
   */
  readonly offsets: Float64Array;
  /** Offset of the end of the pool. */
  readonly end: number;
  /** The tags that occur in it. */
  readonly tagSet: TagSet;
  readonly #texts: (string | undefined)[] = [];

  /** Reads the beginning of a class file, without checking indices. */
  constructor(reader: Reader) {
    this.bytes = reader.bytes;
    if (reader.u4() !== 0xcafebabe) {
      reader.refuse('not-a-class', 'a class file begins with CA FE BA BE', 4);
    }
    this.minorVersion = reader.u2();
    this.majorVersion = reader.u2();
    const count = reader.u2();
    if (count === 0) reader.refuse('invalid-value', 'the number of constants plus one is 0', 2);
    this.tags = new Uint8Array(count);
    this.offsets = new Float64Array(count);
    let set: TagSet = 0;
    for (let index = 1; index < count; index++) {
      const tag = reader.u1();
      const form = forms[tag];
      if (form === undefined || form[1] > this.majorVersion) {
        const version = form ? ` in version ${this.majorVersion}` : '';
        reader.refuse('invalid-tag', `there is no constant of tag ${tag}${version}`, 1);
      }
      this.tags[index] = tag;
      set |= 1 << tag;
      this.offsets[index] = reader.offset - 1;
      if (tag === Tag.Utf8) {
        reader.skip(reader.u2());
        continue;
      }
      reader.skip(form[0]);
      // JVMS 4.4.5: these take two entries.
      if (tag !== Tag.Long && tag !== Tag.Double) continue;
      index++;
      if (index === count) {
        const back = form[0] + 1;
        reader.refuse('invalid-index', `the constant ${index - 1} lacks its second slot`, back);
      }
    }
    this.end = reader.offset;
    this.tagSet = set;
  }

  /** The number of constants, plus one. */
  get count(): number {
    return this.tags.length;
  }

  /** Returns the offset of the text of a Utf8. */
  startOf(index: number): number {
    return (this.offsets[index] as number) + 3;
  }

  /** Returns the length of the text of a Utf8, in bytes. */
  lengthOf(index: number): number {
    return this.u2((this.offsets[index] as number) + 1);
  }

  /** Returns the text of a Utf8 as a view of its bytes. */
  slice(index: number): Uint8Array {
    const start = this.startOf(index);
    return this.bytes.subarray(start, start + this.lengthOf(index));
  }

  /**
   * Returns the text of a Utf8 for comparison with a known name. Like a JVM, this compares bytes: another
   * encoding of the same characters is another name.
   */
  textOf(index: number): string {
    this.#texts[index] ??= mutf8.decode(this.slice(index), { errors: 'replace' });
    return this.#texts[index];
  }

  /** Tells whether a Utf8 has a given ASCII text: faster than decoding it. */
  hasText(index: number, text: string): boolean {
    const { bytes } = this;
    const start = this.startOf(index);
    if (this.tags[index] !== Tag.Utf8 || this.lengthOf(index) !== text.length) return false;
    for (let i = 0; i < text.length; i++) {
      if (bytes[start + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Returns the index at a position in a constant, in bytes from its tag. */
  reference(index: number, position = 1): number {
    return this.u2((this.offsets[index] as number) + position);
  }

  /** The name of the class, or undefined if its index is invalid. Needs the whole pool. */
  get className(): string | undefined {
    return this.nameOf(this.u2(this.end + 2));
  }

  /** Returns the name of a Class, as {@link textOf} does; undefined if the index is not that of a Class. */
  nameOf(index: number): string | undefined {
    if (this.tags[index] !== Tag.Class) return undefined;
    const name = this.reference(index);
    return this.tags[name] === Tag.Utf8 ? this.textOf(name) : undefined;
  }

  /** Reads a two-byte number at any offset that has been read. */
  u2(offset: number): number {
    return readU2(this.bytes, offset);
  }
}
