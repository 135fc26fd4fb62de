/** A reader of CSV that goes from byte to byte: what the fast one must agree with. */
import type { Piece, ReaderState } from '../src/format/format.js';
import { FormatError } from '../src/format/format-error.js';

const LF = 0x0a;
const CR = 0x0d;

/** A dialect without an escape character. */
export interface OracleDialect {
  readonly delimiter: number;
  /** -1 if fields have no quotes. */
  readonly quote: number;
  readonly hasHeader: boolean;
}

/** A piece, as far as the two have to agree; a field is its start, its end and its number. */
export type OraclePiece = Pick<Piece, 'kind' | 'start' | 'end' | 'number' | 'line'> & {
  readonly fields: readonly (readonly [number, number, number])[];
};

export class CsvOracle {
  readonly #dialect: OracleDialect;
  #line: number;
  #record: number;
  #hasColumns: boolean;

  constructor(dialect: OracleDialect, state: ReaderState | undefined) {
    this.#dialect = dialect;
    this.#line = state?.line ?? 1;
    this.#record = state?.record ?? 1;
    this.#hasColumns = Boolean(state?.context) || !dialect.hasHeader;
  }

  get place(): Pick<ReaderState, 'line' | 'record'> {
    return { line: this.#line, record: this.#record };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    let cut = this.#lengthOfMark(bytes);
    let records = 0;
    let lines = 0;
    while (cut < bytes.length) {
      const end = this.#pass(bytes, cut, isLast, 0);
      if (end === -1) break;
      if (this.#hasColumns) records++;
      else this.#hasColumns = true;
      lines += countFeeds(bytes, cut, end);
      cut = end;
    }
    if (records === 0 && !isLast && bytes[cut - 1] !== LF) return 0;
    this.#line += lines;
    this.#record += records;
    return cut;
  }

  read(bytes: Uint8Array): OraclePiece[] {
    const pieces: OraclePiece[] = [];
    let start = this.#lengthOfMark(bytes);
    if (start > 0) {
      pieces.push({ kind: 'other', start: 0, end: start, number: 0, line: this.#line, fields: [] });
    }
    for (let counted = 0; start < bytes.length; ) {
      const end = this.#pass(bytes, start, true, counted);
      const kind = this.#hasColumns ? 'record' : 'header';
      const number = this.#hasColumns ? this.#record++ : 0;
      const fields = this.#split(bytes, start, end);
      pieces.push({ kind, start, end, number, line: this.#line, fields });
      this.#hasColumns = true;
      this.#line += countFeeds(bytes, start, end);
      counted = end;
      start = end;
    }
    return pieces;
  }

  /** Finds the end of a record; `counted` is the index that the current line begins at or before. */
  #pass(bytes: Uint8Array, start: number, isLast: boolean, counted: number): number {
    const { delimiter, quote } = this.#dialect;
    const { length } = bytes;
    const createError = (at: number, reason: string): FormatError =>
      new FormatError(reason, this.#line + countFeeds(bytes, counted, at));
    let i = start;
    while (i < length) {
      let byte = bytes[i] as number;
      if (byte === quote) {
        const begin = i;
        for (i++; ; i++) {
          while (i < length && bytes[i] !== quote) i++;
          if (i >= length) {
            if (!isLast) return -1;
            throw createError(begin, 'unterminated quoted field; close the quote, or set `quote`');
          }
          if (bytes[++i] !== quote) break;
        }
        if (i >= length) break;
        byte = bytes[i] as number;
        if (byte === CR && (i + 1 === length || bytes[i + 1] === LF)) {
          if (++i === length) break;
          byte = LF;
        }
        if (byte !== delimiter && byte !== LF) {
          throw createError(
            i,
            'text follows the closing quote of a field; double the quotes inside it, or set `quote`, `delimiter` or `escape`',
          );
        }
      } else {
        while (byte !== delimiter && byte !== LF && ++i < length) byte = bytes[i] as number;
        if (i >= length) break;
      }
      i++;
      if (byte === LF) return i;
    }
    return isLast ? length : -1;
  }

  #split(bytes: Uint8Array, start: number, last: number): [number, number, number][] {
    const { delimiter, quote } = this.#dialect;
    const hasFeed = bytes[last - 1] === LF;
    const hasReturn = hasFeed && last - 1 > start && bytes[last - 2] === CR;
    const end = last - (hasReturn ? 2 : hasFeed ? 1 : 0);
    const fields: [number, number, number][] = [];
    for (let i = start, number = 1; ; number++, i++) {
      let from = i;
      let to: number;
      if (i < end && bytes[i] === quote) {
        from = ++i;
        while (bytes[i] !== quote || bytes[i + 1] === quote) i += bytes[i] === quote ? 2 : 1;
        to = i++;
        while (i < end && bytes[i] !== delimiter) i++;
      } else {
        while (i < end && bytes[i] !== delimiter) i++;
        to = i;
      }
      fields.push([from, to, number]);
      if (i >= end) return fields;
    }
  }

  #lengthOfMark(bytes: Uint8Array): number {
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return this.#line === 1 && this.#record === 1 && hasMark ? 3 : 0;
  }
}

const countFeeds = (bytes: Uint8Array, start: number, end: number): number =>
  bytes.subarray(start, end).filter((byte) => byte === LF).length;
