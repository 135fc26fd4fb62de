/** Decoding of strings, according to the version of the file and the caller's policy for errors. */
import { type Codec, DecodeError, type ErrorPolicy, type Fault } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import { ClassFileError } from '../error.js';
import * as legacy from '../generated/legacy/index.js';
import type { Pool } from './pool.js';
import { Tag } from './tag.js';

/** The last version in which HotSpot accepts overlong sequences. */
const LAST_LEGACY = 47;

/** A decoded string, and its first error. */
export interface Text {
  readonly string: string;
  readonly fault: Fault | undefined;
}

export class Spelling {
  readonly #pool: Pool;
  readonly #codec: Codec;
  readonly #errors: ErrorPolicy;
  readonly #texts: (string | undefined)[] = [];

  /**
   * @throws {@link ClassFileError} if a string is malformed and the policy is `strict`.
   * @throws TypeError if the policy does not exist.
   */
  constructor(pool: Pool, errors: ErrorPolicy = 'strict') {
    this.#pool = pool;
    this.#codec = pool.majorVersion <= LAST_LEGACY ? legacy : mutf8;
    this.#errors = errors;
    // Well-formed input, too, must reveal a policy that does not exist.
    mutf8.decode(new Uint8Array(0), { errors });
    if (errors === 'strict') this.#check();
  }

  /** Decodes a Utf8 from its bytes. */
  read(index: number, bytes: Uint8Array = this.#pool.slice(index)): Text {
    if (this.#errors === 'strict' || isPlain(bytes, 0, bytes.length)) {
      return { string: this.#codec.decode(bytes), fault: undefined };
    }
    const start = this.#pool.startOf(index);
    const fault = this.#codec.findFault(bytes);
    const errors = this.#errors;
    const string = this.#codec.decode(bytes, {
      errors:
        typeof errors === 'function'
          ? (inner, faulty) => errors(shift(inner, start), faulty)
          : errors,
    });
    return { string, fault: fault && shift(fault, start) };
  }

  /** Returns the text of a Utf8, decoded once: 65,535 interfaces may have one long name. */
  textOf(index: number): string {
    this.#texts[index] ??= this.read(index).string;
    return this.#texts[index];
  }

  #check(): void {
    const pool = this.#pool;
    for (let index = 1; index < pool.count; index++) {
      if (pool.tags[index] !== Tag.Utf8) continue;
      const start = pool.startOf(index);
      if (isPlain(pool.bytes, start, start + pool.lengthOf(index))) continue;
      const bytes = pool.slice(index);
      const fault = this.#codec.findFault(bytes);
      if (!fault) continue;
      const faulty = bytes.subarray(fault.offset, fault.offset + fault.length);
      const shifted = shift(fault, start);
      const cause = new DecodeError(this.#codec.name, shifted, faulty);
      const what = `the constant ${index} is not ${this.#codec.name}: ${fault.reason}`;
      const { className } = pool;
      throw new ClassFileError('malformed-utf8', shifted.offset, what, { cause, className });
    }
  }
}

/** Moves the offset of an error from its string to the file. */
const shift = (fault: Fault, start: number): Fault => ({ ...fault, offset: start + fault.offset });

/** Tells whether all bytes are 01 to 7F. Nearly all strings are, and this is cheaper than a search for errors. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (((bytes[i] as number) - 1) >>> 0 > 0x7e) return false;
  }
  return true;
}
