/** Characters as users count them. */
import { selectRows } from '../grammar/packed.js';
import { Engine } from './engine.js';
import { FAULT, type Sequence } from './sequence.js';

/** Kept here and not in the engine: bundles that only decode and encode go without. */
const engines = new WeakMap<Engine, Engine>();

/** Returns the same encoding with pairs of surrogates joined; often the engine itself. */
function charactersOf(engine: Engine): Engine {
  const { name, labels, packed } = engine;
  if (!packed.characters) return engine;
  const known =
    engines.get(engine) ?? new Engine(name, labels, selectRows(packed, packed.characters));
  engines.set(engine, known);
  return known;
}

/**
 * Reads one character, malformed or not: a well-formed sequence is one; so are a high surrogate and
 * the low one after it if the encoding reads them as a pair, and an unpaired surrogate if it has those;
 * a fault is one, with {@link FAULT} for a code point.
 */
export function readCharacter(engine: Engine, bytes: Uint8Array, offset: number): Sequence {
  const character = readWhole(engine, bytes, offset);
  const { length } = engine.readFault(bytes, offset, character);
  return character.codePoint < 0 ? { ...character, length: Math.max(length, 1) } : character;
}

/**
 * Reads one well-formed character; the code point is {@link FAULT} if there is none. An unpaired
 * surrogate that more bytes may pair is cut.
 */
export function readWhole(engine: Engine, bytes: Uint8Array, offset: number): Sequence {
  const characters = charactersOf(engine);
  const character = characters.read(bytes, offset);
  if (character.codePoint >= 0 || characters === engine) return character;
  const surrogate = engine.read(bytes, offset);
  return character.isCut ? { ...surrogate, isCut: true } : surrogate;
}
