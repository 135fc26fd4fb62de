/** Reads grammars with surrogates as grammars of characters. */
import { sliceRow } from './arithmetic.js';
import { domains } from './domain.js';
import type { Grammar } from './grammar.js';
import { type ByteRange, flatten, type Row } from './row.js';

const MIN_HIGH = 0xd800;
const MIN_LOW = 0xdc00;
const MAX_LOW = 0xdfff;

/** The last code point of Unicode. */
const TOP = 0x10ffff;

type Domained = Pick<Grammar, 'domain'>;

/** Tells whether a grammar encodes surrogates as code points, two of which may be a pair. */
export const hasSurrogates = (grammar: Domained): boolean => includesSurrogates(grammar, true);

/** Tells whether surrogates are numbers in a grammar, because its domain exceeds Unicode. */
export const hasNumbers = (grammar: Domained): boolean => includesSurrogates(grammar, false);

const includesSurrogates = ({ domain }: Domained, isUnicode: boolean): boolean =>
  domains[domain].some(
    ([first, last]) => first <= MIN_HIGH && MIN_HIGH <= last && last <= TOP === isUnicode,
  );

/** Selects the rows of text: if surrogates are numbers, the rows of all other code points. */
export function selectText(grammar: Grammar): Grammar {
  if (!hasNumbers(grammar)) return grammar;
  const [, last = TOP] = domains[grammar.domain].at(-1) ?? [];
  const rows = [...slice(grammar, 0, MIN_HIGH - 1), ...slice(grammar, MAX_LOW + 1, last)];
  return { ...grammar, domain: 'ucs-4', rows };
}

/**
 * Reads a grammar with surrogates as a grammar of characters. The sequences of a high and a low surrogate
 * become one sequence of two units; an unpaired surrogate is not a character. Pairs that a `!` row refuses
 * are left out. Other grammars are returned unchanged.
 *
 * @param grammar - Any grammar.
 * @returns A grammar of scalar values. Its pairs are written unless other rows write code points above
 *   U+FFFF.
 * @example
 * ```ts
 * import { formatRow, pairSurrogates } from '@utf8/core';
 * import { grammar } from '@utf8/mutf8';
 *
 * pairSurrogates(grammar).rows.map(formatRow).at(-1);
 * // => 'U+10000..U+10FFFF = ED A0-AF 80-BF + ED B0-BF 80-BF'
 * ```
 */
export function pairSurrogates(grammar: Grammar): Grammar {
  if (!hasSurrogates(grammar)) return grammar;
  const rows = selectRest(grammar);
  const pairs = derivePairs(grammar).map((row) => ({ ...row, writes: row.writes && !isFar(rows) }));
  return { domain: 'scalar values', rows: [...rows, ...pairs], refused: [] };
}

/**
 * Removes surrogates from a grammar, except for pairs if no other row writes code points above U+FFFF. Other
 * grammars are returned unchanged.
 */
export function selectScalars(grammar: Grammar): Grammar {
  if (!hasSurrogates(grammar)) return grammar;
  const rows = selectRest(grammar);
  const all = isFar(rows) ? rows : [...rows, ...derivePairs(grammar)];
  return { domain: 'scalar values', rows: all, refused: [] };
}

/** Selects the rows of scalar values. */
const selectRest = (grammar: Grammar): Row[] => [
  ...slice(grammar, 0, MIN_HIGH - 1),
  ...slice(grammar, MAX_LOW + 1, TOP),
];

/** Tells whether rows write code points above U+FFFF. */
const isFar = (rows: readonly Row[]): boolean =>
  rows.some(({ writes, last }) => writes && last > 0xffff);

const slice = ({ rows }: Grammar, first: number, last: number): Row[] =>
  rows.flatMap((row) => sliceRow(row, first, last));

function derivePairs(grammar: Grammar): Row[] {
  const lows = slice(grammar, MIN_LOW, MAX_LOW);
  return slice(grammar, MIN_HIGH, MIN_LOW - 1)
    .flatMap((high) => lows.flatMap((low) => joinSurrogates(high, low)))
    .filter((pair) => !grammar.refused.some((row) => overlaps(row, pair)));
}

function joinSurrogates(high: Row, low: Row): Row[] {
  // A row has no gaps, so it may contain several high surrogates only together with all 1,024 low ones.
  const isWhole = low.last - low.first === MAX_LOW - MIN_LOW;
  const highs = isWhole
    ? [high]
    : Array.from({ length: high.last - high.first + 1 }, (_, i) =>
        sliceRow(high, high.first + i, high.first + i),
      ).flat();
  return highs.map((part) => ({
    first: 0x10000 + (part.first - MIN_HIGH) * 0x400 + (low.first - MIN_LOW),
    last: 0x10000 + (part.last - MIN_HIGH) * 0x400 + (low.last - MIN_LOW),
    units: [...part.units, ...low.units],
    writes: high.writes && low.writes,
  }));
}

function overlaps(a: Row, b: Row): boolean {
  const [left, right] = [flatten(a), flatten(b)];
  return left.every(({ first, last }, i) => {
    const other = right[i] as ByteRange;
    return first <= other.last && other.first <= last;
  });
}
