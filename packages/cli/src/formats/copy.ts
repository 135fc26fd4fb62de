/**
 * PostgreSQL's COPY in its text format: columns between tabs, a backslash before what would be taken
 * for something else.
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html, "File Formats", "Text Format"
 */
import { BACKSLASH, bytesOf, CR, DOT, endOfText, isEscaped, isHex, LF } from './ascii.js';
import { countLineFeeds } from './count.js';
import { FormatFailure } from './failure.js';
import type { Format } from './format.js';
import { LineReader, type LineRules } from './linewise.js';
import type { Fields } from './row.js';

const BACKSLASH_LF = bytesOf('\\\n');
const BACKSLASH_CR = bytesOf('\\\r\n');
const END = bytesOf('\\.');
const LETTER_N = 0x4e;
const LETTER_X = 0x78;

/**
 * The format with a delimiter of its own.
 *
 * @param delimiter - A byte.
 * @param columns - Their names, as far as they are known.
 */
export function createCopy(delimiter: number, columns: readonly string[]): Format {
  const rules: LineRules = {
    split: (bytes, row, end, fields) =>
      splitCopy(bytes, row.start, end, delimiter, columns, fields),
    countOthers(bytes, end, line) {
      refuseEscapedFeeds(bytes, 0, end, line);
      return countEnds(bytes, end);
    },
    isOther: isCopyEnd,
  };
  return {
    name: 'copy',
    isLineBased: true,
    createReader: (state) => new LineReader(rules, state),
    quote: (text) => text.replaceAll('\\', '\\\\'),
    nuls: [],
  };
}

/** Finds the fields of a line. A backslash takes the meaning from what is behind it. */
export function splitCopy(
  bytes: Uint8Array,
  start: number,
  end: number,
  delimiter: number,
  columns: readonly string[],
  fields: Fields,
): void {
  let from = start;
  let number = 1;
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte === BACKSLASH) {
      i++;
    } else if (byte === delimiter) {
      fields.add(
        from,
        i,
        isOpaque(bytes, from, i) ? 'opaque' : 'text',
        columns[number - 1],
        number,
      );
      number++;
      from = i + 1;
    }
  }
  fields.add(
    from,
    end,
    isOpaque(bytes, from, end) ? 'opaque' : 'text',
    columns[number - 1],
    number,
  );
}

/** Whether a field is NULL, or a bytea in its hexadecimal form. */
function isOpaque(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== BACKSLASH || end - start < 2) return false;
  if (end - start === 2) return bytes[start + 1] === LETTER_N;
  return (
    bytes[start + 1] === BACKSLASH && bytes[start + 2] === LETTER_X && isHex(bytes, start + 3, end)
  );
}

/** Whether a line, without what ends it, is `\.`, behind which there is no data. */
export const isCopyEnd = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === 2 && bytes[start] === BACKSLASH && bytes[start + 1] === DOT;

/** Counts the lines `\.`. */
function countEnds(bytes: Buffer, end: number): number {
  let count = 0;
  for (let i = bytes.indexOf(END); i !== -1 && i < end; i = bytes.indexOf(END, i + 1)) {
    if (i > 0 && bytes[i - 1] !== LF) continue;
    const feed = i + (bytes[i + 2] === CR ? 3 : 2);
    const isLine = feed < end ? bytes[feed] === LF : endOfText(bytes, i, end) === i + 2;
    if (isLine) count++;
  }
  return count;
}

/**
 * Refuses a line feed behind a backslash. COPY FROM takes it for data, but COPY TO writes none, and
 * without it every line feed ends a record.
 *
 * @param line - The one that begins at `start`.
 */
export function refuseEscapedFeeds(bytes: Buffer, start: number, end: number, line: number): void {
  const part = bytes.subarray(start, end);
  for (const needle of [BACKSLASH_LF, BACKSLASH_CR]) {
    for (let i = part.indexOf(needle); i !== -1; i = part.indexOf(needle, i + 1)) {
      if (isEscaped(part, 0, i + 1)) throw createFailure(line + countLineFeeds(part, 0, i));
    }
  }
}

/** The same for one line, whose text ends at an index. */
export function refuseEscapedFeed(
  bytes: Buffer,
  start: number,
  textEnd: number,
  end: number,
  line: number,
): void {
  if (textEnd < end && isEscaped(bytes, start, textEnd)) throw createFailure(line);
}

const createFailure = (line: number): FormatFailure =>
  new FormatFailure(
    'the line ends in a backslash, which makes its line feed a part of the data; write \\n for the two, as COPY TO does',
    line,
  );
