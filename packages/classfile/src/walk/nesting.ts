/** Nested annotations and arrays, stored in a few bytes a level: there may be millions of levels. */
import type { KindSet } from '../kind.js';

/** Kinds of levels around a value. */
export const Level = {
  /** No level: the default of an element. */
  Element: 0,
  Annotation: 1,
  Array: 2,
} as const;

/** Slots of two bytes: the values left, the number of values, the name before the last, level and kind. */
const SLOTS = 4;

/** The annotations and arrays around a value, from the outermost on. */
export class Nesting {
  #slots = new Uint16Array(16 * SLOTS);
  depth = 0;
  /** Changes whenever an annotation or an array begins or ends. */
  version = 0;

  /**
   * Opens an annotation or an array.
   *
   * @param strings - The kind of the strings in it.
   */
  open(level: number, count: number, strings: KindSet): void {
    const at = this.depth * SLOTS;
    if (at === this.#slots.length) {
      const slots = new Uint16Array(at * 2);
      slots.set(this.#slots);
      this.#slots = slots;
    }
    this.#slots[at] = count;
    this.#slots[at + 1] = count;
    this.#slots[at + 2] = 0;
    this.#slots[at + 3] = level | ((31 - Math.clz32(strings)) << 2);
    this.depth++;
    this.version++;
  }

  /** Moves to the next value, and closes finished levels. Returns false if no value is left. */
  next(): boolean {
    while (this.depth > 0) {
      const at = (this.depth - 1) * SLOTS;
      const left = this.#slots[at] as number;
      if (left > 0) {
        this.#slots[at] = left - 1;
        return true;
      }
      this.depth--;
      this.version++;
    }
    return false;
  }

  /** Level around the value. */
  get level(): number {
    return this.levelAt(this.depth - 1);
  }

  levelAt(depth: number): number {
    return (this.#slots[depth * SLOTS + 3] as number) & 3;
  }

  /** Kind of the value if it is a string. */
  get strings(): KindSet {
    return 1 << ((this.#slots[this.depth * SLOTS - 1] as number) >> 2);
  }

  /** Sets the index of the value's name. */
  setName(name: number): void {
    this.#slots[this.depth * SLOTS - 2] = name;
  }

  nameAt(depth: number): number {
    return this.#slots[depth * SLOTS + 2] as number;
  }

  /** Returns the position of the value being read in an array, from 0. */
  positionAt(depth: number): number {
    const at = depth * SLOTS;
    return (this.#slots[at + 1] as number) - (this.#slots[at] as number) - 1;
  }
}
