/** A place that refers to a string. */
import type { StringKind } from '../kind.js';
import type { ClassString } from '../strings.js';

/** A field, a method, or a component of a record. */
export interface UseMember {
  /** Kind of the member; `component` is one of a record. */
  readonly type: 'field' | 'method' | 'component';
  /** Its name, such as `main`. */
  readonly name: string;
  /** Its type as a descriptor, such as `([Ljava/lang/String;)V`. */
  readonly descriptor: string;
}

/** The annotation that contains a string. */
export interface UseAnnotation {
  /**
   * The descriptor of the outermost annotation. For the default of an element, the descriptor of the class,
   * which is the annotation itself.
   */
  readonly type: string;
  /**
   * The path of the value: `value`, `value[2].name`. Of more than 32 steps, only the first and the last are
   * given, with `…` between them; of a name, the first 256 UTF-16 code units.
   */
  readonly path: string;
}

/** An instruction that calls a bootstrap method. */
export interface BootstrapCaller {
  /** The method that contains the instruction; undefined outside of methods. */
  readonly member: UseMember | undefined;
  /** The line of the source; undefined if no `LineNumberTable` contains it. */
  readonly line: number | undefined;
}

/** A static argument of a bootstrap method. */
export interface UseBootstrap {
  /** The bootstrap method, such as `java/lang/invoke/StringConcatFactory.makeConcatWithConstants`. */
  readonly method: string;
  /** Position among the static arguments, from 0. */
  readonly argument: number;
  /** The instructions that call it: `invokedynamic`, and `ldc` of dynamic constants. */
  readonly callers: readonly BootstrapCaller[];
}

/** A place where a class file refers to a string. */
export interface StringUse {
  /** The string, decoded on first access. */
  readonly string: ClassString;
  /** Kind of this use of the string. */
  readonly kind: StringKind;
  /**
   * Offset of the index that leads to the string, in bytes from the start of the class file. The index has
   * two bytes; in an `ldc`, one.
   */
  readonly offset: number;
  /** The name of the class, in the internal form: `java/lang/Object`. */
  readonly className: string;
  /** The member that contains the string; undefined for the class itself. */
  readonly member: UseMember | undefined;
  /** The line of the source, for an instruction, if a `LineNumberTable` contains it. */
  readonly line: number | undefined;
  /** The annotation that contains the string. */
  readonly annotation: UseAnnotation | undefined;
  /** The bootstrap method that has the string as a static argument. */
  readonly bootstrap: UseBootstrap | undefined;
  /**
   * The index of the constant that refers to the string, if only the pool does: a Class, NameAndType,
   * MethodType, Module or Package, or a String that nothing known loads.
   */
  readonly constant: number | undefined;
}

/** A use without its string. */
export type Where = Omit<StringUse, 'string'>;

/** A use whose string is created on first access. */
export class LocatedUse implements StringUse {
  readonly #create: () => ClassString;
  #string: ClassString | undefined;
  readonly kind: StringKind;
  readonly offset: number;
  readonly className: string;
  readonly member: UseMember | undefined;
  readonly line: number | undefined;
  readonly annotation: UseAnnotation | undefined;
  readonly bootstrap: UseBootstrap | undefined;
  readonly constant: number | undefined;

  constructor(where: Where, create: () => ClassString) {
    this.#create = create;
    this.kind = where.kind;
    this.offset = where.offset;
    this.className = where.className;
    this.member = where.member;
    this.line = where.line;
    this.annotation = where.annotation;
    this.bootstrap = where.bootstrap;
    this.constant = where.constant;
  }

  get string(): ClassString {
    this.#string ??= this.#create();
    return this.#string;
  }
}
