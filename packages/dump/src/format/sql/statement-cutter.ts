/** Finds where the statements of a dump end, and learns what the records depend on. */
import { FormatError } from '../format-error.js';
import { bytesOf, CLOSE, COMMA, CR, LF, OPEN, SLASH, SPACE, TAB } from '../shared/ascii.js';
import { countLineFeeds } from '../shared/line-feeds.js';
import { isBlank, type SqlDialect, type SqlMode } from './dialect.js';
import { readCopy, readCreate, readInsert, readStandard, type SqlTable } from './statements.js';
import { isComment } from './tokens.js';

/** A COPY whose rows have not ended. */
export interface OpenCopy {
  readonly table: string;
  readonly columns: readonly string[];
  /** The statement in Latin-1, which is JSON whatever its bytes are. */
  readonly statement: string;
  readonly line: number;
}

/** What a reader of SQL knows besides its line and record. */
export interface SqlContext extends SqlMode {
  readonly tables: readonly SqlTable[];
  readonly copy: OpenCopy | null;
}

/** What a unit of SQL is. */
export type SqlUnit = 'blank' | 'line' | 'insert' | 'statement';

/** An INSERT up to its first tuple; most are like the one before. */
interface InsertStart {
  readonly bytes: Buffer;
  readonly table: string;
  readonly columns: readonly string[] | undefined;
}

const COMMENT = bytesOf('/*');

/** Distance in bytes up to which line feeds are found one by one. */
const LONG = 4096;

export class StatementCutter {
  readonly dialect: SqlDialect;
  /** The line at the index that {@link advance} has come to. */
  line: number;
  readonly tables: Map<string, SqlTable>;
  /** What the last unit is. */
  unit: SqlUnit = 'blank';
  /** The INSERT of the last unit, if it is one. */
  insert: InsertStart | undefined;
  /** The end of its start, -1 if there is none, and that of its last tuple. */
  startEnd = -1;
  tail = 0;
  tuples = 0;
  #mode: SqlMode;
  #copy: OpenCopy | null;
  #context: SqlContext | undefined;
  #lastInsert: InsertStart | undefined;
  /** Where a string or comment begins that does not end in the bytes; -1 if there is none. */
  #open = -1;
  #counted = 0;
  /** The line feed at or after `#counted`, unless it is less. */
  #feed = -1;

  constructor(dialect: SqlDialect, line: number, context: SqlContext | undefined) {
    this.dialect = dialect;
    this.line = line;
    this.#context = context;
    const { delimiter = ';', isStandard = true, copy = null, tables } = context ?? {};
    this.#mode = { delimiter, isStandard };
    this.tables = new Map(tables?.map((table) => [table.name, table]));
    this.#copy = copy;
  }

  get context(): SqlContext {
    this.#context ??= { ...this.#mode, tables: [...this.tables.values()], copy: this.#copy };
    return this.#context;
  }

  get mode(): SqlMode {
    return this.#mode;
  }

  set mode(mode: SqlMode) {
    this.#mode = mode;
    this.#context = undefined;
  }

  get copy(): OpenCopy | null {
    return this.#copy;
  }

  set copy(copy: OpenCopy | null) {
    this.#copy = copy;
    this.#context = undefined;
  }

  /** Starts with other bytes. */
  enter(): void {
    this.#counted = 0;
    this.#feed = -1;
  }

