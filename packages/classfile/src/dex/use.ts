/** Uses of strings, as callers see them. */
import type { StringKind } from '../kind.js';
import type { Callers, DexCaller } from './caller.js';
import type { DexMember, Ids } from './ids.js';
import type { DexString } from './text.js';
import type { IdSection, Reference } from './walk.js';

/** An annotation that contains a string. */
export interface DexAnnotation {
  /** The descriptor of the outermost annotation. */
  readonly type: string;
  /** The path of the value, such as `value[2].name`. After 16 levels, the inner ones are `…`. */
  readonly path: string;
}

/** A call site that has a string as its argument. */
export interface DexBootstrap {
  /**
   * The bootstrap method, such as `java/lang/invoke/StringConcatFactory.makeConcatWithConstants`; undefined
   * if the call site does not begin with a method.
   */
  readonly method: string | undefined;
  /** Position among its static arguments, from 0. */
  readonly argument: number;
  /** The instructions that call it, created on demand. */
  readonly callers: readonly DexCaller[];
}

/** A place where a DEX file refers to a string. */
export interface DexUse {
  /** The string, decoded on demand. */
  readonly string: DexString;
  /**
   * Kind of this use of the string, as in class files. Strings that code loads and values of static fields are
   * `literal`. An annotation of the system, such as `dalvik.annotation.Signature`, counts as the attribute that it
   * replaces.
   */
  readonly kind: StringKind;
  /**
   * Offset of the index of the string, in bytes from the start of the file. The index is a u2, a u4, a
   * `uleb128`, or one to four bytes of an encoded value. D8 lets several members share an annotation, so an offset
   * may occur more than once.
   */
  readonly offset: number;
  /**
   * The class, in the internal form; undefined for identifiers and call sites, which belong to the file as a
   * whole.
   */
  readonly className: string | undefined;
  /** The member that contains the string; undefined for the class itself. */
  readonly member: DexMember | undefined;
  /** The line of an instruction, or of the start of a local variable's scope, if the file contains it. */
  readonly line: number | undefined;
  /** The annotation, if the string is a value in one. */
  readonly annotation: DexAnnotation | undefined;
  /** The call site, if the string is a static argument of one. */
  readonly bootstrap: DexBootstrap | undefined;
  /** The identifier that the string names or describes, by its section and its index there. */
  readonly id:
    | {
        /** Section of the identifier. */
        readonly section: IdSection;
        /** Its index in its section, such as `type_ids`, from 0. */
        readonly index: number;
      }
    | undefined;
}

/** A use whose names are created on demand. */
class LazyUse implements DexUse {
  readonly #ids: Ids;
  readonly #reference: Reference;
  readonly #callers: Callers;

  constructor(ids: Ids, reference: Reference, callers: Callers) {
    this.#ids = ids;
    this.#reference = reference;
    this.#callers = callers;
  }

  get string(): DexString {
    return this.#ids.texts.createString(this.#reference.index);
  }

  get kind(): StringKind {
    return this.#reference.kind;
  }

  get offset(): number {
    return this.#reference.offset;
  }

  get className(): string | undefined {
    return this.#reference.place.className;
  }

  get member(): DexMember | undefined {
    return this.#reference.place.member;
  }

  get line(): number | undefined {
    return this.#reference.line;
  }

  get annotation(): DexAnnotation | undefined {
    const { annotation } = this.#reference;
    if (!annotation) return undefined;
    return { type: this.#ids.typeOf(annotation.type), path: String(annotation.path) };
  }

  get bootstrap(): DexBootstrap | undefined {
    const { callSite } = this.#reference;
    if (!callSite) return undefined;
    const { index, method, argument } = callSite;
    const ids = this.#ids;
    const callers = this.#callers;
    return {
      method: method === undefined ? undefined : `${ids.ownerOf(method)}.${ids.nameOf(method)}`,
      argument,
      get callers() {
        return callers.listCallers(index);
      },
    };
  }

  get id(): DexUse['id'] {
    return this.#reference.id;
  }
}

export const createUse = (ids: Ids, reference: Reference, callers: Callers): DexUse =>
  new LazyUse(ids, reference, callers);
