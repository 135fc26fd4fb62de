/** The fields of SQL. */

import type { FieldKind } from '../format.js';
import { CLOSE, COMMA, isHex, LETTER_X, OPEN } from '../shared/ascii.js';
import type { FieldList } from '../shared/piece.js';
import { type Assumption, isBlank, isWordByte, type SqlText } from './dialect.js';
import type { ColumnType } from './table-type.js';
import { isComment, Tokens } from './tokens.js';

/**
 * Finds the fields of a tuple, `(1, 'text', NULL)`. Each string of a value is one, and a value without
 * strings is an opaque one. What stands between strings is a field only if it is not ASCII.
 *
 * @param types - The types of the columns; undefined if nothing is known of them.
 * @param assume - What columns of which nothing is known contain.
 */
export function splitTuple(
  { bytes, dialect, mode }: SqlText,
  start: number,
  end: number,
  columns: readonly string[],
  types: readonly (ColumnType | undefined)[] | undefined,
  assume: Assumption | undefined,
  fields: FieldList,
): void {
  const kindOf = (i: number, after: number): FieldKind => {
    const type = types?.[number - 1];
    const { is = dialect.hidesBinary ? assume : 'text' } = type ?? {};
    if (is === 'binary') return 'opaque';
    const kind = dialect.kindOf(bytes, i, after);
    return kind === 'text' && is === undefined ? 'unknown' : kind;
  };
  let depth = 0;
  let number = 1;
  let hasString = false;
  // Before the parenthesis, MySQL may write ROW.
  const first = bytes.indexOf(OPEN, start) + 1;
  let from = first;
  const addBetween = (to: number): void => {
    while (from < to && isBlank(bytes[from])) from++;
    let last = to;
    while (last > from && isBlank(bytes[last - 1])) last--;
    const isText = hasMore(bytes, from, last);
    if (from === last || (hasString && !isText)) return;
    if (mayBeHex(types?.[number - 1]) && isHexNumber(bytes, from, last)) {
      fields.add(from + 2, last, 'text', columns[number - 1], number, false).isHex = true;
      return;
    }
    fields.add(from, last, isText ? 'text' : 'opaque', columns[number - 1], number, false);
  };
  for (let i = first; i < end - 1; ) {
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
        const isHexText = mayBeHex(types?.[number - 1]) && isHexString(bytes, i, after);
        const kind = isHexText ? 'text' : kindOf(i, after);
        const escapes = dialect.escapes(bytes, i, mode);
        const name = columns[number - 1];
        const field = fields.add(i + edge, after - edge, kind, name, number, escapes);
        if (isHexText) field.isHex = true;
        field.isNested = depth > 0;
        from = after;
      }
      i = after;
    }
  }
  addBetween(end - 1);
  fields.declare(types);
}

/** The first words of statements that may contain values of columns. */
const VALUES = /^(insert|replace|update|delete|call|do|with|select|execute|load|merge|handler)$/;

/**
 * Finds the fields of other pieces: all is text, except opaque strings such as `_binary '…'`, and strings
 * of statements with values, which may be binary.
 */
export function splitOther(
  sql: SqlText,
  start: number,
  end: number,
  assume: Assumption | undefined,
  fields: FieldList,
): void {
  const { bytes, dialect, mode } = sql;
  const hidesBinary = dialect.hidesBinary && VALUES.test(new Tokens(sql, start, end).next());
  const kindOf = (i: number, after: number): FieldKind => {
    const kind = dialect.kindOf(bytes, i, after);
    if (kind === 'opaque' || !hidesBinary || assume === 'text') return kind;
    return assume === 'binary' ? 'opaque' : 'unknown';
  };
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
    const kind = isString ? kindOf(i, after) : 'text';
    if (kind !== 'text') {
      const edge = dialect.edgeOf(bytes, i);
      fields.add(from, i + edge, 'text', undefined, number++, false);
      fields.add(i + edge, after - edge, kind, undefined, number++, false);
      from = after - edge;
    }
    i = after;
  }
  if (from < end) fields.add(from, end, 'text', undefined, number, false);
}

/** Tells whether MySQL's `0x…` is text in a column, as `mysqldump --hex-blob` writes it under `binary`. */
const mayBeHex = (type: ColumnType | undefined): boolean =>
  type?.is === 'text' && type.charset !== undefined && type.charset !== 'ascii';

const isHexNumber = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x30 && bytes[start + 1] === LETTER_X && isHex(bytes, start + 2, end);

/** Tells whether a string is MySQL's `X'…'`. */
const isHexString = (bytes: Buffer, start: number, end: number): boolean =>
  ((bytes[start - 1] ?? 0) | 0x20) === LETTER_X &&
  !isWordByte(bytes[start - 2]) &&
  isHex(bytes, start + 1, end - 1);

/** Adds what stands between strings, if it is not ASCII. */
export function addText({ bytes }: SqlText, start: number, end: number, fields: FieldList): void {
  if (hasMore(bytes, start, end)) fields.add(start, end, 'text', undefined, fields.last + 1, false);
}

function hasMore(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return true;
  return false;
}
