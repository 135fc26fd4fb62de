import { hasSurrogates, type Settings } from './options.js';
import { substitute } from './substitute.js';

/** Writes the replacement of a sequence. Each method returns undefined if the policy refuses it. */
export class Replacer {
  /** U+FFFD in the target. */
  readonly replacement: Uint8Array;
  readonly #settings: Settings;
  readonly #nul: Uint8Array;
  readonly #nothing = new Uint8Array();
  /** Escapes surrogates that are kept if the target has none. */
  readonly #escapeUnit: ((unit: number) => string) | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.replacement = settings.to.encode('\uFFFD');
    this.#nul = settings.to.encode('\0');
    this.#escapeUnit = hasSurrogates(settings.to) ? undefined : settings.syntax.escapeUnit;
  }

  /** @param bytes - The surrogate in three bytes, as in every encoding that has it. */
  forSurrogate(bytes: Uint8Array, unit: number, escapes: boolean): Uint8Array | undefined {
    const { to, unpairedSurrogates: policy, syntax } = this.#settings;
    if (policy === 'fail') return undefined;
    if (policy === 'replace') return this.replacement;
    if (policy === 'keep') return this.#escapeUnit ? to.encode(this.#escapeUnit(unit)) : bytes;
    return to.encode(syntax.quote(`\\u${unit.toString(16)}`, escapes));
  }

  /** @param own - The escape of the syntax; undefined if the bytes are one of an encoding. */
  forNul(own: Uint8Array | undefined): Uint8Array | undefined {
    const { nul } = this.#settings;
    if (nul === 'fail') return undefined;
    if (nul === 'keep') return own ?? this.#nul;
    return nul === 'replace' ? this.replacement : this.#nothing;
  }

  /** @param bytes - The noncharacter in the target. */
  forNoncharacter(bytes: Uint8Array): Uint8Array | undefined {
    const { noncharacters } = this.#settings;
    if (noncharacters === 'fail') return undefined;
    if (noncharacters === 'keep') return bytes;
    return noncharacters === 'replace' ? this.replacement : this.#nothing;
  }

  /** For bytes that `from` refuses, or that `to` cannot encode. */
  forFault(bytes: Uint8Array, escapes: boolean): Uint8Array | undefined {
    const { to, errors, syntax } = this.#settings;
    if (errors === 'fail') return undefined;
    if (errors === 'replace') return this.replacement;
    const text = substitute(errors, bytes);
    return text === undefined ? undefined : to.encode(syntax.quote(text, escapes));
  }
}
