/** A script with text and binary literals, and a query for the values that a server stores. */

/** U+1F600 in CESU-8, as Latin-1. */
export const PAIR = '\xed\xa0\xbd\xed\xb8\x80';

/**
 * Treatment of a value: `text` must be repaired, `binary` must stay, and `either` stays if the conversion
 * says so, and is repaired otherwise.
 */
export type ValueKind = 'text' | 'binary' | 'either';

/** A query that returns one column of values in hexadecimal digits, and their kinds. */
export interface Observation {
  readonly kind: ValueKind;
  readonly query: string;
}

/** Random choices that a seed decides. */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below another one, from the sequence of mulberry32. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  /** Returns a text, or else nothing. */
  maybe(text: string): string {
    return this.below(2) === 0 ? text : '';
  }
}

/** A script while it is written; each character is a byte. */
export class Script extends Choices {
  readonly observations: Observation[] = [];
  #text = '';
  #names = 0;

  /** Adds lines. */
  add(...lines: readonly string[]): void {
    for (const line of lines) this.#text += `${line}\n`;
  }

  /** Adds a query for values. */
  observe(kind: ValueKind, query: string): void {
    this.observations.push({ kind, query });
  }

  /** Returns a new name. */
  name(prefix = 't'): string {
    return `${prefix}${++this.#names}`;
  }

  /** Returns a value that contains a pair, and text that a reader might misread. */
  value(): string {
    const around = ['', 'a', ';', '--', ' # ', '/*', '*/', ')', ',', '(', '"', '`', ' utf8 '];
    return `${this.pick(around)}${PAIR}${this.pick(around)}`;
  }

  get text(): string {
    return this.#text;
  }
}
