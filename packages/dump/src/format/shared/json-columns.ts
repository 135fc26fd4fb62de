/** Columns that an option declares as JSON, since no file says so. */
import { hasUnitEscape, type ValueSyntax } from '@utf8/repair';
import type { Format, FormatOptions } from '../format.js';
import { parseColumn } from './column-choice.js';
import { jsonColumnsOption, readColumns } from './options.js';

const JSON_VALUE: ValueSyntax = { is: 'json' };

/** Returns the format whose columns of the option `jsonColumns` contain JSON. */
export function declareJson(format: Format, options: FormatOptions): Format {
  const columns = readColumns(options, jsonColumnsOption)?.map(parseColumn);
  if (!columns) return format;
  return {
    ...format,
    mayHide: (bytes) => (format.mayHide?.(bytes) ?? false) || hasUnitEscape(bytes),
    syntaxOf: (field, table) =>
      columns.some(({ matches }) => matches(field, table)) ? JSON_VALUE : undefined,
  };
}
