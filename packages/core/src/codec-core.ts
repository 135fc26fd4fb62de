import { refuse } from './argument/options.js';
import type { Grammar } from './grammar/grammar.js';
import { createEncoding } from './rows/create-encoding.js';
import type { Encoding } from './rows/encoding.js';

/**
 * The part of a codec that conversions need. Each variant exports it as `codec`, so that a program which only
 * converts contains neither streams nor boundaries. The module of a variant may stand in its place.
 *
 * @example
 * ```ts
 * import { transcode } from '@utf8/core';
 * import { codec as cesu8 } from '@utf8/cesu8';
 * import { codec as utf8 } from '@utf8/strict';
 *
 * transcode(utf8.grammar.rows.length > 0 ? Uint8Array.of(0x41) : new Uint8Array(), cesu8, utf8); // => Uint8Array.of(0x41)
 * ```
 */
export interface CodecCore {
  /** The name that errors contain, such as `CESU-8`. */
  readonly name: string;
  /** Further names that `TextDecoder` accepts as a label, in any case. */
  readonly labels?: readonly string[];
  /** The definition: the rows that everything else is derived from. */
  readonly grammar: Grammar;
}

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
 * @returns Undefined if it is not one of this copy of the package, or has another `decode`.
 */
export function findEncoding(codec: object): Encoding | undefined {
  const { codec: core = codec, decode } = codec as { codec?: object; decode?: unknown };
  const encoding = OwnCore.encodingOf(core);
  return decode === undefined || encoding?.decode === decode ? encoding : undefined;
}

const encodings = new WeakMap<Grammar, Encoding>();

/**
 * Returns the encoding of a codec. A codec from elsewhere, such as another copy of this package or an object
 * of the user's, gets one that works by the rows of its grammar.
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
