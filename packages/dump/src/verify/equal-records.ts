/**
 * Reads both sides at once, and leaves out pairs of records with equal values: those that the conversion repairs
 * are reported at once. A record that is left out must have a key, or values, that no other record of its table
 * has: otherwise, all records have to be sorted.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Codec } from '@utf8/core';
import { Turns } from '../cut/segments.js';
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
import { BloomFilter, hash } from '../scan/bloom.js';
import { describeKey } from '../scan/key.js';
import type { RecordPlace } from '../scan/scan-finding.js';
import { type Cell, Mark } from './cell.js';
import { type CellRules, isNullWord } from './cell-reader.js';
import type { Classifier, PairedValue, ShownTest } from './classify.js';
import { findKeyColumns, isIgnored, type KeyColumn, type TablePair } from './match.js';
import type { RecordStream } from './record-stream.js';
import type { Side, SideColumn, SideTable } from './side.js';
import { placeValue, type VerifyFinding } from './verify-finding.js';

/** Pairs of records with equal values, which were left out. */
export interface EqualRecords {
  /** Numbers of pairs without a finding, and of those with a repair. */
  readonly equal: number;
  readonly explained: number;
  /** Tells whether the comparison of the others, and these pairs, is that of all records. */
  fits(pairs: readonly TablePair[]): boolean;
}

/** What is reported about records that are left out. */
export interface Repairs {
  readonly classifier: Classifier;
  /** The encoding of the target. */
  readonly to: Codec;
  /** Columns that are not compared. */
  readonly ignored: readonly string[];
  /** Tells whether a finding needs more than what is counted. */
  readonly isShown: ShownTest;
  readonly add: (finding: VerifyFinding) => void;
}

/** A part of a key: numbers precede texts, which are in Latin-1. */
type KeyPart = number | string;

/** Thrown if all records have to be sorted. */
class Unordered extends Error {}

/** Most digits of a number that is compared as one. */
const DIGITS = 15;

/** Pairs between two looks at the clock, less one. */
const PATIENCE = 63;

const ZERO = 0x30;

/** 1 for what may follow a backslash that makes other bytes, as in `\\355`, `\\xED` and `U&'\\d83d'`. */
const MAKES_BYTES = deriveMarks('+0123456789ABCDEFUXabcdefux');
const WORDS = 2 ** 52;

/** A table of one side. */
class TableState {
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
}

/** The next record of a side. */
class Head {
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

