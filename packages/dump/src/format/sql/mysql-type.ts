/**
 * Types of columns in MySQL and MariaDB.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/data-types.html
 */
import type { CharsetOptions } from './dialect.js';
import type { ColumnType } from './table-type.js';
import type { Words } from './words.js';

const BINARY =
  /^((tiny|medium|long)?blob|(var)?binary|bit|vector|geometry|point|linestring|polygon|(multi|geometry|geom)(point|linestring|polygon|collection))$/;

/** The types with a character set. */
const CHARACTERS = /^(n?(var)?char(acter)?|nvarchar|(tiny|medium|long)?text|long|enum|set)$/;

/** The most bytes of types that have a limit of their own. */
const BYTES: Readonly<Record<string, number>> = {
  tinytext: 0xff,
  text: 0xffff,
  mediumtext: 0xff_ffff,
  long: 0xff_ffff,
};

/** Words after CHAR that make it VARCHAR. */
export const VARYING = /^var(ying|char|character)$/;

/** Reads a type, and the rest of the column. */
export function readMysqlType(words: Words): Omit<ColumnType, 'name' | 'line'> {
  const isNational = words.accept('national') || /^n(var)?char$/.test(words.peek().text);
  let base = words.next().text;
  if (base === 'long') base = words.acceptOne(/^var(char|binary|character)$/) ?? 'long';
  else if (/^(n?char|character)$/.test(base) && words.acceptOne(VARYING)) base = 'varchar';
  const length = Number(words.readGroup()?.peek().text);
  if (BINARY.test(base)) return { is: 'binary' };
  if (base === 'json') return { is: 'text', structure: { is: 'json' }, charset: 'utf8mb4' };
  if (!CHARACTERS.test(base)) return { is: 'other' };
  const { charset = isNational ? 'utf8mb3' : undefined, collation, was } = readCharset(words);
  if (charset === 'binary') return { is: 'binary' };
  // MariaDB has no type for JSON, and writes this check.
  const isJson = words.find('check ( json_valid');
  return {
    is: 'text',
    structure: isJson ? { is: 'json' } : undefined,
    charset,
    collation,
    was,
    characters: /char/.test(base) ? length || 1 : undefined,
    bytes: BYTES[base],
  };
}

/** Words that imply a character set in the type of a column. */
const SHORT: Readonly<Record<string, string>> = {
  ascii: 'latin1',
  unicode: 'ucs2',
  byte: 'binary',
};

/** Finds a character set and a collation among the options of a column, a table or a database. */
export function readCharset(words: Words): CharsetOptions {
  const found: { -readonly [Key in keyof CharsetOptions]: CharsetOptions[Key] } = {
    charset: undefined,
    collation: undefined,
  };
  const rest = words.copy();
  // Before anything else of a column, except BINARY for its collation.
  rest.accept('binary');
  found.charset = SHORT[rest.acceptOne(/^(ascii|unicode|byte)$/) ?? ''];
  while (!rest.isOver) {
    // The text in parentheses is an expression.
    if (rest.readGroup()) continue;
    if (rest.accept('character set') || rest.accept('char set') || rest.accept('charset')) {
      rest.accept('=');
      const word = rest.next();
      found.charset = unquote(word.text);
      found.was = word.was;
    } else if (rest.accept('collate')) {
      rest.accept('=');
      const word = rest.next();
      found.collation = unquote(word.text);
      found.was ??= word.was && charsetOf(word.was);
    } else rest.next();
  }
  found.charset ??= found.collation && charsetOf(found.collation);
  return found;
}

/** `utf8mb4_general_ci` is of `utf8mb4`; `uca1400_ai_ci` fits any. */
export function charsetOf(collation: string): string | undefined {
  const charset = collation.slice(0, Math.max(0, collation.indexOf('_'))) || collation;
  return charset === 'uca1400' ? undefined : charset;
}

/** Returns a name or string in lower case, without quotes. */
export const unquote = (text: string): string =>
  text.replace(/^(['"`])(.*)\1$/, '$2').toLowerCase();
