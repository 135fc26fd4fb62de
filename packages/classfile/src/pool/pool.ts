/** The constant pool as it is in the file: where each constant is, and of which kind. */
import * as mutf8 from '@utf8/mutf8';
import { type Reader, readU2 } from './reader.js';
import { byTag, Tag, type TagSet } from './tag.js';

/**
 * How many bytes follow the tag (as many as a Utf8 has before its text), and in which version the tag
 * came.
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

/** Where the constants are. */
export class Pool {
  readonly bytes: Uint8Array;
  readonly majorVersion: number;
  readonly minorVersion: number;
  /** By index, the tag; 0 at index 0 and in the second slots of Long and Double. */
  readonly tags: Uint8Array;
  /**
   * By index, where the constant begins, in bytes from the start of the file: where its tag is. A pool
   * can have a little more than 4 GB.
   */
  readonly offsets: Float64Array;
  /** Where the pool ends. */
  readonly end: number;
  /** The tags that are in it. */
  readonly tagSet: TagSet;
  readonly #texts: (string | undefined)[] = [];

  /** Reads the beginning of a class file. The indices in it are not looked at. */
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

  /** The number of constants, and one. */
  get count(): number {
    return this.tags.length;
  }

  /** Where the text of a Utf8 begins. */
  startOf(index: number): number {
    return (this.offsets[index] as number) + 3;
  }

  /** How many bytes the text of a Utf8 has. */
  lengthOf(index: number): number {
    return this.u2((this.offsets[index] as number) + 1);
  }

  /** The text of a Utf8, undecoded: a view. */
  slice(index: number): Uint8Array {
    const start = this.startOf(index);
    return this.bytes.subarray(start, start + this.lengthOf(index));
  }

  /**
   * The text of a Utf8 as a JVM compares it with a known name: byte by byte, so that another spelling of
   * the same characters is another name.
   */
  textOf(index: number): string {
    this.#texts[index] ??= mutf8.decode(this.slice(index), { errors: 'replace' });
    return this.#texts[index];
  }

  /** Whether a Utf8 has a text of ASCII: quicker to ask than for the text. */
  hasText(index: number, text: string): boolean {
    const { bytes } = this;
    const start = this.startOf(index);
    if (this.tags[index] !== Tag.Utf8 || this.lengthOf(index) !== text.length) return false;
    for (let i = 0; i < text.length; i++) {
      if (bytes[start + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  /** The index that a constant has at a place in it, in bytes from its beginning. */
  reference(index: number, position = 1): number {
    return this.u2((this.offsets[index] as number) + position);
  }

  /** The name of the class, or undefined where its index leads nowhere. Needs the whole pool. */
  get className(): string | undefined {
    return this.nameOf(this.u2(this.end + 2));
  }

  /** The name of a Class, as {@link textOf} has it; undefined where the index is none of a Class. */
  nameOf(index: number): string | undefined {
    if (this.tags[index] !== Tag.Class) return undefined;
    const name = this.reference(index);
    return this.tags[name] === Tag.Utf8 ? this.textOf(name) : undefined;
  }

  /** A number of two bytes, somewhere in what has been read. */
  u2(offset: number): number {
    return readU2(this.bytes, offset);
  }
}
