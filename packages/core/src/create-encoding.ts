import { Encoding } from './encoding.js';
import { hasNumbers } from './grammar/characters.js';
import type { Grammar } from './grammar/grammar.js';
import { packGrammar } from './grammar/pack.js';
import { isolate, selectRows } from './grammar/packed.js';
import { NumberEncoding } from './number-encoding.js';
import { RefusingEncoding } from './refusing-encoding.js';

/** Creates the encoding of a grammar at run time, on its rows alone. */
export function createEncoding(name: string, grammar: Grammar): Encoding {
  const packed = isolate(packGrammar(grammar));
  const { characters, scalars = characters } = packed;
  const unpaired = scalars && new Encoding(name, [], selectRows(packed, scalars));
  const Kind = packed.refused ? RefusingEncoding : hasNumbers(grammar) ? NumberEncoding : Encoding;
  return new Kind(name, [], packed, unpaired);
}
