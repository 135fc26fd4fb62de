/** Annotations and arrays in each other, at a few bytes a level: there may be millions of levels. */
import type { KindSet } from '../kind.js';

/** What values are in. */
export const Level = {
  /** Not in anything: the default of an element. */
  Element: 0,
  Annotation: 1,
  Array: 2,
} as const;

/** Two bytes each: how many values are left, how many there are, the name before the last, level and kind. */
const SLOTS = 4;

/** The annotations and arrays around a value, from the outermost on. */
export class Nesting {
  #slots = new Uint16Array(16 * SLOTS);
  depth = 0;
  /** Changes whenever an annotation or an array begins or ends. */
  version = 0;

  /**
   * Begins an annotation or an array.
   *
   * @param strings - What strings in it are.
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

  /** Goes to the next value, out of what has none left; returns false where there is no value. */
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

  /** What the value is in. */
  get level(): number {
    return this.levelAt(this.depth - 1);
  }

  levelAt(depth: number): number {
    return (this.#slots[depth * SLOTS + 3] as number) & 3;
  }

  /** What a string is as a value. */
  get strings(): KindSet {
    return 1 << ((this.#slots[this.depth * SLOTS - 1] as number) >> 2);
  }

  /** The index of the name of the value. */
  setName(name: number): void {
    this.#slots[this.depth * SLOTS - 2] = name;
  }

  nameAt(depth: number): number {
    return this.#slots[depth * SLOTS + 2] as number;
  }

  /** Which value of an array it is that is being read, from 0. */
  positionAt(depth: number): number {
    const at = depth * SLOTS;
    return (this.#slots[at + 1] as number) - (this.#slots[at] as number) - 1;
  }
}
