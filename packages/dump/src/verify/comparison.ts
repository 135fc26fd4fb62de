/** The records of two sides in the order of their keys, compared group by group. */

import type { Codec } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { stopAt } from '@utf8/files';
import type { RepairChoice } from '../pool/work.js';
import { describeKey } from '../scan/key.js';
import { Mark } from './cell.js';
import { type Classifier, type ShownTest, showValue } from './classify.js';
import type { Cursor, JoinedRecord, ReadRecord } from './join.js';
import type { ColumnPair, TablePair } from './match.js';
import { placeValue, type VerifyFinding } from './verify-finding.js';

/** The sides of a comparison, sorted. */
export interface SortedSides {
  readonly source: Cursor;
  readonly target: Cursor;
  readonly rejects: Cursor;
}

/** Files by side, for places. */
export type SideFiles = Readonly<Record<keyof SortedSides, string>>;

/** Equal records of the rejects, and how many of them are left. */
interface Rejected {
  readonly record: JoinedRecord;
  left: number;
}

/** The most different rejects of one key that are remembered. */
const MOST_REJECTS = 1000;

/** Compares records, and yields what is found. */
export class Comparison {
  /** Numbers of pairs that are equal, and of those whose differences are all explained. */
  equal = 0;
  explained = 0;
  readonly #sides: SortedSides;
  readonly #files: SideFiles;
  readonly #pairs: readonly TablePair[];
  readonly #classifier: Classifier;
  readonly #to: Codec;
  readonly #isShown: ShownTest;

  /** @param isShown - Tells whether a finding needs more than what is counted. */
  constructor(
    sides: SortedSides,
    files: SideFiles,
    pairs: readonly TablePair[],
    classifier: Classifier,
    { to }: RepairChoice,
    isShown: ShownTest,
  ) {
    this.#isShown = isShown;
    this.#sides = sides;
    this.#files = files;
    this.#pairs = pairs;
    this.#classifier = classifier;
    this.#to = codecFor(to);
  }

  /** Yields all findings, in the order of hashes of keys, and undefined after each record without one. */
  *findAll(): Generator<VerifyFinding | undefined, void> {
    for (const pair of this.#pairs) yield* this.#findColumns(pair);
    const { source, target, rejects } = this.#sides;
    for (const side of [source, target, rejects]) side.open();
    for (;;) {
      const heads = [source.head, target.head, rejects.head].filter((head) => head !== undefined);
      const [first, ...others] = heads;
      if (!first) return;
      yield* this.#findInGroup(
        others.reduce((least, head) => (head.compareKey(least) < 0 ? head : least), first),
      );
    }
  }

