import type { PackedRow } from '../grammar/packed.js';

/** A row prepared for arithmetic: the first byte and the width of each position. */
export interface PreparedRow {
  readonly first: number;
  readonly last: number;
  readonly length: number;
  /** The first byte of each position's range. */
  readonly bytes: readonly number[];
  /** The width of each position's range. */
  readonly widths: readonly number[];
}

/** Prepares a row, with its units joined. */
export function prepareRow([first, ...units]: PackedRow): PreparedRow {
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

/** Finds the row that contains a code point; undefined if there is none. */
export function findRow(
  written: readonly PreparedRow[],
  codePoint: number,
): PreparedRow | undefined {
  return written.find(({ first, last }) => first <= codePoint && codePoint <= last);
}

/** Writes the sequence of a code point at `at`. The target must have room for it. */
export function writeSequence(
  { first, length, bytes, widths }: PreparedRow,
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
