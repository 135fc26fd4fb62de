/** Inputs of races: many distinct texts of a corpus and a size, and their bytes in each variant. */
import { spellingOf } from './codecs.mjs';
import { makeTexts } from './corpora.mjs';
import { encode } from './reference.mjs';

/** @typedef {import('./codecs.mjs').Variant} Variant */

/** One text and its spellings, each made once, so that all contestants read the same memory. */
export class Item {
  /** @type {Map<string, any>} */
  #made = new Map();

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  /**
   * @template T
   * @param {string} key
   * @param {() => T} make
   * @returns {T}
   */
  once(key, make) {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key);
  }

  /** @param {Variant} variant */
  bytes(variant) {
    return this.once(variant, () => encode(this.text, spellingOf(variant)));
  }
}

/**
 * Returns the number of inputs to rotate. The branch predictor would learn a single input, and many large
 * ones would measure the memory.
 *
 * @param {number} size
 */
const countFor = (size) => Math.max(2, Math.min(256, 2 ** Math.floor(Math.log2(2 ** 19 / size))));

/** @param {string} corpus @param {number} size */
export const makeItems = (corpus, size) =>
  makeTexts(corpus, size, countFor(size)).map((text) => new Item(text));
