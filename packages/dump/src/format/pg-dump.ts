import { hasByteEscape, hasUnitEscape, type Syntax } from '@utf8/repair';
import { copySyntax } from './copy.js';
import type { Field, FormatDefinition } from './format.js';
import { BACKSLASH, bytesOf, DOUBLE_QUOTE, QUOTE, viewOf } from './shared/ascii.js';
import { valueOptions } from './shared/options.js';
import { mayHideXml } from './shared/value-columns.js';
import { declaresXml } from './sql/look.js';
import { postgres } from './sql/postgres.js';
import { readSqlOptions, resolveSchema, sqlOptions } from './sql/schema-file.js';
import { createSqlFormat } from './sql/sql-format.js';

/**
 * The plain SQL of pg_dump: a record is a row of a COPY, or a tuple of an INSERT. Statements are read as
 * psql reads them, so files written by hand are read, too.
 */
export const pgDump: FormatDefinition = {
  name: 'pg_dump',
  summary: 'plain SQL of pg_dump',
  options: [...sqlOptions, ...valueOptions],
  resolve: (options) => resolveSchema(options, postgres),
  create(options) {
    const sql = readSqlOptions(options, postgres);
    return {
      ...createSqlFormat(postgres, sql, syntaxOf),
      hidesText: (bytes, state) => declaresXml(bytes, state, sql) && mayHideXml(bytes),
      name: 'pg_dump',
      // A bytea may be written in bytes, though the server does not.
      isOpaqueAscii: false,
      quote: (text, escapes) => (escapes === false ? text : text.replaceAll('\\', '\\\\')),
      nuls: [],
      mayHide: (bytes) => hasByteEscape(bytes) || hasUnitEscape(bytes) || hasUnicodeString(bytes),
      spellsKeys: true,
    };
  },
};

/** `'…'` */
const standard: Syntax = { quote: QUOTE };

/** `E'…'` */
const escaping: Syntax = {
  escaper: BACKSLASH,
  letters: { b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 },
  codes: /u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
  quote: QUOTE,
};

/** `U&'…'` */
const unicode: Syntax = {
  escaper: BACKSLASH,
  codes: /([\dA-Fa-f]{4})|\+([\dA-Fa-f]{6})/y,
  quote: QUOTE,
};

function syntaxOf(bytes: Uint8Array, { start, end, escapes }: Field): Syntax | undefined {
  // A column of COPY.
  if (escapes === undefined) return copySyntax;
  // A row of CSV.
  if (bytes[start - 1] === DOUBLE_QUOTE && !escapes) return { quote: DOUBLE_QUOTE };
  if (bytes[start - 1] !== QUOTE) return undefined;
  if (escapes) return escaping;
  return isUnicode(bytes, start - 2) && !namesEscape(bytes, end) ? unicode : standard;
}

/** Tells whether a string, which ends at an index, has an escape character of its own. It stays as it is. */
const namesEscape = (bytes: Uint8Array, end: number): boolean =>
  /^'\s*uescape/i.test(viewOf(bytes).toString('latin1', end, end + 40));

const UNICODE_START = bytesOf("&'");

/** Tells whether the ampersand of `U&'…'` is at an index. */
const isUnicode = (bytes: Uint8Array, index: number): boolean =>
  bytes[index] === UNICODE_START[0] && ((bytes[index - 1] as number) | 0x20) === 0x75;

/** Tells whether a string may be one with numbers of characters, `U&'\d83d'`. */
function hasUnicodeString(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  let i = view.indexOf(UNICODE_START);
  while (i !== -1 && !isUnicode(view, i)) i = view.indexOf(UNICODE_START, i + 1);
  return i !== -1;
}
