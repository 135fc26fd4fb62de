/** The place of something in a DEX file; names are created on demand. */
import type { DexMember, Ids } from './ids.js';

export class Place {
  readonly #ids: Ids;
  readonly #class: number | undefined;
  readonly #type: DexMember['type'];
  readonly #index: number | undefined;
  #className: string | undefined;
  #member: DexMember | undefined;

  /**
   * @param type - The index of the class's type; undefined outside of classes.
   * @param index - Of the field or method.
   */
  constructor(ids: Ids, type?: number, memberType: DexMember['type'] = 'method', index?: number) {
    this.#ids = ids;
    this.#class = type;
    this.#type = memberType;
    this.#index = index;
  }

  get className(): string | undefined {
    if (this.#class === undefined) return undefined;
    this.#className ??= this.#ids.classOf(this.#class);
    return this.#className;
  }

  get member(): DexMember | undefined {
    if (this.#index === undefined) return undefined;
    this.#member ??=
      this.#type === 'field' ? this.#ids.fieldOf(this.#index) : this.#ids.methodOf(this.#index);
    return this.#member;
  }

  inField(index: number): Place {
    return new Place(this.#ids, this.#class, 'field', index);
  }

  inMethod(index: number): Place {
    return new Place(this.#ids, this.#class, 'method', index);
  }
}
