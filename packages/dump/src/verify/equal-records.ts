/**
 * Reads both sides at once, and leaves out pairs of records with equal values; if the conversion repairs a value of
 * such a pair, that is reported at once. No other record of the table may have the key of a record that is left out,
 * or its values if there is no key: otherwise, all records have to be sorted.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Codec } from '@utf8/core';
import { Turns } from '../cut/segments.js';
import type { Field } from '../format/format.js';
import { BloomFilter } from '../scan/bloom.js';
import { describeKey } from '../scan/key.js';
import { type Cell, Mark } from './cell.js';
import type { CellRules } from './cell-reader.js';
import type { Classifier, PairedValue, ShownTest } from './classify.js';
import { compareKeys, Head, type TableState, Unordered } from './head.js';
import { fold, isIgnored, type TablePair } from './match.js';
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

/** How to report repaired values of records that are left out. */
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

/** Pairs between two looks at the clock, less one. */
const PATIENCE = 63;

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
    const isAlike =
      (target.isMirrored && target.records.isValid) ||
      (this.#isSameFormat && this.#areSpelledAlike());
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

/**
 * Passes both files, and keeps the records that may differ.
 *
 * @param repairs - How to report repaired values of the others.
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
  const head = new Head(source, keys, one);
  const heads = [head, new Head(target, keys, other, isSameFormat ? head : undefined)] as const;
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
