import { refuse } from './argument/check.js';
import type { CodecCore } from './codec/codec.js';
import { createEncoding } from './create-encoding.js';
import type { Encoding } from './encoding.js';
import type { Grammar } from './grammar/grammar.js';

/** A core of this copy of the package. */
class OwnCore implements CodecCore {
  readonly name: string;
  readonly labels: readonly string[];
  readonly grammar: Grammar;
  readonly #encoding: Encoding;

  constructor(encoding: Encoding, grammar: Grammar) {
    this.name = encoding.name;
    this.labels = encoding.labels;
    this.grammar = grammar;
    this.#encoding = encoding;
  }

  static encodingOf(value: object): Encoding | undefined {
    return #encoding in value ? value.#encoding : undefined;
  }
}

/** Creates the `codec` of a variant's module. */
export const createCore = (encoding: Encoding, grammar: Grammar): CodecCore =>
  new OwnCore(encoding, grammar);

/**
 * Finds the encoding of a codec or of its core.
 *
 * @returns Undefined if the codec is not of this copy of the package, or has another `decode`.
 */
export function findEncoding(codec: object): Encoding | undefined {
  const { codec: core = codec, decode } = Object(codec) as { codec?: object; decode?: unknown };
  const encoding = OwnCore.encodingOf(Object(core));
  return decode === undefined || encoding?.decode === decode ? encoding : undefined;
}

const encodings = new WeakMap<Grammar, Encoding>();

/**
 * Returns the encoding of a codec. A codec from elsewhere, such as another copy of this package or a user's
 * object, gets an encoding that works by the rows of its grammar.
 *
 * @throws TypeError if the value is not a codec.
 */
export function encodingOf(codec: CodecCore): Encoding {
  if (!Array.isArray(codec?.grammar?.rows)) {
    refuse('a codec, such as the module of a variant', codec);
  }
  const own = findEncoding(codec);
  if (own) return own;
  const { name, grammar } = codec;
  const encoding = encodings.get(grammar) ?? createEncoding(String(name), grammar);
  encodings.set(grammar, encoding);
  return encoding;
}
