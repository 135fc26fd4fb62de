/**
 * Records of fields between delimiters, with quotes, escapes, both or neither.
 *
 * A quote within a field that does not begin with one is a literal quote: RFC 4180 forbids it, and SQLite
 * and Python read it so. (PostgreSQL reads it as the start of a quoted part; no program writes that.)
 */
import type { Syntax } from '@utf8/repair';
import { opt, phrase } from '../../phrase.js';
import type { Field, Format, Layout, Piece, Reader, ReaderState, UnitScanner } from '../format.js';
import { FormatError } from '../format-error.js';
import {
  BACKSLASH,
  bytesOf,
  CR,
  endOfText,
  isEscaped,
  isHex,
  LETTER_N,
  LETTER_X,
  LF,
  lengthOfMark,
  viewOf,
} from './ascii.js';
import { type ColumnKinds, type ColumnTypes, requireKinds, resolveKinds } from './column-kinds.js';
import { deriveName } from './column-name.js';
import { createLayout, type DelimitedEnds } from './delimited-layout.js';
import { NO_BYTE } from './options.js';
import { FieldList, MovingPiece } from './piece.js';
import { type EscapeRules, unescapeText } from './unescape.js';

/** Syntax of the records. */
export interface DelimitedDialect extends DelimitedEnds {
  /** The meaning of single characters after the escape character. */
  readonly rules: EscapeRules;
  /** True if the first record contains the names of the columns. */
  readonly hasHeader: boolean;
  /** The names of the columns, regardless of the header. */
  readonly columns: readonly string[] | undefined;
  /** Types of the columns that the options declare. */
  readonly types: ColumnTypes;
}

/** The state of a reader after the header. */
interface DelimitedContext {
  readonly columns: readonly string[];
}

/** Creates a format of a dialect. */
export function createDelimited(name: string, dialect: DelimitedDialect): Format {
  const { quote, escaper, plainEscaper, hasHeader } = dialect;
  const spell = (byte: number): string => (byte === NO_BYTE ? '' : String.fromCharCode(byte));
  const escaping = spell(escaper);
  const special = new Set(spell(quote) + escaping);
  const { columns, types } = dialect;
  if (columns || !hasHeader) requireKinds(types, columns ?? []);
  const layout = createLayout(dialect, (bytes, field, text) =>
    readValue(dialect, bytes, field, text),
  );
  const createReader = (state?: ReaderState): Reader => new DelimitedReader(dialect, layout, state);
  return {
    name,
    isLineBased: quote === NO_BYTE && escaper === NO_BYTE && !hasHeader,
    isOpaqueAscii: types.usual === 'text' && types.binary.length === 0,
    createReader,
    createScanner: (state) => new DelimitedScanner(dialect, createReader(state).state),
    quote: (text, escapes) =>
      escapes === false
        ? text
        : Array.from(text, (c) => (special.has(c) ? (escaping || c) + c : c)).join(''),
    nuls: plainEscaper === NO_BYTE ? [] : [bytesOf(`${escaping}0`)],
    readValue: (bytes, field, text) => readValue(dialect, bytes, field, text),
    syntaxOf: createSyntaxOf(dialect, special),
  };
}

/** Creates the function that returns the escapes of a field, which depend on its quotes. */
function createSyntaxOf(
  { delimiter, quote, escaper, rules }: DelimitedDialect,
  special: ReadonlySet<string>,
): (bytes: Uint8Array, field: Field) => Syntax {
  const escapes: Syntax =
    escaper === NO_BYTE ? {} : { ...rules, escaper, escaped: [...special].join('') };
  const quoted: Syntax = { ...escapes, quote };
  // A repair inserts only ASCII and U+FFFD.
  const ends = `${delimiter < 0x80 ? String.fromCharCode(delimiter) : ''}\r\n`;
  // A quote in a field without quotes is read in as many ways as there are readers.
  const bare: Syntax =
    escaper === NO_BYTE
      ? { excluded: ends + [...special].join('') }
      : { ...escapes, escaped: escapes.escaped + ends };
  return (bytes, { start }) => (quote !== NO_BYTE && bytes[start - 1] === quote ? quoted : bare);
}

