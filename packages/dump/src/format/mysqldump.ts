import { hasUnitEscape, type Spelling } from '@utf8/repair';
import type { Field, FormatDefinition, ReaderState } from './format.js';
import { BACKSLASH, bytesOf } from './shared/ascii.js';
import { jsonColumnsOption } from './shared/options.js';
import { createReadValue } from './shared/unspell.js';
import { describeTables, listKeys, listReferences } from './sql/keys.js';
import { findMissingNames, hasHeader, hidesHexText, lacksNames, mayLose } from './sql/look.js';
import { mysql, mysqlEscapes } from './sql/mysql.js';
import { readSqlOptions, resolveSchema, sqlOptions } from './sql/schema-file.js';
import { SqlReader } from './sql/sql-reader.js';
import { SqlScanner } from './sql/sql-scanner.js';

/**
 * The SQL of mysqldump and mariadb-dump: a record is a tuple of an INSERT. A backslash escapes in strings,
 * unless the dump sets NO_BACKSLASH_ESCAPES. Blobs are known by `_binary`, by `--hex-blob`, or by the
 * CREATE TABLE before them.
 */
export const mysqldump: FormatDefinition = {
  name: 'mysqldump',
  summary: 'SQL of mysqldump and mariadb-dump',
  options: [...sqlOptions, jsonColumnsOption],
  resolve: (options) => resolveSchema(options, mysql),
  create(options) {
    const sql = readSqlOptions(options, mysql);
    const createReader = (state?: ReaderState) => new SqlReader(mysql, state, sql);
    return {
      listKeys,
      listReferences,
      describeTables,
      findUnstatedEncoding: findMissingNames,
      hidesText: (bytes, state, isWhole = true) =>
        hidesHexText(bytes, state, isWhole ? (all) => createReader(state).read(all) : undefined),
      needsLook: (bytes, before, after) =>
        hasHeader(sql, bytes) || lacksNames(sql, before) || mayLose(bytes, before, after),
      name: 'mysqldump',
      isLineBased: false,
      isOpaqueAscii: false,
      createReader,
      createScanner: (state) => new SqlScanner(mysql, state, sql),
      quote: (text, escapes) => (escapes === false ? text : text.replaceAll('\\', '\\\\')),
      nuls: [bytesOf('\\0')],
      // Columns of JSON are known only where their fields are read.
      mayHide: hasUnitEscape,
      spellsKeys: true,
      spellingOf,
      readValue: createReadValue(spellingOf),
    };
  },
};

const hex: Spelling = { isHex: true };

/** Spellings by the byte before the text, which is its quote. */
const escaping = spellByQuote({ ...mysqlEscapes, escaper: BACKSLASH });
const verbatim = spellByQuote({});

function spellByQuote(rules: Spelling): readonly Spelling[] {
  return Array.from({ length: 256 }, (_, quote) => ({ ...rules, quote }));
}

function spellingOf(bytes: Uint8Array, { start, escapes, isHex }: Field): Spelling {
  if (isHex) return hex;
  return (escapes === false ? verbatim : escaping)[bytes[start - 1] as number] as Spelling;
}
