/** Finds the end of a statement that does not fit into memory. */
import { createCopyRules } from '../copy.js';
import type { ReaderState, UnitScanner } from '../format.js';
import { FormatError } from '../format-error.js';
import { BACKSLASH, DOLLAR, isEscaped, lengthOfMark, viewOf } from '../shared/ascii.js';
import { countLineFeeds } from '../shared/line-feeds.js';
import { LineScanner } from '../shared/linewise.js';
import { CsvRowScanner, createCsvRows } from './copy-rows.js';
import { isBlank, type SqlDialect, type SqlOptions } from './dialect.js';
import { StatementCutter } from './statement-cutter.js';

/** Bytes that are kept in addition to a chunk at most. */
const LIMIT = 1 << 20;

/** Bytes of a line by which it is known. */
const LINE_START = 4096;

/** Bytes before a token that decide its kind. */
const BEFORE = 2;

/** The part of an INSERT that the scanner is in. */
type InsertPart = 'start' | 'tuple' | 'between' | 'end' | 'rest';

export class SqlScanner implements UnitScanner {
  state: ReaderState;
  readonly #cutter: StatementCutter;
  readonly #rows: UnitScanner | undefined;
  /** The header of the rows, if it is being scanned. */
  #header: Buffer | undefined;
  #part: InsertPart = 'start';
  /** Bytes whose meaning the next chunk decides. */
  #kept: Buffer = Buffer.alloc(0);
  /** The index in them to continue at. */
  #next = 0;
  #tuples = 0;
  /** The line after all bytes pushed, that of the statement, and that of an open string; 0 if none is. */
  #line: number;
  #startLine = 0;
  #openLine = 0;

  constructor(dialect: SqlDialect, state: ReaderState, options?: SqlOptions) {
    this.state = state;
    this.#line = state.line;
    this.#cutter = new StatementCutter(dialect, state.line, state.context, options);
    const { copy } = this.#cutter.context;
    if (!copy) return;
    if (copy.rows.hasHeader) this.#header = Buffer.alloc(0);
    this.#rows = copy.rows.isCsv
      ? new CsvRowScanner(createCsvRows(copy.rows, []), state)
      : new LineScanner(createCopyRules(copy.rows.delimiter, []), state);
  }

  push(chunk: Uint8Array, isLast: boolean): number {
    const end = this.#rows
      ? this.#pushRow(this.#rows, chunk, isLast)
      : this.#pushPart(chunk, isLast);
    if (end !== -1 && isLast && end === chunk.length) this.#cutter.refuseOpenCopy();
    return end;
  }

  #pushRow(rows: UnitScanner, chunk: Uint8Array, isLast: boolean): number {
    const end = rows.push(chunk, isLast);
    if (this.#header) {
      this.#header = Buffer.concat([this.#header, chunk.subarray(0, end === -1 ? undefined : end)]);
      if (this.#header.length > LIMIT) {
        throw new FormatError('the header exceeds 1 MiB; is a quote left open?', this.state.line);
      }
    }
    if (end === -1) return -1;
    let { line, record } = rows.state;
    if (record === this.state.record) this.#cutter.learn({ copy: null });
    else if (this.#header) {
      this.#cutter.endHeader(this.#header);
      record--;
    }
    this.state = { line, record, context: this.#cutter.context };
    return end;
  }

