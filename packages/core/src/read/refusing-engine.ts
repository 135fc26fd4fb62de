import { Engine } from './engine.js';
import { FAULT, groupByLead, type Leads, readSequence, type Sequence } from './sequence.js';

/** The engine of a grammar with `!` rows, of which most have none. */
export class RefusingEngine extends Engine {
  #refused: Leads | undefined;

  /**
   * Reads the sequence that begins at an offset. One that is whole, but may turn out to begin what a `!`
   * row refuses, is cut.
   */
  override read(bytes: Uint8Array, offset: number): Sequence {
    const sequence = super.read(bytes, offset);
    this.#refused ??= groupByLead(this.packed.refused ?? []);
    const longer = readSequence(this.#refused, bytes, offset);
    if (longer.codePoint !== FAULT) return { ...longer, codePoint: FAULT, isRefused: true };
    return { ...sequence, isCut: sequence.isCut || longer.isCut };
  }
}