  /** Finds columns that only one side has. */
  *#findColumns({
    source,
    target,
    bySource,
    byTarget,
    ignored,
  }: TablePair): Generator<VerifyFinding, void> {
    if (!source || !target) return;
    const table = source.name ?? target.name;
    const sides = [
      ['missing-column', source.columns, bySource],
      ['extra-column', target.columns, byTarget],
    ] as const;
    for (const [name, columns, indices] of sides) {
      for (const [i, column] of columns.entries()) {
        if (indices[i] !== -1 || ignored.has(column)) continue;
        yield { class: name, isExplained: false, table, column: column.name ?? column.number };
      }
    }
  }

  *#findInGroup(key: JoinedRecord): Generator<VerifyFinding | undefined, void> {
    const { source, target } = this.#sides;
    const rejects = this.#takeRejects(key);
    const hasSource = source.head?.compareKey(key) === 0;
    const one = source.take(key);
    const other = target.take(key);
    const hasKey = (this.#pairs[key.pair]?.key.length ?? 0) > 0;
    const isSingle = [source.head, target.head].every((head) => head?.compareKey(key) !== 0);
    if (one && other && isSingle) {
      yield* this.#compare(one, other);
    } else if (isSingle) {
      if (one) yield this.#explain(one, rejects);
      if (other) yield this.#describe('extra', other);
    } else {
      yield* this.#findInSeveral(key, one, other, rejects, hasKey);
    }
    // A record may have been repaired in another way, and loaded later.
    if (hasSource) return;
    for (const { record, left } of rejects) {
      for (let i = 0; i < left; i++) yield this.#describe('unknown-reject', record);
    }
  }

  /** Pairs equal records of one key. Those with a key are reported, and never compared with others. */
  *#findInSeveral(
    key: JoinedRecord,
    one: JoinedRecord | undefined,
    other: JoinedRecord | undefined,
    rejects: readonly Rejected[],
    hasKey: boolean,
  ): Generator<VerifyFinding | undefined, void> {
    const { source, target } = this.#sides;
    const counts = { source: 0, target: 0 };
    let a = one;
    let b = other;
    while (a || b) {
      const order = a && b ? a.values.compare(b.values) : a ? -1 : 1;
      if (order === 0) yield* this.#compare(a as JoinedRecord, b as JoinedRecord);
      else if (order < 0) yield this.#explain(a as JoinedRecord, rejects);
      else yield this.#describe('extra', b as JoinedRecord);
      if (order <= 0) {
        counts.source++;
        a = source.take(key);
      }
      if (order >= 0) {
        counts.target++;
        b = target.take(key);
      }
    }
    if (!hasKey) return;
    const detail = `${counts.source} in the source, ${counts.target} in the target`;
    const first = one ?? other;
    if (first) yield { ...this.#describe('duplicate-key', first, first !== one), detail };
  }

  /** Takes the rejects of a key, equal ones counted. */
  #takeRejects(key: JoinedRecord): Rejected[] {
    const taken: Rejected[] = [];
    for (;;) {
      const record = this.#sides.rejects.take(key);
      if (!record) return taken;
      const last = taken.at(-1);
      if (last?.record.values.equals(record.values)) last.left++;
      else if (taken.length < MOST_REJECTS) taken.push({ record, left: 1 });
    }
  }

  /** Explains why a record is missing: it is among the rejects, value for value, or not. */
  #explain(record: JoinedRecord, rejects: readonly Rejected[]): VerifyFinding {
    const own = record.read();
    const found = rejects.find((each) => each.left > 0 && isSameSource(own, each.record.read()));
    if (!found) {
      const isRefused = [...own.values.values()].some(({ marks }) => (marks & Mark.refused) !== 0);
      const finding = this.#describe('missing', record);
      return isRefused ? { ...finding, detail: 'the policies refuse it' } : finding;
    }
    found.left--;
    return { ...this.#describe('rejected', record), isExplained: true };
  }

  /** Compares two records of one key. */
  *#compare(one: JoinedRecord, other: JoinedRecord): Generator<VerifyFinding | undefined, void> {
    stopAt('compared');
    yield undefined;
    if (one.isPlain && other.isPlain && one.values.equals(other.values)) {
      this.equal++;
      return;
    }
    const { columns } = this.#pairs[one.pair] as TablePair;
    const [source, target] = [one.read(), other.read()];
    let isEqual = true;
    let isExplained = true;
    for (const [i, column] of columns.entries()) {
      const [value, other] = [source.values.get(i), target.values.get(i)];
      const found = this.#classifier.compare(value, other, this.#isShown);
      if (!found) continue;
      isEqual = false;
      isExplained &&= found.isExplained;
      if (!this.#isShown(found.class, found.isExplained)) {
        yield { ...found, table: this.#nameTable(one), column: nameColumn(column) };
        continue;
      }
      const { table, key, source: at } = this.#place(one, source, 'source');
      const { record, line } = target;
      const place = { file: this.#files.target, line, record };
      yield placeValue(found, {
        table,
        key,
        source: at,
        target: place,
        column: nameColumn(column),
      });
    }
    if (isEqual) this.equal++;
    else if (isExplained) this.explained++;
  }

  #nameTable({ pair }: JoinedRecord): string | undefined {
    const { source, target } = this.#pairs[pair] as TablePair;
    return source?.name ?? target?.name;
  }

  /** Describes a record that one side has. */
  #describe(
    name: VerifyFinding['class'],
    record: JoinedRecord,
    isTarget = name === 'extra',
  ): VerifyFinding {
    const read = record.read();
    const { columns, key } = this.#pairs[record.pair] as TablePair;
    const side = isTarget ? 'target' : name === 'unknown-reject' ? 'rejects' : 'source';
    const place = this.#place(record, read, side);
    const finding = { class: name, isExplained: false, ...place };
    if (key.length > 0) return finding;
    // Without a key, the values tell which record it is.
    const values = columns.map((_, i) => read.values.get(i)?.value ?? Buffer.from('NULL'));
    const shown = showValue(Buffer.concat(values.flatMap(separate)), this.#to);
    return isTarget ? { ...finding, found: shown } : { ...finding, value: shown };
  }

  #place(
    { pair }: JoinedRecord,
    { record, line, values }: ReadRecord,
    side: keyof SortedSides,
  ): Pick<VerifyFinding, 'table' | 'key' | 'source' | 'target'> {
    const { source, target, key } = this.#pairs[pair] as TablePair;
    const names = key.map(({ text }) => text);
    const parts = key.map(({ column }) => values.get(column)?.value);
    const at = { file: this.#files[side], line, record };
    return {
      table: source?.name ?? target?.name,
      key: names.length > 0 ? describeKey(names, parts, this.#to) : undefined,
      ...(side === 'target' ? { target: at } : { source: at }),
    };
  }
}

const nameColumn = ({ source, target }: ColumnPair): string | number =>
  source.name ?? target.name ?? source.number;

const SEPARATOR = Buffer.from(', ');

const separate = (value: Uint8Array, i: number): Uint8Array[] =>
  i === 0 ? [value] : [SEPARATOR, value];

/** Tells whether two records of the source were the same before the conversion. */
function isSameSource(one: ReadRecord, other: ReadRecord): boolean {
  if (one.values.size !== other.values.size) return false;
  for (const [column, { value, raw }] of one.values) {
    const found = other.values.get(column);
    if (!found || Buffer.compare(raw ?? value, found.raw ?? found.value) !== 0) return false;
  }
  return true;
}
