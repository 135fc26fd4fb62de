/** Reader and scanner that all formats share whose records are lines. */
import type { Layout, Piece, Reader, ReaderState, UnitScanner } from '../format.js';
import { BACKSLASH, CR, endOfText, LF, lengthOfMark, viewOf } from './ascii.js';
import { countLineFeeds } from './line-feeds.js';
import { type FieldList, MovingPiece } from './piece.js';

/** Rules that a format adds to lines. */
export interface LineRules {
  /** Finds the fields of a record, whose text ends at an index. */
  split(
    bytes: Buffer,
    record: Pick<MovingPiece, 'start' | 'line'>,
    end: number,
    fields: FieldList,
  ): void;
  /**
   * Counts the lines of a range that are not records.
   *
   * @param line - The number of the first one.
   * @throws {@link FormatError} if a line is not of the format.
   */
  countOthers?(bytes: Buffer, start: number, end: number, line: number): number;
  /**
   * Checks a last line without a line feed, which may be truncated.
   *
   * @param line - Its number.
   * @throws {@link FormatError} if it is.
   */
  checkLast?(bytes: Buffer, start: number, line: number): void;
  /** Creates a check of such a line in parts, which then throws that error. */
  createCheck?(line: number): LastLineCheck;
  /** Tells whether a line, given without its end, is not a record. */
  isOther?(bytes: Buffer, start: number, end: number): boolean;
  readonly layout?: Layout;
  /** The shape of all records; see {@link Piece.shape}. */
  readonly shape?: unknown;
}

/** Checks a line that does not fit into memory. */
export interface LastLineCheck {
  push(bytes: Uint8Array): void;
  /** @throws {@link FormatError} if the line is truncated. */
  finish(): void;
}

/** Reads lines. */
export class LineReader implements Reader {
  #line: number;
  #record: number;
  readonly #rules: LineRules;

  constructor(rules: LineRules, { line = 1, record = 1 }: Partial<ReaderState> = {}) {
    this.#rules = rules;
    this.#line = line;
    this.#record = record;
  }

  get state(): ReaderState {
    return { line: this.#line, record: this.#record, context: null };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const end = isLast ? view.length : view.lastIndexOf(LF) + 1;
    if (end === 0) return 0;
    const start = lengthOfMark(view, this.#line, this.#record);
    const others = this.#rules.countOthers?.(view, start, end, this.#line) ?? 0;
    const lines = countLineFeeds(view, start, end);
    const hasRest = end > start && view[end - 1] !== LF;
    this.#line += lines;
    if (hasRest && isLast) {
      this.#rules.checkLast?.(view, Math.max(start, view.lastIndexOf(LF, end - 1) + 1), this.#line);
    }
    this.#record += lines + (hasRest ? 1 : 0) - others;
    return end;
  }

  *read(bytes: Uint8Array): Generator<Piece, void, undefined> {
    const rules = this.#rules;
    const view = viewOf(bytes);
    const piece = new MovingPiece((piece, fields) => {
      if (piece.kind !== 'record') return;
      rules.split(view, piece, endOfText(view, piece.start, piece.end), fields);
    });
    piece.layout = rules.layout;
    piece.shape = rules.shape;
    let start = lengthOfMark(view, this.#line, this.#record);
    rules.countOthers?.(view, start, view.length, this.#line);
    if (start > 0) yield piece.place('other', 0, start, 0, this.#line);
    while (start < view.length) {
      const feed = view.indexOf(LF, start);
      const end = feed === -1 ? view.length : feed + 1;
      const isOther = rules.isOther?.(view, start, endOfText(view, start, end)) ?? false;
      if (isOther) piece.place('other', start, end, 0, this.#line);
      else piece.place('record', start, end, this.#record++, this.#line);
      if (feed !== -1) this.#line++;
      yield piece;
      start = end;
    }
  }
}

/** Bytes of a line in which U+FEFF, and lines that are not records, are recognized. */
const HEAD = 8;

/** Finds the end of a line of any length. */
export class LineScanner implements UnitScanner {
  state: ReaderState;
  readonly #rules: LineRules;
  /** The first bytes of the line, and the last ones pushed, which decide about its line feed. */
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  readonly #check: LastLineCheck | undefined;

  constructor(rules: LineRules, state: ReaderState) {
    this.#rules = rules;
    this.state = state;
    this.#check = rules.createCheck?.(state.line);
  }

  push(chunk: Uint8Array, isLast: boolean): number {
    const feed = chunk.indexOf(LF);
    if (feed === -1) this.#check?.push(chunk);
    if (feed === -1 && isLast) this.#check?.finish();
    if (feed === -1 && !isLast) {
      this.#head = joinHead(this.#head, chunk);
      this.#tail = findTail(Buffer.concat([this.#tail, chunk]));
      return -1;
    }
    const end = feed === -1 ? chunk.length : feed + 1;
    const rest = chunk.subarray(0, end);
    const { line, record } = this.state;
    const head = joinHead(this.#head, rest);
    // A short line is seen as a whole, and of a long one the end is enough.
    const isShort = head.length < HEAD;
    const bytes = isShort ? head : Buffer.concat([this.#tail, rest]);
    const start = isShort ? lengthOfMark(head, line, record) : 0;
    const others = this.#rules.countOthers?.(bytes, start, bytes.length, line) ?? 0;
    const records = !isShort ? 1 : start === head.length ? 0 : 1 - others;
    this.state = { ...this.state, line: line + (feed === -1 ? 0 : 1), record: record + records };
    return end;
  }
}

const joinHead = (head: Buffer, chunk: Uint8Array): Buffer =>
  Buffer.concat([head, chunk.subarray(0, HEAD - head.length)]);

/** Returns the bytes at the end that tell whether a line feed after them is escaped. */
function findTail(bytes: Buffer): Buffer {
  const end = bytes.length - (bytes.at(-1) === CR ? 1 : 0);
  let i = end;
  while (i > 0 && bytes[i - 1] === BACKSLASH) i--;
  return Buffer.from(bytes.subarray((end - i) % 2 === 1 ? end - 1 : end));
}
