/** Reason why a DEX file is refused. */
export type DexReason =
  /** The file does not begin with `dex`, a line feed and a version. */
  | 'not-a-dex'
  /** A version other than 035 and 037 to 041, or numbers in big-endian order. */
  | 'unsupported'
  /** The Adler-32 of the content is not the one in the header. */
  | 'checksum'
  /** The file ends before its content does, or an offset points beyond the end. */
  | 'truncated'
  /** An index without a string, type, field, method, prototype, call site or method handle. */
  | 'invalid-index'
  /** A number out of its range, or a tag that does not exist. */
  | 'invalid-value'
  /** A string does not have the number of UTF-16 code units that it states. */
  | 'count'
  /** Items overlap, or share others so often that reading them takes more than linear time. */
  | 'overlap'
  /** A malformed string under the policy `strict`; `cause` is the `DecodeError`. */
  | 'malformed-utf8';

/** The place that an error is about: the class, and the member in it. */
export interface DexPlace {
  /** The class, in the internal form. */
  readonly className?: string | undefined;
  /** The field or method. */
  readonly member?:
    | {
        /** Its name, such as `main`. */
        readonly name: string;
        /** Its type as a descriptor, such as `([Ljava/lang/String;)V`. */
        readonly descriptor: string;
      }
    | undefined;
}

/**
 * Thrown if the bytes are not a DEX file that Android loads. The only error for malformed input, including
 * malformed strings.
 *
 * @example
 * ```ts
 * import { type DexError, readDex } from '@utf8/classfile/dex';
 *
 * try {
 *   readDex(Uint8Array.of(0x64, 0x65, 0x78, 0x0a, 0x30, 0x33, 0x36, 0x00));
 * } catch (error) {
 *   (error as DexError).code; // => 'ERR_DEX'
 *   (error as DexError).offset; // => 4
 *   (error as DexError).reason; // => 'unsupported'
 * }
 * ```
 */
export class DexError extends TypeError {
  /** The name of the class. */
  override readonly name = 'DexError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_DEX';
  /** Offset of the error, in bytes from the start of the file. */
  readonly offset: number;
  /** Reason for the error. */
  readonly reason: DexReason;
  /**
   * The class, in the internal form; undefined if the error is outside of classes, or the class has no known
   * name.
   */
  readonly className: string | undefined;
  /** The field or method, such as `main([Ljava/lang/String;)V`; undefined if the error is outside of members. */
  readonly member: string | undefined;
  /** The message without the place. */
  readonly what: string;

  /**
   * @param reason - The reason for the error.
   * @param offset - The offset of the error, in bytes from the start of the file.
   * @param what - A description of the error, as the end of a sentence.
   * @param place - The class and the member that contain the error.
   * @param options - The cause.
   */
  constructor(
    reason: DexReason,
    offset: number,
    what: string,
    place: DexPlace = {},
    options?: ErrorOptions,
  ) {
    const { className, member } = place;
    const shown = member && shorten(member.name + member.descriptor);
    const where =
      (shown === undefined ? '' : `, in ${shown}`) +
      (className === undefined ? '' : ` of the class ${shorten(className)}`).replace(
        /^ of/,
        shown === undefined ? ', in' : ' of',
      );
    super(`Malformed DEX file at byte ${offset}: ${what}${where}.`, options);
    this.reason = reason;
    this.offset = offset;
    this.what = what;
    this.className = className;
    this.member = shown;
  }
}

/** Shortens a name: in damaged files, names can be megabytes long. */
const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** Refuses a DEX file. */
export function refuse(reason: DexReason, offset: number, what: string): never {
  throw new DexError(reason, offset, what);
}
