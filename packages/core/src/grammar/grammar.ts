/**
 * The definition language: one text per variant, in the shape of Unicode Table 3-7 and of the ABNF in RFC
 * 3629, section 4. Everything else in this package is derived from the parsed rows.
 */
import { type Domain, domains } from './domain.js';
import { GrammarError } from './grammar-error.js';
import { checkLaws } from './laws.js';
import type { ByteRange, Row } from './row.js';

/** A checked definition of one encoding. */
export interface Grammar {
  /** The set of numbers that the rows encode. */
  readonly domain: Domain;
  /** The accepted sequences: the `=` and `<=` rows. */
  readonly rows: readonly Row[];
  /** The `!` rows: sequences that are refused, although each of their units is accepted alone. */
  readonly refused: readonly Row[];
}

/**
 * Parses the rows of a variant and checks that they define an encoding.
 *
 * A row reads `U+0080..U+07FF = C2-DF 80-BF`: code points, a sign, then one byte or byte range per position.
 * The sign is `=` (sequences that are written), `<=` (sequences that are also accepted, but never written) or
 * `!` (sequences that are refused, although each of their units is accepted alone). `+` joins units; a unit
 * without its partner is one fault. `;` starts a comment.
 *
 * The laws: a row has as many byte sequences as code points, so byte order is code-point order; no two
 * rows share a sequence; no sequence is a prefix of another (`!` rows are exempt from these two); the
 * `=` rows cover the domain exactly once; each unit of a `!` row is accepted alone.
 *
 * @param domain - The set of numbers that the rows encode; see {@link Domain}.
 * @param text - The rows, one per line.
 * @returns The grammar, deeply immutable by type.
 * @throws GrammarError if a row cannot be read or a law is broken, naming the row.
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
  if (!Object.hasOwn(domains, domain)) {
    const known = Object.keys(domains).join(', ');
    throw new GrammarError(`Unknown domain "${domain}": it is one of ${known}.`);
  }
  const all: Row[] = [];
  for (const line of text.split('\n')) {
    const source = line.replace(/;.*/, '').trim();
    if (source) all.push(parseRow(source));
  }
  const rows = all.filter((row) => !row.refused);
  const refused = all.filter((row) => row.refused);
  checkLaws(domain, rows, refused);
  return { domain, rows, refused };
}

/** Reads one row, without the laws of a grammar. */
export function parseRow(source: string): Row {
  const match = /^U\+([\dA-F]+)(?:\.\.U\+([\dA-F]+))?\s*(<?=|!)\s*(.+)$/.exec(source);
  if (!match) {
    throw new GrammarError(`Row "${source}": expected "U+0080..U+07FF = C2-DF 80-BF".`);
  }
  const [, first = '', last = first, sign, sequence = ''] = match;
  if (Number.parseInt(first, 16) > Number.parseInt(last, 16)) {
    throw new GrammarError(`Row "${source}": the range of code points descends.`);
  }
  const units = sequence.split('+').map((unit) =>
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
    ...(sign === '!' && { refused: true }),
  };
}

function parseRange(token: string, source: string): ByteRange {
  const match = /^([\dA-F]{2})(?:-([\dA-F]{2}))?$/.exec(token);
  const first = Number.parseInt(match?.[1] ?? '', 16);
  const last = Number.parseInt(match?.[2] ?? match?.[1] ?? '', 16);
  if (!(first <= last)) {
    throw new GrammarError(
      `Row "${source}": "${token}" is neither a byte ("C2") nor an ascending byte range ("C2-DF").`,
    );
  }
  return { first, last };
}
