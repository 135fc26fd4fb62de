/** Reads dumps: statements, tuples, and the rows of a COPY. */
import { isCopyEnd, refuseEscapedFeeds } from '../copy.js';
import type { Piece, Reader, ReaderState } from '../format.js';
import { bytesOf, endOfText, LF, lengthOfMark, viewOf } from '../shared/ascii.js';
import { createCsvRows, findCopyEnd } from './copy-rows.js';
import type { SqlDialect, SqlOptions } from './dialect.js';
import { SqlPieces } from './sql-pieces.js';
import { type OpenCopy, StatementCutter } from './statement-cutter.js';
import type { CatalogueState } from './table-type.js';

const COPY_END = bytesOf('\\.');

export class SqlReader implements Reader {
  readonly #cutter: StatementCutter;
  /** The number of the next record. */
  readonly #next: { record: number };

  constructor(dialect: SqlDialect, state: ReaderState | undefined, options?: SqlOptions) {
    this.#cutter = new StatementCutter(dialect, state?.line ?? 1, state?.context, options);
    this.#next = { record: state?.record ?? 1 };
  }

  /** Tables that the statements so far have declared. */
  get catalogue(): CatalogueState {
    return this.#cutter.context.catalogue;
  }

  get state(): ReaderState {
    const { line, context } = this.#cutter;
    return { line, record: this.#next.record, context };
  }

  skip(bytes: Uint8Array, isLast: boolean): number {
    const view = viewOf(bytes);
    const cutter = this.#cutter;
    const mark = lengthOfMark(view, cutter.line, this.#next.record);
    cutter.enter();
    let cut = mark;
    while (cut < view.length) {
      if (cutter.context.copy) {
        const end = this.#skipRows(view, cut, isLast);
        if (end === -1) break;
        cut = end;
        continue;
      }
      const end = cutter.pass(view, cut, isLast);
      if (end === -1) break;
      if (cutter.unit === 'insert') this.#next.record += cutter.tuples;
      if (cutter.unit === 'set') this.#next.record++;
      cut = end;
    }
    if (isLast) cutter.refuseOpenCopy();
    else if (cut === mark) return 0;
    cutter.advance(view, cut);
    return cut;
  }

  read(bytes: Uint8Array): Iterable<Piece> {
    this.#cutter.leave();
    return new SqlPieces(viewOf(bytes), this.#cutter, this.#next);
  }

  /** Skips rows in CSV, or only their header; -1 if no row ends in the bytes. */
  #skipCsv(bytes: Buffer, start: number, isLast: boolean, copy: OpenCopy): number {
    const cutter = this.#cutter;
    const end = findCopyEnd(bytes, start, isLast);
    const rows = bytes.subarray(start, end === -1 ? bytes.length : end);
    cutter.advance(bytes, start);
    const format = createCsvRows(copy.rows, copy.columns);
    const state = { ...this.state, context: null };
    let length: number;
    if (copy.rows.hasHeader) {
      length = format.createScanner(state).push(rows, isLast || end !== -1);
      if (length > 0) cutter.endHeader(rows.subarray(0, length));
    } else {
      const reader = format.createReader(state);
      length = reader.skip(rows, isLast || end !== -1);
      this.#next.record = reader.state.record;
    }
    if (length <= 0) return -1;
    cutter.advance(bytes, start + length);
    return start + length;
  }

  /** Skips the whole rows of a COPY, or its end; -1 if there is neither. */
  #skipRows(bytes: Buffer, start: number, isLast: boolean): number {
    const cutter = this.#cutter;
    const { copy } = cutter.context;
    if (copy?.rows.isCsv && findCopyEnd(bytes, start, isLast) !== start) {
      return this.#skipCsv(bytes, start, isLast, copy);
    }
    let end = isLast ? bytes.length : bytes.lastIndexOf(LF) + 1;
    for (let i = start - 1; ; ) {
      i = bytes.indexOf(COPY_END, i + 1);
      if (i === -1 || i >= end) break;
      if (i > start && bytes[i - 1] !== LF) continue;
      const feed = bytes.indexOf(LF, i);
      const after = feed === -1 ? bytes.length : feed + 1;
      if (!isCopyEnd(bytes, i, endOfText(bytes, i, after))) continue;
      if (i === start) {
        cutter.learn({ copy: null });
        return after;
      }
      end = i;
      break;
    }
    if (end <= start) return -1;
    cutter.advance(bytes, start);
    refuseEscapedFeeds(bytes, start, end, cutter.line);
    const { line } = cutter;
    cutter.advance(bytes, end);
    this.#next.record += cutter.line - line + (bytes[end - 1] === LF ? 0 : 1);
    return end;
  }
}
