/**
 * JSON: one array, whose elements are the records, on one line or on many. An element is parsed only when
 * its fields are read.
 *
 * @see RFC 8259
 */

import { opt, type Phrase, phrase } from '../phrase.js';
import type { FormatDefinition, Piece, Reader, ReaderState, UnitScanner } from './format.js';
import { FormatError } from './format-error.js';
import { jsonl, splitJson } from './jsonl.js';
import {
  BACKSLASH,
  bytesOf,
  COMMA,
  CR,
  DOUBLE_QUOTE,
  isEscaped,
  LF,
  SPACE,
  TAB,
  viewOf,
} from './shared/ascii.js';
import { countLineFeeds } from './shared/line-feeds.js';
import { valueOptions } from './shared/options.js';
import { MovingPiece } from './shared/piece.js';

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;

/** Text before a rejected element; before the first one, it is `[` instead of the comma. */
const SEPARATOR = bytesOf(',\n');

const ADVICE = phrase`; for a file with one value per line, use ${opt('format', 'jsonl')}`;

export const json: FormatDefinition = {
  name: 'json',
  summary: 'one JSON array of records, on any number of lines',
  options: valueOptions,
  create: () => ({
    ...jsonl.create({}),
    name: 'json',
    isLineBased: false,
    isArray: true,
    createReader: (state) => new ArrayReader(state),
    createScanner: (state) => new ArrayScanner(state),
  }),
};

/** Place of a reader: before the array, before its first element, after an element, or after the array. */
type ArrayPlace = 'before' | 'first' | 'next' | 'after';

class ArrayReader implements Reader {
  #line: number;
  #record: number;
  #place: ArrayPlace;

  constructor(state: ReaderState | undefined) {
    this.#line = state?.line ?? 1;
    this.#record = state?.record ?? 1;
    this.#place = (state?.context as ArrayPlace | undefined) ?? 'before';
  }

