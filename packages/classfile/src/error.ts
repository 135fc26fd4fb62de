/** Reason why a class file is refused. */
export type ClassFileReason =
  /** The file does not begin with CA FE BA BE. */
  | 'not-a-class'
  /** The file, or an attribute, ends before its content does. */
  | 'truncated'
  /** Bytes are left after the class, or after the content of an attribute. */
  | 'excess-bytes'
  /** An unknown tag of a constant or of a value in an annotation, or one that this version lacks. */
  | 'invalid-tag'
  /** An index without a constant, with a constant of another kind, or without a bootstrap method. */
  | 'invalid-index'
  /** A number out of its range. */
  | 'invalid-value'
  /** A dynamic constant that is an argument of its own bootstrap method, directly or through others. */
  | 'cycle'
  /** A malformed string under the policy `strict`; `cause` is the `DecodeError`. */
  | 'malformed-utf8';

/**
 * Thrown if the bytes are not a class file that a JVM accepts. The only error for malformed input, including
 * malformed strings.
 *
 * Structure is checked, and meaning is not: a JVM may refuse names, flags, code or types that are read here.
 * Unknown attributes, and those of a later version or in another place, are ignored, as the specification requires.
 * Parts that HotSpot does not check (the `ConstantValue` of an instance field, `Module` in a class, invisible
 * annotations) are read as far as possible. Code with an invalid instruction is read up to it. Visible annotations
 * and `MethodParameters` are checked, although HotSpot runs classes in which they are malformed.
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
  /** The name of the class. */
  override readonly name = 'ClassFileError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_CLASS_FILE';
  /** Offset of the error, in bytes from the start of the class file. */
  readonly offset: number;
  /** Reason for the error. */
  readonly reason: ClassFileReason;
  /** The class, in the internal form; undefined if the error comes before its name. */
  readonly className: string | undefined;
  /** The innermost attribute that contains the error, such as `Code`; undefined outside of attributes. */
  readonly attribute: string | undefined;

  /**
   * @param reason - The reason for the error.
   * @param offset - The offset of the error, in bytes from the start of the class file.
   * @param what - A description of the error, as the end of a sentence.
   * @param options - The cause, and the class, attribute and member that contain the error.
   */
  constructor(
    reason: ClassFileReason,
    offset: number,
    what: string,
    options: ErrorOptions & FaultPlace = {},
  ) {
    const { className, attribute } = options;
    super(
      `Malformed class file at byte ${offset}: ${what}${describe(options)}.`,
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.offset = offset;
    this.reason = reason;
    this.className = className;
    this.attribute = attribute;
  }
}

/** The place of an error in a class, as far as it is known. */
export interface FaultPlace {
  /** The class, in the internal form. */
  readonly className?: string | undefined;
  /** The innermost attribute, such as `Code`. */
  readonly attribute?: string | undefined;
  /** A description of the member: `method main([Ljava/lang/String;)V`. */
  readonly member?: string | undefined;
}

/** Returns `, in the attribute Code of the method main([Ljava/lang/String;)V of the class A`. */
function describe({ className, attribute, member }: FaultPlace): string {
  const parts: string[] = [];
  if (attribute !== undefined) parts.push(`attribute ${quote(attribute)}`);
  if (member !== undefined) parts.push(member);
  if (className !== undefined) parts.push(`class ${quote(className)}`);
  return parts.length > 0 ? `, in the ${parts.join(' of the ')}` : '';
}

/** Most UTF-16 code units of a name in a message. */
const LONGEST_NAME = 200;

/** Prepares a name for a message: quoted if it contains characters that do not print. */
export function quote(name: string): string {
  const shown = shorten(name);
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u.test(shown) ? shown : escapeName(shown);
}

/** Quotes a name, with escapes for characters that do not print. */
export const escapeName = (name: string): string =>
  JSON.stringify(shorten(name)).replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => escapeUnit(character.charCodeAt(i))).join(
      '',
    ),
  );

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

const shorten = (name: string): string =>
  name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`;
