/** The next record of a side: its table, its key, and its values if its fields do not tell enough. */
import { isDeepStrictEqual } from 'node:util';
import type { Field } from '../format/format.js';
import {
  BACKSLASH,
  CLOSE,
  COMMA,
  DOUBLE_QUOTE,
  LETTER_X,
  OPEN,
  QUOTE,
  SPACE,
} from '../format/shared/ascii.js';
import { deriveMarks } from '../format/sql/dialect.js';
import { hash } from '../scan/bloom.js';
import type { RecordPlace } from '../scan/scan-finding.js';
import type { Cell } from './cell.js';
import { type CellRules, isNullWord } from './cell-reader.js';
import { findKeyColumns, type KeyColumn } from './match.js';
import type { RecordStream } from './record-stream.js';
import type { Side, SideColumn, SideTable } from './side.js';

/** A part of a key: numbers precede texts, which are in Latin-1. */
type KeyPart = number | string;

/** Thrown if all records have to be sorted. */
export class Unordered extends Error {}

/** Most digits of a number that is compared as one. */
const DIGITS = 15;

const ZERO = 0x30;

/** 1 for what may follow a backslash that makes other bytes, as in `\\355`, `\\xED` and `U&'\\d83d'`. */
const MAKES_BYTES = deriveMarks('+0123456789ABCDEFUXabcdefux');
const WORDS = 2 ** 52;

/** A table of one side. */
export class TableState {
  readonly table: SideTable;
  /** The columns of the key; none if whole records are compared. */
  readonly key: readonly KeyColumn[];
  partner: TableState | undefined;
  /** Index of the column of the other side by that of this side, for the values of pairs that were left out. */
  readonly others: number[] = [];
  /** Number of such pairs. */
  left = 0;
  /** Key of the last record. */
  last: readonly KeyPart[] | undefined;
  /** Names and numbers of the fields of the last record that was read value by value, and indices of columns. */
  #names: (string | undefined)[] = [];
  #numbers: number[] = [];
  #columns: readonly number[] = [];
  /** Number of times that they changed. */
  #lessons = 0;
  /** The last arguments of {@link TableState.mirrors}, and its answer. */
  #compared: { own?: unknown; its?: unknown; other?: TableState; lessons?: number } = {};
  #mirrors = false;
  /** Positions of fields whose columns may contain nothing but hexadecimal forms, or nothing. */
  open: readonly number[] = [];

  constructor(table: SideTable, key: readonly KeyColumn[]) {
    this.table = table;
    this.key = key;
  }

