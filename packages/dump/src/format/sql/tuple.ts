/** The fields of SQL. */
import { CLOSE, COMMA, OPEN } from '../shared/ascii.js';
import type { FieldList } from '../shared/piece.js';
import { isBlank, type SqlText } from './dialect.js';
import { isComment } from './tokens.js';

/**
 * Finds the fields of a tuple, `(1, 'text', NULL)`. Each string of a value is one, and a value without
 * strings is an opaque one. What stands between strings is a field only if it is not ASCII.
 *
 * @param blobs - The numbers of the columns whose strings are bytes.
 */
export function splitTuple(
  { bytes, dialect, mode }: SqlText,
  start: number,
  end: number,
  columns: readonly string[],
  blobs: ReadonlySet<number>,
  fields: FieldList,
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
      const after = dialect.pass(bytes, i, mode);
      if (after > i + 1 && !isComment(byte, after - i)) {
        hasString = true;
        addBetween(i);
        const edge = dialect.edgeOf(bytes, i);
        const kind = blobs.has(number) ? 'opaque' : dialect.kindOf(bytes, i, after);
        const escapes = dialect.escapes(bytes, i, mode);
        fields.add(i + edge, after - edge, kind, columns[number - 1], number, escapes);
        from = after;
      }
      i = after;
    }
  }
  addBetween(end - 1);
}

/** Finds the fields of other pieces: all is text, except opaque strings such as `_binary '…'`. */
export function splitOther(
  { bytes, dialect, mode }: SqlText,
  start: number,
  end: number,
  fields: FieldList,
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
    const after = dialect.pass(bytes, i, mode);
    // The apostrophe of a comment, or a line that is not SQL.
    if (after === -1 || after > end) break;
    const isString = after > i + 1 && !isComment(byte, after - i);
    if (isString && dialect.kindOf(bytes, i, after) === 'opaque') {
      const edge = dialect.edgeOf(bytes, i);
      fields.add(from, i + edge, 'text', undefined, number++, false);
      fields.add(i + edge, after - edge, 'opaque', undefined, number++, false);
      from = after - edge;
    }
    i = after;
  }
  if (from < end) fields.add(from, end, 'text', undefined, number, false);
}

function hasMore(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return true;
  return false;
}
