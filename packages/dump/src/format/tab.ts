/**
 * What MySQL and MariaDB write with `SELECT … INTO OUTFILE` and `mysqldump --tab`.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/load-data.html, "Field and Line Handling"
 */
import type { FormatDefinition } from './format.js';
import { BACKSLASH, TAB } from './shared/ascii.js';
import { createDelimited } from './shared/delimited.js';
import {
  columnsOption,
  delimiterOption,
  escapeOption,
  NO_BYTE,
  quoteOption,
  readByte,
  readColumns,
  readDelimiter,
  refuseSame,
} from './shared/options.js';
import { mysqlEscapes } from './sql/mysql.js';

export const tab: FormatDefinition = {
  name: 'tab',
  summary: "MySQL's and MariaDB's --tab and INTO OUTFILE",
  options: [delimiterOption, quoteOption, escapeOption, columnsOption],
  create(options) {
    const delimiter = readDelimiter(options, TAB);
    const quote = readByte(options, quoteOption, NO_BYTE);
    const escaper = readByte(options, escapeOption, BACKSLASH);
    refuseSame({ '--delimiter': delimiter, '--quote': quote, '--escape': escaper });
    const columns = readColumns(options);
    return createDelimited('tab', {
      delimiter,
      quote,
      escaper,
      rules: mysqlEscapes,
      // Lines end with LF by default, and MySQL escapes no CR. With quotes only numbers and NULL have none.
      hasReturns: quote !== NO_BYTE,
      hasHeader: false,
      columns,
    });
  },
};
