import { countSequences, flatten, type Row } from './grammar.js';

/** A row made ready for writing. */
export interface Spelling {
  readonly first: number;
  readonly last: number;
  readonly length: number;
  /** The first byte of each position's range. */
  readonly bytes: Uint8Array;
  /** The width of each position's range. */
  readonly widths: Uint16Array;
}

/** Writes code points as the `=` rows of a grammar spell them. */
export class Speller {
  readonly #spellings: readonly Spelling[];

  constructor(rows: readonly Row[]) {
    this.#spellings = rows
      .filter((row) => row.writes)
      .sort((a, b) => a.first - b.first)
      .map((row) => {
        const ranges = flatten(row);
        return {
          first: row.first,
          last: row.last,
          length: ranges.length,
          bytes: Uint8Array.from(ranges, ({ first }) => first),
          widths: Uint16Array.from(ranges, (range) => countSequences([range])),
        };
      });
  }

  /** The row that spells a code point, or undefined where none does. */
  find(codePoint: number): Spelling | undefined {
    for (const spelling of this.#spellings) {
      if (codePoint <= spelling.last) return codePoint >= spelling.first ? spelling : undefined;
    }
    return undefined;
  }

  /** The bytes of a code point that some row spells. */
  spell(codePoint: number): Uint8Array {
    const spelling = this.find(codePoint) as Spelling;
    const bytes = new Uint8Array(spelling.length);
    this.write(spelling, codePoint, bytes, 0);
    return bytes;
  }

  /** Writes a code point of the spelling's row at `at`, where there must be room for it. */
  write(
    { first, length, bytes, widths }: Spelling,
    codePoint: number,
    target: Uint8Array,
    at: number,
  ): void {
    let rest = codePoint - first;
    for (let i = length - 1; i >= 0; i--) {
      const width = widths[i] as number;
      const quotient = (rest / width) | 0;
      target[at + i] = (bytes[i] as number) + rest - quotient * width;
      rest = quotient;
    }
  }
}
