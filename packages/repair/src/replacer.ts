import { hasSurrogates, type Settings } from './options.js';
import { substitute } from './substitute.js';

/** Spells what replaces a sequence. Each method returns undefined if the policy refuses it. */
export class Replacer {
  /** U+FFFD in the target. */
  readonly replacement: Uint8Array;
  readonly #settings: Settings;
  readonly #nul: Uint8Array;
  readonly #nothing = new Uint8Array();
  /** Spells surrogates that are kept if the target has none. */
  readonly #spellUnit: ((unit: number) => string) | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.replacement = settings.to.encode('\uFFFD');
    this.#nul = settings.to.encode('\0');
    this.#spellUnit = hasSurrogates(settings.to) ? undefined : settings.syntax.spellUnit;
  }

  /** @param bytes - The surrogate in three bytes, as in every encoding that has it. */
  forSurrogate(bytes: Uint8Array, unit: number, escapes: boolean): Uint8Array | undefined {
    const { to, unpairedSurrogates: policy, syntax } = this.#settings;
    if (policy === 'fail') return undefined;
    if (policy === 'replace') return this.replacement;
    if (policy === 'keep') return this.#spellUnit ? to.encode(this.#spellUnit(unit)) : bytes;
    return to.encode(syntax.quote(`\\u${unit.toString(16)}`, escapes));
  }

  /** @param own - The spelling of the syntax; undefined if the bytes are one of an encoding. */
  forNul(own: Uint8Array | undefined): Uint8Array | undefined {
    const { nul } = this.#settings;
    if (nul === 'fail') return undefined;
    if (nul === 'keep') return own ?? this.#nul;
    return nul === 'replace' ? this.replacement : this.#nothing;
  }

  /** For bytes that `from` refuses, or that `to` cannot encode. */
  forFault(bytes: Uint8Array, escapes: boolean): Uint8Array | undefined {
    const { to, errors, syntax } = this.#settings;
    if (errors === 'strict') return undefined;
    if (errors === 'replace') return this.replacement;
    return to.encode(syntax.quote(substitute(errors, bytes), escapes));
  }
}
