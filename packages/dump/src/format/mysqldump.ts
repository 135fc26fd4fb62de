import { hasUnitEscape, type Syntax } from '@utf8/repair';
import type { Field, FormatDefinition } from './format.js';
import { BACKSLASH, bytesOf } from './shared/ascii.js';
import { valueOptions } from './shared/options.js';
import { hidesHexText } from './sql/look.js';
import { mysql, mysqlEscapes } from './sql/mysql.js';
import { readSqlOptions, resolveSchema, sqlOptions } from './sql/schema-file.js';
import { createSqlFormat } from './sql/sql-format.js';

/**
 * The SQL of mysqldump and mariadb-dump: a record is a tuple of an INSERT. A backslash escapes in strings,
 * unless the dump sets NO_BACKSLASH_ESCAPES. Blobs are known by `_binary`, by `--hex-blob`, or by the
 * CREATE TABLE before them.
 */
export const mysqldump: FormatDefinition = {
  name: 'mysqldump',
  summary: 'SQL of mysqldump and mariadb-dump',
  options: [...sqlOptions, ...valueOptions],
  resolve: (options) => resolveSchema(options, mysql),
  create(options) {
    const sql = readSqlOptions(options, mysql);
    const format = createSqlFormat(mysql, sql, syntaxOf);
    return {
      ...format,
      hidesText: (bytes, state, isWhole = true) =>
        hidesHexText(
          sql,
          bytes,
          state,
          isWhole ? (all) => format.createReader(state).read(all) : undefined,
        ),
      name: 'mysqldump',
      isOpaqueAscii: false,
      quote: (text, escapes) => (escapes === false ? text : text.replaceAll('\\', '\\\\')),
      nuls: [bytesOf('\\0')],
      // Columns of JSON are known only where their fields are read.
      mayHide: hasUnitEscape,
      spellsKeys: true,
    };
  },
};

const hex: Syntax = { isHex: true };

/** Escapes by the byte before the text, which is its quote. */
const escaping = spellByQuote({ ...mysqlEscapes, escaper: BACKSLASH });
const verbatim = spellByQuote({});

function spellByQuote(rules: Syntax): readonly Syntax[] {
  return Array.from({ length: 256 }, (_, quote) => ({ ...rules, quote }));
}

function syntaxOf(bytes: Uint8Array, { start, escapes, isHex }: Field): Syntax {
  if (isHex) return hex;
  return (escapes === false ? verbatim : escaping)[bytes[start - 1] as number] as Syntax;
}
