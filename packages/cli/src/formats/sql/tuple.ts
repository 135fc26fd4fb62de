/** The values of one row of an INSERT: `(1, 'text', NULL)`. */
import { CLOSE, COMMA, OPEN } from '../ascii.js';
import type { Fields } from '../row.js';
import { type Dialect, isBlank, type Mode } from './dialect.js';
import { isComment } from './tokens.js';

/**
 * Finds the fields of a tuple. Each string of a value is one; a value without any is an opaque one. What
 * is beside the strings of a value counts only where it has more in it than ASCII.
 *
 * @param start - Of the parenthesis.
 * @param end - Behind the one that closes it.
 * @param blobs - The numbers of the columns whose strings are bytes.
 */
export function splitTuple(
  bytes: Buffer,
  start: number,
  end: number,
  columns: readonly string[],
  blobs: ReadonlySet<number>,
  dialect: Dialect,
  mode: Mode,
  fields: Fields,
): void {
  let depth = 0;
  let number = 1;
  let hasString = false;
  let from = start + 1;
  const addBetween = (to: number): void => {
    while (from < to && isBlank(bytes[from])) from++;
    let last = to;
    while (last > from && isBlank(bytes[last - 1])) last--;
    const isText = hasMore(bytes, from, last);
    if (from === last || (hasString && !isText)) return;
    fields.add(from, last, isText ? 'text' : 'opaque', columns[number - 1], number, false);
  };
  for (let i = start + 1; i < end - 1; ) {
    const byte = bytes[i] as number;
    if (byte === COMMA && depth === 0) {
      addBetween(i++);
      from = i;
      hasString = false;
      number++;
    } else if (byte === OPEN || byte === CLOSE) {
      depth += byte === OPEN ? 1 : -1;
      i++;
    } else if (dialect.marks[byte] === 0) {
      i++;
    } else {
      const behind = dialect.pass(bytes, i, mode);
      if (behind > i + 1 && !isComment(byte, behind - i)) {
        hasString = true;
        addBetween(i);
        const edge = dialect.edgeOf(bytes, i);
        const kind = blobs.has(number) ? 'opaque' : dialect.kindOf(bytes, i, behind);
        const escapes = dialect.escapes(bytes, i, mode);
        fields.add(i + edge, behind - edge, kind, columns[number - 1], number, escapes);
        from = behind;
      }
      i = behind;
    }
  }
  addBetween(end - 1);
}

/**
 * Finds the fields of what is no tuple: all of it is text, but for the strings that are none, such as
 * `_binary '…'`.
 */
export function splitOther(
  bytes: Buffer,
  start: number,
  end: number,
  dialect: Dialect,
  mode: Mode,
  fields: Fields,
): void {
  let number = 1;
  let from = start;
  while (isBlank(bytes[from])) from++;
  if (from >= end) return;
  for (let i = start; i < end; ) {
    const byte = bytes[i] as number;
    if (dialect.marks[byte] === 0) {
      i++;
      continue;
    }
    const behind = dialect.pass(bytes, i, mode);
    // A comment's apostrophe, or a line that is no SQL.
    if (behind === -1 || behind > end) break;
    if (behind > i + 1 && !isComment(byte, behind - i)) {
      if (dialect.kindOf(bytes, i, behind) === 'opaque') {
        const edge = dialect.edgeOf(bytes, i);
        fields.add(from, i + edge, 'text', undefined, number++, false);
        fields.add(i + edge, behind - edge, 'opaque', undefined, number++, false);
        from = behind - edge;
      }
    }
    i = behind;
  }
  if (from < end) fields.add(from, end, 'text', undefined, number, false);
}

function hasMore(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return true;
  return false;
}
