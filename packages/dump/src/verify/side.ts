/** One side of a comparison: its records in a temporary file, and its tables and columns. */
import { stopAt } from '@utf8/files';
import { segments, Turns } from '../cut/segments.js';
import { InputError } from '../error.js';
import type { Piece } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { TemporaryFolder } from '../path/temporary-folder.js';
import { openRecognized } from '../recognized.js';
import { ByteReader, ByteWriter } from '../scan/packed.js';
import { RunWriter, readRun } from '../scan/sorter.js';
import { type Cell, isHexForm, Mark } from './cell.js';
import { CellReader, type CellRules } from './cell-reader.js';

/** A column of a table. */
export interface SideColumn {
  readonly name: string | undefined;
  readonly number: number;
  /** 2 for the second column of the same name, and so on. */
  readonly occurrence: number;
  /** Numbers of values that are not NULL, of those that look like `\x…`, and of those written as bytes. */
  values: number;
  hexForms: number;
  blobs: number;
}

/** The columns of one name, and which of them is the next one of a record. */
interface ColumnsOfName {
  readonly indices: number[];
  /** The number of the record among those of the table. */
  record: number;
  next: number;
}

/** A table; without a name if the format has none. */
export interface SideTable {
  readonly name: string | undefined;
  readonly columns: SideColumn[];
  readonly byName: Map<string | number, ColumnsOfName>;
  records: number;
}

/** A record as it was read. */
export interface SideRecord {
  readonly table: SideTable;
  readonly record: number;
  readonly line: number;
  /** Values that are not NULL, by the index of their column. */
  readonly values: readonly SideValue[];
}

/** A value that is not NULL. */
export interface SideValue {
  readonly column: number;
  readonly value: Uint8Array;
  readonly raw: Uint8Array | undefined;
  readonly marks: number;
}

/** The most columns of one side, whose names are kept in memory. */
const MOST_COLUMNS = 100_000;

/** Bit of a value that has a raw form, besides the bits of {@link Mark}. */
const HAS_RAW = 128;

/** Reads one side, and keeps its records. */
export class Side {
  readonly file: string;
  readonly tables: SideTable[] = [];
  /** Number of records, those of other tables left out. */
  records = 0;
  readonly #byName = new Map<string | undefined, number>();
  readonly #folder = new TemporaryFolder();
  readonly #isWanted: (table: string) => boolean;
  #columns = 0;
  #run: RunWriter | undefined;

  /** @param isWanted - Tells whether records of a table count. */
  constructor(file: string, isWanted: (table: string) => boolean) {
    this.file = file;
    this.#isWanted = isWanted;
  }

  /**
   * Reads all records.
   *
   * @param isClean - Tells whether no field in some bytes can change.
   */
  async read(
    rules: CellRules,
    isClean: (bytes: Uint8Array) => boolean,
    onProgress: (bytes: number) => unknown,
  ): Promise<void> {
    const { format, isValid } = rules;
    const reader = new CellReader(rules);
    const writer = new ByteWriter();
    const request = { format: format.name, needsRecords: true };
    const { source } = await openRecognized(this.file, request);
    try {
      const turns = new Turns();
      for await (const { bytes, state } of segments(source, format)) {
        stopAt('read');
        const areClean = isClean(bytes);
        const areValid = isValid?.(bytes) ?? true;
        for (const piece of format.createReader(state).read(bytes)) {
          if (piece.kind !== 'record') continue;
          const name = piece.qualified ?? piece.table;
          if (name !== undefined && !this.#isWanted(name)) continue;
          const isCleanRecord = areClean || isClean(bytes.subarray(piece.start, piece.end));
          this.#add(writer, piece, name, reader.read(bytes, piece, isCleanRecord, areValid));
          if (turns.isDue) await turns.take();
        }
        await onProgress(bytes.length);
      }
      await source.verify();
    } catch (error) {
      throw error instanceof FormatError ? error.in(this.file) : error;
    } finally {
      await source.close();
    }
  }

  #add(writer: ByteWriter, piece: Piece, name: string | undefined, cells: readonly Cell[]): void {
    // A blank line of JSON has no value.
    if (cells.length === 0) return;
    const index = this.#findTable(name);
    const table = this.tables[index] as SideTable;
    table.records++;
    this.records++;
    writer.addNumber(index);
    writer.addCount(piece.number);
    writer.addCount(piece.line);
    for (const cell of cells) {
      const at = this.#findColumn(table, cell);
      const { value, raw, marks } = cell;
      if (!value) continue;
      const column = table.columns[at] as SideColumn;
      column.values++;
      if (marks & Mark.blob) column.blobs++;
      else if (isHexForm(value)) column.hexForms++;
      writer.addNumber(at);
      writer.addByte(marks | (raw ? HAS_RAW : 0));
      writer.addBytes(value);
      if (raw) writer.addBytes(raw);
    }
    this.#run ??= new RunWriter(this.#folder.nameFile());
    this.#run.add(writer.bytes);
    writer.clear();
  }

  #findTable(name: string | undefined): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const index = this.tables.length;
    this.#byName.set(name, index);
    this.tables.push({ name, columns: [], byName: new Map(), records: 0 });
    return index;
  }

  /** Finds the column of the next cell of a record. A header, or an object, may have a name twice. */
  #findColumn({ columns, byName, records }: SideTable, { column, number }: Cell): number {
    const key = column ?? number;
    let known = byName.get(key);
    if (!known) {
      known = { indices: [], record: 0, next: 0 };
      byName.set(key, known);
    }
    if (known.record !== records) {
      known.record = records;
      known.next = 0;
    }
    const { indices } = known;
    const occurrence = ++known.next;
    const found = indices[occurrence - 1];
    if (found !== undefined) return found;
    if (++this.#columns > MOST_COLUMNS) {
      throw new InputError(
        `${this.file}: more than ${MOST_COLUMNS} columns; is the format right, and are the keys of the JSON objects column names?`,
      );
    }
    columns.push({ name: column, number, occurrence, values: 0, hexForms: 0, blobs: 0 });
    indices.push(columns.length - 1);
    return columns.length - 1;
  }

  /** Yields all records, once. */
  *list(): Generator<SideRecord, void> {
    if (!this.#run) return;
    this.#run.finish();
    for (const item of readRun(this.#run.path)) {
      const reader = new ByteReader(item);
      const table = this.tables[reader.readNumber()] as SideTable;
      const record = reader.readCount();
      const line = reader.readCount();
      const values: SideValue[] = [];
      while (reader.index < item.length) {
        const column = reader.readNumber();
        const marks = reader.readByte();
        const value = reader.readBytes();
        const raw = marks & HAS_RAW ? reader.readBytes() : undefined;
        values.push({ column, value, raw, marks: marks & ~HAS_RAW });
      }
      yield { table, record, line, values };
    }
  }

  remove(): void {
    this.#folder.remove();
  }
}
