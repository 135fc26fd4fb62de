/**
 * Comma-separated values, with any byte for the comma and any for the quote.
 *
 * A quote within a field that does not begin with one stands for itself: RFC 4180 forbids it, and the
 * readers of SQLite and Python take it so. (PostgreSQL's takes it for the beginning of a quoted part; no
 * program that quotes writes it.)
 *
 * @see RFC 4180, section 2
 */
import { BACKSLASH, CR, endOfText, hasMark, isHex, LF, MARK_LENGTH, viewOf } from './ascii.js';
import { countLineFeeds } from './count.js';
import { FormatFailure } from './failure.js';
import type { Format, Piece, Reader, ReaderState } from './format.js';
import { deriveName } from './name.js';
import { type Fields, Row } from './row.js';

/** How a file of the kind is written. */
export interface CsvDialect {
  /** A byte. */
  readonly delimiter: number;
  /** A byte; -1 where there are no quotes. */
  readonly quote: number;
  /** Whether the first record has the names of the columns. */
  readonly hasHeader: boolean;
  /** The names of the columns, whatever the header says. */
  readonly columns: readonly string[] | undefined;
}

/** What a reader knows behind the header. */
interface Context {
  readonly columns: readonly string[];
}

const LETTER_X = 0x78;

/** From how far on the next quote, in bytes, it pays to look for the lines before it. */
const FAR = 256;

/** The format of a dialect. */
export function createCsv(name: string, dialect: CsvDialect): Format {
  const quote = dialect.quote === -1 ? '' : String.fromCharCode(dialect.quote);
  return {
    name,
    isLineBased: dialect.quote === -1 && !dialect.hasHeader,
    createReader: (state) => new CsvReader(dialect, state),
    quote: (text) => (quote === '' ? text : text.replaceAll(quote, quote + quote)),
    nuls: [],
  };
}

class CsvReader implements Reader {
  readonly #dialect: CsvDialect;
  #line: number;
  #record: number;
  /** Null until the header has been read. */
  #context: Context | null;

  constructor(dialect: CsvDialect, state: ReaderState | undefined) {
    this.#dialect = dialect;
    this.#line = state?.line ?? 1;
    this.#record = state?.record ?? 1;
    this.#context = (state?.context ?? null) as Context | null;
    if (!dialect.hasHeader) this.#context ??= { columns: dialect.columns ?? [] };
  }