  /**
   * Counts lines up to an index. Over short distances it goes from one line feed to the next: most
   * tuples contain none.
   */
  advance(bytes: Buffer, to: number): void {
    if (to - this.#counted > LONG) {
      this.line += countLineFeeds(bytes, this.#counted, to);
    } else {
      if (this.#feed < this.#counted) this.#feed = findFeed(bytes, this.#counted);
      while (this.#feed < to) {
        this.line++;
        this.#feed = findFeed(bytes, this.#feed + 1);
      }
    }
    this.#counted = to;
  }

  /**
   * Finds the end of the unit at an index, outside the rows of a COPY.
   *
   * @returns -1 if it does not end in the bytes.
   */
  pass(bytes: Buffer, start: number, isLast: boolean): number {
    const i = passSpaces(bytes, start);
    this.startEnd = -1;
    if (i === bytes.length || bytes[i] === LF) {
      this.unit = 'blank';
      return i < bytes.length ? i + 1 : isLast ? i : -1;
    }
    if (this.dialect.isLine(bytes, i)) {
      this.unit = 'line';
      const feed = bytes.indexOf(LF, i);
      if (feed === -1 && !isLast) return -1;
      const end = feed === -1 ? bytes.length : feed + 1;
      const delimiter = this.dialect.readDelimiter(bytes, i, end);
      if (delimiter) this.mode = { ...this.#mode, delimiter };
      return end;
    }
    const end = this.#passStatement(bytes, start, isLast);
    if (end === -1 && isLast) throw this.#createError(bytes, start);
    return end;
  }

  #passStatement(bytes: Buffer, start: number, isLast: boolean): number {
    this.#open = -1;
    this.unit = 'statement';
    let i = start;
    // A comment is a unit if it ends its line.
    for (;;) {
      while (isBlank(bytes[i])) i++;
      if (bytes[i] !== SLASH || !startsWith(bytes, i, COMMENT)) break;
      const end = this.dialect.pass(bytes, i, this.#mode);
      if (end === -1) {
        this.#open = i;
        return -1;
      }
      i = this.passRest(bytes, end, isLast);
      if (i === -1) return -1;
      if (i > end && bytes[i - 1] === LF) return i;
      if (i === bytes.length) return isLast ? i : -1;
      i = end;
    }
    this.insert = this.#readStart(bytes, start, i);
    if (!this.insert) {
      const end = this.#passToDelimiter(bytes, start, i);
      if (end === -1) return -1;
      const rest = this.passRest(bytes, end, isLast);
      if (rest !== -1) this.#learn(bytes, start, i, end, rest);
      return rest;
    }
    this.startEnd = start + this.insert.bytes.length;
    let tuples = 0;
    for (i = this.startEnd; i !== -1; i = this.passBetween(bytes, i)) {
      i = this.passTuple(bytes, i);
      if (i === -1) return -1;
      tuples++;
      this.tail = i;
    }
    const end = this.#passToDelimiter(bytes, start, this.tail);
    if (end === -1) return -1;
    this.tuples = tuples;
    this.unit = 'insert';
    return this.passRest(bytes, end, isLast);
  }

  #readStart(bytes: Buffer, start: number, begin: number): InsertStart | undefined {
    const last = this.#lastInsert;
    if (last) {
      const end = start + last.bytes.length;
      if (bytes[end] === OPEN && startsWith(bytes, start, last.bytes)) return last;
    }
    // I or R.
    const letter = (bytes[begin] ?? 0) | 0x20;
    if (letter !== 0x69 && letter !== 0x72) return undefined;
    const insert = readInsert(bytes, begin, this.dialect, this.#mode);
    if (!insert) return undefined;
    this.#lastInsert = {
      bytes: Buffer.from(bytes.subarray(start, insert.end)),
      table: insert.name,
      columns: insert.columns,
    };
    return this.#lastInsert;
  }

  /** Passes the comma between two tuples, or what precedes the first; -1 if no tuple follows. */
  passBetween(bytes: Buffer, start: number): number {
    let i = start;
    let hasComma = false;
    for (;;) {
      const byte = bytes[i];
      if (isBlank(byte)) i++;
      else if (byte === COMMA && !hasComma) {
        hasComma = true;
        i++;
      } else if (byte === OPEN && (hasComma || start === this.startEnd)) return i;
      else {
        const end = i < bytes.length ? this.dialect.pass(bytes, i, this.#mode) : -1;
        if (byte === undefined || !isComment(byte, end - i)) return -1;
        i = end;
      }
    }
  }

  /** Passes parentheses and what they enclose. */
  passTuple(bytes: Buffer, start: number): number {
    const { marks } = this.dialect;
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
        const end = this.dialect.pass(bytes, i, this.#mode);
        if (end === -1) {
          this.#open = i;
          return -1;
        }
        i = end;
      }
    }
    return -1;
  }

  #passToDelimiter(bytes: Buffer, start: number, from: number): number {
    const { marks, nests } = this.dialect;
    const delimiter = this.delimiter;
    const first = delimiter[0] as number;
    const { length } = bytes;
    let depth = 0;
    let i = from;
    while (i < length) {
      const byte = bytes[i] as number;
      if (byte === first && depth === 0 && startsWith(bytes, i, delimiter)) {
        i += delimiter.length;
        if (!this.dialect.isWithinBody(bytes, start, i, this.#mode)) return i;
      } else if (marks[byte] === 0) {
        i++;
      } else if (byte === OPEN || byte === CLOSE) {
        if (nests) depth = Math.max(0, depth + (byte === OPEN ? 1 : -1));
        i++;
      } else {
        const end = this.dialect.pass(bytes, i, this.#mode);
        if (end === -1) {
          this.#open = i;
          return -1;
        }
        i = end;
      }
    }
    return -1;
  }

  /** Passes a line feed if only blanks precede it; -1 if the bytes end before that is clear. */
  passRest(bytes: Buffer, start: number, isLast: boolean): number {
    const i = passSpaces(bytes, start);
    if (i === bytes.length) return isLast ? i : -1;
    return bytes[i] === LF ? i + 1 : start;
  }

  #learn(bytes: Buffer, start: number, begin: number, end: number, rest: number): void {
    // C or S.
    const letter = (bytes[begin] ?? 0) | 0x20;
    if (letter === 0x73) {
      const isStandard = readStandard(bytes, begin, end, this.dialect, this.#mode);
      if (isStandard !== undefined) this.mode = { ...this.#mode, isStandard };
    }
    if (letter !== 0x63) return;
    const table = readCreate(bytes, begin, end, this.dialect, this.#mode);
    if (table) {
      this.tables.set(table.name, table);
      this.#context = undefined;
    }
    if (table || !this.dialect.hasCopy) return;
    const copy = readCopy(bytes, begin, end, this.dialect, this.#mode);
    if (!copy) return;
    this.advance(bytes, start);
    const line = this.line + countLineFeeds(bytes, start, begin);
    if (copy.option !== undefined) {
      throw new FormatError(
        `COPY with the option ${copy.option.toUpperCase()} is not supported; move its rows to a file for --format copy or csv`,
        line,
      );
    }
    const statement = bytes.toString('latin1', start, rest);
    this.copy = {
      table: copy.name,
      columns: copy.columns ?? this.tables.get(copy.name)?.columns ?? [],
      statement: statement.endsWith('\n') ? statement : `${statement}\n`,
      line,
    };
  }

  get delimiter(): Buffer {
    const { delimiter } = this.#mode;
    return delimiter === ';' ? SEMICOLON : bytesOf(delimiter);
  }

  /** Refuses the end of the input within the rows of a COPY. */
  refuseOpenCopy(): void {
    if (!this.#copy) return;
    throw new FormatError('COPY without a final line \\.; is the dump complete?', this.#copy.line);
  }

  #createError(bytes: Buffer, start: number): FormatError {
    let at = this.#open === -1 ? start : this.#open;
    while (isBlank(bytes[at])) at++;
    const what = this.#open === -1 ? 'statement' : this.dialect.describe(bytes[at] as number);
    return createOpenError(what, this.line + countLineFeeds(bytes, this.#counted, at));
  }
}

const SEMICOLON = bytesOf(';');

/** Creates the error for a string, comment or statement that does not end. */
export const createOpenError = (what: string, line: number): FormatError =>
  new FormatError(`unterminated ${what}; is the dump complete, and in this format?`, line);

function passSpaces(bytes: Buffer, start: number): number {
  let i = start;
  while (bytes[i] === SPACE || bytes[i] === TAB || bytes[i] === CR) i++;
  return i;
}

function findFeed(bytes: Buffer, start: number): number {
  const feed = bytes.indexOf(LF, start);
  return feed === -1 ? bytes.length : feed;
}

/** Tells whether other bytes stand at an index. */
export function startsWith(bytes: Buffer, start: number, part: Buffer): boolean {
  for (let i = 0; i < part.length; i++) if (bytes[start + i] !== part[i]) return false;
  return true;
}
