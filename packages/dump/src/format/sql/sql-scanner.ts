/** Finds the end of a statement that does not fit into memory. */
import { createCopyRules } from '../copy.js';
import type { ReaderState, UnitScanner } from '../format.js';
import { FormatError } from '../format-error.js';
import {
  BACKSLASH,
  CLOSE,
  COMMA,
  DOLLAR,
  isEscaped,
  lengthOfMark,
  OPEN,
  TAB,
  viewOf,
} from '../shared/ascii.js';
import { countLineFeeds } from '../shared/line-feeds.js';
import { LineScanner } from '../shared/linewise.js';
import { isBlank, isWordByte, type SqlDialect } from './dialect.js';
import {
  createOpenError,
  type SqlContext,
  StatementCutter,
  startsWith,
} from './statement-cutter.js';
import { isComment } from './tokens.js';

/** Bytes that are kept in addition to a chunk at most. */
const LIMIT = 1 << 20;

/** Bytes of a line by which it is known. */
const LINE_START = 4096;

/** Bytes before a token that decide what it is. */
const BEHIND = 2;

const NOTHING = Buffer.alloc(0);

/** What the scanner is in: before the first tuple, in or between tuples, after them. */
type InsertPart = 'start' | 'tuple' | 'between' | 'end' | 'rest';

export class SqlScanner implements UnitScanner {
  state: ReaderState;
  readonly #dialect: SqlDialect;
  readonly #cutter: StatementCutter;
  readonly #rows: LineScanner | undefined;
  #part: InsertPart = 'start';
  /** Bytes whose meaning the next chunk decides. */
  #kept: Buffer = NOTHING;
  /** The index in them to continue at. */
  #next = 0;
  /** The depth of parentheses. */
  #depth = 0;
  #tuples = 0;
  /** The line after all bytes pushed, and that of an open string whose bytes have been dropped. */
  #line: number;
  #openLine = 0;
  #startLine = 0;