  #pushPart(chunk: Uint8Array, isLast: boolean): number {
    const known = this.#kept.length;
    const bytes = known === 0 ? viewOf(chunk) : Buffer.concat([this.#kept, chunk]);
    this.#line += countLineFeeds(chunk, 0, chunk.length);
    const end = this.#part === 'start' ? this.#cut(bytes, isLast) : this.#scan(bytes, isLast);
    if (end === -1) return -1;
    const line = this.#line - countLineFeeds(bytes, Math.max(known, end), bytes.length);
    const record = this.state.record + this.#tuples;
    this.state = { line, record, context: this.#cutter.context };
    return Math.max(0, end - known);
  }

  /** Looks for the end of any unit, or the first tuple of an INSERT, in all bytes pushed so far. */
  #cut(bytes: Buffer, isLast: boolean): number {
    const cutter = this.#cutter;
    const { line, record } = this.state;
    let first = lengthOfMark(bytes, line, record);
    cutter.enter();
    const end = cutter.pass(bytes, first, isLast);
    if (end !== -1) {
      if (cutter.unit === 'insert') this.#tuples = cutter.tuples;
      if (cutter.unit === 'set') this.#tuples = 1;
      return end;
    }
    while (isBlank(bytes[first])) first++;
    this.#startLine = line + countLineFeeds(bytes, 0, first);
    if (cutter.startEnd !== -1) {
      this.#next = cutter.startEnd;
      this.#part = 'tuple';
      cutter.startEnd = -1;
      cutter.depth = 0;
      return this.#scan(bytes, isLast);
    }
    this.#hold(cutter.unit === 'line' ? bytes.subarray(0, LINE_START) : bytes);
    return -1;
  }

  /** Passes an INSERT from the first tuple on. */
  #scan(bytes: Buffer, isLast: boolean): number {
    const cutter = this.#cutter;
    let i = this.#next;
    for (;;) {
      if (this.#part === 'tuple') {
        i = cutter.passTokens(bytes, i);
        if (i === -1) return this.#wait(bytes, cutter.stuck, isLast);
        this.#tuples++;
        this.#part = 'between';
      }
      if (this.#part === 'between') {
        const next = cutter.passBetween(bytes, i);
        if (next === -1 && !isLast && cutter.isUndecided(bytes)) return this.#wait(bytes, i, false);
        this.#part = next === -1 ? 'end' : 'tuple';
        cutter.depth = 0;
        if (next !== -1) {
          i = next;
          continue;
        }
      }
      if (this.#part === 'end') {
        i = cutter.passTokens(bytes, i, cutter.delimiter);
        if (i === -1) return this.#wait(bytes, cutter.stuck, isLast);
        this.#part = 'rest';
      }
      const end = cutter.passRest(bytes, i, isLast);
      return end === -1 ? this.#wait(bytes, i, false) : end;
    }
  }

  /** Keeps the bytes from an index for the next chunk, without the inner bytes of an open string. */
  #wait(bytes: Buffer, from: number, isLast: boolean): -1 {
    const cutter = this.#cutter;
    const { stuck, dialect } = cutter;
    if (from !== this.#next) this.#openLine = 0;
    const lineOf = (index: number): number =>
      this.#openLine || this.#line - countLineFeeds(bytes, index, bytes.length);
    if (isLast)
      throw cutter.createError(bytes, -1, (i) => (i === -1 ? this.#startLine : lineOf(i)));
    const start = Math.max(0, from - BEFORE);
    const before = bytes.subarray(start, from);
    this.#next = before.length;
    const quote = bytes[from] ?? 0;
    const isString =
      from === stuck && cutter.isOpen(bytes) && dialect.describe(quote) !== 'comment';
    if (!isString) {
      this.#hold(bytes.subarray(start));
      return -1;
    }
    this.#openLine = lineOf(from);
    // The first byte of the end of the string: a backslash, or the start of the closing tag.
    const edge = quote === DOLLAR ? bytes.indexOf(DOLLAR, from + 1) + 1 - from : 1;
    const isPending = bytes.at(-1) === BACKSLASH && isEscaped(bytes, from + 1, bytes.length);
    const rest = quote === DOLLAR ? edge : isPending ? 1 : 0;
    this.#hold(
      Buffer.concat([
        before,
        bytes.subarray(from, from + edge),
        bytes.subarray(Math.max(from + edge, bytes.length - rest)),
      ]),
    );
    return -1;
  }

  #hold(bytes: Uint8Array): void {
    this.#kept = Buffer.from(bytes);
    if (bytes.length > LIMIT) throw new FormatError('statement exceeds 256 MiB', this.#startLine);
  }
}
