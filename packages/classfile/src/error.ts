/** What is wrong with a class file. */
export type ClassFileReason =
  /** The file does not begin with CA FE BA BE. */
  | 'not-a-class'
  /** The file, or an attribute, ends before what it should hold. */
  | 'truncated'
  /** Bytes are left after the class, or after what an attribute should hold. */
  | 'excess-bytes'
  /** A tag of a constant or of a value in an annotation that there is not, or not in this version. */
  | 'invalid-tag'
  /** An index of no constant, or of one of another kind; or of no bootstrap method. */
  | 'invalid-index'
  /** A number out of its range. */
  | 'invalid-value'
  /** A dynamic constant that is an argument of its own bootstrap method, or of one that leads there. */
  | 'cycle'
  /** A string that is malformed, under the policy `strict`; `cause` is the `DecodeError`. */
  | 'malformed-utf8';

/**
 * Thrown where bytes are no class file that a JVM would take: the one error of malformed input, a
 * malformed string included.
 *
 * @example
 * ```ts
 * import { type ClassFileError, readClass } from '@utf8/classfile';
 *
 * try {
 *   readClass(Uint8Array.of(0xca, 0xfe, 0xba, 0xbe, 0, 0));
 * } catch (error) {
 *   (error as ClassFileError).code; // => 'ERR_CLASS_FILE'
 *   (error as ClassFileError).offset; // => 6
 *   (error as ClassFileError).reason; // => 'truncated'
 * }
 * ```
 */
export class ClassFileError extends TypeError {
  override readonly name = 'ClassFileError';
  readonly code = 'ERR_CLASS_FILE';
  /** In bytes from the start of the class file. */
  readonly offset: number;
  readonly reason: ClassFileReason;

  /**
   * @param what - What is wrong, as the second half of a sentence.
   */
  constructor(reason: ClassFileReason, offset: number, what: string, options?: ErrorOptions) {
    super(`Malformed class file at byte ${offset}: ${what}.`, options);
    this.offset = offset;
    this.reason = reason;
  }
}
