import type { PackedRow } from './tables.js';

/** A row made ready for reading and writing: each position has a first byte, and a width. */
export interface Spelling {
  readonly first: number;
  readonly last: number;
  readonly length: number;
  /** The first byte of each position's range. */
  readonly bytes: readonly number[];
  /** The width of each position's range. */
  readonly widths: readonly number[];
}

/** Makes a row ready; whether its units were joined by `+` is of no more concern. */
export function spellRow([first, ...units]: PackedRow): Spelling {
  const edges = units.flat();
  const bytes = edges.filter((_, i) => i % 2 === 0);
  const widths = bytes.map((byte, i) => (edges[2 * i + 1] as number) - byte + 1);
  const last = first - 1 + widths.reduce((product, width) => product * width);
  return { first, last, length: bytes.length, bytes, widths };
}

/** Writes code points as rows spell them. */
export interface Speller {
  /** The row that spells a code point, or undefined where none does. */
  find(codePoint: number): Spelling | undefined;
  /** Writes a code point of the spelling's row at `at`, where there must be room for it. */
  write(spelling: Spelling, codePoint: number, target: Uint8Array, at: number): void;
}

export function createSpeller(rows: readonly PackedRow[]): Speller {
  const spellings = rows.map(spellRow);
  return {
    find: (codePoint) =>
      spellings.find(({ first, last }) => first <= codePoint && codePoint <= last),

    write({ first, length, bytes, widths }, codePoint, target, at) {
      let rest = codePoint - first;
      for (let i = length - 1; i >= 0; i--) {
        const width = widths[i] as number;
        const quotient = (rest / width) | 0;
        target[at + i] = (bytes[i] as number) + rest - quotient * width;
        rest = quotient;
      }
    },
  };
}
