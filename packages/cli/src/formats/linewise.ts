/** The way of all formats whose records are lines. */
import { endOfText, hasMark, LF, MARK_LENGTH, viewOf } from './ascii.js';
import { countLineFeeds } from './count.js';
import type { Piece, Reader, ReaderState } from './format.js';
import { Row, type Split } from './row.js';

/** What a format has to say about lines, beyond where they end. */
export interface LineRules {
  /** Finds the fields of a record, whose text ends at an index. */
  split(bytes: Buffer, row: Row, end: number, fields: Parameters<Split>[1]): void;
  /**
   * Counts the lines of a stretch that are no records, by bytes.
   *
   * @throws FormatFailure where a line is none of the format.
   */
  countOthers?(bytes: Buffer, end: number, line: number): number;
  /** Whether a line, which is given without its end, is no record. */
  isOther?(bytes: Buffer, start: number, end: number): boolean;
}

/** Reads lines. */
export class LineReader implements Reader {
  #line: number;
  #record: number;
  readonly #rules: LineRules;

  constructor(rules: LineRules, state: ReaderState | undefined) {
    this.#rules = rules;
    this.#line = state?.line ?? 1;
    this.#record = state?.record ?? 1;
  }

  get state(): ReaderState {
    return { line: this.#line, record: this.#record, context: null };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const end = isLast ? view.length : view.lastIndexOf(LF) + 1;
    if (end === 0) return 0;
    const others = this.#rules.countOthers?.(view, end, this.#line) ?? 0;
    const lines = countLineFeeds(view, 0, end);
    const hasRest = view[end - 1] !== LF && end > this.#lengthOfMark(view);
    this.#line += lines;
    this.#record += lines + (hasRest ? 1 : 0) - others;
    return end;
  }

  *read(bytes: Uint8Array): Generator<Piece, void, undefined> {
    const rules = this.#rules;
    const view = viewOf(bytes);
    const row = new Row((row, fields) => {
      if (row.kind !== 'record') return;
      rules.split(view, row, endOfText(view, row.start, row.end), fields);
    });
    let start = this.#lengthOfMark(view);
    rules.countOthers?.(view, view.length, this.#line);
    if (start > 0) yield row.place('other', 0, start, 0, this.#line);
    while (start < view.length) {
      const feed = view.indexOf(LF, start);
      const end = feed === -1 ? view.length : feed + 1;
      const isOther = rules.isOther?.(view, start, endOfText(view, start, end)) ?? false;
      if (isOther) row.place('other', start, end, 0, this.#line);
      else row.place('record', start, end, this.#record++, this.#line);
      if (feed !== -1) this.#line++;
      yield row;
      start = end;
    }
  }

  /** In bytes. */
  #lengthOfMark(bytes: Uint8Array): number {
    return this.#line === 1 && this.#record === 1 && hasMark(bytes) ? MARK_LENGTH : 0;
  }
}
