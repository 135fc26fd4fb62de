import type { ByteRange, Grammar, Unit } from './grammar.js';

/** What {@link matchUnit} finds. */
export interface Match {
  /** In bytes, at least one. */
  readonly length: number;
  readonly isWhole: boolean;
  /** Whether only the end of the input kept it from being longer. */
  readonly isCut: boolean;
}

/** The maximal subpart at an offset: the longest prefix of any unit, at least one byte. */
export function matchUnit(units: readonly Unit[], bytes: Uint8Array, offset: number): Match {
  let longest = 1;
  let isCut = false;
  for (const unit of units) {
    let length = 0;
    for (const { first, last } of unit) {
      const byte = bytes[offset + length];
      if (byte === undefined || byte < first || byte > last) break;
      length++;
    }
    if (length === unit.length) return { length, isWhole: true, isCut: false };
    if (length > 0 && offset + length === bytes.length) isCut = true;
    if (length > longest) longest = length;
  }
  return { length: longest, isWhole: false, isCut };
}

/** Where units lie in bytes of a grammar, told from the middle. */
export class UnitFinder {
  readonly #units: readonly Unit[];
  readonly #trails = new Uint8Array(256);
  readonly #longest: number;
  /** How many units the sequence that has the most of them is made of. */
  readonly mostJoined: number;
  /** Whether no byte is both a lead and a trail, so that units can be found at all. */
  readonly isSelfSynchronizing: boolean;

  constructor({ rows }: Grammar) {
    this.#units = rows.flatMap((row) => row.units);
    this.#longest = Math.max(...this.#units.map((unit) => unit.length));
    this.mostJoined = Math.max(...rows.map((row) => row.units.length));
    for (const { first, last } of this.#units.flatMap((unit) => unit.slice(1))) {
      this.#trails.fill(1, first, last + 1);
    }
    this.isSelfSynchronizing = this.#units.every(
      ([lead]) => !this.#trails.subarray(lead?.first, (lead as ByteRange).last + 1).includes(1),
    );
  }

  /** The start of the unit, or of the part of one, that the byte at an index belongs to. */
  findStart(bytes: Uint8Array, index: number): number {
    const first = Math.max(0, index - this.#longest + 1);
    for (let start = index; start >= first; start--) {
      if (this.#trails[bytes[start] as number]) continue;
      return start + matchUnit(this.#units, bytes, start).length > index ? start : index;
    }
    return index;
  }
}
