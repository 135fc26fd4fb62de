import type { FormatDefinition } from './format.js';
import { bytesOf, lengthOfMark, viewOf } from './shared/ascii.js';
import { unspell } from './shared/unspell.js';
import { listKeys } from './sql/keys.js';
import { describeSetting, hasHeader, lacksNames, mayLose } from './sql/look.js';
import { mysql, mysqlEscapes } from './sql/mysql.js';
import { readSqlOptions, resolveSchema, sqlOptions } from './sql/schema-file.js';
import { SqlReader } from './sql/sql-reader.js';
import { SqlScanner } from './sql/sql-scanner.js';

/**
 * The SQL of mysqldump and mariadb-dump: a record is a tuple of an INSERT. A backslash escapes in strings,
 * so a dump made under NO_BACKSLASH_ESCAPES is not of this format. Blobs are known by `_binary`, by
 * `--hex-blob`, or by the CREATE TABLE before them.
 */
export const mysqldump: FormatDefinition = {
  name: 'mysqldump',
  summary: 'SQL of mysqldump and mariadb-dump',
  options: sqlOptions,
  recognizes: (head) =>
    /^(?:-- (?:MySQL|MariaDB) dump |\/\*M!999999\\- |(?:--.*\n|\s)*\/\*!40101 SET (?:@\w+ *= *@@\w+|NAMES) )/.test(
      viewOf(head).toString('latin1', lengthOfMark(head, 1, 1)),
    ),
  resolve: (options) => resolveSchema(options, mysql),
  create(options) {
    const sql = readSqlOptions(options, mysql);
    return {
      listKeys,
      describeSetting: (bytes) => describeSetting(mysql, bytes),
      needsLook: (bytes, before, after) =>
        hasHeader(sql, bytes) || lacksNames(sql, before) || mayLose(bytes, before, after),
      name: 'mysqldump',
      isLineBased: false,
      isOpaqueAscii: false,
      createReader: (state) => new SqlReader(mysql, state, sql),
      createScanner: (state) => new SqlScanner(mysql, state, sql),
      quote: (text) => text.replaceAll('\\', '\\\\'),
      nuls: [bytesOf('\\0')],
      readValue(bytes, { kind, start, end, escapes }, text = bytes.subarray(start, end)) {
        if (kind === 'opaque') return text;
        return unspell(text, escapes === false ? undefined : mysqlEscapes, bytes[start - 1]);
      },
    };
  },
};
