/** Finds the ends of the statements of a dump, and the settings that its records depend on. */

import { opt, phrase } from '../../phrase.js';
import { FormatError } from '../format-error.js';
import {
  bytesOf,
  CLOSE,
  COMMA,
  CR,
  DOLLAR,
  LF,
  OPEN,
  SLASH,
  SPACE,
  STAR,
  TAB,
} from '../shared/ascii.js';
import { countLineFeeds } from '../shared/line-feeds.js';
import { Catalogue, findColumn } from './catalogue.js';
import type { CopyRows } from './copy-rows.js';
import { readDdl } from './ddl.js';
import {
  isBlank,
  isWordByte,
  MARIADB,
  MYSQL,
  type SqlDialect,
  type SqlMode,
  type SqlOptions,
  type SqlText,
} from './dialect.js';
import { applyFixes } from './header.js';
import { hasBody } from './programs.js';
import { readWords } from './read-words.js';
import { learnFromEach } from './servers.js';
import { mergeSettings, NO_SETTINGS, type Settings, type SettingsState } from './settings.js';
import { readCopy, readInsert, readSet } from './statements.js';
import type { CatalogueState, ColumnType } from './table-type.js';
import { EMPTY_CATALOGUE } from './table-type.js';
import { isComment, Tokens } from './tokens.js';
import { TupleRuns } from './tuple-runs.js';
import type { Word, Words } from './words.js';

/** A COPY whose rows have not ended. */
export interface OpenCopy {
  readonly table: string;
  readonly qualified: string;
  readonly owner: string | undefined;
  readonly partitionedBy: readonly string[] | undefined;
  readonly columns: readonly string[];
  /** Types of the columns; undefined if the table is unknown. */
  readonly types: ColumnTypes | undefined;
  /** Syntax of the rows; the header is false after it has been read. */
  readonly rows: CopyRows;
  /** The statement, and the header of its rows, in Latin-1, which is JSON whatever its bytes are. */
  readonly statement: string;
  readonly line: number;
}

/** The state of a reader of SQL, without its line and record. */
export interface SqlContext extends SqlMode, SettingsState {
  readonly catalogue: CatalogueState;
  readonly copy: OpenCopy | null;
}

/** Kind of a unit of SQL: `set` is an `INSERT ... SET` or an UPDATE. */
export type SqlUnit = 'blank' | 'line' | 'insert' | 'set' | 'statement';

/** The types of columns in the order of values; undefined for a column that its table does not have. */
export type ColumnTypes = readonly (ColumnType | undefined)[];

/** An INSERT up to its first tuple; most are like the one before. */
interface InsertStart {
  readonly bytes: Buffer;
  readonly table: string;
  readonly qualified: string;
  readonly owner: string | undefined;
  readonly partitionedBy: readonly string[] | undefined;
  readonly columns: readonly string[];
  readonly types: ColumnTypes | undefined;
  /** All columns of the table; undefined if nothing is known of it. */
  readonly all: readonly ColumnType[] | undefined;
}

/** An INSERT whose end was not in the bytes. */
interface TriedInsert {
  readonly insert: InsertStart;
  /** Distance from the start of the statement to the last tuple that begins in the bytes. */
  readonly at: number;
  /** Number of tuples before it. */
  readonly tuples: number;
}

/** An `INSERT … SET` or an UPDATE. */
interface SetStart {
  readonly table: string;
  readonly qualified: string;
  readonly owner: string | undefined;
  /** All columns of the table; undefined if nothing is known of it. */
  readonly types: readonly ColumnType[] | undefined;
  /** The distance from the start of the statement to its first assignment, in bytes. */
  readonly length: number;
}

const SEMICOLON = bytesOf(';');

const LETTER_R = 0x72;

/** Most numbers kept for the tuples of an INSERT and their tokens: it may have millions. */
const MOST_BOUNDS = 3 << 16;
const MOST_TOKENS = 1 << 20;

