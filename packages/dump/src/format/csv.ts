/**
 * Comma-separated values, with any text for the comma, and any byte for the quote and the escape character.
 *
 * @see RFC 4180, section 2
 */
import type { FormatDefinition } from './format.js';
import { COMMA, DOUBLE_QUOTE, TAB } from './shared/ascii.js';
import { binaryOption, findColumnTypes } from './shared/column-kinds.js';
import { createDelimited } from './shared/delimited.js';
import * as option from './shared/options.js';

const define = (name: string, summary: string, delimiter: number): FormatDefinition => ({
  name,
  summary,
  options: [
    option.delimiterOption,
    option.quoteOption,
    option.escapeOption,
    option.quotedEscapeOption,
    option.headerOption,
    option.columnsOption,
    binaryOption,
    ...option.valueOptions,
  ],
  create(options) {
    const usual = { delimiter, quote: DOUBLE_QUOTE, escaper: option.NO_BYTE };
    return createDelimited(name, {
      ...option.readDialectBytes(options, usual),
      rules: { letters: { '0': 0 } },
      hasReturns: true,
      hasHeader: option.readSwitch(options, option.headerOption),
      columns: option.readColumns(options),
      types: findColumnTypes(options, 'text'),
    });
  },
});

export const csv: FormatDefinition = define('csv', 'comma-separated values', COMMA);

export const tsv: FormatDefinition = define('tsv', 'tab-separated values, quoted as in CSV', TAB);
