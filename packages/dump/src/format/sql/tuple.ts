/** The fields of SQL. */

import type { Field, FieldKind } from '../format.js';
import { BACKSLASH, CLOSE, COMMA, isHex, LETTER_X, MINUS, OPEN, QUOTE } from '../shared/ascii.js';
import type { FieldList } from '../shared/piece.js';
import type { Catalogue } from './catalogue.js';
import { type Assumption, deriveMarks, isBlank, isWordByte, type SqlText } from './dialect.js';
import { type Literal, listLiterals, TEXT_FUNCTIONS } from './literals.js';
import type { ColumnType } from './table-type.js';
import { isComment, Tokens } from './tokens.js';

/**
 * Finds the fields of a tuple, `(1, 'text', NULL)`. Each string of a value is one, and a value without
 * strings is an opaque one. Text between strings is a field only if it is not ASCII.
 *
 * @param types - The types of the columns; undefined if nothing is known of them.
 * @param assume - The kind of columns of unknown type.
 */
export function splitTuple(
  sql: SqlText,
  start: number,
  end: number,
  columns: readonly string[],
  types: readonly (ColumnType | undefined)[] | undefined,
  assume: Assumption | undefined,
  fields: FieldList,
): void {
  const { bytes, dialect, mode } = sql;
  const kindOf = (i: number, after: number): FieldKind =>
    kindOfString(sql, i, after, types?.[number - 1], assume);
  let depth = 0;
  let number = 1;
  let hasString = false;
  // Before the parenthesis, MySQL may write ROW.
  const first = bytes.indexOf(OPEN, start) + 1;
  let from = first;
  // Start of the value, in the bytes and among the fields.
  let begin = first;
  let known = fields.length;
  const endValue = (to: number): void => {
    addBetween(to);
    const isDoubtful = hasString && dialect.hidesBinary && assume !== 'text';
    if (isDoubtful && !isTextValue(sql, begin, to, fields.at(known))) {
      fields.doubt(known, assume === 'binary' ? 'opaque' : 'unknown');
    }
    begin = to + 1;
    from = begin;
    hasString = false;
    known = fields.length;
  };
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
    const isCode = isText && bytes.toString('latin1', from, last).includes('/*');
    const kind = isCode ? kindOf(from, last) : isText ? 'text' : 'opaque';
    fields.add(from, last, kind, columns[number - 1], number, false);
  };
  for (let i = first; i < end - 1; ) {
    const byte = bytes[i] as number;
    if (byte === COMMA && depth === 0) {
      endValue(i++);
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
  endValue(end - 1);
  fields.declare(types);
}

/** 1 for bytes that a value without strings may consist of, such as `-1.5e3` or `NULL`. */
const LITERAL = deriveMarks('+.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');

/**
 * Finds the fields of a tuple as dumps write them: each value is one string, a number or a word.
 *
 * @param tokens - Start and end of each string, quoted name and comment.
 * @param first - The position in them of the first one in the tuple.
 * @returns False if it has others, and no fields have been added.
 */
export function splitSimple(
  sql: SqlText,
  start: number,
  end: number,
  tokens: readonly number[],
  first: number,
  columns: readonly string[],
  types: readonly (ColumnType | undefined)[] | undefined,
  assume: Assumption | undefined,
  fields: FieldList,
): boolean {
  const { bytes, dialect, mode } = sql;
  const close = end - 1;
  let isSimple = bytes[start] === OPEN;
  let token = first;
  for (let i = start + 1, number = 1; isSimple; i++, number++) {
    const type = types?.[number - 1];
    const name = columns[number - 1];
    const from = i;
    if (bytes[i] === QUOTE && tokens[token] === i) {
      i = tokens[token + 1] as number;
      token += 2;
      const kind = kindOfString(sql, from, i, type, assume);
      const escapes = dialect.escapes(bytes, from, mode);
      fields.add(from + 1, i - 1, kind, name, number, escapes);
    } else {
      if (bytes[i] === MINUS) i++;
      while (LITERAL[bytes[i] as number] === 1) i++;
      isSimple = i > from && !(mayBeHex(type) && isHexNumber(bytes, from, i));
      fields.add(from, i, 'opaque', name, number, false);
    }
    isSimple &&= bytes[i] === COMMA || i === close;
    if (i === close) break;
  }
  if (isSimple) fields.declare(types);
  else fields.clear();
  return isSimple;
}

/** Derives the kind of a string in a column. */
function kindOfString(
  { bytes, dialect }: SqlText,
  start: number,
  end: number,
  type: ColumnType | undefined,
  assume: Assumption | undefined,
): FieldKind {
  const is = type?.is;
  if (is === 'binary' || (is !== 'text' && assume === 'binary')) return 'opaque';
  const kind = dialect.kindOf(bytes, start, end);
  const isKnown = is === 'text' || !dialect.hidesBinary || assume === 'text';
  if (kind !== 'text' || isKnown) return kind;
  // No repair changes a number or a date.
  return is === 'other' && isPlain(bytes, start, end) ? kind : 'unknown';
}

/** Words other than functions that may occur in a value that is text. */
const TEXT_WORDS = /^([(),']|_utf8(mb[34])?|_binary|n|null|both|leading|trailing|from|\d+)$/;

/** Tells whether all strings of a value become part of its text, unlike that of `HEX('…')`. */
function isTextValue(sql: SqlText, start: number, end: number, field: Field | undefined): boolean {
  const { bytes, dialect, mode } = sql;
  if (!field || isPlain(bytes, start, end)) return true;
  const isAlone = isBlankBetween(bytes, start, field.start - 1);
  if (isAlone && isBlankBetween(bytes, field.end + 1, end)) return true;
  if (/\/\*M?!/.test(bytes.toString('latin1', start, end))) return false;
  const tokens = new Tokens(sql, start, end);
  for (let word = tokens.next(); word !== ''; word = tokens.next()) {
    const isString = tokens.isQuoted && dialect.isString(bytes, tokens.start, mode);
    if (tokens.isString || isString || TEXT_WORDS.test(word)) continue;
    if (word === 'collate') tokens.next();
    else if (!TEXT_FUNCTIONS.test(word) || bytes[tokens.end] !== OPEN) return false;
  }
  return true;
}

function isBlankBetween(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isBlank(bytes[i])) return false;
  return true;
}

/** Tells whether no repair changes bytes: ASCII without escapes. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80 || byte === BACKSLASH || byte === 0) return false;
  }
  return true;
}

/**
 * Finds the fields of other pieces: all is text, except opaque strings such as `_binary '…'`, and strings
 * that may be binary.
 *
 * @param catalogue - Undefined if the piece is not a statement.
 */
export function splitOther(
  sql: SqlText,
  start: number,
  end: number,
  catalogue: Catalogue | undefined,
  assume: Assumption | undefined,
  fields: FieldList,
): void {
  const { bytes, dialect, mode } = sql;
  let number = 1;
  let from = start;
  while (isBlank(bytes[from])) from++;
  if (from >= end) return;
  const literals =
    catalogue && dialect.hidesBinary ? listLiterals(sql, start, end, catalogue) : undefined;
  for (const { start: i, end: after, kind, isComment } of literals ?? listOpaque(sql, start, end)) {
    const known = kind !== 'unknown' || !assume ? kind : assume === 'text' ? 'text' : 'opaque';
    // With the text around it, unless something may have to be escaped in it.
    if (known === 'text' && !hasMore(bytes, i, after)) continue;
    const edge = dialect.edgeOf(bytes, i);
    fields.add(from, i + edge, 'text', undefined, number++, false);
    const escapes = dialect.escapes(bytes, i, mode);
    const field = fields.add(i + edge, after - edge, known, undefined, number++, escapes);
    if (isComment) field.declared = DICTIONARY;
    from = after - edge;
  }
  if (from < end) fields.add(from, end, 'text', undefined, number, false);
}

/** Column in which MySQL and MariaDB keep comments. */
const DICTIONARY: ColumnType = { name: 'COMMENT', is: 'text', charset: 'utf8mb3', line: 0 };

/** Lists the strings of a piece that say that they are opaque. */
function* listOpaque(
  { bytes, dialect, mode }: SqlText,
  start: number,
  end: number,
): Generator<Literal> {
  for (let i = start; i < end; ) {
    const byte = bytes[i] as number;
    if (dialect.marks[byte] === 0) {
      i++;
      continue;
    }
    const after = dialect.pass(bytes, i, mode);
    // The apostrophe of a comment, or a line that is not SQL.
    if (after === -1 || after > end) return;
    const isString = after > i + 1 && !isComment(byte, after - i);
    let kind = isString ? dialect.kindOf(bytes, i, after) : 'text';
    if (isString && dialect.escapes(bytes, i, mode) && hasByteEscape(bytes, i, after)) {
      kind = 'unknown';
    }
    if (kind !== 'text') yield { start: i, end: after, kind };
    i = after;
  }
}

/** Tells whether a string such as `E'\355'` contains escaped bytes, which may be a bytea or a text. */
export const hasByteEscape = (bytes: Buffer, start: number, end: number): boolean =>
  /(?:^|[^\\])(?:\\\\)*\\[0-7x]/.test(bytes.toString('latin1', start, end));

/** Tells whether MySQL's `0x…` is text in a column, as `mysqldump --hex-blob` writes it under `binary`. */
const mayBeHex = (type: ColumnType | undefined): boolean =>
  type?.is === 'text' && type.charset !== undefined;

const isHexNumber = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x30 && bytes[start + 1] === LETTER_X && isHex(bytes, start + 2, end);

/** Tells whether a string is MySQL's `X'…'`. */
const isHexString = (bytes: Buffer, start: number, end: number): boolean =>
  ((bytes[start - 1] ?? 0) | 0x20) === LETTER_X &&
  !isWordByte(bytes[start - 2]) &&
  isHex(bytes, start + 1, end - 1);

/** Adds the text between strings, if it is not ASCII. */
export function addText({ bytes }: SqlText, start: number, end: number, fields: FieldList): void {
  if (hasMore(bytes, start, end)) fields.add(start, end, 'text', undefined, fields.last + 1, false);
}

function hasMore(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return true;
  return false;
}
