/** One side of a comparison: its records in a temporary file, and its tables and columns. */
import { Turns } from '../cut/segments.js';
import { InputError } from '../error.js';
import type { Piece } from '../format/format.js';
import { TemporaryFolder } from '../path/temporary-folder.js';
import { ByteReader, ByteWriter } from '../scan/packed.js';
import { RunWriter, readRun } from '../scan/sorter.js';
import { type Cell, isHexForm, Mark } from './cell.js';
import type { RecordStream } from './record-stream.js';

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
  /** That of the table. */
  pass: number;
  next: number;
}

/** A table; without a name if the format has none. */
export interface SideTable {
  readonly name: string | undefined;
  readonly columns: SideColumn[];
  readonly byName: Map<string | number, ColumnsOfName>;
  records: number;
  /** Number of times that the columns of a record were looked for. */
  pass: number;
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

/** A record that was counted. */
interface CountedRecord {
  readonly table: SideTable | undefined;
  readonly columns: readonly number[];
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
  readonly #writer = new ByteWriter();
  #columns = 0;
  #run: RunWriter | undefined;

  /** @param isWanted - Tells whether records of a table count. */
  constructor(file: string, isWanted: (table: string) => boolean) {
    this.file = file;
    this.#isWanted = isWanted;
  }

  /** Tells whether the records of a table count. */
  has(table: string | undefined): boolean {
    return table === undefined || this.#isWanted(table);
  }

  /** Keeps all records of a stream. */
  async read(records: RecordStream): Promise<void> {
    const turns = new Turns();
    try {
      while (records.next() || (await records.load())) {
        if (turns.isDue) await turns.take();
        this.add(records.piece, records.name, records.readCells());
      }
    } finally {
      await records.close();
    }
  }

  /** Keeps a record. */
  add(piece: Piece, name: string | undefined, cells: readonly Cell[]): void {
    const { table, columns } = this.count(name, cells);
    // A blank line of JSON has no value.
    if (!table) return;
    const writer = this.#writer;
    writer.addNumber(this.#findTable(name));
    writer.addCount(piece.number);
    writer.addCount(piece.line);
    for (const [i, { value, raw, marks }] of cells.entries()) {
      if (!value) continue;
      writer.addNumber(columns[i] as number);
      writer.addByte(marks | (raw ? HAS_RAW : 0));
      writer.addBytes(value);
      if (raw) writer.addBytes(raw);
    }
    this.#run ??= new RunWriter(this.#folder.nameFile());
    this.#run.add(writer.bytes);
    writer.clear();
  }

  /**
   * Counts a record and its values.
   *
   * @returns Its table, and the indices of the columns of its cells; no table if it has no value.
   */
  count(name: string | undefined, cells: readonly Cell[]): CountedRecord {
    if (cells.length === 0) return { table: undefined, columns: [] };
    const table = this.find(name);
    this.countAlike(table);
    const columns = this.findColumns(table, cells);
    for (const [i, { value, marks }] of cells.entries()) {
      if (!value) continue;
      const column = table.columns[columns[i] as number] as SideColumn;
      column.values++;
      if (marks & Mark.blob) column.blobs++;
      else if (isHexForm(value)) column.hexForms++;
    }
    return { table, columns };
  }

  /** Finds a table, which is new if no record of it has come yet. */
  find(name: string | undefined): SideTable {
    return this.tables[this.#findTable(name)] as SideTable;
  }

  /** Finds the columns of the values of a record. */
  findColumns(table: SideTable, cells: readonly Cell[]): number[] {
    table.pass++;
    return cells.map((cell) => this.#findColumn(table, cell));
  }

  /** Counts a record whose columns are known, and whose values need not be counted. */
  countAlike(table: SideTable): void {
    table.records++;
    this.records++;
  }

  #findTable(name: string | undefined): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const index = this.tables.length;
    this.#byName.set(name, index);
    this.tables.push({ name, columns: [], byName: new Map(), records: 0, pass: 0 });
    return index;
  }

  /** Finds the column of the next cell of a record. A header, or an object, may have a name twice. */
  #findColumn({ columns, byName, pass }: SideTable, { column, number }: Cell): number {
    const key = column ?? number;
    let known = byName.get(key);
    if (!known) {
      known = { indices: [], pass: 0, next: 0 };
      byName.set(key, known);
    }
    if (known.pass !== pass) {
      known.pass = pass;
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
