import { postgresEscapes } from './copy.js';
import type { FormatDefinition } from './format.js';
import { DOUBLE_QUOTE, lengthOfMark, QUOTE, viewOf } from './shared/ascii.js';
import { unspell } from './shared/unspell.js';
import { listKeys } from './sql/keys.js';
import { describeSetting, hasHeader } from './sql/look.js';
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
  options: sqlOptions,
  recognizes: (head) =>
    /^(?:\\restrict .*\n|--.*\n|\s)*-- PostgreSQL database (?:cluster )?dump\r?\n/.test(
      viewOf(head).toString('latin1', lengthOfMark(head, 1, 1)),
    ),
  resolve: (options) => resolveSchema(options, postgres),
  create(options) {
    const sql = readSqlOptions(options, postgres);
    return {
      listKeys,
      describeSetting: (bytes) => describeSetting(postgres, bytes),
      needsLook: (bytes) => hasHeader(sql, bytes),
      name: 'pg_dump',
      isLineBased: false,
      isOpaqueAscii: true,
      createReader: (state) => new SqlReader(postgres, state, sql),
      createScanner: (state) => new SqlScanner(postgres, state, sql),
      quote: (text, escapes) => (escapes === false ? text : text.replaceAll('\\', '\\\\')),
      nuls: [],
      readValue(bytes, { kind, start, end, escapes }, text = bytes.subarray(start, end)) {
        if (kind === 'opaque') return text;
        // A text without quotes is a column of COPY; in rows of CSV nothing else escapes.
        const before = bytes[start - 1];
        const isQuoted = before === QUOTE || (before === DOUBLE_QUOTE && escapes === false);
        const quote = isQuoted ? before : undefined;
        return unspell(text, escapes === false ? undefined : postgresEscapes, quote);
      },
    };
  },
};