function readValue(
  { quote, escaper, rules }: DelimitedDialect,
  bytes: Uint8Array,
  { kind, start, end, escapes }: Field,
  text = bytes.subarray(start, end),
): Uint8Array {
  if (kind === 'opaque' || escapes === false) return text;
  const doubled = quote !== NO_BYTE && bytes[start - 1] === quote ? quote : undefined;
  return unescapeText(text, escaper === NO_BYTE ? undefined : rules, doubled, escaper);
}

class DelimitedReader implements Reader {
  readonly #dialect: DelimitedDialect;
  readonly #layout: Layout;
  #line: number;
  #record: number;
  /** Null until the header has been read. */
  #context: DelimitedContext | null;
  #kinds: ColumnKinds;

  constructor(dialect: DelimitedDialect, layout: Layout, state: ReaderState | undefined) {
    this.#dialect = dialect;
    this.#layout = layout;
    this.#line = state?.line ?? 1;
    this.#record = state?.record ?? 1;
    this.#context = (state?.context ?? null) as DelimitedContext | null;
    if (!dialect.hasHeader) this.#context ??= { columns: dialect.columns ?? [] };
    this.#kinds = NO_KINDS;
    if (this.#context) this.#kinds = findKinds(dialect.types, this.#context.columns);
  }

  get state(): ReaderState {
    return { line: this.#line, record: this.#record, context: this.#context };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const cutter = new RecordCutter(this.#dialect, view, this.#line);
    const mark = lengthOfMark(view, this.#line, this.#record);
    let cut = mark;
    if (!this.#context && cut < view.length) {
      const end = cutter.cut(cut, isLast);
      if (end === -1) return 0;
      this.#learn(view, cut, end);
      cut = end;
    }
    const header = cutter.records;
    for (let end = cut; end !== -1; ) {
      cut = cutter.cutPlain(end, NO_LIMIT);
      end = cut < view.length ? cutter.cut(cut, isLast) : -1;
    }
    // U+FEFF alone is not a unit.
    if (cut === mark && !isLast) return 0;
    this.#line = cutter.line;
    this.#record += cutter.records - header;
    return cut;
  }

  *read(bytes: Uint8Array): Generator<Piece, void, undefined> {
    const view = viewOf(bytes);
    const cutter = new RecordCutter(this.#dialect, view, this.#line);
    const piece = new MovingPiece(({ kind, start, end, line }, fields) => {
      if (kind === 'other') return;
      const columns = this.#context?.columns ?? [];
      const kinds = kind === 'header' ? NO_KINDS : this.#kinds;
      const count = split(this.#dialect, view, start, end, columns, kinds, fields);
      if (count < kinds.last) throw tooFew(count, kinds.last, line);
    });
    piece.layout = this.#layout;
    let start = lengthOfMark(view, this.#line, this.#record);
    if (start > 0) yield piece.place('other', 0, start, 0, this.#line);
    while (start < view.length) {
      const found = cutter.cutPlain(start, 1);
      const end = found === start ? cutter.cut(start, true) : found;
      if (this.#context) {
        piece.place('record', start, end, this.#record++, this.#line);
        piece.shape = this.#context;
      } else {
        piece.place('header', start, end, 0, this.#line);
        this.#learn(view, start, end);
      }
      this.#line = cutter.line;
      yield piece;
      start = end;
    }
  }

  /** Learns the columns from the header. */
  #learn(bytes: Buffer, start: number, end: number): void {
    this.#context = readHeader(this.#dialect, bytes, start, end, this.#line);
    this.#kinds = findKinds(this.#dialect.types, this.#context.columns);
  }
}

/** The kinds of the columns that a reader has seen last, by the known types. */
const known = new WeakMap<ColumnTypes, [columns: readonly string[], kinds: ColumnKinds]>();

function findKinds(types: ColumnTypes, columns: readonly string[]): ColumnKinds {
  const last = known.get(types);
  if (last?.[0] === columns) return last[1];
  const kinds = requireKinds(types, columns);
  known.set(types, [columns, kinds]);
  return kinds;
}

/** The kinds of the names in a header. */
const NO_KINDS: ColumnKinds = { usual: 'text', binary: new Set(), last: 0 };

export const tooFew = (count: number, last: number, line: number): FormatError =>
  new FormatError(
    phrase`record has ${count} ${count === 1 ? 'field' : 'fields'}, but ${opt('binary')} names column ${last}; check ${opt('delimiter')} and ${opt('binary')}`,
    line,
  );

/** Finds the fields of a record, and returns how many there are. */
function split(
  dialect: DelimitedDialect,
  bytes: Buffer,
  start: number,
  last: number,
  columns: readonly string[],
  { usual, binary }: ColumnKinds,
  fields: FieldList,
): number {
  const { delimiter, delimiterRest, quote, escaper, plainEscaper } = dialect;
  const isQuotedOnly = escaper !== plainEscaper;
  const { length } = delimiterRest;
  const end = endOfRecord(dialect, bytes, start, last);
  let i = start;
  for (let number = 1; ; number++) {
    let from = i;
    let to: number;
    const isQuoted = i < end && bytes[i] === quote;
    if (isQuoted) {
      from = ++i;
      for (; bytes[i] !== quote || bytes[i + 1] === quote; i++) {
        if (bytes[i] === quote || bytes[i] === escaper) i++;
      }
      to = i++;
      // A CR at the end of the input counts as the start of a line end.
      while (i < end && bytes[i] !== delimiter) i++;
    } else {
      for (; i < end; i++) {
        const byte = bytes[i];
        if (byte === delimiter && (length === 0 || goesOn(bytes, i + 1, delimiterRest))) break;
        if (byte === plainEscaper) i++;
      }
      if (i > end) i = end;
      to = i;
    }
    const first = bytes[from];
    const isOpaque =
      first === (isQuoted ? escaper : plainEscaper)
        ? !isQuoted && isNull(bytes, from, to)
        : first === BACKSLASH && plainEscaper === NO_BYTE && isBytea(bytes, from, to);
    const kind = isOpaque || binary.has(number) ? 'opaque' : usual;
    fields.add(from, to, kind, columns[number - 1], number, isQuotedOnly ? isQuoted : undefined);
    if (i >= end) return number;
    i += 1 + length;
  }
}

/** Tells whether the bytes from an index begin with others. */
function goesOn(bytes: Uint8Array, start: number, rest: Uint8Array): boolean {
  for (let i = 0; i < rest.length; i++) if (bytes[start + i] !== rest[i]) return false;
  return true;
}

/** Returns the index after the text of a record, whose line end may be escaped. */
function endOfRecord(
  { plainEscaper: escaper, hasReturns }: DelimitedDialect,
  bytes: Buffer,
  start: number,
  last: number,
): number {
  const end = endOfText(bytes, start, last);
  if (end === last || (hasReturns && escaper === NO_BYTE)) return end;
  if (isEscaped(bytes, start, last - 1, escaper)) return last;
  return !hasReturns || isEscaped(bytes, start, end, escaper) ? last - 1 : end;
}

/** Tells whether a field after a backslash is a bytea of PostgreSQL in hexadecimal form. */
const isBytea = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start + 1] === LETTER_X && end - start >= 2 && isHex(bytes, start + 2, end);

/** Tells whether a field after an escape character is MySQL's NULL. */
const isNull = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === 2 && bytes[start + 1] === LETTER_N;

function readHeader(
  dialect: DelimitedDialect,
  bytes: Buffer,
  start: number,
  end: number,
  line: number,
): DelimitedContext {
  if (dialect.columns) return { columns: dialect.columns };
  const header = new FieldList();
  split(dialect, bytes, start, end, [], NO_KINDS, header);
  const columns = header.fields.map((field) => deriveName(readValue(dialect, bytes, field)));
  const kinds = resolveKinds(dialect.types, columns);
  if (typeof kinds === 'object') return { columns };
  throw new FormatError(
    phrase`${opt('binary')} ${JSON.stringify(kinds)}: no such column in the header; use a name in it, or a number`,
    line,
  );
}

/** Number of bytes that are tested at once. */
const STRIDE = 32;

const NO_LIMIT = -1;

/** Finds where records end. */
class RecordCutter {
  /** The line after the last record that was cut. */
  line: number;
  /** Number of records that were cut. */
  records = 0;
  readonly #dialect: DelimitedDialect;
  readonly #bytes: Buffer;
  readonly #words: DataView;

  constructor(dialect: DelimitedDialect, bytes: Buffer, line: number) {
    this.#dialect = dialect;
    this.#bytes = bytes;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.line = line;
  }

  /** Cuts one record, and returns the index after it; -1 if it does not end in the bytes. */
  cut(start: number, isLast: boolean): number {
    const automaton = new RecordAutomaton(this.#dialect, this.line);
    const end = automaton.push(this.#bytes, start);
    if (end === -1) {
      if (!isLast) return -1;
      automaton.finish();
    }
    this.line = automaton.line;
    this.records++;
    return end === -1 ? this.#bytes.length : end;
  }

  /**
   * Cuts records up to one that is malformed, or too close to the end of the bytes.
   *
   * Per byte: 0.23 ns without quotes and 0.35 with four a record, against 0.9 in a loop over bytes and
   * 0.7 with `indexOf` (Node 20; records of 58 and 104 bytes). A round of four words takes 1.1 times as
   * long as one of eight. LF and CR are literals, as in `countLineFeeds`.
   *
   * @returns The index after the last record.
   */
  cutPlain(start: number, most: number): number {
    // V8 does not know that properties are integers: without `| 0` it takes up to 1.7 times as long.
    const delimiter = this.#dialect.delimiter | 0;
    const quote = this.#dialect.quote | 0;
    const escaper = this.#dialect.escaper | 0;
    // The automaton then finds the start of a quoted field, at 0.9 ns a byte.
    const { delimiterRest, plainEscaper } = this.#dialect;
    const isPlain = delimiterRest.length === 0 && plainEscaper === escaper;
    if (quote !== NO_BYTE && !isPlain) return start;
    const bytes = this.#bytes;
    const words = this.#words;
    // Without the bits in which LF and the quote differ, one test finds both, and few other bytes.
    const differing = quote === NO_BYTE ? 0 : quote ^ LF;
    const mask = Math.imul(~differing & 0xff, 0x0101_0101);
    const wanted = Math.imul(LF & ~differing, 0x0101_0101);
    const last = bytes.length - STRIDE;
    let cut = start | 0;
    let records = 0;
    let line = this.line | 0;
    let cutLine = line;
    let isInside = false;
    scan: for (let i = cut; i < last; ) {
      let hits: number;
      for (;;) {
        hits = findHits(words.getInt32(i, true), mask, wanted);
        if (hits !== 0) break;
        i += 4;
        hits = findHits(words.getInt32(i, true), mask, wanted);
        if (hits !== 0) break;
        i += 4;
        hits = findHits(words.getInt32(i, true), mask, wanted);
        if (hits !== 0) break;
        i += 4;
        hits = findHits(words.getInt32(i, true), mask, wanted);
        if (hits !== 0) break;
        i += 4;
        hits = findHits(words.getInt32(i, true), mask, wanted);
        if (hits !== 0) break;
        i += 4;
        hits = findHits(words.getInt32(i, true), mask, wanted);
        if (hits !== 0) break;
        i += 4;
        hits = findHits(words.getInt32(i, true), mask, wanted);
        if (hits !== 0) break;
        i += 4;
        hits = findHits(words.getInt32(i, true), mask, wanted);
        if (hits !== 0) break;
        i += 4;
        continue scan;
      }
      i += (31 - Math.clz32(hits & -hits)) >>> 3;
      const byte = bytes[i];
      const previous = bytes[i - 1];
      i++;
      if (previous === escaper && isEscaped(bytes, start, i - 1, escaper)) {
        if (byte === 0x0a) line++;
      } else if (byte === 0x0a) {
        line++;
        if (isInside) continue;
        cut = i;
        cutLine = line;
        if (++records === most) break;
      } else if (byte === quote) {
        if (isInside) {
          const next = bytes[i];
          if (next === quote) i++;
          else if (
            next === delimiter ||
            next === 0x0a ||
            (next === 0x0d && bytes[i + 1] === 0x0a)
          ) {
            isInside = false;
          } else break;
        } else {
          const isFirst = i - 1 === cut || previous === delimiter;
          if (isFirst && !isEscaped(bytes, start, i - 2, escaper)) isInside = true;
        }
      }
    }
    this.line = cutLine;
    this.records += records;
    return cut;
  }
}

/** Finds bytes that are zero after the mask and the xor: their high bits, and rarely one too many. */
function findHits(word: number, mask: number, wanted: number): number {
  const zeros = (word & mask) ^ wanted;
  return (zeros - 0x0101_0101) & ~zeros & 0x8080_8080;
}

// The states of a record. In the first three a quote begins a quoted field.
/** Start of a field, of a file, and of the text after U+FEFF. */
const START = 0;
const FIRST = 1;
const MARKED = 2;
/** After one and two bytes of U+FEFF. */
const MARK_1 = 3;
const MARK_2 = 4;
const PLAIN = 5;
const QUOTED = 6;
/** After a quote in a quoted field: the last one, or the first of two. */
const CLOSED = 7;
/** After the CR that follows it. */
const ENDING = 8;
const PLAIN_ESCAPE = 9;
const QUOTED_ESCAPE = 10;
const FAULT = 11;
/** After the first byte of a delimiter of several, and then after each other one except the last. */
const DELIMITING = 12;

/**
 * Derives the state after each state and byte. Within a delimiter of several bytes there are two rows of
 * states: in a field without quotes it may turn out to be text, after a closing quote it may not.
 */
function deriveTransitions({
  delimiter,
  delimiterRest,
  quote,
  escaper,
  plainEscaper,
}: DelimitedDialect): Uint8Array {
  const delimiters = [delimiter, ...delimiterRest];
  const inner = delimiterRest.length;
  const usual = Array.from({ length: DELIMITING + 2 * inner }, () => PLAIN);
  for (const state of [QUOTED, QUOTED_ESCAPE]) usual[state] = QUOTED;
  for (const state of [CLOSED, ENDING, FAULT]) usual[state] = FAULT;
  usual.fill(FAULT, DELIMITING + inner);
  const table = Uint8Array.from({ length: usual.length << 8 }, (_, i) => usual[i >> 8] as number);
  const set = (states: readonly number[], byte: number, next: number): void => {
    if (byte !== NO_BYTE) for (const state of states) table[(state << 8) | byte] = next;
  };
  const within = delimiters.slice(1).map((_, i) => DELIMITING + i);
  const plain = [START, PLAIN, FIRST, MARK_1, MARK_2, MARKED, ...within];
  set([...plain, CLOSED, ENDING], LF, START);
  set(plain, delimiter, inner > 0 ? DELIMITING : START);
  set([CLOSED], delimiter, inner > 0 ? DELIMITING + inner : START);
  for (let i = 1; i <= inner; i++) {
    for (const byte of delimiters) {
      // The longest start of a delimiter that ends here, as after `||` in `|||`.
      const seen = [...delimiters.slice(0, i), byte];
      let length = i + 1;
      while (length > 0 && !seen.slice(-length).every((each, k) => each === delimiters[k]))
        length--;
      const next = length > inner ? START : length > 0 ? DELIMITING + length - 1 : PLAIN;
      set([DELIMITING + i - 1], byte, next);
      if (length === i + 1) {
        set([DELIMITING + inner + i - 1], byte, i === inner ? START : DELIMITING + inner + i);
      }
    }
  }
  set(plain, plainEscaper, PLAIN_ESCAPE);
  set([QUOTED], escaper, QUOTED_ESCAPE);
  set([START, FIRST, MARKED, CLOSED], quote, QUOTED);
  set([QUOTED], quote, CLOSED);
  set([CLOSED], CR, ENDING);
  set([FIRST], 0xef, MARK_1);
  set([MARK_1], 0xbb, MARK_2);
  set([MARK_2], 0xbf, MARKED);
  return table;
}

/** Tells whether a state is one after a closing quote and a part of the delimiter. */
const isUnended = ({ delimiterRest }: DelimitedDialect, state: number): boolean =>
  state >= DELIMITING + delimiterRest.length;

const transitions = new WeakMap<DelimitedDialect, Uint8Array>();

/** Finds the end of one record, byte by byte, in as many parts as it comes. */
class RecordAutomaton {
  /** The line that it has come to. */
  line: number;
  readonly #dialect: DelimitedDialect;
  readonly #table: Uint8Array;
  #state: number;
  /** Line in which the last quoted field begins. */
  #quotedLine = 0;

  constructor(dialect: DelimitedDialect, line: number, state = START) {
    const table = transitions.get(dialect) ?? deriveTransitions(dialect);
    transitions.set(dialect, table);
    this.#dialect = dialect;
    this.#table = table;
    this.#state = state;
    this.line = line;
  }

  /** True if there is no record so far, only U+FEFF or a part of it. */
  get isEmpty(): boolean {
    return this.#state === FIRST || this.#state === MARKED;
  }

  /** Returns the index after the record; -1 if it continues. */
  push(bytes: Uint8Array, start: number): number {
    const table = this.#table;
    let state = this.#state;
    for (let i = start; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      const next = table[(state << 8) | byte] as number;
      if (next === FAULT) {
        throw this.#createError();
      } else if (byte === LF) {
        this.line++;
        if (next === START) return i + 1;
      } else if (next === QUOTED && state <= MARKED) {
        this.#quotedLine = this.line;
      }
      state = next;
    }
    this.#state = state;
    return -1;
  }

  /** Ends the input. */
  finish(): void {
    if (isUnended(this.#dialect, this.#state)) throw this.#createError();
    if (this.#state !== QUOTED && this.#state !== QUOTED_ESCAPE) return;
    throw new FormatError(
      phrase`unterminated quoted field; close the quote, or set ${opt('quote')}`,
      this.#quotedLine,
    );
  }

  #createError(): FormatError {
    return new FormatError(
      phrase`text follows the closing quote of a field; double the quotes inside it, or set ${opt('quote')}, ${opt('delimiter')} or ${opt('escape')}`,
      this.line,
    );
  }
}

/** Bytes of the longest header. */
const LONGEST_HEADER = 1 << 20;

/** Finds the end of a record of any length. */
class DelimitedScanner implements UnitScanner {
  state: ReaderState;
  readonly #dialect: DelimitedDialect;
  readonly #automaton: RecordAutomaton;
  /** Undefined after the header. */
  #header: Buffer | undefined;

  constructor(dialect: DelimitedDialect, state: ReaderState) {
    const { line, record } = state;
    this.state = state;
    this.#dialect = dialect;
    this.#automaton = new RecordAutomaton(dialect, line, line * record === 1 ? FIRST : START);
    if (!this.state.context) this.#header = Buffer.alloc(0);
  }

  push(chunk: Uint8Array, isLast: boolean): number {
    const { line, record } = this.state;
    const found = this.#automaton.push(chunk, 0);
    const end = found === -1 ? chunk.length : found;
    if (this.#header) {
      this.#header = Buffer.concat([this.#header, chunk.subarray(0, end)]);
      if (this.#header.length > LONGEST_HEADER) {
        throw new FormatError('the header exceeds 1 MiB; is a quote left open?', line);
      }
    }
    if (found === -1 && !isLast) return -1;
    if (found === -1) this.#automaton.finish();
    if (found === -1 && this.#automaton.isEmpty) return end;
    this.state = { ...this.state, line: this.#automaton.line };
    if (this.#header) {
      const start = lengthOfMark(this.#header, line, record);
      const { length } = this.#header;
      const context = readHeader(this.#dialect, this.#header, start, length, line);
      this.state = { ...this.state, context };
    } else this.state = { ...this.state, record: record + 1 };
    return end;
  }
}