  constructor(dialect: SqlDialect, state: ReaderState) {
    const context = (state.context ?? undefined) as SqlContext | undefined;
    this.state = state;
    this.#dialect = dialect;
    this.#line = state.line;
    this.#cutter = new StatementCutter(dialect, state.line, context);
    if (this.#cutter.copy) this.#rows = new LineScanner(createCopyRules(TAB, []), state);
  }

  push(chunk: Uint8Array, isLast: boolean): number {
    if (this.#rows) return this.#pushRow(this.#rows, chunk, isLast);
    const known = this.#kept.length;
    const bytes = known === 0 ? viewOf(chunk) : Buffer.concat([this.#kept, chunk]);
    this.#line += countLineFeeds(chunk, 0, chunk.length);
    const end = this.#part === 'start' ? this.#cut(bytes, isLast) : this.#scan(bytes, isLast);
    if (end === -1) return -1;
    const line = this.#line - countLineFeeds(bytes, Math.max(known, end), bytes.length);
    const record = this.state.record + this.#tuples;
    this.state = { line, record, context: this.#cutter.context };
    if (isLast && end === bytes.length) this.#cutter.refuseOpenCopy();
    return Math.max(0, end - known);
  }

  #pushRow(rows: LineScanner, chunk: Uint8Array, isLast: boolean): number {
    const end = rows.push(chunk, isLast);
    if (end === -1) return -1;
    const { line, record } = rows.state;
    if (record === this.state.record) this.#cutter.copy = null;
    this.state = { line, record, context: this.#cutter.context };
    if (isLast && end === chunk.length) this.#cutter.refuseOpenCopy();
    return end;
  }

  /** Looks for the end of any unit, or the first tuple of an INSERT, in all bytes pushed so far. */
  #cut(bytes: Buffer, isLast: boolean): number {
    const cutter = this.#cutter;
    const { line, record } = this.state;
    const mark = lengthOfMark(bytes, line, record);
    cutter.enter();
    const end = cutter.pass(bytes, mark, isLast);
    if (end !== -1) {
      if (cutter.unit === 'insert') this.#tuples = cutter.tuples;
      return end;
    }
    if (cutter.startEnd !== -1) {
      let first = mark;
      while (isBlank(bytes[first])) first++;
      this.#startLine = line + countLineFeeds(bytes, 0, first);
      this.#next = cutter.startEnd;
      this.#part = 'tuple';
      return this.#scan(bytes, isLast);
    }
    const isLine = cutter.unit === 'line' && bytes.length > LINE_START;
    this.#kept = Buffer.from(isLine ? bytes.subarray(0, LINE_START) : bytes);
    if (this.#kept.length > LIMIT) throw this.#refuse(line);
    return -1;
  }

  /** Passes tokens of an INSERT up to its end. */
  #scan(bytes: Buffer, isLast: boolean): number {
    const { marks, nests } = this.#dialect;
    const { delimiter } = this.#cutter;
    let i = this.#next;
    let tail = i;
    let hasComma = false;
    while (i < bytes.length) {
      if (this.#part === 'rest') {
        const end = this.#cutter.passRest(bytes, i, isLast);
        if (end === -1) this.#keep(bytes, i, i);
        return end;
      }
      if (this.#part === 'tuple') {
        while (i < bytes.length && marks[bytes[i] as number] === 0) i++;
        if (i === bytes.length) break;
      }
      const byte = bytes[i] as number;
      if (this.#part === 'end' && this.#depth === 0 && byte === delimiter[0]) {
        if (startsWith(bytes, i, delimiter)) {
          this.#part = 'rest';
          i += delimiter.length;
          continue;
        }
        if (!isLast && delimiter.indexOf(bytes.subarray(i)) === 0) break;
      }
      const isComma: boolean = byte === COMMA && !hasComma;
      if (this.#part === 'between') {
        if (isBlank(byte) || isComma) {
          hasComma ||= isComma;
          i++;
          continue;
        }
        if (byte === OPEN && hasComma) this.#part = 'tuple';
        else if (marks[byte] === 0 || byte === OPEN || byte === CLOSE) {
          this.#part = 'end';
          i = tail;
          continue;
        }
      }
      if (marks[byte] === 0) {
        i++;
      } else if (byte === OPEN || byte === CLOSE) {
        i++;
        if (this.#part === 'tuple' || nests) this.#depth += byte === OPEN ? 1 : -1;
        this.#depth = Math.max(0, this.#depth);
        if (this.#part !== 'tuple' || this.#depth > 0) continue;
        this.#tuples++;
        this.#part = 'between';
        tail = i;
        hasComma = false;
      } else {
        const end = this.#dialect.pass(bytes, i, this.#cutter.mode);
        const isSettled = isLast || (end < bytes.length && !isCut(bytes, i, end));
        if (end === -1 || !isSettled) break;
        if (this.#part === 'between' && !isComment(byte, end - i)) {
          this.#part = 'end';
          i = tail;
        } else {
          i = end;
          this.#openLine = 0;
        }
      }
    }
    if (isLast && this.#part === 'rest') return i;
    if (isLast) throw this.#createError(bytes, i);
    this.#keep(bytes, this.#part === 'between' ? tail : i, i);
    return -1;
  }

  /** Keeps what is undecided, without the inner bytes of a string. */
  #keep(bytes: Buffer, from: number, i: number): void {
    const start = Math.max(0, from - BEHIND);
    const before = bytes.subarray(start, from);
    this.#next = before.length;
    const isOpen = i < bytes.length && this.#dialect.pass(bytes, i, this.#cutter.mode) === -1;
    const quote = this.#dialect.describe(bytes[i] ?? 0) === 'comment' ? 0 : bytes[i];
    if (!isOpen || from !== i || quote === 0) {
      this.#kept = Buffer.from(bytes.subarray(start));
      if (this.#kept.length > LIMIT) throw this.#refuse(this.#startLine);
      return;
    }
    this.#openLine ||= this.#line - countLineFeeds(bytes, i, bytes.length);
    // What the end of the string depends on: a backslash, or the start of the closing tag.
    const edge = quote === DOLLAR ? bytes.indexOf(DOLLAR, i + 1) + 1 - i : 1;
    const isPending = bytes.at(-1) === BACKSLASH && isEscaped(bytes, i + 1, bytes.length);
    const rest = quote === DOLLAR ? edge : isPending ? 1 : 0;
    this.#kept = Buffer.concat([
      before,
      bytes.subarray(i, i + edge),
      bytes.subarray(Math.max(i + edge, bytes.length - rest)),
    ]);
  }

  #createError(bytes: Buffer, i: number): FormatError {
    if (i === bytes.length) return createOpenError('statement', this.#startLine);
    const line = this.#openLine || this.#line - countLineFeeds(bytes, i, bytes.length);
    return createOpenError(this.#dialect.describe(bytes[i] as number), line);
  }

  #refuse(line: number): FormatError {
    return new FormatError('statement exceeds 256 MiB', line);
  }
}

/** Tells whether a dollar at an index may begin a tag that the next bytes complete. */
function isCut(bytes: Buffer, i: number, end: number): boolean {
  if (bytes[i] !== DOLLAR || end !== i + 1) return false;
  let last = i + 1;
  while (isWordByte(bytes[last])) last++;
  return last === bytes.length;
}