  /** Learns the columns of fields. */
  learn(fields: readonly Field[], columns: readonly number[]): void {
    if (fields.length !== columns.length) return;
    if (this.knows(fields)) {
      // Once a column has another value, it stays so.
      if (this.open.length === 0) return;
    } else {
      this.#names = fields.map(({ column }) => column);
      this.#numbers = fields.map(({ number }) => number);
      this.#columns = [...columns];
      this.#lessons++;
    }
    this.open = this.#columns.flatMap((column, i) => {
      const { values, hexForms } = this.table.columns[column] as SideColumn;
      return values > hexForms ? [] : [i];
    });
  }

  /** Tells whether the fields of a record are of known columns, one of each. */
  knows(fields: readonly Field[]): boolean {
    if (fields.length !== this.#numbers.length) return false;
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as Field;
      if (field.number !== this.#numbers[i] || field.column !== this.#names[i]) return false;
    }
    return true;
  }

  get columns(): readonly number[] {
    return this.#columns;
  }

  /**
   * Tells whether a record here has the same fields as one of another table, and the same fields make up its key, if
   * their bytes are the same.
   *
   * @param own - The shape of the record.
   * @param its - The shape of the other one, whose fields are of known columns.
   */
  mirrors(own: unknown, other: TableState, its: unknown): boolean {
    const lessons = this.#lessons + other.#lessons;
    const last = this.#compared;
    if (last.own !== own || last.its !== its || last.other !== other || last.lessons !== lessons) {
      this.#compared = { own, its, other, lessons };
      const placeKey = ({ key, columns }: TableState): readonly number[] =>
        key.map(({ column }) => columns.indexOf(column));
      this.#mirrors =
        own !== undefined &&
        isDeepStrictEqual(own, its) &&
        isDeepStrictEqual(this.#names, other.#names) &&
        isDeepStrictEqual(this.#numbers, other.#numbers) &&
        isDeepStrictEqual(placeKey(this), placeKey(other));
    }
    return this.#mirrors;
  }
}

/** The next record of a side. */
export class Head {
  readonly side: Side;
  readonly records: RecordStream<Side>;
  readonly #keys: readonly string[];
  readonly #isJson: boolean;
  readonly #isSql: boolean;
  /** True if a text without quotes and escapes is its value. */
  readonly #isPlainSyntax: boolean;
  readonly #tables = new Map<string | undefined, TableState>();
  /** The next backslash in the bytes that were searched, unless it is less than where the search is. */
  #searched: Buffer | undefined;
  #backslash = -1;
  table!: TableState;
  key: readonly KeyPart[] = [];
  /** The values, if they had to be read. */
  cells: readonly Cell[] | undefined;
  /** True if the fields tell all about the values. */
  isSimple = false;
  /** Number of records so far. */
  #count = 0;
  /** The head of the source, if both have the same format. */
  readonly #twin: Head | undefined;
  /** The number of the twin's record that has the same bytes and fields; -1 if it had others. */
  #mirrored = -1;

  constructor(
    records: RecordStream<Side>,
    keys: readonly string[],
    { format: { name: format }, formatOptions }: CellRules,
    twin?: Head,
  ) {
    this.#twin = twin;
    this.#isPlainSyntax = ['quote', 'escape', 'quotedEscape'].every(
      (name) => formatOptions[name] === undefined,
    );
    this.side = records.side;
    this.records = records;
    this.#keys = keys;
    this.#isJson = format.startsWith('json');
    this.#isSql = /^(mysqldump|pg_dump|sqlite)$/.test(format);
  }

  /** Moves to the next record; false at the end. */
  async move(): Promise<boolean> {
    const { records } = this;
    while (records.next() || (await records.load())) if (this.#enter()) return true;
    return false;
  }

  /** Moves to the next record in memory; false if there is none. */
  moveInMemory(): boolean {
    while (this.records.next()) if (this.#enter()) return true;
    return false;
  }

  get tables(): Iterable<TableState> {
    return this.#tables.values();
  }

  /** Starts with a record; false if it has no values. */
  #enter(): boolean {
    const { records } = this;
    const { name } = records;
    this.cells = undefined;
    this.#count++;
    const known = this.#tables.get(name);
    this.#mirrored = known && this.#findMirrored(known) ? (this.#twin as Head).#count : -1;
    this.isSimple =
      this.#mirrored !== -1 ||
      (!this.#isJson &&
        known !== undefined &&
        records.isClean &&
        known.knows(records.piece.fields) &&
        this.#areFieldsSimple());
    if (known && this.isSimple) this.table = known;
    else {
      this.cells = records.readCells();
      if (this.cells.length === 0) return false;
      this.table = known ?? this.#create(name, this.cells);
    }
    this.#checkOrder();
    return true;
  }

  /** Tells whether the record has the same fields as that of the twin, because it has the same bytes. */
  #findMirrored(known: TableState): boolean {
    const twin = this.#twin;
    if (!twin?.isSimple || known.partner !== twin.table) return false;
    const { piece: own, view } = this.records;
    const { piece: its, view: other } = twin.records;
    return (
      its.kind === 'record' &&
      own.end - own.own === its.end - its.own &&
      known.mirrors(own.shape, twin.table, its.shape) &&
      view.compare(other, its.own, its.end, own.own, own.end) === 0
    );
  }

  /** True if the record has the same bytes and fields as that of the twin. */
  get isMirrored(): boolean {
    const twin = this.#twin;
    return twin !== undefined && this.#mirrored === twin.#count;
  }

  #create(name: string | undefined, cells: readonly Cell[]): TableState {
    const table = this.side.find(name);
    const columns = this.side.findColumns(table, cells);
    const state = new TableState(table, findKeyColumns(table, this.#keys));
    state.learn(this.#isJson ? [] : this.records.piece.fields, columns);
    this.#tables.set(name, state);
    return state;
  }

  /** Tells whether no escape makes bytes, and no text is written in hexadecimal digits. */
  #areFieldsSimple(): boolean {
    const { bytes, piece } = this.records;
    const { own, end } = piece;
    for (let i = this.#findBackslash(own); i < end; i = this.#findBackslash(i)) {
      if (MAKES_BYTES[bytes[i + 1] as number] === 1) return false;
      i += 2;
    }
    if (!this.#isSql) return true;
    for (const { start, isHex, kind } of piece.fields) {
      if (isHex) return false;
      if (kind !== 'opaque' && ((bytes[start - 2] ?? 0) | 0x20) === LETTER_X) return false;
    }
    return true;
  }

  /** Finds a backslash at an index or after it; the next record begins where the search ends. */
  #findBackslash(from: number): number {
    const { view: bytes } = this.records;
    if (bytes !== this.#searched) this.#backslash = -1;
    this.#searched = bytes;
    if (this.#backslash < from) {
      const index = bytes.indexOf(BACKSLASH, from);
      this.#backslash = index === -1 ? bytes.length : index;
    }
    return this.#backslash;
  }

  /** Makes sure that keys increase, so that no two are equal. */
  #checkOrder(): void {
    const { table } = this;
    if (table.key.length === 0) return;
    this.key = this.isMirrored && this.#twin ? this.#twin.key : this.#readKey(table.key);
    if (table.last && compareKeys(table.last, this.key) >= 0) throw new Unordered();
    table.last = this.key;
  }

  #readKey(columns: readonly KeyColumn[]): readonly KeyPart[] {
    if (!this.cells) {
      const parts: KeyPart[] = [];
      for (const { column } of columns) {
        const field = this.records.piece.fields[this.table.columns.indexOf(column)];
        const part = field && this.#readPart(field);
        if (part === undefined) break;
        parts.push(part);
      }
      if (parts.length === columns.length) return parts;
      this.cells = this.records.readCells();
    }
    const { cells } = this;
    const found = this.side.findColumns(this.table.table, cells);
    return columns.map(({ column }) => {
      const value = cells[found.indexOf(column)]?.value;
      if (!value) throw new Unordered();
      return toKeyPart(value, 0, value.length);
    });
  }

  /** Reads a part of a key from its field; undefined if its value may be another. */
  #readPart({ start, end }: Field): KeyPart | undefined {
    const { bytes, piece } = this.records;
    if (start === end || !this.#isPlainSyntax) return undefined;
    if (this.#isSql && piece.after?.[0] !== BACKSLASH) {
      const edge = bytes[start - 1] === QUOTE && bytes[end] === QUOTE ? 1 : 0;
      if (!this.#isBetween(start - edge, end + edge)) return undefined;
    }
    const part = toKeyPart(bytes, start, end);
    const isPlain =
      typeof part === 'number' || (/^[\w.:-]+$/.test(part) && !/^(0x|null$)/i.test(part));
    return isPlain ? part : undefined;
  }

  /** Tells whether a range of a tuple is a whole value. */
  #isBetween(start: number, end: number): boolean {
    const { bytes, piece } = this.records;
    const before = bytes[start - 1] === SPACE ? start - 2 : start - 1;
    const isFirst = bytes[before] === OPEN && before === piece.own;
    const isLast = bytes[end] === CLOSE && end === piece.end - 1;
    return (isFirst || bytes[before] === COMMA) && (isLast || bytes[end] === COMMA);
  }

  /** Tells whether the columns whose values have to be counted are NULL in the record. */
  get isCounted(): boolean {
    const { records, table } = this;
    // The fields of most records need not be found for this.
    if (table.open.length === 0) return true;
    const { fields, after } = records.piece;
    const isTuple = this.#isSql && after?.[0] !== BACKSLASH;
    return table.open.every((i) => {
      const field = fields[i] as Field;
      if (!isTuple) return records.reader.isNull(records.bytes, records.piece, field);
      const { start, end } = field;
      return isNullWord(records.bytes, start, end) && this.#isBetween(start, end);
    });
  }

  /** Hashes the values by their columns, in any order. */
  sum(): number {
    const sum = this.cells ? undefined : this.#sumFields();
    if (sum !== undefined) return sum;
    const cells = this.read();
    return sumValues(cells, this.side.findColumns(this.table.table, cells));
  }

  /** Hashes the fields of a simple record as the values that they are; undefined if one may be another. */
  #sumFields(): number | undefined {
    const { bytes, piece, reader } = this.records;
    const { own, end, fields, after } = piece;
    if (!this.#isPlainSyntax || this.#findBackslash(own) < end) return undefined;
    const isTuple = this.#isSql && after?.[0] !== BACKSLASH;
    const { columns } = this.table;
    const quote = isTuple ? QUOTE : DOUBLE_QUOTE;
    let sum = 0;
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as Field;
      const { start, end: to, kind } = field;
      const first = bytes[start] as number;
      if (isTuple) {
        const edge = bytes[start - 1] === QUOTE && bytes[to] === QUOTE ? 1 : 0;
        if (!this.#isBetween(start - edge, to + edge)) return undefined;
        // A number, a text without quotes in it, or the word NULL.
        if (edge === 0 && first >= 0x3a) {
          if (isNullWord(bytes, start, to)) continue;
          return undefined;
        }
        if (edge === 0 ? bytes[start + 1] === LETTER_X : kind !== 'text') return undefined;
      } else if (reader.isNull(bytes, piece, field)) continue;
      for (let j = start; j < to; j++) if (bytes[j] === quote) return undefined;
      sum = addToSum(sum, hash(bytes, start, to), columns[i] as number);
    }
    return sum;
  }

  /** Reads the values, if that has not been done. */
  read(): readonly Cell[] {
    this.cells ??= this.records.readCells();
    return this.cells;
  }

  /** Where the record is. */
  get place(): RecordPlace {
    const { number, line } = this.records.piece;
    return { file: this.side.file, line, record: number };
  }

  /** Counts the record as one that is left out, by its values. */
  count(cells: readonly Cell[]): readonly number[] {
    const { columns } = this.side.count(this.records.name, cells);
    if (!this.#isJson) this.table.learn(this.records.piece.fields, columns);
    return columns;
  }

  /** Keeps the record for the comparison. */
  keep(): void {
    const { piece, name } = this.records;
    const cells = this.read();
    this.side.add(piece, name, cells);
    if (!this.#isJson)
      this.table.learn(piece.fields, this.side.findColumns(this.table.table, cells));
  }
}

/** Hashes the values of a record by their columns, in any order. */
function sumValues(cells: readonly Cell[], columns: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < cells.length; i++) {
    const { value } = cells[i] as Cell;
    if (value) sum = addToSum(sum, hash(value), columns[i] as number);
  }
  return sum;
}

const addToSum = (sum: number, hashed: number, column: number): number =>
  (sum + hashed + 0x1_0000_0001 * column) % WORDS;

/** Turns a value into a part of a key; whole numbers without a sign become numbers. */
function toKeyPart(bytes: Uint8Array, start: number, end: number): KeyPart {
  let number = 0;
  let i = start;
  for (; i < end && end - start <= DIGITS; i++) {
    const digit = (bytes[i] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    number = 10 * number + digit;
  }
  const isNumber = i === end && end > start && (bytes[start] !== ZERO || end === start + 1);
  return isNumber
    ? number
    : Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

/** Compares keys, in any order that is the same on both sides. */
export function compareKeys(one: readonly KeyPart[], other: readonly KeyPart[]): number {
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i] as KeyPart, other[i] as KeyPart];
    if (a === b) continue;
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}
