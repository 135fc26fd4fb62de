import { formatCodePoint, formatHex } from './format.js';

/** An inclusive range of byte values. */
export interface ByteRange {
  /** The least byte, 0 to 255. */
  readonly first: number;
  /** The greatest byte, 0 to 255. */
  readonly last: number;
}

/** Bytes that belong together, one range per byte. Found without its partner, a unit is one fault. */
export type Unit = readonly ByteRange[];

/** One line of a grammar: a range of code points and the byte sequences that encode it, in order. */
export interface Row {
  /** The first code point; in a grammar of code units, the first code unit. */
  readonly first: number;
  /** The last code point, or code unit. */
  readonly last: number;
  /** The units of the sequence: one, or several joined by `+`. */
  readonly units: readonly Unit[];
  /** True for an `=` row, whose sequences are written. */
  readonly writes: boolean;
  /** True for a `!` row: units that are well-formed one by one, but not side by side. */
  readonly refused?: boolean;
}

/** Returns the byte ranges of all units of a row, in order. */
export function flatten(row: Row): Unit {
  return row.units.flat();
}

/** Counts the byte sequences of some ranges: the product of their widths. */
export function countSequences(ranges: Unit): number {
  return ranges.reduce((product, { first, last }) => product * (last - first + 1), 1);
}

/**
 * Writes a row as `defineGrammar` reads it.
 *
 * @param row - A row of any grammar.
 * @returns One line, without its end.
 * @example
 * ```ts
 * import { formatRow } from '@utf8/core';
 * import { grammar } from '@utf8/strict';
 *
 * formatRow(grammar.rows[1]!); // => 'U+0080..U+07FF = C2-DF 80-BF'
 * ```
 */
export function formatRow({ first, last, units, writes, refused }: Row): string {
  const range = ({ first, last }: ByteRange): string =>
    first === last ? formatHex(first, 2) : `${formatHex(first, 2)}-${formatHex(last, 2)}`;
  const codePoints =
    first === last ? formatCodePoint(first) : `${formatCodePoint(first)}..${formatCodePoint(last)}`;
  const sequence = units.map((unit) => unit.map(range).join(' ')).join(' + ');
  return `${codePoints} ${refused ? '!' : writes ? '=' : '<='} ${sequence}`;
}