/** A string after a parenthesis, as in every tuple of a run. */
const FIRST_STRING = bytesOf("('");

/** Bytes in which `ROW` and its parenthesis stand. */
const ROW = 16;

/** The most tables that a partition is below. */
const MOST_LEVELS = 100;

/** Number of line feeds found one by one, and the distance in bytes up to which all of them are. */
const MOST_HOPS = 16;
const LONG = 4096;

export class StatementCutter {
  readonly dialect: SqlDialect;
  /** The line at the index that {@link advance} has come to. */
  line: number;
  readonly catalogue: Catalogue;
  readonly options: SqlOptions;
  /** Kind of the last unit. */
  unit: SqlUnit = 'blank';
  /** The INSERT of the last unit, if it is one. */
  insert: InsertStart | undefined;
  set: SetStart | undefined;
  /** Text to insert before the last unit, because no statement contains it; empty if none is needed. */
  missing = '';
  /** The end of its start, -1 if there is none, and that of its last tuple. */
  startEnd = -1;
  tail = 0;
  tuples = 0;
  /**
   * Start and end of tuples of the last unit, and position in `tokens` of its first one, if the reader of its pieces
   * needs them: those of the first tuples, until {@link passMore} passes more.
   */
  bounds: number[] | undefined;
  /** Start and end of each string, quoted name and comment in the tuples of the last unit, with `bounds`. */
  tokens: number[] | undefined;
  /** The depth of parentheses, and the index of the token that the bytes do not decide. */
  depth = 0;
  stuck = 0;
  #context: SqlContext;
  #lastInsert: InsertStart | undefined;
  #described: { settings: Settings; database: string; text: string } | undefined;
  #counted = 0;
  /** The line feed at or after `#counted`, unless it is less. */
  #feed = -1;
  /** The mode of a statement that is read again. */
  #modeAgain: SqlMode | undefined;
  /** Start of the last tuple, and number of tuples before it. */
  #own = 0;
  #before = 0;
  readonly #runs = new TupleRuns();
  /** Progress in an INSERT that the bytes end within. */
  #tried: TriedInsert | undefined;

