import { unpackRows } from '../grammar/packed.js';
import type { ByteRange } from '../grammar/row.js';
import type { Rows } from './rows.js';
import { readSequence } from './sequence.js';

/** Finds the start of a unit from any of its bytes. */
export class UnitFinder {
  readonly #rows: Rows;
  readonly #trails = new Uint8Array(256);
  readonly #longest: number;
  /** The number of units in the sequence that has the most. */
  readonly mostJoined: number;
  /** True if no byte is both a lead byte and a trail byte; otherwise units cannot be found. */
  readonly isSelfSynchronizing: boolean;

  constructor(encoding: Rows) {
    const { rows: main, refused = [], characters } = encoding.packed;
    const rows = unpackRows([...main, ...refused, ...(characters?.rows ?? [])]);
    const units = rows.flatMap((row) => row.units);
    this.#rows = encoding;
    this.#longest = Math.max(...units.map((unit) => unit.length));
    this.mostJoined = Math.max(...rows.map((row) => row.units.length));
    for (const { first, last } of units.flatMap((unit) => unit.slice(1))) {
      this.#trails.fill(1, first, last + 1);
    }
    this.isSelfSynchronizing = units.every(
      ([lead]) => !this.#trails.subarray(lead?.first, (lead as ByteRange).last + 1).includes(1),
    );
  }

  /** Finds the start of the unit, or of the prefix of one, that contains the byte at an index. */
  findStart(bytes: Uint8Array, index: number): number {
    const first = Math.max(0, index - this.#longest + 1);
    for (let start = index; start >= first; start--) {
      if (this.#trails[bytes[start] as number]) continue;
      const unit = readSequence(this.#rows.prepared.units, bytes, start);
      return start + unit.length > index ? start : index;
    }
    return index;
  }
}
