/** The way of a dump: statements, tuples, and the rows of a COPY. */
import {
  bytesOf,
  CLOSE,
  COMMA,
  CR,
  endOfText,
  hasMark,
  LF,
  MARK_LENGTH,
  OPEN,
  SLASH,
  SPACE,
  TAB,
  viewOf,
} from '../ascii.js';
import { isCopyEnd, refuseEscapedFeed, refuseEscapedFeeds, splitCopy } from '../copy.js';
import { countLineFeeds } from '../count.js';
import { FormatFailure } from '../failure.js';
import type { Piece, Reader, ReaderState } from '../format.js';
import { Row } from '../row.js';
import { type Dialect, isBlank, type Mode } from './dialect.js';
import { readCopy, readCreate, readInsert, readStandard, type Table } from './statements.js';
import { isComment } from './tokens.js';
import { splitOther, splitTuple } from './tuple.js';

/** The rows of a COPY that is not at its end. */
interface Copy {
  readonly table: string;
  readonly columns: readonly string[];
  /** The statement as latin1, which JSON can hold whatever it is. */
  readonly statement: string;
  /** The line that it is in. */
  readonly line: number;
}

interface Context extends Mode {
  readonly tables: readonly Table[];
  readonly copy: Copy | null;
}

/** What was found behind an index. */
type Unit = 'blank' | 'line' | 'insert' | 'statement';

/** An INSERT up to its first tuple; most have the same one as the one before. */
interface Head {
  readonly bytes: Buffer;
  readonly table: string;
  readonly columns: readonly string[] | undefined;
}

const COPY_END = bytesOf('\\.');
const SEMICOLON_LF = bytesOf(';\n');
const COPY_AFTER = bytesOf('\\.\n');
const COMMENT = bytesOf('/*');

const NONE: ReadonlySet<number> = new Set();

/** In bytes. */
const LONG = 4096;

export class SqlReader implements Reader {
  readonly #dialect: Dialect;
  #line: number;
  #record: number;
  /** The index in the bytes that `#line` is the line of. */
  #counted = 0;
  /** The line feed at or behind `#counted`, where it is not before it. */
  #feed = -1;

  #mode: Mode;
  readonly #tables: Map<string, Table>;
  #copy: Copy | null;
  #context: Context | undefined;
  #head: Head | undefined;

  /** Of the last unit that was passed. */
  #unit: Unit = 'blank';
  #headEnd = 0;
  #tail = 0;
  #tuples = 0;
  /** Where the string or comment begins that does not end in the bytes; -1 where it is the statement. */
  #open = -1;

