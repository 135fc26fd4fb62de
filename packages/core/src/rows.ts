/**
 * Row arithmetic: the numbers that a row's byte sequences spell, by mixed-radix counting and nothing
 * else. It has no masks, no shifts and no tables, so it is slow, and plainly what the grammar says:
 * the oracle that everything faster is tested against.
 */
import {
  type ByteRange,
  countSequences,
  flatten,
  type Grammar,
  type Row,
  type Unit,
} from './grammar.js';

/** How far one step at each position moves the code point: the product of the later widths. */
export function deriveWeights(ranges: Unit): number[] {
  return ranges.map((_, i) => countSequences(ranges.slice(i + 1)));
}

/**
 * Encodes one code point by row arithmetic.
 *
 * @param grammar - The encoding.
 * @param codePoint - A number of the grammar's domain.
 * @returns The bytes, or undefined where no `=` row spells the number.
 * @example
 * ```ts
 * import { encodeByRows } from '@utf8/core';
 * import { grammar } from '@utf8/cesu8';
 *
 * encodeByRows(grammar, 0x1f600); // => [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]
 * encodeByRows(grammar, 0xd800); // => undefined
 * ```
 */
export function encodeByRows(grammar: Grammar, codePoint: number): number[] | undefined {
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
 * @param offset - Where the sequence begins, in bytes.
 * @returns The code point and the length of its sequence in bytes, or undefined where no row matches.
 * @example
 * ```ts
 * import { decodeByRows } from '@utf8/core';
 * import { grammar } from '@utf8/strict';
 *
 * decodeByRows(grammar, [0xe2, 0x82, 0xac], 0); // => { codePoint: 0x20ac, length: 3 }
 * decodeByRows(grammar, [0xc0, 0x80], 0); // => undefined
 * ```
 */
export function decodeByRows(
  grammar: Grammar,
  bytes: ArrayLike<number>,
  offset: number,
): { codePoint: number; length: number } | undefined {
  for (const row of grammar.rows) {
    const ranges = flatten(row);
    const weights = deriveWeights(ranges);
    let codePoint = row.first;
    const matches = ranges.every(({ first, last }, i) => {
      const byte = bytes[offset + i];
      if (byte === undefined || byte < first || byte > last) return false;
      codePoint += (byte - first) * (weights[i] as number);
      return true;
    });
    if (matches) return { codePoint, length: ranges.length };
  }
  return undefined;
}

/** The part of a row that spells `first..last`, as rows of whole byte ranges. */
export function sliceRow(row: Row, first: number, last: number): Row[] {
  first = Math.max(first, row.first);
  last = Math.min(last, row.last);
  if (first > last) return [];
  if (first === row.first && last === row.last) return [row];
  // Cut at the first position that varies: what its bytes spell whole stays one row, and the two
  // bytes at the ends, where the slice takes only a part, are cut again at the next position.
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

/** The sequences that stand for the same code points in two lists of rows, the second's `=` rows. */
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

/**
 * Reads a grammar of code units as one of characters: a high and a low half, each in the spelling it
 * has alone, become one sequence of two units, and a half without its partner is no character. Other
 * grammars are returned as they are.
 *
 * Boundaries, counts and `surrogateescape` follow the characters; for them Java's encoding and
 * CESU-8 are alike.
 */
export function pairSurrogates(grammar: Grammar): Grammar {
  if (grammar.domain !== 'code units') return grammar;
  const slice = (first: number, last: number): Row[] =>
    grammar.rows.flatMap((row) => sliceRow(row, first, last));
  const pairs = slice(0xd800, 0xdbff).flatMap((high) =>
    slice(0xdc00, 0xdfff).flatMap((low) => joinHalves(high, low)),
  );
  return {
    domain: 'scalar values',
    rows: [...slice(0, 0xd7ff), ...slice(0xe000, 0xffff), ...pairs],
  };
}

function joinHalves(high: Row, low: Row): Row[] {
  // A row counts without gaps, so a high half may range only where the low half covers all 1,024.
  const isWhole = low.last - low.first === 0x3ff;
  const highs = isWhole
    ? [high]
    : Array.from({ length: high.last - high.first + 1 }, (_, i) =>
        sliceRow(high, high.first + i, high.first + i),
      ).flat();
  return highs.map((part) => ({
    first: 0x10000 + (part.first - 0xd800) * 0x400 + (low.first - 0xdc00),
    last: 0x10000 + (part.last - 0xd800) * 0x400 + (low.last - 0xdc00),
    units: [...part.units, ...low.units],
    writes: high.writes && low.writes,
  }));
}
