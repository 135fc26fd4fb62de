import type { Syntax } from '@utf8/repair';
import type { Field, FormatDefinition } from './format.js';
import { FormatError } from './format-error.js';
import { BACKSLASH, viewOf } from './shared/ascii.js';
import { countLineFeeds } from './shared/line-feeds.js';
import { valueOptions } from './shared/options.js';
import type { SqlOptions } from './sql/dialect.js';
import { createSqlFormat } from './sql/sql-format.js';
import { SqlReader } from './sql/sql-reader.js';
import { sqlite as dialect, unistrEscapes } from './sql/sqlite.js';

/** The end of a dump of a damaged database. Unreadable rows are not in it. */
const DAMAGED = /(?:^|[\s;])-- due to errors\s*$/;

/** Whatever the table, strings are text and blobs are not strings. */
const OPTIONS: SqlOptions = { assume: 'text' };

/** Bytes at the end of a file in which that line is looked for. */
const TAIL = 64;

/**
 * The SQL of SQLite's shell, from `.dump` and `.mode insert`: a record is an INSERT. Blobs are known by
 * `X'…'` in any column. The shell cuts texts at U+0000, and nothing in the file shows it.
 */
export const sqlite: FormatDefinition = {
  name: 'sqlite',
  summary: "SQL of SQLite's .dump and .mode insert",
  options: valueOptions,
  create: () => ({
    name: 'sqlite',
    ...createSqlFormat(dialect, OPTIONS, syntaxOf),
    isOpaqueAscii: true,
    createReader: (state) => new SqliteReader(dialect, state, OPTIONS),
    quote: (text, escapes) => (escapes === true ? text.replaceAll('\\', '\\\\') : text),
    nuls: [],
  }),
};

/** Escapes by the byte before the text, which is its quote. */
function syntaxOf(bytes: Uint8Array, { start, escapes }: Field): Syntax {
  const quote = bytes[start - 1];
  return escapes === true ? { ...unistrEscapes, escaper: BACKSLASH, quote } : { quote };
}

class SqliteReader extends SqlReader {
  override skip(bytes: Uint8Array, isLast: boolean): number {
    const { line } = this.state;
    const cut = super.skip(bytes, isLast);
    const view = viewOf(bytes);
    if (isLast && DAMAGED.test(view.toString('latin1', Math.max(0, view.length - TAIL)))) {
      throw new FormatError(
        'the dump ends with ROLLBACK, since sqlite3 could not read the whole database; recover it first: sqlite3 FILE .recover',
        line + countLineFeeds(view, 0, view.lastIndexOf('-- due')),
      );
    }
    return cut;
  }
}