  constructor(dialect: Dialect, state: ReaderState | undefined) {
    this.#dialect = dialect;
    this.#line = state?.line ?? 1;
    this.#record = state?.record ?? 1;
    const context = state?.context as Context | undefined;
    this.#context = context;
    this.#mode = {
      delimiter: context?.delimiter ?? ';',
      isStandard: context?.isStandard ?? true,
    };
    this.#tables = new Map(context?.tables.map((table) => [table.name, table]));
    this.#copy = context?.copy ?? null;
  }

  get state(): ReaderState {
    this.#context ??= { ...this.#mode, tables: [...this.#tables.values()], copy: this.#copy };
    return { line: this.#line, record: this.#record, context: this.#context };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const mark = this.#lengthOfMark(view);
    this.#enter();
    let cut = mark;
    while (cut < view.length) {
      const end = this.#copy ? this.#skipRows(view, cut, isLast) : this.#pass(view, cut, isLast);
      if (end === -1) break;
      if (this.#unit === 'insert') this.#record += this.#tuples;
      cut = end;
    }
    if (isLast) this.#refuseOpenCopy();
    else if (cut === mark) return 0;
    this.#advance(view, cut);
    return cut;
  }

  *read(bytes: Uint8Array): Generator<Piece, void, undefined> {
    const view = viewOf(bytes);
    const row = new Row((row, fields) => {
      const { start, own, end } = row;
      if (row.kind !== 'record') {
        splitOther(view, start, end, this.#dialect, mode, fields);
      } else if (copy) {
        const last = endOfText(view, start, end);
        splitCopy(view, start, last, TAB, columns, fields);
      } else {
        splitTuple(view, own, end, columns, blobs, this.#dialect, mode, fields);
      }
    });
    let mode = this.#mode;
    let copy = this.#copy;
    let columns: readonly string[] = [];
    let blobs = NONE;
    let known: Copy | null = null;
    let statement: Buffer | undefined;
    this.#enter();
    let start = this.#lengthOfMark(view);
    if (start > 0) yield row.place('other', 0, start, 0, this.#line);
    while (start < view.length) {
      mode = this.#mode;
      copy = this.#copy;
      this.#advance(view, start);
      row.table = undefined;
      row.before = undefined;
      row.after = undefined;
      if (copy) {
        if (copy !== known) statement = bytesOf(copy.statement);
        known = copy;
        columns = copy.columns;
        const feed = view.indexOf(LF, start);
        const end = feed === -1 ? view.length : feed + 1;
        row.table = copy.table;
        const textEnd = endOfText(view, start, end);
        if (isCopyEnd(view, start, textEnd)) {
          this.#setCopy(null);
          yield row.place('other', start, end, 0, this.#line);
        } else {
          refuseEscapedFeed(view, start, textEnd, end, this.#line);
          row.before = statement;
          row.after = COPY_AFTER;
          yield row.place('record', start, end, this.#record++, this.#line);
        }
        start = end;
        continue;
      }
      const end = this.#pass(view, start, true);
      if (this.#unit !== 'insert') {
        yield row.place('other', start, end, 0, this.#line);
        start = end;
        continue;
      }
      const { table, columns: listed } = this.#head as Head;
      const created = this.#tables.get(table);
      columns = listed ?? created?.columns ?? [];
      blobs = created && created.blobs.length > 0 ? findBlobs(columns, created) : NONE;
      row.table = table;
      const { headEnd, tail } = { headEnd: this.#headEnd, tail: this.#tail };
      yield row.place('head', start, headEnd, 0, this.#line);
      row.before = view.subarray(start, headEnd);
      row.after = this.#deriveAfter(view, tail, end);
      start = headEnd;
      while (start < tail) {
        const own = this.#passBetween(view, start);
        const close = this.#passTuple(view, own);
        this.#advance(view, own);
        row.place('record', start, close, this.#record++, this.#line);
        row.own = own;
        yield row;
        start = close;
      }
      row.before = undefined;
      row.after = undefined;
      this.#advance(view, start);
      yield row.place('tail', start, end, 0, this.#line);
      start = end;
    }
    this.#advance(view, start);
  }

  /**
   * Finds the end of the unit that begins at an index, says what it is, and learns from it.
   *
   * @returns -1 where it does not end in the bytes.
   */
  #pass(bytes: Buffer, start: number, isLast: boolean): number {
    let i = start;
    while (bytes[i] === SPACE || bytes[i] === TAB || bytes[i] === CR) i++;
    if (i === bytes.length || bytes[i] === LF) {
      this.#unit = 'blank';
      return i < bytes.length ? i + 1 : isLast ? i : -1;
    }
    if (this.#dialect.isLine(bytes, i)) {
      const feed = bytes.indexOf(LF, i);
      if (feed === -1 && !isLast) return -1;
      const end = feed === -1 ? bytes.length : feed + 1;
      this.#unit = 'line';
      const delimiter = this.#dialect.readDelimiter(bytes, i, end);
      if (delimiter) this.#setMode({ ...this.#mode, delimiter });
      return end;
    }
    const end = this.#passStatement(bytes, start, isLast);
    if (end === -1 && isLast) throw this.#failureOfOpen(bytes, start);
    return end;
  }

  #passStatement(bytes: Buffer, start: number, isLast: boolean): number {
    this.#open = -1;
    this.#unit = 'statement';
    let i = start;
    // Comments before it: a unit of their own where they fill their lines.
    for (;;) {
      while (isBlank(bytes[i])) i++;
      if (bytes[i] !== SLASH || !startsWith(bytes, i, COMMENT)) break;
      const end = this.#dialect.pass(bytes, i, this.#mode);
      if (end === -1) {
        this.#open = i;
        return -1;
      }
      i = this.#passRest(bytes, end, isLast);
      if (i === -1) return -1;
      if (i > end && bytes[i - 1] === LF) return i;
      if (i === bytes.length) return isLast ? i : -1;
      i = end;
    }
    const head = this.#readHead(bytes, start, i);
    if (!head) {
      const end = this.#passToDelimiter(bytes, start, i);
      if (end === -1) return -1;
      const rest = this.#passRest(bytes, end, isLast);
      if (rest !== -1) this.#learn(bytes, start, i, end, rest);
      return rest;
    }
    this.#headEnd = start + head.bytes.length;
    let tuples = 0;
    i = this.#headEnd;
    for (;;) {
      i = this.#passTuple(bytes, i);
      if (i === -1) return -1;
      tuples++;
      this.#tail = i;
      const next = this.#passBetween(bytes, i);
      if (next === -1) break;
      i = next;
    }
    const end = this.#passToDelimiter(bytes, start, i);
    if (end === -1) return -1;
    this.#tuples = tuples;
    this.#unit = 'insert';
    return this.#passRest(bytes, end, isLast);
  }

  /** What an INSERT begins with; looked up first, since most dumps have many that begin alike. */
  #readHead(bytes: Buffer, start: number, begin: number): Head | undefined {
    const last = this.#head;
    if (last) {
      const end = start + last.bytes.length;
      if (bytes[end] === OPEN && startsWith(bytes, start, last.bytes)) return last;
    }
    // I or R.
    const letter = (bytes[begin] ?? 0) | 0x20;
    if (letter !== 0x69 && letter !== 0x72) return undefined;
    const head = readInsert(bytes, begin, this.#dialect, this.#mode);
    if (!head) return undefined;
    this.#head = {
      bytes: Buffer.from(bytes.subarray(start, head.end)),
      table: head.name,
      columns: head.columns,
    };
    return this.#head;
  }

  /** From a tuple, or from what is before it, to the tuple behind the comma; -1 where there is none. */
  #passBetween(bytes: Buffer, start: number): number {
    let i = start;
    let hasComma = false;
    for (;;) {
      const byte = bytes[i];
      if (isBlank(byte)) i++;
      else if (byte === COMMA && !hasComma) {
        hasComma = true;
        i++;
      } else if (byte === OPEN && (hasComma || start === this.#headEnd)) return i;
      else {
        const end = i < bytes.length ? this.#dialect.pass(bytes, i, this.#mode) : -1;
        if (byte === undefined || !isComment(byte, end - i)) return -1;
        i = end;
      }
    }
  }

  /** Behind the parenthesis that closes the one at an index. */
  #passTuple(bytes: Buffer, start: number): number {
    const { marks } = this.#dialect;
    const { length } = bytes;
    let depth = 0;
    let i = start;
    while (i < length) {
      const byte = bytes[i] as number;
      if (marks[byte] === 0) i++;
      else if (byte === OPEN) {
        depth++;
        i++;
      } else if (byte === CLOSE) {
        i++;
        if (--depth === 0) return i;
      } else {
        const end = this.#dialect.pass(bytes, i, this.#mode);
        if (end === -1) {
          this.#open = i;
          return -1;
        }
        i = end;
      }
    }
    return -1;
  }

  /** Behind what ends a statement. */
  #passToDelimiter(bytes: Buffer, start: number, from: number): number {
    const { marks, nests } = this.#dialect;
    const delimiter = this.#delimiter;
    const first = delimiter[0] as number;
    const { length } = bytes;
    let depth = 0;
    let i = from;
    while (i < length) {
      const byte = bytes[i] as number;
      if (byte === first && depth === 0 && startsWith(bytes, i, delimiter)) {
        i += delimiter.length;
        if (!this.#dialect.isWithinBody(bytes, start, i, this.#mode)) return i;
      } else if (marks[byte] === 0) {
        i++;
      } else if (byte === OPEN || byte === CLOSE) {
        if (nests) depth = Math.max(0, depth + (byte === OPEN ? 1 : -1));
        i++;
      } else {
        const end = this.#dialect.pass(bytes, i, this.#mode);
        if (end === -1) {
          this.#open = i;
          return -1;
        }
        i = end;
      }
    }
    return -1;
  }

  /** Behind the line feed where nothing is before it but blanks; -1 where one does not know. */
  #passRest(bytes: Buffer, start: number, isLast: boolean): number {
    let i = start;
    while (bytes[i] === SPACE || bytes[i] === TAB || bytes[i] === CR) i++;
    if (i === bytes.length) return isLast ? i : -1;
    return bytes[i] === LF ? i + 1 : start;
  }

  /** Takes from a statement what those behind it depend on. */
  #learn(bytes: Buffer, start: number, begin: number, end: number, rest: number): void {
    // C or S.
    const letter = (bytes[begin] ?? 0) | 0x20;
    if (letter === 0x73) {
      const isStandard = readStandard(bytes, begin, end, this.#dialect, this.#mode);
      if (isStandard !== undefined) this.#setMode({ ...this.#mode, isStandard });
    }
    if (letter !== 0x63) return;
    const table = readCreate(bytes, begin, end, this.#dialect, this.#mode);
    if (table) {
      this.#tables.set(table.name, table);
      this.#context = undefined;
    }
    if (table || !this.#dialect.hasCopy) return;
    const copy = readCopy(bytes, begin, end, this.#dialect, this.#mode);
    if (!copy) return;
    this.#advance(bytes, start);
    const line = this.#line + countLineFeeds(bytes, start, begin);
    if (copy.option !== undefined) {
      throw new FormatFailure(
        `this COPY has the option ${copy.option.toUpperCase()}, and only its text format is known; put its rows into a file of their own for --format copy or csv`,
        line,
      );
    }
    const statement = bytes.toString('latin1', start, rest);
    this.#setCopy({
      table: copy.name,
      columns: copy.columns ?? this.#tables.get(copy.name)?.columns ?? [],
      statement: statement.endsWith('\n') ? statement : `${statement}\n`,
      line,
    });
  }

  /** Behind the rows of a COPY that are whole, or behind what ends them; -1 where there are none. */
  #skipRows(bytes: Buffer, start: number, isLast: boolean): number {
    this.#unit = 'line';
    let end = isLast ? bytes.length : bytes.lastIndexOf(LF) + 1;
    let isEnd = false;
    for (let i = start - 1; ; ) {
      i = bytes.indexOf(COPY_END, i + 1);
      if (i === -1 || i >= end) break;
      if (i > start && bytes[i - 1] !== LF) continue;
      const feed = bytes.indexOf(LF, i);
      const behind = feed === -1 ? bytes.length : feed + 1;
      if (!isCopyEnd(bytes, i, endOfText(bytes, i, behind))) continue;
      isEnd = i === start;
      end = isEnd ? behind : i;
      break;
    }
    if (isEnd) {
      this.#setCopy(null);
      return end;
    }
    if (end <= start) return -1;
    this.#advance(bytes, start);
    refuseEscapedFeeds(bytes, start, end, this.#line);
    const line = this.#line;
    this.#advance(bytes, end);
    this.#record += this.#line - line + (bytes[end - 1] === LF ? 0 : 1);
    return end;
  }

  #setMode(mode: Mode): void {
    this.#mode = mode;
    this.#context = undefined;
  }

  #setCopy(copy: Copy | null): void {
    this.#copy = copy;
    this.#context = undefined;
  }

  get #delimiter(): Buffer {
    const { delimiter } = this.#mode;
    return delimiter === ';' ? SEMICOLON_LF.subarray(0, 1) : bytesOf(delimiter);
  }

  /** What ends an INSERT of its own, where the delimiter is what it mostly is. */
  #deriveAfter(bytes: Buffer, tail: number, end: number): Uint8Array {
    const { delimiter } = this.#mode;
    if (delimiter === ';' && bytes[end - 1] === LF) return bytes.subarray(tail, end);
    const last = bytes.lastIndexOf(delimiter, end - 1, 'latin1');
    return Buffer.concat([bytes.subarray(tail, last), SEMICOLON_LF]);
  }

  /**
   * Counts lines up to an index. Over short ways it goes from one line feed to the next, since most
   * tuples have none, and to know the next one spares to look at each byte.
   */
  #advance(bytes: Buffer, to: number): void {
    if (to - this.#counted > LONG) {
      this.#line += countLineFeeds(bytes, this.#counted, to);
    } else {
      if (this.#feed < this.#counted) this.#feed = findFeed(bytes, this.#counted);
      while (this.#feed < to) {
        this.#line++;
        this.#feed = findFeed(bytes, this.#feed + 1);
      }
    }
    this.#counted = to;
  }

  /** Before anything is read from bytes. */
  #enter(): void {
    this.#counted = 0;
    this.#feed = -1;
  }

  #failureOfOpen(bytes: Buffer, start: number): FormatFailure {
    const open = this.#open;
    let i = start;
    while (isBlank(bytes[i])) i++;
    const at = open === -1 ? i : open;
    const what = open === -1 ? 'statement' : this.#dialect.describe(bytes[at] as number);
    return new FormatFailure(
      `the ${what} that begins here has no end; see whether the dump is whole, and of this format`,
      this.#line + countLineFeeds(bytes, this.#counted, at),
    );
  }

  #refuseOpenCopy(): void {
    if (!this.#copy) return;
    throw new FormatFailure(
      'the rows of the COPY that begins here have no end; see whether the dump is whole, or add a line \\.',
      this.#copy.line,
    );
  }

  /** In bytes. */
  #lengthOfMark(bytes: Buffer): number {
    return this.#line === 1 && this.#record === 1 && hasMark(bytes) ? MARK_LENGTH : 0;
  }
}

/** The numbers of the columns that are blobs. */
function findBlobs(columns: readonly string[], { blobs }: Table): ReadonlySet<number> {
  return new Set(blobs.map((blob) => columns.indexOf(blob) + 1));
}

function findFeed(bytes: Buffer, start: number): number {
  const feed = bytes.indexOf(LF, start);
  return feed === -1 ? bytes.length : feed;
}

function startsWith(bytes: Buffer, start: number, part: Buffer): boolean {
  for (let i = 0; i < part.length; i++) if (bytes[start + i] !== part[i]) return false;
  return true;
}