  constructor(
    records: RecordStream<Side>,
    keys: readonly string[],
    { format: { name: format }, formatOptions }: CellRules,
  ) {
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
    const known = this.#tables.get(name);
    this.isSimple =
      !this.#isJson &&
      known !== undefined &&
      records.isClean &&
      known.knows(records.piece.fields) &&
      this.#areFieldsSimple();
    if (known && this.isSimple) this.table = known;
    else {
      this.cells = records.readCells();
      if (this.cells.length === 0) return false;
      this.table = known ?? this.#create(name, this.cells);
    }
    this.#checkOrder();
    return true;
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
    this.key = this.#readKey(table.key);
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

/** Passes both sides. */
class Lockstep {
  readonly #source: Head;
  readonly #target: Head;
  readonly #isSameFormat: boolean;
  #current: TableState | undefined;
  /** Hashes of the values of records without a key that were kept. */
  #kept: BloomFilter | undefined;
  readonly #repairs: Repairs;
  #equal = 0;
  #explained = 0;

  constructor(source: Head, target: Head, isSameFormat: boolean, repairs: Repairs) {
    this.#source = source;
    this.#target = target;
    this.#isSameFormat = isSameFormat;
    this.#repairs = repairs;
  }

  async pass(): Promise<EqualRecords> {
    const [source, target] = [this.#source, this.#target];
    const turns = new Turns();
    let count = 0;
    let hasSource = await source.move();
    let hasTarget = await target.move();
    while (hasSource || hasTarget) {
      if ((++count & PATIENCE) === 0 && turns.isDue) await turns.take();
      const order = !hasTarget ? -1 : hasSource ? this.#compare() : 1;
      if (order !== 0 || !this.#leaveOut()) {
        if (order <= 0) this.#keep(source);
        if (order >= 0) this.#keep(target);
      }
      if (order <= 0) hasSource = source.moveInMemory() || (await source.move());
      if (order >= 0) hasTarget = target.moveInMemory() || (await target.move());
    }
    return { equal: this.#equal, explained: this.#explained, fits: (pairs) => this.#fits(pairs) };
  }

  /** Tells which record comes first; 0 if both may be a pair. */
  #compare(): number {
    const [one, other] = [this.#source, this.#target];
    const [a, b] = [one.table, other.table];
    if (!a.partner && !b.partner && isNamedAlike(a.table, b.table)) {
      if (a.key.length > 0 === b.key.length > 0) {
        a.partner = b;
        b.partner = a;
      }
    }
    if (a.partner === b && a.partner) {
      this.#current = a;
      return a.key.length > 0 ? compareKeys(one.key, other.key) : 0;
    }
    if (this.#current === a) return -1;
    if (this.#current?.partner === b) return 1;
    return a.partner && !b.partner ? 1 : -1;
  }

  /** Leaves out both records if they have the same values; false if they differ. */
  #leaveOut(): boolean {
    const [source, target] = [this.#source, this.#target];
    const isAlike = this.#isSameFormat && this.#areSpelledAlike();
    if (isAlike && source.isCounted && target.isCounted) {
      if (!this.#match(source.table.columns, target.table.columns)) return false;
      if (source.table.key.length === 0) this.#checkKept(source);
      source.side.countAlike(source.table.table);
      target.side.countAlike(target.table.table);
      source.table.left++;
      this.#equal++;
      return true;
    }
    const [cells, others] = [source.read(), target.read()];
    if (!haveSameValues(cells, others)) return false;
    const columns = source.side.findColumns(source.table.table, cells);
    const columnsOfTarget = target.side.findColumns(target.table.table, others);
    if (!this.#match(columns, columnsOfTarget)) return false;
    if (source.table.key.length === 0) this.#checkKept(source);
    source.count(cells);
    target.count(others);
    source.table.left++;
    if (this.#report(columns, columnsOfTarget)) this.#explained++;
    else this.#equal++;
    return true;
  }

  /** Reports the values that the conversion repairs; false if there is none. */
  #report(columns: readonly number[], columnsOfTarget: readonly number[]): boolean {
    const { classifier, ignored, isShown, add } = this.#repairs;
    const { table } = this.#source.table;
    const { table: other } = this.#target.table;
    const cells = this.#source.read();
    const others = this.#target.read();
    let isReported = false;
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i] as Cell;
      if (!cell.raw) continue;
      const column = table.columns[columns[i] as number] as SideColumn;
      const partner = other.columns[columnsOfTarget[i] as number] as SideColumn;
      if (isIgnored(column, table, ignored) || isIgnored(partner, other, ignored)) continue;
      const found = classifier.compare(toValue(cell), toValue(others[i] as Cell), isShown);
      if (!found) continue;
      isReported = true;
      const at = {
        table: table.name ?? other.name,
        column: column.name ?? partner.name ?? column.number,
      };
      if (isShown(found.class, found.isExplained)) {
        const key = this.#describeKey(cells, columns);
        const places = { source: this.#source.place, target: this.#target.place };
        add(placeValue(found, { ...at, key, ...places }));
      } else add({ class: found.class, isExplained: found.isExplained, ...at });
    }
    return isReported;
  }

  #describeKey(cells: readonly Cell[], columns: readonly number[]): VerifyFinding['key'] {
    const { key } = this.#source.table;
    if (key.length === 0) return undefined;
    const values = key.map(({ column }) => cells[columns.indexOf(column)]?.value);
    const names = key.map(({ text }) => text);
    return describeKey(names, values, this.#repairs.to);
  }

  /** Tells whether both records have the same bytes, in the same fields, so that their values are the same. */
  #areSpelledAlike(): boolean {
    const [source, target] = [this.#source, this.#target];
    if (!source.isSimple || !target.isSimple) return false;
    const [one, other] = [source.records, target.records];
    const { own, end, fields, after } = one.piece;
    const { own: from, end: to, fields: others, after: otherAfter } = other.piece;
    if (end - own !== to - from || fields.length !== others.length) return false;
    if (one.view.compare(other.view, from, to, own, end) !== 0) return false;
    if (after?.[0] !== otherAfter?.[0]) return false;
    for (let i = 0; i < fields.length; i++) {
      const a = fields[i] as Field;
      const b = others[i] as Field;
      const isSame =
        a.start - own === b.start - from &&
        a.end - own === b.end - from &&
        a.kind === b.kind &&
        a.number === b.number &&
        a.escapes === b.escapes &&
        a.column === b.column;
      if (!isSame) return false;
    }
    return other.isValid;
  }

  /** Notes which columns belong together; false if another pair contradicts. */
  #match(columns: readonly number[], others: readonly number[]): boolean {
    const { others: known } = this.#source.table;
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i] as number;
      if (known[column] === undefined) known[column] = others[i] as number;
      else if (known[column] !== others[i]) return false;
    }
    return true;
  }

  /**
   * Makes sure that no record with the same values was kept, which may have another pair in the order of the file.
   * One that is kept later comes after both.
   */
  #checkKept(head: Head): void {
    if (this.#kept?.has(head.sum())) throw new Unordered();
  }

  #keep(head: Head): void {
    head.keep();
    if (head.table.key.length > 0) return;
    this.#kept ??= new BloomFilter();
    this.#kept.add(head.sum());
  }

  #fits(pairs: readonly TablePair[]): boolean {
    for (const { table, left, partner, others, key } of this.#source.tables) {
      if (left === 0) continue;
      const pair = pairs.find(({ source }) => source === table);
      if (!pair || pair.target !== partner?.table) return false;
      const { bySource, byTarget, columns } = pair;
      if (columns.some(({ isSourceHex, isTargetHex }) => isSourceHex !== isTargetHex)) return false;
      const hasHex = columns.some(({ isSourceHex }) => isSourceHex);
      const isKept = others.every((other, column) => bySource[column] === byTarget[other]);
      if (!isKept) return false;
      const used = pair.key.map(({ column }) => column);
      const known = key.map(({ column }) => bySource[column]);
      if (used.length !== known.length || !used.every((column) => known.includes(column)))
        return false;
      if (used.some((column) => columns[column]?.isSourceHex)) return false;
      // Without a key, values of both sides are summed by the columns of their own side.
      if (key.length > 0) continue;
      if (hasHex || others.some((other, column) => other !== column)) return false;
      if (bySource.includes(-1) || byTarget.includes(-1)) return false;
    }
    return true;
  }
}

/** Tells whether tables may be a pair; {@link EqualRecords.fits} decides. */
const isNamedAlike = ({ name: one }: SideTable, { name: other }: SideTable): boolean =>
  one === undefined || other === undefined || fold(one) === fold(other);

const fold = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** Tells whether two records consist of the same values, none of which is malformed. */
function haveSameValues(cells: readonly Cell[], others: readonly Cell[]): boolean {
  if (cells.length !== others.length) return false;
  for (let i = 0; i < cells.length; i++) {
    const { column, number, value } = cells[i] as Cell;
    const other = others[i] as Cell;
    const isNamed = column !== undefined && other.column !== undefined;
    if (isNamed ? column !== other.column : number !== other.number) return false;
    if ((other.marks & Mark.malformed) !== 0) return false;
    if (!value !== !other.value) return false;
    if (value && other.value && Buffer.compare(value, other.value) !== 0) return false;
  }
  return true;
}

/** A value that is not NULL; undefined for NULL. */
const toValue = ({ value, raw, marks }: Cell): PairedValue | undefined =>
  value && { value, raw, marks };

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
function compareKeys(one: readonly KeyPart[], other: readonly KeyPart[]): number {
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i] as KeyPart, other[i] as KeyPart];
    if (a === b) continue;
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}

/**
 * Passes both files, and keeps the records that may differ.
 *
 * @param repairs - What is reported of the others.
 * @returns The others; undefined if all records have to be sorted.
 */
export async function passEqual(
  sides: readonly [source: Side, target: Side],
  keys: readonly string[],
  rules: readonly [source: CellRules, target: CellRules],
  open: (side: Side, rules: CellRules) => RecordStream<Side>,
  repairs: Repairs,
): Promise<EqualRecords | undefined> {
  const [one, other] = rules;
  const isSameFormat =
    one.format.name === other.format.name &&
    one.null === other.null &&
    isDeepStrictEqual(one.formatOptions, other.formatOptions);
  const source = open(sides[0], one);
  const target = open(sides[1], other);
  const heads = [new Head(source, keys, one), new Head(target, keys, other)] as const;
  try {
    return await new Lockstep(...heads, isSameFormat, repairs).pass();
  } catch (error) {
    if (error instanceof Unordered) return undefined;
    throw error;
  } finally {
    await source.close();
    await target.close();
  }
}
