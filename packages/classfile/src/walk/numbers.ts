/** Growing lists of numbers of a few bytes each. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Capacity of a new list. */
const FIRST = 64;

/** A list of numbers in a typed array, which is replaced by one of twice the size when it is full. */
export class NumberList<T extends Numbers> {
  readonly #type: new (
    length: number,
  ) => T;
  items: T;
  length = 0;

  constructor(type: new (length: number) => T) {
    this.#type = type;
    this.items = new type(0);
  }

  push(value: number): void {
    if (this.length === this.items.length) this.#grow();
    this.items[this.length++] = value;
  }

  at(position: number): number {
    return this.items[position] as number;
  }

  #grow(): void {
    const { items } = this;
    this.items = new this.#type(items.length * 2 || FIRST);
    this.items.set(items);
  }
}
