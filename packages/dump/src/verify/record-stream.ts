/** The records of a file in order, one at a time. */
import { stopAt } from '@utf8/files';
import { type Segment, segments } from '../cut/segments.js';
import type { Piece } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { viewOf } from '../format/shared/ascii.js';
import type { Source } from '../open/source.js';
import { openRecognized } from '../recognized.js';
import type { Cell } from './cell.js';
import { CellReader, type CellRules } from './cell-reader.js';

/** The file of a side, and the tables whose records count. */
interface Input {
  readonly file: string;
  has(table: string | undefined): boolean;
}

/** Bytes that are looked at together, if one record before them was not clean. */
const LEAST_AHEAD = 256;
const MOST_AHEAD = 1 << 16;

/** Records of one file, and what applies to all of them. */
export class RecordStream<From extends Input = Input> {
  readonly reader: CellReader;
  /** Bytes that the record was read from, valid until the next one, and a view of them. */
  bytes: Uint8Array = new Uint8Array();
  view: Buffer = Buffer.alloc(0);
  /** The record. */
  piece!: Piece;
  /** The table of the record, if it is known. */
  name: string | undefined;
  readonly side: From;
  readonly #rules: CellRules;
  readonly #isClean: (bytes: Uint8Array) => boolean;
  readonly #onProgress: (bytes: number) => unknown;
  #source: Source | undefined;
  #segments: AsyncIterator<Segment> | undefined;
  #pieces: Iterator<Piece> | undefined;
  #areClean = false;
  /** The end of the bytes from the record on that are known to be clean. */
  #cleanEnd = 0;
  /** Number of bytes to look at next. */
  #ahead = LEAST_AHEAD;
  #areValid = false;

  /**
   * @param side - The file, and the tables whose records count.
   * @param isClean - Tells whether no field in some bytes can change.
   */
  constructor(
    side: From,
    rules: CellRules,
    isClean: (bytes: Uint8Array) => boolean,
    onProgress: (bytes: number) => unknown,
  ) {
    this.reader = new CellReader(rules);
    this.side = side;
    this.#rules = rules;
    this.#isClean = isClean;
    this.#onProgress = onProgress;
  }

  /** Moves to the next record in memory; false if there is none. */
  next(): boolean {
    try {
      for (;;) {
        const { value, done = true } = this.#pieces?.next() ?? { value: undefined };
        if (done) return false;
        if (value.kind !== 'record') continue;
        const name = value.qualified ?? value.table;
        if (!this.side.has(name)) continue;
        this.piece = value;
        this.name = name;
        return true;
      }
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Moves to the next record by reading on; false at the end of the file. */
  async load(): Promise<boolean> {
    const { format, isValid } = this.#rules;
    try {
      if (!this.#source || !this.#segments) {
        const request = { format: format.name, needsRecords: true };
        this.#source = (await openRecognized(this.side.file, request)).source;
        this.#segments = segments(this.#source, format)[Symbol.asyncIterator]();
      }
      for (;;) {
        if (this.#pieces) await this.#onProgress(this.bytes.length);
        this.#pieces = undefined;
        const { value, done } = await this.#segments.next();
        if (done) break;
        stopAt('read');
        this.bytes = value.bytes;
        this.view = viewOf(value.bytes);
        this.#areClean = this.#isClean(value.bytes);
        this.#cleanEnd = 0;
        this.#areValid = isValid?.(value.bytes) ?? true;
        this.#pieces = format.createReader(value.state).read(value.bytes)[Symbol.iterator]();
        if (this.next()) return true;
      }
      await this.#source.verify();
      return false;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** True if no field of the record can change. */
  get isClean(): boolean {
    const { start, end } = this.piece;
    return this.#areClean || end <= this.#cleanEnd || this.#seeClean(start, end);
  }

  /** Looks at a record, together with as many after it as are probably clean, too. */
  #seeClean(start: number, end: number): boolean {
    let ahead = Math.min(start + this.#ahead, this.bytes.length);
    // The range ends with a character.
    while (ahead > end && (this.bytes[ahead - 1] as number) >= 0x80) ahead--;
    if (ahead > end) {
      if (this.#isClean(this.bytes.subarray(start, ahead))) {
        this.#cleanEnd = ahead;
        this.#ahead = Math.min(2 * this.#ahead, MOST_AHEAD);
        return true;
      }
      this.#ahead = Math.max(this.#ahead / 2, LEAST_AHEAD);
    } else this.#ahead = Math.min(2 * this.#ahead, MOST_AHEAD);
    return this.#isClean(this.bytes.subarray(start, end));
  }

  /** True if the record is well-formed as the file spells it. */
  get isValid(): boolean {
    const { start, end } = this.piece;
    return this.#areValid || (this.#rules.isValid?.(this.bytes.subarray(start, end)) ?? true);
  }

  /** Reads the values of the record. */
  readCells(): Cell[] {
    try {
      return this.reader.read(this.bytes, this.piece, this.isClean, this.#areValid);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  async close(): Promise<void> {
    await this.#segments?.return?.();
    await this.#source?.close();
  }

  #explain(error: unknown): unknown {
    return error instanceof FormatError ? error.in(this.side.file) : error;
  }
}
