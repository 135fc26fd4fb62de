/** Tables that are known before a dump begins: the options `schema` and `assume`. */

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { toPath } from '@utf8/files';
import { InputError, ioError, UsageError } from '../../error.js';
import { opt, phrase } from '../../phrase.js';
import type { FormatOption, FormatOptions } from '../format.js';
import { FormatError } from '../format-error.js';
import { bytesOf } from '../shared/ascii.js';
import { assumeOption, fixHeaderOption, schemaOption } from '../shared/options.js';
import { Catalogue } from './catalogue.js';
import { readDdl } from './ddl.js';
import type { Assumption, SqlDialect, SqlOptions } from './dialect.js';
import { readWords } from './read-words.js';
import { SqlReader } from './sql-reader.js';
import type { CatalogueState } from './table-type.js';
import { Tokens } from './tokens.js';
import { entriesOf, setIn } from './trie.js';

/** The options of every format of SQL. */
export const sqlOptions: readonly FormatOption[] = [schemaOption, assumeOption, fixHeaderOption];

/**
 * Reads the options of a format of SQL.
 *
 * @throws {@link UsageError} if one is invalid.
 */
export function readSqlOptions(options: FormatOptions, dialect: SqlDialect): SqlOptions {
  const { assume } = options;
  if (assume !== undefined && assume !== 'text' && assume !== 'binary') {
    throw new UsageError(
      phrase`${opt('assume')} ${JSON.stringify(assume)}: expected text or binary`,
    );
  }
  let resolved: FormatOptions | undefined;
  return {
    assume: assume as Assumption | undefined,
    fixesHeader: options.fixHeader === true,
    // Read when a reader is created, since options are also checked by themselves.
    get schema() {
      resolved ??= resolveSchema(options, dialect);
      return resolved.schema as CatalogueState | undefined;
    },
  };
}

/** Replaces the path of a schema with the content of the file. */
export function resolveSchema(options: FormatOptions, dialect: SqlDialect): FormatOptions {
  const { schema } = options;
  return typeof schema === 'string' ? { ...options, schema: readSchema(schema, dialect) } : options;
}

/** Reads descriptions of tables: the statements of a dump, or JSON. */
export function readSchema(path: string, dialect: SqlDialect): CatalogueState {
  try {
    return forgetSpellings(readJson(path, dialect) ?? readStatements(path, dialect));
  } catch (error) {
    throw error instanceof FormatError ? error.in(path) : ioError(path, error, InputError);
  }
}

/** Forgets the bytes of names: the file may be in another encoding than the dump. */
function forgetSpellings(state: CatalogueState): CatalogueState {
  let { tables } = state;
  for (const { key, value } of entriesOf(tables)) {
    if (value.spelling !== undefined)
      tables = setIn(tables, key, { ...value, spelling: undefined });
  }
  return { ...state, tables };
}

/** Bytes to read at once, unless a statement is longer. */
const CHUNK = 1 << 20;

/** Reads a dump of any size, and keeps only the statements about tables. */
function readStatements(path: string, dialect: SqlDialect): CatalogueState {
  const fd = openSync(toPath(path), 'r');
  try {
    const reader = new SqlReader(dialect, undefined, { assume: 'text' });
    let memory = Buffer.alloc(CHUNK);
    let length = 0;
    for (;;) {
      const count = readSync(fd, memory, length, memory.length - length, null);
      length += count;
      const end = reader.skip(memory.subarray(0, length), count === 0);
      // The line at the end of this file is not the line at the start of the dump.
      if (count === 0)
        return { ...reader.catalogue, database: '', schema: '', session: { line: 0 } };
      memory.copyWithin(0, end, length);
      length -= end;
      if (length === memory.length) memory = Buffer.concat([memory, Buffer.alloc(length)]);
    }
  } finally {
    closeSync(fd);
  }
}

/** Longest schema in JSON, in bytes. */
const LONGEST = 1 << 26;

/**
 * Reads JSON: an object of tables, each an object of columns with their types, in the words of the
 * database: `{"shop.users": {"id": "int", "name": "varchar(40)", "photo": "blob"}}`.
 */
function readJson(path: string, dialect: SqlDialect): CatalogueState | undefined {
  const fd = openSync(toPath(path), 'r');
  const head = Buffer.alloc(64);
  try {
    const length = readSync(fd, head, 0, head.length, 0);
    if (!/^(\xef\xbb\xbf)?\s*\{/.test(head.toString('latin1', 0, length))) return undefined;
  } finally {
    closeSync(fd);
  }
  const text = readFileSync(toPath(path));
  const refuse = (why: string): InputError =>
    new InputError(`${path}: ${why}; expected {"table": {"column": "type"}}`);
  if (text.length > LONGEST) throw refuse('is longer than 64 MiB');
  let tables: unknown;
  try {
    tables = JSON.parse(text.toString());
  } catch {
    throw refuse('is not JSON');
  }
  const catalogue = new Catalogue(dialect);
  for (const [name, columns] of Object.entries(tables as object)) {
    const definitions = Object.entries(Object(columns)).map(([column, type]) => {
      if (typeof type !== 'string') throw refuse(`the type of ${name}.${column} is not a string`);
      return `${quoteName(column)} ${type}`;
    });
    if (definitions.length === 0) throw refuse(`${JSON.stringify(name)} has no columns`);
    const qualified = name.split('.').map(quoteName).join('.');
    const bytes = bytesOf(
      Buffer.from(`CREATE TABLE ${qualified} (${definitions.join(', ')})`).toString('latin1'),
    );
    const mode = { delimiter: ';', isStandard: true, quotesNames: true };
    const words = readWords(new Tokens({ bytes, dialect, mode }, 0, bytes.length));
    readDdl(words, { dialect, catalogue, lineOf: () => 1 });
  }
  return catalogue.state;
}

/** Quotes a name as both databases understand it here. */
const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
