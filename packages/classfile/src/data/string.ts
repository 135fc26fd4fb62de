/** Strings of files with Java's data. */
import { type Codec, DecodeError, type ErrorPolicy, type Fault } from '@utf8/core';
import { DataError, type DataForm } from './error.js';
import type { Place } from './path.js';

/**
 * Purpose of a string.
 *
 * - `symbol`: In a heap dump, a name, a descriptor or a generic signature.
 * - `name`: The name of a class, a field or a tag.
 * - `descriptor`: The type of a field.
 * - `enum-constant`: The name of an enum constant.
 * - `value`: A string of the program.
 */
export type DataKind = 'symbol' | 'name' | 'descriptor' | 'enum-constant' | 'value';

/** A string, and its place. */
export interface DataString {
  /** Index in an array of all strings of the file. */
  readonly index: number;
  /**
   * Place of the string: the ID of a record of a heap dump, `0x7f03`; the path of a tag, `Level.Player.Name`; the
   * path of an object, `[0].names[3]`, or a class and a field. In objects, `data` stands for the output of
   * `writeObject` or `writeExternal`, and `exception` for the exception that ended an object. Long paths are
   * shortened at their start.
   */
  readonly path: string;
  /** Offset of `bytes`, in bytes from the start of the file. */
  readonly offset: number;
  /** The string as encoded in the file, without its length, in memory of its own. */
  readonly bytes: Uint8Array;
  /** The string, decoded. */
  readonly string: string;
  /** Purpose of the string: exactly one kind. */
  readonly kinds: readonly DataKind[];
  /**
   * The first error, with its offset from the start of the file; undefined if the string is well-formed,
   * which it always is under the policy `strict`.
   */
  readonly fault: Fault | undefined;
}

/** Creates the strings of a file. */
export class Strings {
  readonly #form: DataForm;
  readonly #codec: Codec;
  readonly #errors: ErrorPolicy;
  #count = 0;

  /** @throws TypeError if the policy does not exist. */
  constructor(form: DataForm, codec: Codec, errors: ErrorPolicy) {
    this.#form = form;
    this.#codec = codec;
    this.#errors = errors;
    codec.decode(new Uint8Array(0), { errors });
  }

  /** Decodes bytes for a path. */
  decode(bytes: Uint8Array): string {
    return this.#codec.decode(bytes, { errors: 'replace' });
  }

  /** @throws {@link DataError} if the string is malformed and the policy is `strict`. */
  create(bytes: Uint8Array, offset: number, place: Place, kind: DataKind): DataString {
    const index = this.#count++;
    const path = `${place}`;
    const shift = (fault: Fault): Fault => ({ ...fault, offset: fault.offset + offset });
    const found = this.#codec.findFault(bytes);
    const fault = found && shift(found);
    const errors = this.#errors;
    if (found && fault && errors === 'strict') {
      const faulty = bytes.subarray(found.offset, found.offset + found.length);
      const cause = new DecodeError(this.#codec.name, fault, faulty);
      const what = `a string is not ${this.#codec.name}: ${fault.reason}`;
      throw new DataError(this.#form, 'malformed-utf8', fault.offset, path, what, { cause });
    }
    const string = this.#codec.decode(bytes, {
      errors:
        typeof errors === 'function' ? (inner, faulty) => errors(shift(inner), faulty) : errors,
    });
    return { index, path, offset, bytes, string, kinds: [kind], fault };
  }
}
