import { hasByteEscape, hasUnitEscape, type Spelling } from '@utf8/repair';
import { copySpelling } from './copy.js';
import type { Field, FormatDefinition } from './format.js';
import { BACKSLASH, bytesOf, DOUBLE_QUOTE, QUOTE, viewOf } from './shared/ascii.js';
import { jsonColumnsOption } from './shared/options.js';
import { createReadValue } from './shared/unspell.js';
import { describeTables, listKeys, listReferences } from './sql/keys.js';
import { findSqlAscii, hasHeader } from './sql/look.js';
import { postgres } from './sql/postgres.js';
import { readSqlOptions, resolveSchema, sqlOptions } from './sql/schema-file.js';
import { SqlReader } from './sql/sql-reader.js';
import { SqlScanner } from './sql/sql-scanner.js';

/**
 * The plain SQL of pg_dump: a record is a row of a COPY, or a tuple of an INSERT. Statements are read as
 * psql reads them, so files written by hand are read, too.
 */
export const pgDump: FormatDefinition = {
  name: 'pg_dump',
  summary: 'plain SQL of pg_dump',
  options: [...sqlOptions, jsonColumnsOption],
  resolve: (options) => resolveSchema(options, postgres),
  create(options) {
    const sql = readSqlOptions(options, postgres);
    return {
      listKeys,
      listReferences,
      describeTables,
      findUnstatedEncoding: findSqlAscii,
      needsLook: (bytes) => hasHeader(sql, bytes),
      name: 'pg_dump',
      isLineBased: false,
      // A bytea may be written in bytes, though the server does not.
      isOpaqueAscii: false,
      createReader: (state) => new SqlReader(postgres, state, sql),
      createScanner: (state) => new SqlScanner(postgres, state, sql),
      quote: (text, escapes) => (escapes === false ? text : text.replaceAll('\\', '\\\\')),
      nuls: [],
      mayHide: (bytes) => hasByteEscape(bytes) || hasUnitEscape(bytes) || hasUnicodeString(bytes),
      spellsKeys: true,
      spellingOf,
      readValue: createReadValue(spellingOf),
    };
  },
};

/** `'…'` */
const standard: Spelling = { quote: QUOTE };

/** `E'…'` */
const escaping: Spelling = {
  escaper: BACKSLASH,
  letters: { b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 },
  codes: /u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
  quote: QUOTE,
};

/** `U&'…'` */
const unicode: Spelling = {
  escaper: BACKSLASH,
  codes: /([\dA-Fa-f]{4})|\+([\dA-Fa-f]{6})/y,
  quote: QUOTE,
};

function spellingOf(bytes: Uint8Array, { start, end, escapes }: Field): Spelling | undefined {
  // A column of COPY.
  if (escapes === undefined) return copySpelling;
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
