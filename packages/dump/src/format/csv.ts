/**
 * Comma-separated values, with any byte for the comma, the quote and the escape character.
 *
 * @see RFC 4180, section 2
 */
import type { FormatDefinition } from './format.js';
import { COMMA, DOUBLE_QUOTE, TAB } from './shared/ascii.js';
import { createDelimited } from './shared/delimited.js';
import {
  columnsOption,
  delimiterOption,
  escapeOption,
  headerOption,
  NO_BYTE,
  quoteOption,
  readByte,
  readColumns,
  readDelimiter,
  readSwitch,
  refuseSame,
} from './shared/options.js';

const define = (name: string, summary: string, usual: number): FormatDefinition => ({
  name,
  summary,
  options: [delimiterOption, quoteOption, escapeOption, headerOption, columnsOption],
  create(options) {
    const delimiter = readDelimiter(options, usual);
    const quote = readByte(options, quoteOption, DOUBLE_QUOTE);
    const escaper = readByte(options, escapeOption, NO_BYTE);
    refuseSame({ '--delimiter': delimiter, '--quote': quote });
    refuseSame({ '--delimiter': delimiter, '--escape': escaper });
    return createDelimited(name, {
      delimiter,
      quote,
      // A quote that escapes a quote is what doubling is.
      escaper: escaper === quote ? NO_BYTE : escaper,
      rules: { letters: { '0': 0 } },
      hasReturns: true,
      hasHeader: readSwitch(options, headerOption),
      columns: readColumns(options),
    });
  },
});

export const csv: FormatDefinition = define('csv', 'comma-separated values', COMMA);

export const tsv: FormatDefinition = define('tsv', 'tab-separated values, quoted as in CSV', TAB);
