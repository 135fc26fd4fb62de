/** Whether text would become code: a string or a comment that a repair ends early. */
import type { Repair } from '@utf8/repair';
import type { Field, Layout } from '../format.js';
import { viewOf } from '../shared/ascii.js';
import { keepsAscii } from '../shared/layout.js';
import type { SqlDialect, SqlMode } from './dialect.js';
import { Tokens } from './tokens.js';

/** Bytes before a token that decide what it is, such as the `E` of `E'…'`. */
const BEFORE = 2;

/**
 * Creates the layout of statements. Without the U+0000 in them, the bytes `*`, U+0000, `/` in a comment would
 * end it, and what follows would be executed.
 *
 * @param modeOf - Returns the mode that the piece is read in.
 */
export const createSqlLayout = (dialect: SqlDialect, modeOf: () => SqlMode): Layout => ({
  harm: 'change how the statement is read; choose another policy, or edit it',
  breaks(bytes, piece, field, repair) {
    if (keepsAscii(repair)) return false;
    const sql = { dialect, mode: modeOf() };
    const before = listTokens(new Tokens({ ...sql, bytes: viewOf(bytes) }, piece.own, piece.end));
    const moved = moveTokens(before, field, repair);
    const start = Math.max(0, piece.own - BEFORE);
    const result = Buffer.concat([
      bytes.subarray(start, field.start),
      repair.bytes,
      bytes.subarray(field.end, piece.end),
    ]);
    const after = listTokens(
      new Tokens({ ...sql, bytes: result }, piece.own - start, result.length),
    );
    return moved?.join() !== after.map((at) => at + start).join();
  },
});

/** Lists where the strings, names, words and other characters of a statement begin and end. */
function listTokens(tokens: Tokens): number[] {
  const found: number[] = [];
  while (tokens.next() !== '') found.push(tokens.start, tokens.end);
  return found;
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
      // Besides what was found, quotes may be new.
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
