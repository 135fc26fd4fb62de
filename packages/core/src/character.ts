/** Characters as users count them. */

import { Encoding } from './encoding.js';
import { selectRows } from './grammar/packed.js';
import { FAULT, type Sequence } from './rows/sequence.js';

/** Kept here and not in the encoding: bundles that only decode and encode go without. */
const encodings = new WeakMap<Encoding, Encoding>();

/** Returns the same encoding with pairs of surrogates joined; often the encoding itself. */
function charactersOf(encoding: Encoding): Encoding {
  const { name, labels, packed } = encoding;
  if (!packed.characters) return encoding;
  const known =
    encodings.get(encoding) ?? new Encoding(name, labels, selectRows(packed, packed.characters));
  encodings.set(encoding, known);
  return known;
}

/**
 * Reads one character, malformed or not: a well-formed sequence is one; so are a high surrogate and
 * the low one after it if the encoding reads them as a pair, and an unpaired surrogate if it has those;
 * a fault is one, with {@link FAULT} for a code point.
 */
export function readCharacter(encoding: Encoding, bytes: Uint8Array, offset: number): Sequence {
  const character = readWhole(encoding, bytes, offset);
  const { length } = encoding.readFault(bytes, offset, character);
  return character.codePoint < 0 ? { ...character, length: Math.max(length, 1) } : character;
}

/**
 * Reads one well-formed character; the code point is {@link FAULT} if there is none. An unpaired
 * surrogate that more bytes may pair is cut.
 */
export function readWhole(encoding: Encoding, bytes: Uint8Array, offset: number): Sequence {
  const characters = charactersOf(encoding);
  const character = characters.read(bytes, offset);
  if (character.codePoint >= 0 || characters === encoding) return character;
  const surrogate = encoding.read(bytes, offset);
  return character.isCut ? { ...surrogate, isCut: true } : surrogate;
}
