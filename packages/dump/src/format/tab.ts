/**
 * What MySQL and MariaDB write with `SELECT … INTO OUTFILE` and `mysqldump --tab`.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/load-data.html, "Field and Line Handling"
 */
import { UsageError } from '../error.js';
import type { FormatDefinition, FormatOptions } from './format.js';
import { BACKSLASH, TAB } from './shared/ascii.js';
import { binaryOption, findColumnTypes } from './shared/column-kinds.js';
import { createDelimited } from './shared/delimited.js';
import * as option from './shared/options.js';
import { mysql, mysqlEscapes } from './sql/mysql.js';
import { resolveSchema } from './sql/schema-file.js';
import type { CatalogueState } from './sql/table-type.js';
import { entriesOf } from './sql/trie.js';

export const tab: FormatDefinition = {
  name: 'tab',
  summary: "MySQL's and MariaDB's --tab and INTO OUTFILE",
  options: [
    option.delimiterOption,
    option.quoteOption,
    option.escapeOption,
    option.columnsOption,
    option.jsonColumnsOption,
    binaryOption,
    option.schemaOption,
    option.assumeOption,
  ],
  resolve: (options) => resolveSchema(options, mysql),
  create(given) {
    const options = applySchema(given);
    const usual = { delimiter: TAB, quote: option.NO_BYTE, escaper: BACKSLASH };
    const bytes = option.readDialectBytes(options, usual);
    return createDelimited('tab', {
      ...bytes,
      rules: mysqlEscapes,
      // MySQL ends lines with LF, and escapes no CR. With quotes only numbers and NULL have none.
      hasReturns: bytes.quote !== option.NO_BYTE,
      hasHeader: false,
      columns: option.readColumns(options),
      // A dump has BLOBs as they are, and nothing in the file tells them from text.
      types: findColumnTypes(options, 'unknown'),
    });
  },
};

/** Names the columns, and those that are binary, as the one table of a schema has them. */
function applySchema(options: FormatOptions): FormatOptions {
  const { schema, ...rest } = resolveSchema(options, mysql);
  if (schema === undefined) return options;
  const tables = [...entriesOf((schema as CatalogueState).tables)];
  const columns = tables[0]?.value.columns;
  if (tables.length !== 1 || !columns) {
    throw new UsageError(
      `--schema describes ${tables.length} tables; name the .sql file that belongs to this table`,
    );
  }
  const binary = columns.filter(({ is }) => is === 'binary').map(({ name }) => name);
  const names = option.readColumns(options) ?? columns.map(({ name }) => name);
  const known = binary.filter((name) => names.includes(name));
  return {
    assume: 'text',
    columns: names,
    ...(known.length > 0 ? { binary: known } : {}),
    ...rest,
  };
}
