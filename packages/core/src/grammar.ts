/**
 * The definition language: one text per variant, in the shape of Unicode Table 3-7 and of the ABNF
 * in RFC 3629, section 4. Everything else in this package is derived from what is parsed here.
 */

/** An inclusive range of byte values. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Bytes that belong together, one range per byte. Found without its partner, a unit is one fault. */
export type Unit = readonly ByteRange[];

/** One line of a grammar: a range of code points and the byte sequences that spell it, in order. */
export interface Row {
  readonly first: number;
  readonly last: number;
  /** The units of the sequence: one, or several joined by `+`. */
  readonly units: readonly Unit[];
  /** False for a `<=` row: a form that is accepted and never written. */
  readonly writes: boolean;
}

/**
 * What the numbers of a grammar are: `scalar values` (Unicode without the surrogates), `code units`
 * (UTF-16 code units, lone surrogates included), `ucs-4` (31 bits, without the surrogates).
 */
export type Domain = 'scalar values' | 'code units' | 'ucs-4';

/** A checked definition of one encoding. */
export interface Grammar {
  readonly domain: Domain;
  readonly rows: readonly Row[];
}

/** Thrown by {@link defineGrammar}; the message names the row and the law that it breaks. */
export class GrammarError extends SyntaxError {
  override readonly name = 'GrammarError';
}

/** The intervals of numbers that the `=` rows of a domain cover exactly once. */
const intervals: Record<Domain, readonly (readonly [first: number, last: number])[]> = {
  'scalar values': [
    [0, 0xd7ff],
    [0xe000, 0x10ffff],
  ],
  'code units': [[0, 0xffff]],
  'ucs-4': [
    [0, 0xd7ff],
    [0xe000, 0x7fffffff],
  ],
};

/**
 * Parses the rows of a variant and checks that they define an encoding.
 *
 * A row reads `U+0080..U+07FF = C2-DF 80-BF`: code points, `=` (how the range is spelled) or `<=`
 * (a form that is accepted too and never written), then one byte or byte range per position. `+`
 * joins units that stand alone when they are faulty. `;` starts a comment.
 *
 * The laws: a row has as many byte sequences as code points, so that byte order is code-point order;
 * no two rows share a sequence; no sequence is a prefix of another; the `=` rows cover the domain
 * exactly once.
 *
 * @param domain - What the code points are; see {@link Domain}.
 * @param text - The rows, one a line.
 * @returns The grammar, deeply immutable by type.
 * @throws {@link GrammarError} where a row cannot be read or a law is broken, naming the row.
 * @example
 * ```ts
 * import { defineGrammar } from '@utf8/core';
 *
 * const grammar = defineGrammar('code units', `
 *   U+0000..U+007F = 00-7F
 *   U+0080..U+07FF = C2-DF 80-BF
 *   U+0800..U+0FFF = E0    A0-BF 80-BF
 *   U+1000..U+FFFF = E1-EF 80-BF 80-BF
 * `);
 * grammar.rows.length; // => 4
 * ```
 * @see Unicode 16.0, section 3.9, Table 3-7; RFC 3629, section 4
 */
export function defineGrammar(domain: Domain, text: string): Grammar {
  if (!intervals[domain]) {
    throw new GrammarError(
      `Unknown domain "${domain}": it is one of ${Object.keys(intervals).join(', ')}.`,
    );
  }
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    const source = line.replace(/;.*/, '').trim();
    if (source) rows.push(parseRow(source));
  }
  rows.forEach((row, i) => {
    checkOrder(row);
    for (const other of rows.slice(0, i)) checkDistinct(other, row);
  });
  checkCoverage(domain, rows);
  return { domain, rows };
}

function parseRow(source: string): Row {
  const match = /^U\+([\dA-F]+)(?:\.\.U\+([\dA-F]+))?\s*(<?=)\s*(.+)$/.exec(source);
  if (!match) {
    throw new GrammarError(`Row "${source}": expected "U+0080..U+07FF = C2-DF 80-BF".`);
  }
  const [, first = '', last = first, sign, spelling = ''] = match;
  if (Number.parseInt(first, 16) > Number.parseInt(last, 16)) {
    throw new GrammarError(`Row "${source}": the range of code points descends.`);
  }
  const units = spelling.split('+').map((unit) =>
    unit
      .trim()
      .split(/\s+/)
      .map((token) => parseRange(token, source)),
  );
  return {
    first: Number.parseInt(first, 16),
    last: Number.parseInt(last, 16),
    units,
    writes: sign === '=',
  };
}