  constructor(dialect: SqlDialect, line: number, context: unknown, options: SqlOptions = {}) {
    this.dialect = dialect;
    this.options = options;
    this.line = line;
    const catalogue = options.schema ?? EMPTY_CATALOGUE;
    const { isStandard } = dialect.settings.derive(NO_SETTINGS);
    const start: SqlContext = {
      delimiter: ';',
      isStandard,
      settings: NO_SETTINGS,
      catalogue,
      copy: null,
    };
    this.#context = (context as SqlContext | null | undefined) ?? start;
    this.catalogue = new Catalogue(dialect, this.#context.catalogue);
  }

  get context(): SqlContext {
    const { state: catalogue } = this.catalogue;
    if (catalogue !== this.#context.catalogue) this.#context = { ...this.#context, catalogue };
    return this.#context;
  }

  /** The statements that put another session into the same database, with the same settings. */
  get settings(): string {
    const { settings } = this.#context;
    const { database } = this.catalogue.state;
    const last = this.#described;
    if (last?.settings === settings && last.database === database) return last.text;
    const change = database === '' ? '' : this.dialect.changeTo(database);
    // Names of databases are in UTF-8, and the rest is in Latin-1, as it was read.
    const text = Buffer.from(change).toString('latin1') + this.dialect.settings.describe(settings);
    this.#described = { settings, database, text };
    return text;
  }

  /** Changes the known state. */
  learn(change: Partial<SqlContext>): void {
    this.#context = { ...this.context, ...change };
  }

  /** Ends the header of the rows of a COPY, which rejected rows need, too. */
  endHeader(header: Buffer): void {
    const { copy } = this.context;
    if (!copy) return;
    const statement = copy.statement + header.toString('latin1');
    this.learn({ copy: { ...copy, statement, rows: { ...copy.rows, hasHeader: false } } });
  }

  /** Starts with other bytes. */
  enter(): void {
    this.#counted = 0;
    this.#feed = -1;
  }

  /** Starts elsewhere in the input: an INSERT that was read in part does not begin there. */
  leave(): void {
    this.#tried = undefined;
  }

  /**
   * Counts lines up to an index, from one line feed to the next as long as few follow each other: INSERTs have none.
   */
  advance(bytes: Buffer, to: number): void {
    if (this.#feed < this.#counted) this.#feed = findFeed(bytes, this.#counted);
    let counted = this.#counted;
    for (let hops = 0; this.#feed < to; hops++) {
      if (hops >= MOST_HOPS && to - counted > LONG) {
        this.line += countLineFeeds(bytes, counted, to);
        break;
      }
      this.line++;
      counted = this.#feed + 1;
      this.#feed = findFeed(bytes, counted);
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
    this.missing = '';
    if (i === bytes.length || bytes[i] === LF) {
      this.unit = 'blank';
      return i < bytes.length ? i + 1 : isLast ? i : -1;
    }
    if (this.dialect.isLine(bytes, i, this.context)) {
      this.unit = 'line';
      const feed = bytes.indexOf(LF, i);
      if (feed === -1 && !isLast) return -1;
      const end = feed === -1 ? bytes.length : feed + 1;
      const delimiter = this.dialect.readDelimiter(bytes, i, end);
      if (delimiter) this.learn({ delimiter });
      const database = this.dialect.readConnect?.(bytes, i, end);
      if (database !== undefined) {
        this.catalogue.learn({ database });
        // In PostgreSQL, it is another session.
        if (this.dialect.hasSchemas) this.#learnSettings({ settings: NO_SETTINGS }, this.line);
        this.#lastInsert = undefined;
      }
      return end;
    }
    this.stuck = bytes.length;
    const end = this.#passStatement(bytes, start, isLast);
    if (end !== -1 || !isLast) return end;
    const counted = this.#counted;
    throw this.createError(bytes, i, (at) => this.line + countLineFeeds(bytes, counted, at));
  }

  #passStatement(bytes: Buffer, start: number, isLast: boolean): number {
    this.unit = 'statement';
    let i = start;
    // A comment is a unit if it ends its line, unless it is code.
    for (;;) {
      while (isBlank(bytes[i])) i++;
      if (bytes[i] !== SLASH || bytes[i + 1] !== STAR) break;
      if (this.dialect.lengthOfCodeMark?.(bytes, i)) break;
      const end = this.dialect.pass(bytes, i, this.context);
      this.stuck = i;
      if (end === -1) return -1;
      this.stuck = bytes.length;
      i = this.passRest(bytes, end, isLast);
      if (i === -1 || bytes[i - 1] === LF) return i;
      if (i === bytes.length) return isLast ? i : -1;
      i = end;
    }
    this.insert = this.#readStart(bytes, start, i);
    this.set = this.insert ? undefined : this.#readSet(bytes, start, i);
    const begin = i;
    if (this.insert) {
      this.startEnd = start + this.insert.bytes.length;
      i = this.#passTuples(bytes, start, this.insert);
    }
    this.depth = 0;
    if (i !== -1) i = this.#passBody(bytes, start, i);
    const rest = i === -1 ? -1 : this.passRest(bytes, i, isLast);
    const at = this.#own - start;
    this.#tried =
      rest === -1 && this.insert ? { insert: this.insert, at, tuples: this.#before } : undefined;
    if (rest === -1) return -1;
    if (this.insert || this.set) {
      this.unit = this.insert ? 'insert' : 'set';
      this.#addMissing();
      const from = this.insert ? this.tail : begin;
      if (this.delimiter !== SEMICOLON) this.#learn(bytes, from, i - this.delimiter.length);
    } else this.#readStatement(bytes, start, begin, i, rest);
    return rest;
  }

  /**
   * Passes the tuples of an INSERT, from the one that shorter bytes from the same start ended in.
   *
   * @returns -1 if one does not end in the bytes.
   */
  #passTuples(bytes: Buffer, start: number, insert: InsertStart): number {
    const { bounds, tokens = [] } = this;
    if (bounds) bounds.length = 0;
    tokens.length = 0;
    const tried = bounds || this.#tried?.insert !== insert ? undefined : this.#tried;
    const isKnown = tried !== undefined && start + tried.at < bytes.length;
    this.tuples = isKnown ? tried.tuples : 0;
    let i = isKnown ? start + tried.at : this.startEnd;
    const runs = this.#runs;
    runs.begin();
    while (i !== -1) {
      if (runs.isDue() && this.#passRun(bytes, i)) {
        this.#own = runs.last;
        this.#before = this.tuples + runs.count - 1;
        this.tuples += runs.count;
        this.tail = runs.end;
        if (bounds && bounds.length < MOST_BOUNDS) runs.addTo(bounds, tokens);
      } else {
        const own = i;
        this.#own = own;
        this.#before = this.tuples;
        this.depth = 0;
        const first = tokens.length;
        i = this.passTokens(bytes, own);
        if (i === -1) return -1;
        this.tuples++;
        this.tail = i;
        if (bounds && bounds.length < MOST_BOUNDS) bounds.push(own, i, first);
      }
      i = this.passBetween(bytes, this.tail);
    }
    return this.tail;
  }

  /**
   * Passes the tuples after an index again, to find the bounds of some more.
   *
   * @param mode - That at the start of the statement, whose end may have changed it.
   */
  passMore(bytes: Buffer, start: number, mode: SqlMode): void {
    const { bounds = [], tokens = [] } = this;
    bounds.length = 0;
    tokens.length = 0;
    this.#modeAgain = mode;
    const runs = this.#runs;
    runs.begin();
    let i = this.passBetween(bytes, start);
    while (i !== -1 && bounds.length < MOST_BOUNDS) {
      if (runs.isDue() && this.#passRun(bytes, i)) {
        runs.addTo(bounds, tokens);
        i = runs.end;
      } else {
        const own = i;
        const first = tokens.length;
        this.depth = 0;
        i = this.passTokens(bytes, own);
        bounds.push(own, i, first);
      }
      i = this.passBetween(bytes, i);
    }
    this.#modeAgain = undefined;
  }

  /** Passes tuples that are as dumps write them; false if the first one is not. */
  #passRun(bytes: Buffer, start: number): boolean {
    const mode = this.#modeAgain ?? this.context;
    return this.#runs.pass(bytes, start, this.dialect.escapes(FIRST_STRING, 1, mode));
  }

  /** Passes the delimiter that ends a statement, and those in its body. */
  #passBody(bytes: Buffer, start: number, from: number): number {
    const { delimiter } = this;
    let i = this.passTokens(bytes, from, delimiter);
    if (i === -1) return -1;
    const tokens = this.#tokenize(bytes, start, i);
    const continues = this.dialect.openBody?.(tokens);
    while (i !== -1 && continues?.()) {
      i = this.passTokens(bytes, i, delimiter);
      tokens.limit = i;
    }
    return i;
  }

  /** True if statements are rewritten here. */
  get fixes(): boolean {
    const { database } = this.catalogue.state;
    return (this.options.fixesHeader ?? false) && !this.dialect.isSystem(database);
  }

  /** Notes that the character set of the connection is missing, if it is to be added. */
  #addMissing(): void {
    const { fixesHeader } = this.options;
    if (!fixesHeader || this.catalogue.state.session.charset !== undefined) return;
    const { names } = this.dialect;
    if (names === undefined) return;
    this.missing = `SET NAMES ${names};\n`;
    const text = bytesOf(`SET NAMES ${names}`);
    this.#readSettings(readWords(this.#tokenize(text, 0, text.length)), 0);
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
    const insert = readInsert(this.#tokenize(bytes, begin, bytes.length));
    if (!insert) return undefined;
    const table = this.#findTypes(insert.parts, 'INSERT', bytes, begin);
    const columns = insert.columns ?? this.#listVisible(table, insert.parts, bytes, begin);
    this.#lastInsert = {
      bytes: Buffer.from(bytes.subarray(start, insert.end)),
      table: insert.parts.join('.'),
      qualified: this.catalogue.qualify(insert.parts),
      owner: this.catalogue.find(insert.parts),
      partitionedBy: this.#findPartitioning(insert.parts),
      columns,
      types: table && columns.map((name) => findColumn(table, name)),
      all: table,
    };
    return this.#lastInsert;
  }