  get state(): ReaderState {
    return { line: this.#line, record: this.#record, context: this.#place };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const automaton = new ArrayAutomaton(this.#place, this.#line);
    let cut = 0;
    for (;;) {
      const end = automaton.push(view, cut);
      if (end === -1) break;
      this.#enter(automaton);
      cut = end;
    }
    if (!isLast) return cut;
    automaton.finish();
    this.#place = 'after';
    this.#line = automaton.line;
    return view.length;
  }

  *read(bytes: Uint8Array): Generator<Piece, void, undefined> {
    const view = viewOf(bytes);
    const automaton = new ArrayAutomaton(this.#place, this.#line);
    const piece = new MovingPiece(({ kind, own, end, line }, fields) => {
      if (kind === 'record') splitJson(view, own, end, line, fields, true);
    });
    for (let start = 0; start < view.length; ) {
      const line = this.#line;
      const record = this.#record;
      let found = automaton.push(view, start);
      // Only the byte after a number ends it, and that may be in the next stretch.
      if (found === -1 && automaton.endScalar()) found = view.length;
      if (found === -1) {
        automaton.finish();
        this.#place = 'after';
        this.#line = automaton.line;
        piece.before = undefined;
        yield piece.place('other', start, view.length, 0, line);
        return;
      }
      this.#enter(automaton);
      piece.place('other', start, found, 0, line);
      piece.before = undefined;
      if (this.#record > record) {
        piece.place('record', start, found, record, automaton.ownLine);
        piece.own = automaton.own;
        piece.before = SEPARATOR;
      }
      yield piece;
      start = found;
    }
  }

  /** Moves to the end of a unit. */
  #enter({ place, line }: ArrayAutomaton): void {
    if (this.#place !== 'before') this.#record++;
    this.#place = place;
    this.#line = line;
  }
}

/** Finds the end of a unit of any length. */
class ArrayScanner implements UnitScanner {
  state: ReaderState;
  readonly #automaton: ArrayAutomaton;

  constructor(state: ReaderState) {
    this.state = new ArrayReader(state).state;
    this.#automaton = new ArrayAutomaton(this.state.context as ArrayPlace, state.line);
  }

  push(chunk: Uint8Array, isLast: boolean): number {
    const automaton = this.#automaton;
    const end = automaton.push(viewOf(chunk), 0);
    if (end === -1 && !isLast) return -1;
    if (end === -1) automaton.finish();
    const { record, context } = this.state;
    const isRecord = end !== -1 && context !== 'before';
    this.state = {
      line: automaton.line,
      record: record + (isRecord ? 1 : 0),
      context: end === -1 ? 'after' : automaton.place,
    };
    return end === -1 ? chunk.length : end;
  }
}

// The states of the array, of which those of an element come first.
/** In an object or array. */
const NESTED = 0;
const STRING = 1;
/** In a number, `true`, `false` or `null`. */
const SCALAR = 2;
const BEFORE = 3;
/** After `[`, after an element, and after the comma that follows it. */
const OPENED = 4;
const BETWEEN = 5;
const WANTING = 6;
const AFTER = 7;

const STATES: Readonly<Record<ArrayPlace, number>> = {
  before: BEFORE,
  first: OPENED,
  next: BETWEEN,
  after: AFTER,
};

/** The bytes that matter within an object or array, and those of numbers and words. */
const nestedMarks = deriveTable('"[]{}');
const scalarBytes = deriveTable(
  '0123456789+-.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
);

function deriveTable(characters: string): Uint8Array {
  const table = new Uint8Array(0x100);
  for (const byte of bytesOf(characters)) table[byte] = 1;
  return table;
}

/**
 * Finds the ends of units: the start of the file with its bracket, each element with the bytes before it,
 * and the rest of the file.
 */
class ArrayAutomaton {
  /** The line that it has come to. */
  line: number;
  /** Start of the last element, if that is in the same bytes, and its line. */
  own = 0;
  ownLine = 1;
  #state: number;
  #depth = 0;
  /** True if a backslash at the end of the last bytes escapes the next one. */
  #isEscaped = false;
  /** Number of bytes of U+FEFF so far; -1 if it cannot follow any more. */
  #mark: number;
  /** The line of the bracket that is open. */
  readonly #startLine: number;

  constructor(place: ArrayPlace, line: number) {
    this.#state = STATES[place];
    this.#mark = place === 'before' && line === 1 ? 0 : -1;
    this.#startLine = line;
    this.line = line;
  }

  /** The place after the unit whose end was found. */
  get place(): ArrayPlace {
    return this.#state === OPENED ? 'first' : 'next';
  }

  /** Returns the index after the unit; -1 if it continues. */
  push(bytes: Buffer, start: number): number {
    const end = this.#pass(bytes, start);
    this.line += countLineFeeds(bytes, start, end === -1 ? bytes.length : end);
    return end;
  }

  /** Ends a number or a word, if there is one. */
  endScalar(): boolean {
    if (this.#state !== SCALAR) return false;
    this.#state = BETWEEN;
    return true;
  }

  /** Ends the input. */
  finish(): void {
    if (this.#state === AFTER) return;
    const reason =
      this.#state === BEFORE
        ? phrase`expected "[", the start of an array${ADVICE}`
        : 'unterminated array; is the file complete?';
    throw new FormatError(reason, this.#state === BEFORE ? this.#startLine : this.line);
  }

  #pass(bytes: Buffer, start: number): number {
    for (let i = start; i < bytes.length; ) {
      if (this.#state === STRING) {
        i = this.#passString(bytes, i);
        if (i === -1) return -1;
        this.#state = NESTED;
        if (this.#depth === 0) return this.#end(i);
        continue;
      }
      if (this.#state === NESTED) {
        while (i < bytes.length && nestedMarks[bytes[i] as number] === 0) i++;
        if (i === bytes.length) return -1;
        const byte = bytes[i++];
        if (byte === DOUBLE_QUOTE) this.#state = STRING;
        else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) this.#depth++;
        else if (--this.#depth === 0) return this.#end(i);
        continue;
      }
      const byte = bytes[i] as number;
      if (this.#state === SCALAR) {
        if (scalarBytes[byte] === 1) i++;
        else return this.#end(i);
        continue;
      }
      if (byte === SPACE || byte === LF || byte === CR || byte === TAB) {
        this.#mark = -1;
        i++;
        continue;
      }
      switch (this.#state) {
        case BEFORE:
          if (byte === OPEN_BRACKET) {
            this.#state = OPENED;
            return i + 1;
          }
          if (byte !== [0xef, 0xbb, 0xbf][this.#mark]) {
            throw this.#error(
              bytes,
              start,
              i,
              phrase`expected "[", the start of an array${ADVICE}`,
            );
          }
          this.#mark++;
          break;
        case BETWEEN:
        case OPENED:
          if (byte === CLOSE_BRACKET) this.#state = AFTER;
          else if (this.#state === OPENED) this.#begin(bytes, start, i);
          else if (byte === COMMA) this.#state = WANTING;
          else throw this.#error(bytes, start, i, 'expected "," or "]"');
          break;
        case WANTING:
          this.#begin(bytes, start, i);
          break;
        default:
          throw this.#error(bytes, start, i, phrase`text follows the array${ADVICE}`);
      }
      i++;
    }
    return -1;
  }

  /** Begins an element with its first byte. */
  #begin(bytes: Buffer, start: number, i: number): void {
    const byte = bytes[i] as number;
    this.own = i;
    this.ownLine = this.line + countLineFeeds(bytes, start, i);
    if (byte === DOUBLE_QUOTE) this.#state = STRING;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      this.#state = NESTED;
      this.#depth = 1;
    } else if (scalarBytes[byte] === 1) this.#state = SCALAR;
    else throw this.#error(bytes, start, i, 'expected a JSON value');
  }

  #end(index: number): number {
    this.#state = BETWEEN;
    return index;
  }

  /** Passes the rest of a string; -1 if it continues. */
  #passString(bytes: Buffer, start: number): number {
    let from = start;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      from++;
    }
    for (let i = from; ; i++) {
      i = bytes.indexOf(DOUBLE_QUOTE, i);
      if (i === -1) {
        this.#isEscaped = isEscaped(bytes, from, bytes.length);
        return -1;
      }
      if (bytes[i - 1] !== BACKSLASH || !isEscaped(bytes, from, i)) return i + 1;
    }
  }

  #error(bytes: Buffer, start: number, index: number, reason: string | Phrase): FormatError {
    return new FormatError(reason, this.line + countLineFeeds(bytes, start, index));
  }
}
