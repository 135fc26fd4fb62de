/** Tests for text that would become code: a string or a comment that a repair ends early. */
import type { Repair } from '@utf8/repair';
import type { Field, Layout } from '../format.js';
import { viewOf } from '../shared/ascii.js';
import { keepsAscii } from '../shared/layout.js';
import type { SqlDialect, SqlMode } from './dialect.js';
import { Tokens } from './tokens.js';

/** Bytes before a token that decide its kind, such as the `E` of `E'…'`. */
const BEFORE = 2;

/**
 * Creates the layout of statements. Without the U+0000 in them, the bytes `*`, U+0000, `/` in a comment would
 * end it, and the text after it would be executed.
 *
 * @param modeOf - Returns the mode that the piece is read in.
 */
export const createSqlLayout = (dialect: SqlDialect, modeOf: () => SqlMode): Layout => {
  /** The tokens of the last statement, of which many fields may be repaired. */
  let known:
    | {
        readonly bytes: Uint8Array;
        readonly own: number;
        readonly end: number;
        readonly tokens: TokenList;
      }
    | undefined;
  return {
    harm: 'change how the statement is read; choose another policy, or edit it',
    breaks(bytes, piece, field, repair) {
      if (keepsAscii(repair)) return false;
      const sql = { dialect, mode: modeOf() };
      if (known?.bytes !== bytes || known.own !== piece.own || known.end !== piece.end) {
        const { own, end } = piece;
        known = {
          bytes,
          own,
          end,
          tokens: listTokens(new Tokens({ ...sql, bytes: viewOf(bytes) }, own, end)),
        };
      }
      const { places, codes } = known.tokens;
      // Of the tokens before the field, only the last ones may be read otherwise.
      const before = countBefore(places, field.start);
      const first = Math.max(0, before - 1);
      const from = before === 0 ? piece.own : (places[2 * first] as number);
      const start = Math.max(0, from - BEFORE);
      for (let size = WINDOW; ; size *= 4) {
        const limit = Math.min(piece.end, field.end + size);
        let last = places.length;
        if (limit < piece.end) {
          last = 2 * countBefore(places, limit - BEFORE);
          if ((places[last - 1] ?? 0) > limit - BEFORE) last -= 2;
        }
        const moved = moveTokens(places.slice(2 * first, last), field, repair);
        if (!moved) return true;
        const result = Buffer.concat([
          bytes.subarray(start, field.start),
          repair.bytes,
          bytes.subarray(field.end, limit),
        ]);
        const tokens = new Tokens(
          { ...sql, bytes: result },
          from - start,
          result.length,
          before === 0 ? 0 : codes[first],
        );
        const after = listTokens(tokens).places.map((at) => at + start);
        if (limit === piece.end) return moved.join() !== after.join();
        const other = moved.findIndex((each, i) => after[i] !== each);
        // The tokens are the same from the first one on that is the same after the field.
        if (other === -1 && (moved.at(-2) ?? 0) >= field.start + repair.bytes.length) return false;
        // A token close to the end of the bytes may depend on the bytes that follow.
        const end = after[other | 1] ?? Number.POSITIVE_INFINITY;
        if (other !== -1 && end < start + result.length - WINDOW / 2) return true;
      }
    },
  };
};

/** Bytes after a field that are read first. */
const WINDOW = 256;

/** The tokens of a statement. */
interface TokenList {
  /** Start and end of each token. */
  readonly places: number[];
  /** Number of comments with code that are open around each token. */
  readonly codes: number[];
}

/** Lists the strings, names, words and other characters of a statement. */
function listTokens(tokens: Tokens): TokenList {
  const list: TokenList = { places: [], codes: [] };
  while (tokens.next() !== '') {
    list.places.push(tokens.start, tokens.end);
    list.codes.push(tokens.codes);
  }
  return list;
}

/** Counts the tokens that begin before an index. */
function countBefore(places: readonly number[], index: number): number {
  let low = 0;
  let high = places.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[2 * middle] as number) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns where tokens begin and end after a repair; undefined if a token begins or ends within what it
 * replaces. Tokens that it removes are left out.
 */
function moveTokens(
  tokens: readonly number[],
  { start, end }: Field,
  { bytes, findings }: Repair,
): number[] | undefined {
  const moved: number[] = [];
  let [next, shift] = [0, 0];
  for (const at of tokens) {
    if (at >= end) {
      // Quotes may be new in addition to the findings.
      moved.push(at + bytes.length - (end - start));
      continue;
    }
    for (; next < findings.length; next++) {
      const { offset, length, becomes } = findings[next] as Repair['findings'][number];
      const from = start + offset;
      if (from + length > at) {
        if (from < at && becomes) return undefined;
        break;
      }
      shift += (becomes?.length ?? length) - length;
    }
    moved.push(at + shift);
  }
  return moved.filter((_, i) => moved[i - (i % 2)] !== moved[i - (i % 2) + 1]);
}
