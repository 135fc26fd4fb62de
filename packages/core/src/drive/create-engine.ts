import { packGrammar } from '../compile/pack.js';
import { hasNumbers } from '../grammar/characters.js';
import type { Grammar } from '../grammar/grammar.js';
import { isolate, selectRows } from '../grammar/packed.js';
import { Engine } from '../read/engine.js';
import { NumberEngine } from '../read/number-engine.js';
import { RefusingEngine } from '../read/refusing-engine.js';

/** Makes the engine of a grammar at run time, on its rows alone. */
export function createEngine(name: string, grammar: Grammar): Engine {
  const packed = isolate(packGrammar(grammar));
  const { characters, scalars = characters } = packed;
  const unpaired = scalars && new Engine(name, [], selectRows(packed, scalars));
  const Kind = packed.refused ? RefusingEngine : hasNumbers(grammar) ? NumberEngine : Engine;
  return new Kind(name, [], packed, unpaired);
}
