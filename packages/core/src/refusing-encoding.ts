import { Encoding } from './encoding.js';
import type { PackedRow } from './grammar/packed.js';
import { groupByLead, REFUSED, readSequence, type Sequence } from './rows/sequence.js';

/** The encoding of a grammar with `!` rows; most grammars have none. */
export class RefusingEncoding extends Encoding {
  readonly #refused = groupByLead(this.packed.refused as PackedRow[]);

  /**
   * Reads the sequence at an offset. A whole sequence is cut if more bytes may complete the match of a `!`
   * row.
   */
  override read(bytes: Uint8Array, offset: number): Sequence {
    const sequence = super.read(bytes, offset);
    const longer = readSequence(this.#refused, bytes, offset);
    if (longer.codePoint >= 0) return { ...longer, codePoint: REFUSED };
    return longer.isCut ? { ...sequence, isCut: true } : sequence;
  }
}
