import type { KindSet } from './kind.js';
import type { Pool } from './pool.js';
import type { Reader } from './reader.js';
import { listTags, nameOf, Tag, type TagSet } from './tag.js';
import type { Uses } from './uses.js';

const UTF8: TagSet = 1 << Tag.Utf8;

/** One way through a class file: what layouts read from, and where they note what they find. */
export class Walk {
  readonly reader: Reader;
  readonly pool: Pool;
  readonly uses: Uses;
  /** Where the bootstrap methods are, in bytes from the start of the file; undefined without the attribute. */
  bootstrapMethods: number[] | undefined;

  constructor(reader: Reader, pool: Pool, uses: Uses) {
    this.reader = reader;
    this.pool = pool;
    this.uses = uses;
  }

  /** Reads the index of a constant that has one of some tags. */
  constant(tags: TagSet): number {
    const index = this.reader.u2();
    // No constant has the tag 0.
    if (((1 << (this.pool.tags[index] ?? 0)) & tags) === 0) this.#refuse(index, tags);
    return index;
  }

  /** Reads the index of a Utf8. */
  utf8(kind: KindSet): number {
    const { offset } = this.reader;
    const index = this.constant(UTF8);
    this.uses.add(kind, index, offset);
    return index;
  }

  #refuse(index: number, tags: TagSet): never {
    const tag = this.pool.tags[index];
    const what = tag
      ? `the constant ${index} has the tag ${nameOf(tag)}`
      : `there is no constant ${index}`;
    this.reader.refuse('invalid-index', `${what}, where ${listTags(tags)} is wanted`, 2);
  }
}