  /**
   * Lists the columns of rows that name none.
   *
   * @throws {@link FormatError} if they depend on the server.
   */
  #listVisible(
    table: readonly ColumnType[] | undefined,
    parts: readonly string[],
    bytes: Buffer,
    begin: number,
  ): readonly string[] {
    if (table?.some(({ isInvisible }) => isInvisible === 'maybe')) {
      throw new FormatError(
        `INSERT into ${JSON.stringify(parts.join('.'))} lists no columns, and which ones it has depends on the server; list them`,
        this.line + countLineFeeds(bytes, this.#counted, begin),
      );
    }
    return table?.filter(({ isInvisible }) => !isInvisible).map(({ name }) => name) ?? [];
  }

  #readSet(bytes: Buffer, start: number, begin: number): SetStart | undefined {
    // I, R or U.
    const letter = (bytes[begin] ?? 0) | 0x20;
    if (letter !== 0x69 && letter !== 0x72 && letter !== 0x75) return undefined;
    const set = readSet(this.#tokenize(bytes, begin, bytes.length));
    if (!set) return undefined;
    const types = this.#findTypes(set.parts, 'INSERT or UPDATE', bytes, begin);
    const owner = this.catalogue.find(set.parts);
    const qualified = this.catalogue.qualify(set.parts);
    return { table: set.parts.join('.'), qualified, owner, types, length: set.end - start };
  }

  /**
   * Finds the columns by which a table, which is a partition of others, is chosen.
   *
   * @throws {@link FormatError} if it is a partition of a partition of itself, or of too many others.
   */
  #findPartitioning(parts: readonly string[]): readonly string[] | undefined {
    const columns = new Set<string>();
    let table = this.catalogue.table(this.catalogue.find(parts));
    for (let level = 0; table?.root !== undefined; level++) {
      if (level === MOST_LEVELS) {
        throw new FormatError(
          `${JSON.stringify(parts.join('.'))} is a partition below more than ${MOST_LEVELS} others`,
          table.line,
        );
      }
      table = this.catalogue.table(table.root);
      for (const column of table?.partition?.columns ?? []) columns.add(column);
    }
    return columns.size > 0 ? [...columns] : undefined;
  }

  /**
   * Finds the columns of a table to be written to.
   *
   * @throws {@link FormatError} if they are not known, and nothing is assumed of them.
   */
  #findTypes(
    parts: readonly string[],
    verb: string,
    bytes: Buffer,
    begin: number,
  ): readonly ColumnType[] | undefined {
    const columns = this.catalogue.table(this.catalogue.find(parts))?.columns;
    if (columns || this.options.assume) return columns;
    throw new FormatError(
      phrase`${verb} into unknown table ${JSON.stringify(parts.join('.'))}; name a file that creates it with ${opt('schema')}, or use ${opt('assume', 'text')} if it has no binary columns`,
      this.line + countLineFeeds(bytes, this.#counted, begin),
    );
  }

  /** Passes the comma between two tuples, or the text before the first; -1 if no tuple follows. */
  passBetween(bytes: Buffer, start: number): number {
    let i = start;
    let hasComma = false;
    for (;;) {
      const byte = bytes[i];
      this.stuck = i;
      if (isBlank(byte)) i++;
      else if (byte === COMMA && !hasComma) {
        hasComma = true;
        i++;
      } else if (byte === OPEN && (hasComma || start === this.startEnd)) return i;
      else if (hasComma && ((byte ?? 0) | 0x20) === LETTER_R) {
        // MySQL's `ROW(…)`.
        if (i + 3 >= bytes.length) this.stuck = bytes.length;
        return isRow(bytes, i) ? i : -1;
      } else {
        const mode = this.#modeAgain ?? this.context;
        const end = i < bytes.length ? this.dialect.pass(bytes, i, mode) : -1;
        if (byte === undefined || !isComment(byte, end - i)) return -1;
        i = end;
      }
    }
  }

  /**
   * Passes a delimiter outside parentheses, or, without one, the parentheses that are open or begin here.
   *
   * @returns -1 if it is not in the bytes; `stuck` and `depth` then tell how to continue.
   */
  passTokens(bytes: Buffer, start: number, delimiter?: Buffer): number {
    const { dialect, tokens } = this;
    const context = this.#modeAgain ?? this.context;
    const { marks, nests } = dialect;
    const { length } = bytes;
    const first = delimiter ? delimiter[0] : -1;
    let { depth } = this;
    let i = start;
    while (i < length) {
      const byte = bytes[i] as number;
      if (byte === first && delimiter && depth === 0) {
        if (startsWith(bytes, i, delimiter)) return i + delimiter.length;
        if (delimiter.indexOf(bytes.subarray(i)) === 0) break;
      }
      if (marks[byte] === 0) {
        i++;
      } else if (byte === OPEN) {
        if (!delimiter || nests) depth++;
        i++;
      } else if (byte === CLOSE) {
        if (depth > 0) depth--;
        i++;
        if (depth === 0 && !delimiter) return i;
      } else {
        const end = dialect.pass(bytes, i, context);
        if (isUndecided(bytes, i, end)) break;
        // One byte is an operator.
        if (end > i + 1 && !delimiter && tokens && tokens.length < MOST_TOKENS) tokens.push(i, end);
        i = end;
      }
    }
    this.depth = depth;
    this.stuck = i;
    return -1;
  }

  /** Passes a line feed if only blanks precede it; -1 if the bytes end before that is clear. */
  passRest(bytes: Buffer, start: number, isLast: boolean): number {
    const i = passSpaces(bytes, start);
    if (i === bytes.length) return isLast ? i : -1;
    return bytes[i] === LF ? i + 1 : start;
  }

  #readStatement(bytes: Buffer, start: number, begin: number, end: number, rest: number): void {
    if (this.dialect.hasCopy && this.#readCopy(bytes, start, begin, end, rest)) return;
    this.#learn(bytes, start, end - this.delimiter.length);
  }

  /** Learns from statements up to a delimiter. */
  #learn(bytes: Buffer, start: number, end: number): void {
    const first = this.#tokenize(bytes, start, end).next();
    if (!this.#matters(first) && this.delimiter === SEMICOLON) return;
    const tokens = this.#tokenize(bytes, start, end);
    const words = this.#readWords(tokens);
    const read = (all: Words, learn: (words: Words) => void): void => {
      // Several statements reach the server at once; those of a program are not run yet.
      const isOne = this.delimiter === SEMICOLON || hasBody(all);
      const each = isOne ? [all] : all.splitAt(';');
      for (const statement of each) learn(statement);
    };
    let count: ReturnType<typeof createLineCount> | undefined;
    const lineOf = (word: Word): number => {
      // Once the line of the start is known.
      count ??= createLineCount(bytes, start, this.line);
      return count(word);
    };
    const context = { dialect: this.dialect, catalogue: this.catalogue, lineOf };
    let isKnown = false;
    read(words, (statement) => {
      const verb = statement.peek().isQuoted ? '' : statement.peek().text;
      if (!this.#matters(verb)) return;
      if (!isKnown) this.advance(bytes, start);
      isKnown = true;
      this.#lastInsert = undefined;
      const isSetting = this.dialect.settings.verbs.test(verb);
      if (isSetting && tokens.varies) {
        this.#readVarying(bytes, start, end, lineOf(statement.peek()));
      } else if (isSetting) {
        this.#readSettings(statement, lineOf(statement.peek()));
      } else if (!tokens.varies) readDdl(statement, context);
    });
    if (!isKnown || !tokens.varies) return;
    learnFromEach(this.catalogue, (servers) => {
      const own = this.#readWords(this.#tokenize(bytes, start, end, servers));
      read(own, (statement) => readDdl(statement, context));
    });
  }

  /** Reads the words of a statement as it will be written. */
  #readWords(tokens: Tokens): Words {
    const words = readWords(tokens);
    return this.fixes ? applyFixes(words, tokens.sql) : words;
  }

  #matters(verb: string): boolean {
    return /^(create|alter|drop|rename|use)$/.test(verb) || this.dialect.settings.verbs.test(verb);
  }

  /**
   * Reads a statement about settings that servers run in different parts.
   *
   * @throws {@link FormatError} if a setting that matters depends on the server.
   */
  #readVarying(bytes: Buffer, start: number, end: number, line: number): void {
    const { settings, transaction } = this.#context;
    const [one, other] = [MYSQL, MARIADB].map((server) => {
      const words = this.#readWords(this.#tokenize(bytes, start, end, server));
      return this.dialect.settings.read(words, { settings, transaction }, line).settings;
    }) as [Settings, Settings];
    this.#learnSettings({ settings: mergeSettings(one, other, line), transaction }, line);
  }

  #readSettings(words: Words, line: number): void {
    const { settings, transaction } = this.#context;
    this.#learnSettings(this.dialect.settings.read(words, { settings, transaction }, line), line);
  }

  /** Reads settings, and their effect on the reader. */
  #learnSettings({ settings, transaction }: SettingsState, line: number): void {
    if (transaction !== this.#context.transaction) this.learn({ transaction });
    if (settings === this.#context.settings) return;
    const {
      isStandard,
      quotesNames,
      charset,
      was,
      connection,
      schema = '',
    } = this.dialect.settings.derive(settings);
    this.learn({ settings, isStandard, quotesNames, client: charset });
    const { session, schema: last } = this.catalogue.state;
    if (schema !== last) this.catalogue.learn({ schema });
    const isSame = charset === session.charset && was === session.was;
    if (isSame && connection === session.connection) return;
    const isStated = session.isStated || charset !== undefined;
    const next = { charset, was, connection, isStated, line };
    const { charsets } = this.dialect;
    const isNarrower = charsets !== undefined && charsets.reachOf(next) !== 'all';
    const narrowings = (session.narrowings ?? 0) + (isNarrower ? 1 : 0);
    this.catalogue.learn({ session: { ...next, narrowings } });
  }

  /** Reads a COPY whose rows follow it; false if the statement is another. */
  #readCopy(bytes: Buffer, start: number, begin: number, end: number, rest: number): boolean {
    // C.
    if (((bytes[begin] ?? 0) | 0x20) !== 0x63) return false;
    const copy = readCopy(this.#tokenize(bytes, begin, end));
    if (!copy) return false;
    this.advance(bytes, start);
    const line = this.line + countLineFeeds(bytes, start, begin);
    if (typeof copy.rows === 'string') {
      throw new FormatError(
        phrase`COPY with the option ${copy.rows.toUpperCase()} is not supported; move its rows to a file for ${opt('format', 'copy')} or csv`,
        line,
      );
    }
    const statement = bytes.toString('latin1', start, rest);
    const table = this.#findTypes(copy.parts, 'COPY', bytes, begin);
    const columns = copy.columns ?? this.#listVisible(table, copy.parts, bytes, begin);
    this.learn({
      copy: {
        table: copy.parts.join('.'),
        qualified: this.catalogue.qualify(copy.parts),
        owner: this.catalogue.find(copy.parts),
        partitionedBy: this.#findPartitioning(copy.parts),
        columns,
        types: table && columns.map((name) => findColumn(table, name)),
        rows: copy.rows,
        statement: statement.endsWith('\n') ? statement : `${statement}\n`,
        line,
      },
    });
    return true;
  }

  #tokenize(bytes: Buffer, start: number, end: number, servers?: number): Tokens {
    const sql: SqlText = { bytes, dialect: this.dialect, mode: this.context, servers };
    return new Tokens(sql, start, end);
  }

  get delimiter(): Buffer {
    const { delimiter } = this.context;
    return delimiter === ';' ? SEMICOLON : bytesOf(delimiter);
  }

  /** Refuses the end of the input within the rows of a COPY. */
  refuseOpenCopy(): void {
    const { copy } = this.context;
    if (copy)
      throw new FormatError('COPY without a final line \\.; is the dump complete?', copy.line);
  }

  /** Creates the error for the string or comment at `stuck`, or for the statement at an index. */
  createError(bytes: Buffer, start: number, lineOf: (index: number) => number): FormatError {
    const what = this.isOpen(bytes)
      ? this.dialect.describe(bytes[this.stuck] as number)
      : 'statement';
    let at = what === 'statement' ? start : this.stuck;
    while (isBlank(bytes[at])) at++;
    const reason = `unterminated ${what}; is the dump complete, and in this format?`;
    return new FormatError(reason, lineOf(at));
  }

  /** Tells whether a string or comment that does not end in the bytes begins at `stuck`. */
  isOpen(bytes: Buffer): boolean {
    return this.stuck < bytes.length && this.dialect.pass(bytes, this.stuck, this.context) === -1;
  }

  /** Tells whether the next bytes may change the token at `stuck`. */
  isUndecided(bytes: Buffer): boolean {
    const { stuck, dialect } = this;
    return (
      stuck === bytes.length || isUndecided(bytes, stuck, dialect.pass(bytes, stuck, this.context))
    );
  }
}

