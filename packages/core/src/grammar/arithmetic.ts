/**
 * Row arithmetic: converts between code points and a row's byte sequences by mixed-radix counting alone.
 * Without masks, shifts or tables it is slow and plainly follows the grammar: it is the oracle that all
 * faster code is tested against.
 */
import type { Grammar } from './grammar.js';
import { type ByteRange, countSequences, flatten, type Row, type Unit } from './row.js';

/** Derives the weight of each position in the code point: the product of the later widths. */
export function deriveWeights(ranges: Unit): number[] {
  return ranges.map((_, i) => countSequences(ranges.slice(i + 1)));
}

/**
 * Encodes one code point by row arithmetic.
 *
 * @param grammar - The encoding.
 * @param codePoint - A number of the grammar's domain.
 * @returns The bytes, or undefined if no `=` row contains the number.
 * @example
 * ```ts
 * import { encodeByRows } from '@utf8/core/internal';
 * import { grammar } from '@utf8/cesu8';
 *
 * encodeByRows(grammar, 0x1f600); // => [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]
 * encodeByRows(grammar, 0xd800); // => undefined
 * ```
 */
export function encodeByRows(
  grammar: Pick<Grammar, 'rows'>,
  codePoint: number,
): number[] | undefined {
  const row = grammar.rows.find(
    ({ first, last, writes }) => writes && first <= codePoint && codePoint <= last,
  );
  if (!row || !Number.isInteger(codePoint)) return undefined;
  const ranges = flatten(row);
  const weights = deriveWeights(ranges);
  let rest = codePoint - row.first;
  return ranges.map(({ first }, i) => {
    const steps = Math.floor(rest / (weights[i] as number));
    rest -= steps * (weights[i] as number);
    return first + steps;
  });
}

/**
 * Decodes the sequence that begins at an offset by row arithmetic.
 *
 * @param grammar - The encoding.
 * @param bytes - The input.
 * @param offset - Start of the sequence, in bytes.
 * @returns The code point and the length of its sequence in bytes, or undefined if no row matches.
 * @example
 * ```ts
 * import { decodeByRows } from '@utf8/core/internal';
 * import { grammar } from '@utf8/strict';
 *
 * decodeByRows(grammar, [0xe2, 0x82, 0xac], 0); // => { codePoint: 0x20ac, length: 3 }
 * decodeByRows(grammar, [0xc0, 0x80], 0); // => undefined
 * ```
 */
export function decodeByRows(
  grammar: Pick<Grammar, 'rows'> & Partial<Pick<Grammar, 'refused'>>,
  bytes: ArrayLike<number>,
  offset: number,
): { codePoint: number; length: number } | undefined {
  if (grammar.refused?.some((row) => matchRow(row, bytes, offset))) return undefined;
  for (const row of grammar.rows) {
    const found = matchRow(row, bytes, offset);
    if (found) return found;
  }
  return undefined;
}

function matchRow(
  row: Row,
  bytes: ArrayLike<number>,
  offset: number,
): { codePoint: number; length: number } | undefined {
  const ranges = flatten(row);
  const weights = deriveWeights(ranges);
  let codePoint = row.first;
  for (const [i, { first, last }] of ranges.entries()) {
    const byte = bytes[offset + i];
    if (byte === undefined || byte < first || byte > last) return undefined;
    codePoint += (byte - first) * (weights[i] as number);
  }
  return { codePoint, length: ranges.length };
}

/** Cuts the code points `first..last` out of a row, as rows of whole byte ranges. */
export function sliceRow(row: Row, first: number, last: number): Row[] {
  first = Math.max(first, row.first);
  last = Math.min(last, row.last);
  if (first > last) return [];
  if (first === row.first && last === row.last) return [row];
  // Cut at the first position that varies. Its bytes whose sequences are all in the slice stay one row; the
  // bytes at either end are cut again at the next position.
  const ranges = flatten(row);
  const position = ranges.findIndex((range) => range.first < range.last);
  const range = ranges[position] as ByteRange;
  const weight = deriveWeights(ranges)[position] as number;
  const narrow = (from: number, to: number): Row => ({
    ...row,
    first: row.first + (from - range.first) * weight,
    last: row.first + (to - range.first + 1) * weight - 1,
    units: replaceAt(row.units, position, { first: from, last: to }),
  });
  const from = range.first + Math.floor((first - row.first) / weight);
  const to = range.first + Math.floor((last - row.first) / weight);
  if (from === to) return sliceRow(narrow(from, from), first, last);
  const wholeFrom = narrow(from, from).first < first ? from + 1 : from;
  const wholeTo = narrow(to, to).last > last ? to - 1 : to;
  return [
    ...(from < wholeFrom ? sliceRow(narrow(from, from), first, last) : []),
    ...(wholeFrom <= wholeTo ? [narrow(wholeFrom, wholeTo)] : []),
    ...(wholeTo < to ? sliceRow(narrow(to, to), first, last) : []),
  ];
}

function replaceAt(units: Row['units'], position: number, range: ByteRange): Unit[] {
  let i = 0;
  return units.map((unit) => unit.map((old) => (i++ === position ? range : old)));
}

/**
 * Finds the sequences that encode the same code points in two lists of rows. Of the second list, only `=`
 * rows count.
 */
export function intersectRows(rows: readonly Row[], written: readonly Row[]): Row[] {
  return rows.flatMap((row) =>
    written.flatMap((other) => (other.writes ? intersectRow(row, other) : [])),
  );
}

function intersectRow(row: Row, other: Row): Row[] {
  const a = flatten(row);
  const b = flatten(other);
  if (a.length !== b.length) return [];
  const both = a.map(({ first, last }, i) => ({
    first: Math.max(first, (b[i] as ByteRange).first),
    last: Math.min(last, (b[i] as ByteRange).last),
  }));
  if (both.some(({ first, last }) => first > last)) return [];
  const codePointAt = (row: Row, ranges: Unit): number =>
    deriveWeights(ranges).reduce(
      (sum, weight, i) =>
        sum + ((both[i] as ByteRange).first - (ranges[i] as ByteRange).first) * weight,
      row.first,
    );
  const weightsOfB = deriveWeights(b);
  const isSame =
    codePointAt(row, a) === codePointAt(other, b) &&
    deriveWeights(a).every(
      (weight, i) =>
        weight === weightsOfB[i] || (both[i] as ByteRange).first === (both[i] as ByteRange).last,
    );
  if (!isSame) return [];
  const first = codePointAt(row, a);
  return [{ first, last: first + countSequences(both) - 1, units: [both], writes: true }];
}
