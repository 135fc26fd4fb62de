import type { Repair, Repairer } from '@utf8/repair';
import type { Field, Piece } from '../format/format.js';
import { countLineFeeds } from '../format/shared/line-feeds.js';
import { columnOf } from './column.js';
import type { FindingPlace, RecordKey } from './scan-finding.js';

/** A field that would change or be refused. */
export interface Change {
  readonly field: Field;
  readonly repair: Repair;
}

const BACKSLASH = 0x5c;

/** The piece under inspection, and what a conversion would make of it. One object serves for all. */
export class Subject {
  /** What the pieces lie in, and its offset in the file. */
  bytes: Uint8Array = new Uint8Array();
  offset = 0;
  piece!: Piece;
  /** In order; empty if the piece stays as it is. */
  readonly changes: Change[] = [];
  isRefused = false;
  readonly #file: string;
  readonly #repairer: Repairer;
  /** The line of index `#at`. */
  #line = 0;
  #at = 0;

  constructor(file: string, repairer: Repairer) {
    this.#file = file;
    this.#repairer = repairer;
  }

  /** Moves to a piece. @param isClean - Whether it is known to stay as it is. */
  examine(piece: Piece, isClean: boolean): void {
    const { bytes, changes } = this;
    this.piece = piece;
    this.isRefused = false;
    this.#line = piece.line;
    this.#at = piece.own;
    changes.length = 0;
    if (isClean || this.#repairer.isClean(bytes.subarray(piece.start, piece.end))) return;
    for (const field of piece.fields) {
      if (field.kind !== 'text' || isPlain(bytes, field.start, field.end)) continue;
      const repair = this.#repairer(bytes.subarray(field.start, field.end), field.escapes);
      if (repair.status === 'unchanged') continue;
      changes.push({ field, repair });
      if (repair.status === 'rejected') this.isRefused = true;
    }
  }

  /** What becomes of a field; undefined if it stays as it is. */
  findChange(field: Field): Repair | undefined {
    for (const change of this.changes) if (change.field === field) return change.repair;
    return undefined;
  }

  /** Describes the place of an index in a field. */
  locate(field: Field, at: number, key?: RecordKey): FindingPlace {
    const { piece, bytes, offset } = this;
    if (at < this.#at) {
      this.#line = piece.line;
      this.#at = piece.own;
    }
    this.#line += countLineFeeds(bytes, this.#at, at);
    this.#at = at;
    const { number: record, table } = piece;
    const [line, column] = [this.#line, columnOf(field)];
    return { file: this.#file, record, line, table, column, key, offset: offset + at };
  }
}

/** Tells whether bytes are ASCII without U+0000 and backslashes, which every conversion keeps. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80 || byte === BACKSLASH || byte === 0) return false;
  }
  return true;
}
