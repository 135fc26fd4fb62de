/** Format of a file with Java's data. */
export type DataForm = 'hprof' | 'serialization' | 'nbt';

/** Reason why a file with Java's data is refused. */
export type DataReason =
  /** The file does not begin as one of the formats does. */
  | 'not-data'
  /** The file ends before its content does. */
  | 'truncated'
  /** A tag or a type code that does not exist. */
  | 'invalid-tag'
  /** A number out of its range. */
  | 'invalid-value'
  /** A reference to no object, or to one of another kind. */
  | 'invalid-reference'
  /** Tags are nested more than 512 levels deep, which Minecraft refuses. */
  | 'depth'
  /** A string that does not fit into memory. */
  | 'too-large'
  /** Bytes after the end. */
  | 'excess-bytes'
  /** A valid stream that only its program can read: externalizable objects of protocol version 1. */
  | 'unsupported'
  /** A malformed string under the policy `strict`; `cause` is the `DecodeError`. */
  | 'malformed-utf8';

/** The names of the formats. */
const names: Readonly<Record<DataForm, string>> = {
  hprof: 'heap dump',
  serialization: 'Java serialization',
  nbt: 'NBT',
};

/**
 * Thrown if a file with Java's data is malformed. The only error for malformed input, including malformed strings.
 *
 * @example
 * ```ts
 * import { type DataError, readData } from '@utf8/classfile/data';
 *
 * const error: DataError = await readData([Uint8Array.of(1, 2)])
 *   .next()
 *   .catch((error) => error);
 * error.code; // => 'ERR_DATA'
 * error.offset; // => 0
 * error.reason; // => 'not-data'
 * ```
 */
export class DataError extends TypeError {
  /** The name of the class. */
  override readonly name = 'DataError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_DATA';
  /** Offset of the error, in bytes from the start of the file. */
  readonly offset: number;
  /** Reason for the error. */
  readonly reason: DataReason;
  /** Path of the part that contains the error, as in {@link DataString.path}; empty for the file as a whole. */
  readonly path: string;

  /**
   * @param form - The format of the file; undefined if it is unknown.
   * @param reason - The reason for the error.
   * @param offset - The offset of the error, in bytes from the start of the file.
   * @param path - The path of the part that contains the error.
   * @param what - A description of the error, as the end of a sentence.
   * @param options - The cause.
   */
  constructor(
    form: DataForm | undefined,
    reason: DataReason,
    offset: number,
    path: string,
    what: string,
    options?: ErrorOptions,
  ) {
    const where = path === '' ? '' : `, in ${path}`;
    super(`Malformed ${form ? names[form] : 'data'} at byte ${offset}: ${what}${where}.`, options);
    this.reason = reason;
    this.offset = offset;
    this.path = path;
  }
}
