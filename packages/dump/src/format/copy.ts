/**
 * PostgreSQL's COPY in its text format.
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html, "File Formats", "Text Format"
 */
import { hasByteEscape, type Syntax } from '@utf8/repair';
import type { FormatDefinition, Layout } from './format.js';
import { FormatError } from './format-error.js';
import {
  BACKSLASH,
  bytesOf,
  CR,
  DOT,
  endOfText,
  isEscaped,
  isHex,
  LETTER_N,
  LETTER_X,
  LF,
  TAB,
} from './shared/ascii.js';
import {
  binaryOption,
  type ColumnKinds,
  findColumnTypes,
  requireKinds,
} from './shared/column-kinds.js';
import { tooFew } from './shared/delimited.js';
import { gainsReturn, isLastField, keepsAscii } from './shared/layout.js';
import { countLineFeeds } from './shared/line-feeds.js';
import { LineReader, type LineRules, LineScanner } from './shared/linewise.js';
import {
  columnsOption,
  delimiterOption,
  readColumns,
  readDelimiter,
  valueOptions,
} from './shared/options.js';
import type { FieldList } from './shared/piece.js';
import { createReadValue } from './shared/unescape.js';

const BACKSLASH_LF = bytesOf('\\\n');
const BACKSLASH_CR = bytesOf('\\\r\n');
const END = bytesOf('\\.');

/** The escapes of COPY: those of bytes, and none of characters. */
export const copySyntax: Syntax = {
  escaper: BACKSLASH,
  letters: { b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 },
  codes: /(?!)()|(?!)()|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
};

export const copy: FormatDefinition = {
  name: 'copy',
  summary: "PostgreSQL's COPY in text format",
  options: [delimiterOption, columnsOption, ...valueOptions, binaryOption],
  create(options) {
    const delimiter = readDelimiter(options, TAB);
    const columns = readColumns(options) ?? [];
    const kinds = requireKinds(findColumnTypes(options, 'text'), columns);
    const rules = createCopyRules(delimiter, columns, kinds);
    const syntax = { ...copySyntax, escaped: String.fromCharCode(delimiter) };
    const syntaxOf = (): Syntax => syntax;
    return {
      name: 'copy',
      isLineBased: true,
      isOpaqueAscii: kinds.last === 0,
      createReader: (state) => new LineReader(rules, state),
      createScanner: (state) => new LineScanner(rules, state),
      quote: (text) => text.replaceAll('\\', '\\\\'),
      nuls: [],
      mayHide: hasByteEscape,
      syntaxOf,
      readValue: createReadValue(syntaxOf),
    };
  },
};

/** Without the byte before it, `\N` would be NULL, and `\.` the end of the rows. */
export const copyLayout: Layout = {
  harm: 'be NULL, or end the rows; choose another policy, or write it without escapes',
  breaks(bytes, piece, field, repair) {
    if (keepsAscii(repair)) return false;
    if (gainsReturn(bytes, field, repair)) return true;
    const [first, second] = repair.bytes;
    if (first !== BACKSLASH || repair.bytes.length !== 2) return false;
    const isLine = field.start === piece.start && isLastField(bytes, field);
    return second === LETTER_N || (second === DOT && isLine);
  },
};

/** Creates the rules of rows whose fields are separated by a byte. */
export const createCopyRules = (
  delimiter: number,
  columns: readonly string[],
  kinds?: ColumnKinds,
): LineRules => ({
  split(bytes, { start, line }, end, fields) {
    const count = splitCopy(bytes, start, end, delimiter, columns, fields, kinds?.binary);
    if (kinds && count < kinds.last) throw tooFew(count, kinds.last, line);
  },
  countOthers(bytes, start, end, line) {
    refuseEscapedFeeds(bytes, start, end, line);
    return countEnds(bytes, start, end);
  },
  isOther: isCopyEnd,
  layout: copyLayout,
  shape: columns,
});

/** Finds the fields of a row, and returns how many there are. A backslash takes the meaning from the byte after it. */
export function splitCopy(
  bytes: Uint8Array,
  start: number,
  end: number,
  delimiter: number,
  columns: readonly string[],
  fields: FieldList,
  binary?: ReadonlySet<number>,
): number {
  let i = start;
  for (let number = 1; ; number++) {
    const from = i;
    for (; i < end; i++) {
      const byte = bytes[i];
      if (byte === delimiter) break;
      if (byte === BACKSLASH) i++;
    }
    if (i > end) i = end;
    const isOpaque =
      binary?.has(number) || (bytes[from] === BACKSLASH && isNullOrBytea(bytes, from, i));
    fields.add(from, i, isOpaque ? 'opaque' : 'text', columns[number - 1], number);
    if (i === end) return number;
    i++;
  }
}

/** Tells whether a field after a backslash is NULL, or a bytea in hexadecimal form. */
function isNullOrBytea(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start <= 2) return end - start === 2 && bytes[start + 1] === LETTER_N;
  return (
    bytes[start + 1] === BACKSLASH && bytes[start + 2] === LETTER_X && isHex(bytes, start + 3, end)
  );
}

/** Tells whether a line, given without its end, is `\.`, which ends the rows. */
export const isCopyEnd = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === 2 && bytes[start] === BACKSLASH && bytes[start + 1] === DOT;

function countEnds(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let i = bytes.indexOf(END, start); i !== -1 && i < end; i = bytes.indexOf(END, i + 1)) {
    if (i > start && bytes[i - 1] !== LF) continue;
    const feed = i + (bytes[i + 2] === CR ? 3 : 2);
    const isLine = feed < end ? bytes[feed] === LF : endOfText(bytes, i, end) === i + 2;
    if (isLine) count++;
  }
  return count;
}

/**
 * Refuses a line feed after a backslash: COPY FROM reads it as data, but COPY TO never writes it, and
 * without it every line feed ends a row.
 *
 * @param line - The line at `start`.
 */
export function refuseEscapedFeeds(bytes: Buffer, start: number, end: number, line: number): void {
  let first = end;
  for (const needle of [BACKSLASH_LF, BACKSLASH_CR]) {
    let i = bytes.indexOf(needle, start);
    while (i !== -1 && i < first && !isEscaped(bytes, start, i + 1))
      i = bytes.indexOf(needle, i + 1);
    if (i !== -1) first = Math.min(first, i);
  }
  if (first < end) throw createError(line + countLineFeeds(bytes, start, first));
}

/** Does the same for one line, whose text ends at an index. */
export function refuseEscapedFeed(
  bytes: Buffer,
  start: number,
  textEnd: number,
  end: number,
  line: number,
): void {
  if (textEnd < end && isEscaped(bytes, start, textEnd)) throw createError(line);
}

const createError = (line: number): FormatError =>
  new FormatError('a backslash escapes the line feed; write it as \\n, as COPY TO does', line);
