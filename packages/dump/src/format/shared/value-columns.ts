/** Columns that options declare as JSON or XML, since no file says so. */
import { hasExcludedReference, hasUnitEscape, type Structure } from '@utf8/repair';
import type { Format, FormatOption, FormatOptions } from '../format.js';
import { viewOf } from './ascii.js';
import { parseColumn } from './column-choice.js';
import { jsonColumnsOption, readColumns, xmlColumnsOption } from './options.js';

/** Returns the format whose columns of the options `jsonColumns` and `xmlColumns` contain JSON and XML. */
export function declareValues(format: Format, options: FormatOptions): Format {
  const declared = declare(format, options, jsonColumnsOption, { is: 'json' });
  const json = declared && {
    ...declared,
    mayHide: (bytes: Uint8Array) => (format.mayHide?.(bytes) ?? false) || hasUnitEscape(bytes),
  };
  const xml = declare(json ?? format, options, xmlColumnsOption, { is: 'xml' });
  return xml
    ? {
        ...xml,
        hidesText: (bytes, state, isWhole) =>
          mayHideXml(bytes) || (format.hidesText?.(bytes, state, isWhole) ?? false),
      }
    : (json ?? format);
}

function declare(
  format: Format,
  options: FormatOptions,
  option: FormatOption,
  structure: Structure,
): Format | undefined {
  const columns = readColumns(options, option)?.map(parseColumn);
  return (
    columns && {
      ...format,
      structureOf: (field, table) =>
        columns.some(({ matches }) => matches(field, table))
          ? structure
          : format.structureOf?.(field, table),
    }
  );
}

/** Controls that XML excludes, and U+FFFE and U+FFFF. */
const EXCLUDED = String.raw`[\x01-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]`;

/** Excluded characters, and text that may represent them or a reference: escapes and hexadecimal digits. */
const SUSPICIOUS = new RegExp(String.raw`${EXCLUDED}|\\[0-9A-FbfuUvxZ+]|0x|[xX]'`);

/** Tells whether XML in bytes may contain characters that no parser of XML accepts. */
export const mayHideXml = (bytes: Uint8Array): boolean =>
  hasExcludedReference(bytes) || SUSPICIOUS.test(viewOf(bytes).toString('latin1'));
