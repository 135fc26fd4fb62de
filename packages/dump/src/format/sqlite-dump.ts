import type { FormatDefinition } from './format.js';
import { FormatError } from './format-error.js';
import { viewOf } from './shared/ascii.js';
import { countLineFeeds } from './shared/line-feeds.js';
import { unspell } from './shared/unspell.js';
import type { SqlOptions } from './sql/dialect.js';
import { listKeys, listReferences } from './sql/keys.js';
import { SqlReader } from './sql/sql-reader.js';
import { SqlScanner } from './sql/sql-scanner.js';
import { sqlite as dialect, unistrEscapes } from './sql/sqlite.js';

/** The end of a dump of a damaged database. What was not readable is not in it. */
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
  options: [],
  create: () => ({
    name: 'sqlite',
    isLineBased: false,
    isOpaqueAscii: true,
    listKeys,
    listReferences,
    createReader: (state) => new SqliteReader(dialect, state, OPTIONS),
    createScanner: (state) => new SqlScanner(dialect, state, OPTIONS),
    quote: (text, escapes) => (escapes === true ? text.replaceAll('\\', '\\\\') : text),
    nuls: [],
    readValue(bytes, { kind, start, end, escapes }, text = bytes.subarray(start, end)) {
      if (kind === 'opaque') return text;
      return unspell(text, escapes === true ? unistrEscapes : undefined, bytes[start - 1]);
    },
  }),
};

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
