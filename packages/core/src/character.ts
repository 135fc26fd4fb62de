/** Reads characters as users count them. */

import { Encoding } from './encoding.js';
import { selectRows } from './grammar/packed.js';
import { FAULT, type Sequence } from './rows/sequence.js';

/** Kept outside of the encoding, so that bundles that only decode and encode omit it. */
const encodings = new WeakMap<Encoding, Encoding>();

/** Returns the encoding with surrogate pairs joined; often the encoding itself. */
function charactersOf(encoding: Encoding): Encoding {
  const { name, labels, packed } = encoding;
  if (!packed.characters) return encoding;
  const known =
    encodings.get(encoding) ?? new Encoding(name, labels, selectRows(packed, packed.characters));
  encodings.set(encoding, known);
  return known;
}

/**
 * Reads one character, malformed or not. A well-formed sequence is a character, and so is a surrogate pair,
 * or an unpaired surrogate, if the encoding contains them. A fault is a character with the code point {@link
 * FAULT}.
 */
export function readCharacter(encoding: Encoding, bytes: Uint8Array, offset: number): Sequence {
  const character = readWhole(encoding, bytes, offset);
  const { length } = encoding.readFault(bytes, offset, character);
  return character.codePoint < 0 ? { ...character, length: Math.max(length, 1) } : character;
}

/**
 * Reads one well-formed character; the code point is {@link FAULT} if there is none. An unpaired surrogate is
 * cut if more bytes may pair it.
 */
export function readWhole(encoding: Encoding, bytes: Uint8Array, offset: number): Sequence {
  const characters = charactersOf(encoding);
  const character = characters.read(bytes, offset);
  if (character.codePoint >= 0 || characters === encoding) return character;
  const surrogate = encoding.read(bytes, offset);
  return character.isCut ? { ...surrogate, isCut: true } : surrogate;
}
