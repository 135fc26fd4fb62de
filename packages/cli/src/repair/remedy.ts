/** What comes instead of a flaw, by the policies. */
import type { Codec } from '@utf8/core';
import type { Field, Format } from '../formats/format.js';
import { substitute } from '../mend.js';
import type { RepairOptions } from './options.js';

const REPLACEMENT = '\uFFFD';

const NOTHING = new Uint8Array();

/** Spells what comes instead. Each method returns undefined where the flaw is refused. */
export class Remedy {
  /** Where the text stands that is being repaired. */
  field: Pick<Field, 'escapes'> = {};
  readonly #options: RepairOptions;
  readonly #format: Format;
  readonly #to: Codec;
  readonly #replacement: Uint8Array;
  readonly #nul: Uint8Array;

  constructor(options: RepairOptions, format: Format) {
    this.#options = options;
    this.#format = format;
    this.#to = options.to.codec;
    this.#replacement = this.#to.encode(REPLACEMENT);
    this.#nul = this.#to.encode('\0');
  }

  /** @param bytes - The three bytes of a half, which are its spelling in all that have it. */
  forHalf(bytes: Uint8Array, unit: number): Uint8Array | undefined {
    switch (this.#options.loneHalves) {
      case 'fail':
        return undefined;
      case 'replace':
        return this.#replacement;
      case 'escape':
        return Buffer.from(this.#spell(unit), 'latin1');
      case 'keep':
        return bytes;
    }
  }

  /** @param own - The format's own spelling, which is ASCII; undefined where it is spelled in bytes. */
  forNul(own: Uint8Array | undefined): Uint8Array | undefined {
    switch (this.#options.nul) {
      case 'fail':
        return undefined;
      case 'remove':
        return NOTHING;
      case 'replace':
        return this.#replacement;
      case 'keep':
        return own ?? this.#nul;
    }
  }

  /** For what the source does not take, or the target does not have. */
  forFault(bytes: Uint8Array): Uint8Array | undefined {
    const { errors } = this.#options;
    if (errors === 'strict') return undefined;
    const text = substitute(errors, bytes);
    if (text === REPLACEMENT) return this.#replacement;
    return Buffer.from(this.#format.quote(text, this.field), 'latin1');
  }

  /** For a character that both have. */
  forCharacter(codePoint: number): Uint8Array {
    return this.#to.encodeCodePoints([codePoint]);
  }

  #spell(unit: number): string {
    const { spellUnit } = this.#format;
    const escaped = `\\u${unit.toString(16).toUpperCase()}`;
    return spellUnit?.(unit) ?? this.#format.quote(escaped, this.field);
  }
}
