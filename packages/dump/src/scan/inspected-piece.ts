/** The current piece of a scan, and the changes of its fields. */
import type { Finding, Repair } from '@utf8/repair';
import type { Field, Format, Piece } from '../format/format.js';
import { type Column, FieldIndex } from '../format/shared/column-choice.js';
import { countLineFeeds } from '../format/shared/line-feeds.js';
import { joinValue, type KeyValues } from '../key/key-values.js';
import type { FindingPlace, RecordKey } from './scan-finding.js';

/** The values of a key before and after the conversion. */
export interface ReadKey {
  readonly before: KeyValues;
  /** Values after the conversion; the array of `before` if none of them changes. */
  readonly after: KeyValues;
  /** The first field of the key. */
  readonly field: Field | undefined;
}

/** Moves from piece to piece. */
export class InspectedPiece {
  /** The piece, after the first {@link move}. */
  piece!: Piece;
  /** The bytes that contain the pieces. */
  bytes: Uint8Array = new Uint8Array();
  /** True if no search by bytes finds all of their text. */
  isHidden = false;
  /** The fields that do not stay as they are, in order. */
  repairs: Map<Field, Repair> = new Map();
  /** Mojibake that is kept. */
  suggestions: Map<Field, readonly Finding[]> = new Map();
  /** The fields that may have code points without a character. */
  suspects: Field[] = [];
  /** Fields that may be text or binary, so that they are kept, and their repairs. */
  doubts: [Field, Repair][] = [];
  /** True if a finding in it is refused. */
  isRefused = false;
  /** The key of its record, once it is needed. */
  key: RecordKey | undefined;
  readonly #file: string;
  readonly #format: Format;
  /** Offset of the bytes in the file. */
  #base = 0;
  #fields: FieldIndex | undefined;
  /** An index in the piece, and its line. */
  #knownIndex = 0;
  #knownLine = 1;

  constructor(file: string, format: Format) {
    this.#file = file;
    this.#format = format;
  }

  /** Moves to other bytes. */
  enter(bytes: Uint8Array, base: number, isHidden: boolean): void {
    this.bytes = bytes;
    this.#base = base;
    this.isHidden = isHidden;
  }

  /** Moves to the next piece. */
  move(piece: Piece): void {
    this.piece = piece;
    // Clearing one map again and again takes twice the time of the scan (Node 20).
    if (this.repairs.size > 0) this.repairs = new Map();
    if (this.suggestions.size > 0) this.suggestions = new Map();
    if (this.suspects.length > 0) this.suspects = [];
    if (this.doubts.length > 0) this.doubts = [];
    this.isRefused = false;
    this.key = undefined;
    this.#fields = undefined;
    this.#knownIndex = piece.own;
    this.#knownLine = piece.line;
  }

  /** True if it is a record that the conversion keeps. */
  get isKept(): boolean {
    return this.piece.kind === 'record' && !this.isRefused;
  }

  /** Returns the bytes of a field. */
  textOf({ start, end }: Field): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  /** Describes where an index in a field is. */
  locate({ column: name, number }: Field, at: number): FindingPlace {
    const { number: record, table, own, line: first } = this.piece;
    const isBefore = at < this.#knownIndex;
    const [from, known] = isBefore ? [own, first] : [this.#knownIndex, this.#knownLine];
    const line = known + countLineFeeds(this.bytes, from, at);
    this.#knownIndex = at;
    this.#knownLine = line;
    const { key } = this;
    const column = name ?? number;
    return { file: this.#file, record, line, table, column, key, offset: this.#base + at };
  }

  /** Reads a key, which may share the memory of the record. */
  readKey(columns: readonly Column[]): ReadKey {
    this.#fields ??= new FieldIndex(this.piece.fields, this.piece.table);
    const index = this.#fields;
    const parts = columns.map((column) => index.list(column));
    const read = (field: Field) => this.#format.readValue(this.bytes, field);
    const repair = (field: Field) =>
      this.#format.readValue(this.bytes, field, this.repairs.get(field)?.bytes);
    const before = parts.map((fields) => joinValue(fields, read));
    const isChanged = parts.some((fields) => fields.some((field) => this.repairs.has(field)));
    const after = isChanged ? parts.map((fields) => joinValue(fields, repair)) : before;
    return { before, after, field: parts.find((fields) => fields.length > 0)?.[0] };
  }
}