function parseRange(token: string, source: string): ByteRange {
  const match = /^([\dA-F]{2})(?:-([\dA-F]{2}))?$/.exec(token);
  const first = Number.parseInt(match?.[1] ?? '', 16);
  const last = Number.parseInt(match?.[2] ?? match?.[1] ?? '', 16);
  if (!(first <= last)) {
    throw new GrammarError(
      `Row "${source}": "${token}" is no byte ("C2") or ascending byte range ("C2-DF").`,
    );
  }
  return { first, last };
}

function checkOrder(row: Row): void {
  const sequences = countSequences(flatten(row));
  const codePoints = row.last - row.first + 1;
  if (sequences !== codePoints) {
    throw new GrammarError(
      `Row "${formatRow(row)}": ${codePoints} code points, but ${sequences} byte sequences.`,
    );
  }
}

function checkDistinct(a: Row, b: Row): void {
  const [left, right] = [flatten(a), flatten(b)];
  const overlaps = left.every(({ first, last }, i) => {
    const other = right[i];
    return !other || (first <= other.last && other.first <= last);
  });
  if (!overlaps) return;
  throw new GrammarError(
    left.length === right.length
      ? `Row "${formatRow(b)}" shares a byte sequence with row "${formatRow(a)}".`
      : `Row "${formatRow(b)}": one of its sequences begins, or is the beginning of, one of row "${formatRow(a)}".`,
  );
}

function checkCoverage(domain: Domain, rows: readonly Row[]): void {
  for (const row of rows) {
    if (!intervals[domain].some(([first, last]) => first <= row.first && row.last <= last)) {
      throw new GrammarError(`Row "${formatRow(row)}" reaches outside the ${domain}.`);
    }
  }
  const spelled = rows.filter((row) => row.writes).sort((a, b) => a.first - b.first);
  for (const [first, last] of intervals[domain]) {
    let next = first;
    const cover = (upTo: number): void => {
      if (next >= upTo) return;
      const gap = `${formatCodePoint(next)}..${formatCodePoint(upTo - 1)}`;
      throw new GrammarError(`No "=" row spells ${gap}, which the ${domain} hold.`);
    };
    for (const row of spelled.filter((row) => first <= row.first && row.last <= last)) {
      cover(row.first);
      if (row.first < next) {
        throw new GrammarError(
          `Row "${formatRow(row)}" spells code points that another "=" row spells.`,
        );
      }
      next = row.last + 1;
    }
    cover(last + 1);
  }
}

/** The ranges of a row's sequences in order, its `+` forgotten. */
export function flatten(row: Row): Unit {
  return row.units.flat();
}

/** How many byte sequences the ranges hold: the product of their widths. */
export function countSequences(ranges: Unit): number {
  return ranges.reduce((product, { first, last }) => product * (last - first + 1), 1);
}

/**
 * Writes a code point as the standard does.
 *
 * @example
 * ```ts
 * import { formatCodePoint } from '@utf8/core';
 *
 * formatCodePoint(0xe9); // => 'U+00E9'
 * ```
 */
export function formatCodePoint(codePoint: number): string {
  return `U+${formatHex(codePoint, 4)}`;
}

/** A number in upper-case hex, of so many digits at least. */
export function formatHex(number: number, digits: number): string {
  return number.toString(16).toUpperCase().padStart(digits, '0');
}

/** A row as {@link defineGrammar} reads it. */
export function formatRow({ first, last, units, writes }: Row): string {
  const range = ({ first, last }: ByteRange): string =>
    first === last ? formatHex(first, 2) : `${formatHex(first, 2)}-${formatHex(last, 2)}`;
  const codePoints =
    first === last ? formatCodePoint(first) : `${formatCodePoint(first)}..${formatCodePoint(last)}`;
  const spelling = units.map((unit) => unit.map(range).join(' ')).join(' + ');
  return `${codePoints} ${writes ? '=' : '<='} ${spelling}`;
}