  get state(): ReaderState {
    return { line: this.#line, record: this.#record, context: this.#context };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const { length } = view;
    let cut = this.#lengthOfMark(view);
    let records = 0;
    let lines = 0;
    // Where the next quote is.
    let quoted = -1;
    while (cut < length) {
      if (quoted < cut) quoted = this.#findQuote(view, cut);
      // Where there is none, a line is a record: three times as fast as to look for it (Node 20).
      const feed = this.#context && quoted - cut > FAR ? view.lastIndexOf(LF, quoted - 1) : -1;
      if (feed >= cut) {
        const feeds = countLineFeeds(view, cut, feed + 1);
        records += feeds;
        lines += feeds;
        cut = feed + 1;
        continue;
      }
      const end = this.#pass(view, cut, isLast);
      if (end === -1) break;
      if (this.#context) records++;
      else this.#context = this.#readHeader(view, cut, end);
      lines += countLineFeeds(view, cut, end);
      cut = end;
    }
    // A mark alone is no unit.
    if (records === 0 && !isLast && view[cut - 1] !== LF) return 0;
    this.#line += lines;
    this.#record += records;
    return cut;
  }

  /** The index of the first quote at or behind an index, or the end. */
  #findQuote(bytes: Buffer, start: number): number {
    const { quote } = this.#dialect;
    const found = quote === -1 ? -1 : bytes.indexOf(quote, start);
    return found === -1 ? bytes.length : found;
  }

  *read(bytes: Uint8Array): Generator<Piece, void, undefined> {
    const view = viewOf(bytes);
    const row = new Row((row, fields) => {
      if (row.kind !== 'other') this.#split(view, row.start, row.end, fields);
    });
    let start = this.#lengthOfMark(view);
    // The lines before `counted` are known.
    let counted = 0;
    const from = this.#line;
    if (start > 0) yield row.place('other', 0, start, 0, from);
    while (start < view.length) {
      const end = this.#pass(view, start, true, counted);
      if (this.#context) {
        row.place('record', start, end, this.#record++, this.#line);
      } else {
        row.place('header', start, end, 0, this.#line);
        this.#context = this.#readHeader(view, start, end);
      }
      // Most records are a line.
      if (view.indexOf(LF, start) === end - 1) this.#line++;
      else this.#line += countLineFeeds(view, start, end);
      counted = end;
      yield row;
      start = end;
    }
  }

  /**
   * Finds the end of the record that begins at an index, and -1 where it lies behind the bytes.
   *
   * @param counted - The index that `#line` is the line of.
   */
  #pass(bytes: Buffer, start: number, isLast: boolean, counted = 0): number {
    const { delimiter, quote } = this.#dialect;
    const { length } = bytes;
    let i = start;
    while (i < length) {
      let byte = bytes[i] as number;
      if (byte === quote) {
        const begin = i;
        // Behind the quote that is not doubled.
        for (i++; ; i++) {
          while (i < length && bytes[i] !== quote) i++;
          if (i >= length) {
            if (!isLast) return -1;
            throw this.#failure(
              bytes,
              counted,
              begin,
              'the quoted field that begins here has no end',
            );
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
          throw this.#failure(
            bytes,
            counted,
            i,
            'a quoted field goes on behind its closing quote; double the quotes within it, or name its marks with --quote and --delimiter',
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

  #split(bytes: Buffer, start: number, last: number, fields: Fields): void {
    const { delimiter, quote } = this.#dialect;
    const columns = this.#context?.columns ?? [];
    const end = endOfText(bytes, start, last);
    let i = start;
    for (let number = 1; ; number++) {
      let from = i;
      let to: number;
      if (i < end && bytes[i] === quote) {
        from = ++i;
        while (bytes[i] !== quote || bytes[i + 1] === quote) i += bytes[i] === quote ? 2 : 1;
        to = i++;
        // A CR at the end of the input is the first half of the end of a line.
        while (i < end && bytes[i] !== delimiter) i++;
      } else {
        while (i < end && bytes[i] !== delimiter) i++;
        to = i;
      }
      const kind = isBytea(bytes, from, to) ? 'opaque' : 'text';
      fields.add(from, to, kind, columns[number - 1], number);
      if (i >= end) return;
      i++;
    }
  }

  #readHeader(bytes: Buffer, start: number, end: number): Context {
    const { columns, quote } = this.#dialect;
    if (columns) return { columns };
    const header = new Row((_, fields) => this.#split(bytes, start, end, fields));
    const mark = String.fromCharCode(quote);
    const names = header.fields.map((field) => {
      const name = deriveName(bytes.subarray(field.start, field.end));
      return bytes[field.start - 1] === quote ? name.replaceAll(mark + mark, mark) : name;
    });
    return { columns: names };
  }

  #failure(bytes: Buffer, counted: number, at: number, reason: string): FormatFailure {
    return new FormatFailure(reason, this.#line + countLineFeeds(bytes, counted, at));
  }

  /** In bytes. */
  #lengthOfMark(bytes: Buffer): number {
    return this.#line === 1 && this.#record === 1 && hasMark(bytes) ? MARK_LENGTH : 0;
  }
}

/** Whether a field is a bytea of PostgreSQL in its hexadecimal form. */
const isBytea = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start] === BACKSLASH &&
  bytes[start + 1] === LETTER_X &&
  end - start >= 2 &&
  isHex(bytes, start + 2, end);