/** Tells whether the next bytes may change where a token ends, such as a dollar that may begin a tag. */
function isUndecided(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] !== DOLLAR || end !== start + 1) return end === -1 || end === bytes.length;
  let i = end;
  while (isWordByte(bytes[i])) i++;
  return i === bytes.length;
}

/** Tells whether `ROW(` begins at an index. */
const isRow = (bytes: Buffer, start: number): boolean =>
  /^row\s*\(/i.test(bytes.toString('latin1', start, start + ROW));

function passSpaces(bytes: Buffer, start: number): number {
  let i = start;
  while (bytes[i] === SPACE || bytes[i] === TAB || bytes[i] === CR) i++;
  return i;
}

function findFeed(bytes: Buffer, start: number): number {
  const feed = bytes.indexOf(LF, start);
  return feed === -1 ? bytes.length : feed;
}

function startsWith(bytes: Buffer, start: number, part: Buffer): boolean {
  for (let i = 0; i < part.length; i++) if (bytes[start + i] !== part[i]) return false;
  return true;
}

/** Makes the function that finds the lines of words, of which most come after the one before. */
function createLineCount(
  bytes: Buffer,
  start: number,
  first: number,
): (word: { readonly start: number }) => number {
  let [index, line] = [start, first];
  return (word) => {
    const at = Math.max(start, word.start);
    if (at < index) [index, line] = [start, first];
    line += countLineFeeds(bytes, index, at);
    index = at;
    return line;
  };
}
