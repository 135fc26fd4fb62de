import type { PackedRow } from '../grammar/packed.js';

/** A row prepared for reading and writing: each position has a first byte, and a width. */
export interface Spelling {
  readonly first: number;
  readonly last: number;
  readonly length: number;
  /** The first byte of each position's range. */
  readonly bytes: readonly number[];
  /** The width of each position's range. */
  readonly widths: readonly number[];
}

/** Prepares a row; which units `+` joins no longer matters. */
export function prepareRow([first, ...units]: PackedRow): Spelling {
  const bytes: number[] = [];
  const widths: number[] = [];
  let count = 1;
  units.flat().forEach((byte, i, edges) => {
    if (i % 2) return;
    const width = (edges[i + 1] as number) - byte + 1;
    bytes.push(byte);
    widths.push(width);
    count *= width;
  });
  return { first, last: first + count - 1, length: bytes.length, bytes, widths };
}

/** Finds the row that spells a code point; undefined if none does. */
export function findSpelling(
  spellings: readonly Spelling[],
  codePoint: number,
): Spelling | undefined {
  return spellings.find(({ first, last }) => first <= codePoint && codePoint <= last);
}

/** Writes a code point of the spelling's row at `at`, where there must be room for it. */
export function writeSpelling(
  { first, length, bytes, widths }: Spelling,
  codePoint: number,
  target: Uint8Array,
  at: number,
): void {
  let rest = codePoint - first;
  for (let i = length; i-- > 0; ) {
    const width = widths[i] as number;
    const quotient = (rest / width) | 0;
    target[at + i] = (bytes[i] as number) + rest - quotient * width;
    rest = quotient;
  }
}
