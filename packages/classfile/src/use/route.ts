/** Paths of values in annotations: `value[2].name`. */

import type { Spelling } from '../pool/spelling.js';
import { Level, type Nesting } from '../walk/nesting.js';

/** Most steps that are shown. Of longer paths, the first and the last half of them. */
const MOST_STEPS = 32;

/** Most UTF-16 code units of a name that are shown. */
const LONGEST_NAME = 256;

/** Prints the paths of successive values. */
export class Route {
  readonly #nesting: Nesting;
  readonly #spelling: Spelling;
  /** Path of the level around the value, which many values share. */
  #before = '';
  #depth = -1;
  #version = -1;

  constructor(nesting: Nesting, spelling: Spelling) {
    this.#nesting = nesting;
    this.#spelling = spelling;
  }

  /** Prints the path of the value in the given number of nested annotations and arrays. */
  spell(depth: number): string {
    if (depth === 0) return '';
    const { version } = this.#nesting;
    if (this.#depth !== depth || this.#version !== version) {
      this.#depth = depth;
      this.#version = version;
      this.#before = this.#spellBefore(depth - 1);
    }
    return this.#before + this.#step(depth - 1);
  }

  #spellBefore(depth: number): string {
    const half = MOST_STEPS / 2;
    let text = '';
    for (let level = 0; level < depth; level++) {
      if (depth >= MOST_STEPS && level === half) {
        text += '…';
        level = depth - half + 1;
      }
      text += this.#step(level);
    }
    return text;
  }

  #step(level: number): string {
    if (this.#nesting.levelAt(level) === Level.Array) return `[${this.#nesting.positionAt(level)}]`;
    const name = this.#nesting.nameAt(level);
    const text = name === 0 ? '' : shorten(this.#spelling.textOf(name));
    return level === 0 ? text : `.${text}`;
  }
}

const shorten = (name: string): string =>
  name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`;
