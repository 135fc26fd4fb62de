/**
 * Files that MySQL and MariaDB write with `SELECT ... INTO OUTFILE` and `mysqldump --tab`.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/load-data.html, "Field and Line Handling"
 */
import { basename } from 'node:path';
import { UsageError } from '../error.js';
import { opt, type Phrase, phrase } from '../phrase.js';
import type { FormatDefinition, FormatOptions } from './format.js';
import { BACKSLASH, TAB } from './shared/ascii.js';
import { binaryOption, findColumnTypes } from './shared/column-kinds.js';
import { createDelimited } from './shared/delimited.js';
import * as option from './shared/options.js';
import { declareValues } from './shared/value-columns.js';
import { mysql, mysqlEscapes } from './sql/mysql.js';
import { resolveSchema } from './sql/schema-file.js';
import type { CatalogueState, ColumnType, TableType } from './sql/table-type.js';
import { entriesOf } from './sql/trie.js';

export const tab: FormatDefinition = {
  name: 'tab',
  summary: "MySQL's and MariaDB's --tab and INTO OUTFILE",
  options: [
    option.delimiterOption,
    option.quoteOption,
    option.escapeOption,
    option.columnsOption,
    ...option.valueOptions,
    binaryOption,
    option.schemaOption,
    option.schemaTableOption,
    option.assumeOption,
  ],
  resolve: (options, files) => nameTable(resolveSchema(options, mysql), files),
  create(given) {
    const options = applySchema(given);
    const usual = { delimiter: TAB, quote: option.NO_BYTE, escaper: BACKSLASH };
    const bytes = option.readDialectBytes(options, usual);
    const format = createDelimited('tab', {
      ...bytes,
      rules: mysqlEscapes,
      // MySQL ends lines with LF, and escapes no CR. With quotes only numbers and NULL have none.
      hasReturns: bytes.quote !== option.NO_BYTE,
      hasHeader: false,
      columns: option.readColumns(options),
      // A dump has BLOBs as they are, and nothing in the file tells them from text.
      types: findColumnTypes(options, 'unknown'),
    });
    return declareValues(format, options);
  },
};

/** The tables of a schema by their names. */
const listTables = ({ schema }: FormatOptions): ReadonlyMap<string, TableType> =>
  new Map(
    [...entriesOf((schema as CatalogueState).tables)].map(({ value }) => [value.name, value]),
  );

/**
 * Finds the name of the table in a file: the only one of the schema, or the one that mysqldump named the
 * file after.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/mysqldump.html#option_mysqldump_tab, `tbl_name.txt`
 * @throws {@link UsageError} if that is not clear.
 */
function nameTable(options: FormatOptions, files: readonly string[]): FormatOptions {
  const { schema, schemaTable: table } = options;
  if (schema === undefined) {
    if (table !== undefined)
      throw new UsageError(
        phrase`${opt('schemaTable')} needs ${opt('schema')}, which describes it`,
      );
    return options;
  }
  const tables = listTables(options);
  if (table !== undefined) {
    if (tables.has(table as string)) return options;
    throw new UsageError(
      phrase`${opt('schemaTable')} ${JSON.stringify(table)}: ${describe(tables)}`,
    );
  }
  const [only] = tables.keys();
  if (tables.size === 1) return { ...options, schemaTable: only };
  const names = new Set(
    files.map((file) => basename(file).replace(/(?:\.[^.]+)?(?:\.gz|\.zst)?$/, '')),
  );
  const [name = ''] = names;
  if (names.size === 1 && tables.has(name)) return { ...options, schemaTable: name };
  throw new UsageError(
    names.size > 1
      ? phrase`${describe(tables)}, and the files are named after several; read one at a time`
      : phrase`${describe(tables)}, but the file is not named after any of them; specify the table with ${opt('schemaTable')}`,
  );
}

/** The most tables that an error names. */
const NAMED = 20;

const describe = (tables: ReadonlyMap<string, TableType>): Phrase => {
  const names = [...tables.keys()].sort().slice(0, NAMED).join(', ');
  return phrase`${opt('schema')} describes ${tables.size} tables${names && ` (${names})`}`;
};

/** Names the columns of the table, and those that are binary or JSON, as a schema has them. */
function applySchema(given: FormatOptions): FormatOptions {
  const { schema, schemaTable: table, ...rest } = resolveSchema(given, mysql);
  if (schema === undefined) return given;
  // Until the file is known, so may be its table.
  const columns = listTables({ schema }).get(table as string)?.columns;
  if (!columns) return rest;
  const names = option.readColumns(given) ?? columns.map(({ name }) => name);
  const list = (isListed: (column: ColumnType) => boolean): readonly string[] =>
    columns
      .filter(isListed)
      .map(({ name }) => name)
      .filter((name) => names.includes(name));
  const binary = list(({ is }) => is === 'binary');
  const json = [
    ...list(({ structure }) => structure?.is === 'json'),
    ...(option.readColumns(given, option.jsonColumnsOption) ?? []),
  ];
  return {
    assume: 'text',
    columns: names,
    ...(binary.length > 0 ? { binary } : {}),
    ...rest,
    ...(json.length > 0 ? { jsonColumns: [...new Set(json)] } : {}),
  };
}
