/**
 * What MySQL and MariaDB write with `SELECT … INTO OUTFILE` and `mysqldump --tab`.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/load-data.html, "Field and Line Handling"
 */
import type { FormatDefinition } from './format.js';
import { BACKSLASH, TAB } from './shared/ascii.js';
import { createDelimited } from './shared/delimited.js';
import * as option from './shared/options.js';
import { mysqlEscapes } from './sql/mysql.js';

export const tab: FormatDefinition = {
  name: 'tab',
  summary: "MySQL's and MariaDB's --tab and INTO OUTFILE",
  options: [
    option.delimiterOption,
    option.quoteOption,
    option.escapeOption,
    option.columnsOption,
    option.jsonColumnsOption,
  ],
  create(options) {
    const usual = { delimiter: TAB, quote: option.NO_BYTE, escaper: BACKSLASH };
    const bytes = option.readDialectBytes(options, usual);
    return createDelimited('tab', {
      ...bytes,
      rules: mysqlEscapes,
      // MySQL ends lines with LF, and escapes no CR. With quotes only numbers and NULL have none.
      hasReturns: bytes.quote !== option.NO_BYTE,
      hasHeader: false,
      columns: option.readColumns(options),
    });
  },
};
