import { nameCount } from '../scan/column.js';
import { type VerifyClass, type VerifyFinding, verifyClasses } from './verify-finding.js';

/** Result of a comparison, without the findings themselves. */
export interface VerifyReport {
  /** True if there are records, and every difference is explained. */
  readonly isProved: boolean;
  /** Numbers of records that were compared. */
  readonly records: {
    /** Number of records of the source. */
    readonly source: number;
    /** Number of records of the target. */
    readonly target: number;
    /** Number of pairs of equal records. */
    readonly equal: number;
    /** Number of pairs that differ, and whose differences are all explained. */
    readonly explained: number;
  };
  /** Number of findings by class; classes without findings are absent, here and below. */
  readonly findings: Readonly<Partial<Record<VerifyFinding['class'], number>>>;
  /** The findings among these that are not explained. */
  readonly unexplained: Readonly<Partial<Record<VerifyFinding['class'], number>>>;
  /** Number of findings by class, and by table and column; beyond 1,000 columns, as `other columns`. */
  readonly columns: Readonly<
    Partial<Record<VerifyFinding['class'], Readonly<Record<string, number>>>>
  >;
  /** The tables, in the order of the source; those of the target alone come last. */
  readonly tables: readonly {
    /** Its name in the source; null if the format has none, or if no record is in it. */
    readonly source: string | null;
    /** Its name in the target; null if the format has none, or if no record is in it. */
    readonly target: string | null;
    /** The columns of the key; none if whole records were compared. */
    readonly key: readonly string[];
    /** Number of its records in the source. */
    readonly sourceRecords: number;
    /** Number of its records in the target. */
    readonly targetRecords: number;
  }[];
  /** The first findings of each class, at most `max`; unexplained ones first. */
  readonly examples: Readonly<Partial<Record<VerifyFinding['class'], readonly VerifyFinding[]>>>;
  /**
   * Lists all but the examples, for `JSON.stringify`.
   *
   * @returns The properties up to `tables`.
   */
  toJSON(): object;
}

/** A table that was compared. */
export type VerifiedTable = VerifyReport['tables'][number];

/** The most columns that a class is counted by. */
const COLUMNS = 1000;

/** Adds up findings, in constant memory. */
export class VerifySummary {
  equal = 0;
  explained = 0;
  readonly #most: number;
  readonly #columns = new Map<VerifyClass, Map<string, number>>();
  readonly #unexplained = new Map<VerifyClass, number>();
  /** What the last finding was counted by, since the next one is mostly of the same column. */
  #last: (Pick<VerifyFinding, 'table' | 'column'> & { readonly name: string }) | undefined;
  readonly #examples = new Map<VerifyClass, VerifyFinding[]>();

  constructor(most: number) {
    this.#most = most;
  }

  add(finding: VerifyFinding): void {
    const { class: name, isExplained, table, column } = finding;
    const columns = this.#columns.get(name) ?? new Map<string, number>();
    this.#columns.set(name, columns);
    const counted = this.#nameCounted(table, column);
    const known = columns.size < COLUMNS || columns.has(counted) ? counted : 'other columns';
    columns.set(known, (columns.get(known) ?? 0) + 1);
    if (!isExplained) this.#unexplained.set(name, (this.#unexplained.get(name) ?? 0) + 1);
    this.#show(finding);
  }

  #nameCounted(table: VerifyFinding['table'], column: VerifyFinding['column']): string {
    const last = this.#last;
    if (last && last.table === table && last.column === column) return last.name;
    const name = column === undefined ? (table ?? 'records') : nameCount(1, table, column);
    this.#last = { table, column, name };
    return name;
  }

  /** Tells whether the next finding of a class will be an example. */
  shows(name: VerifyClass, isExplained: boolean): boolean {
    const examples = this.#examples.get(name) ?? [];
    if (examples.length < this.#most) return true;
    return !isExplained && examples.some((each) => each.isExplained);
  }

  #show(finding: VerifyFinding): void {
    const examples = this.#examples.get(finding.class) ?? [];
    this.#examples.set(finding.class, examples);
    if (examples.length < this.#most) {
      examples.push(finding);
      return;
    }
    const replaced = finding.isExplained ? -1 : examples.findIndex((each) => each.isExplained);
    if (replaced !== -1) examples[replaced] = finding;
  }

  createReport(tables: readonly VerifiedTable[]): VerifyReport {
    const { equal, explained } = this;
    const found = verifyClasses.filter((name) => this.#columns.has(name));
    const list = <Value>(read: (name: VerifyClass) => Value, among = found) =>
      Object.fromEntries(among.map((name) => [name, read(name)])) as Record<VerifyClass, Value>;
    const sum = (side: 'sourceRecords' | 'targetRecords'): number =>
      tables.reduce((total, table) => total + table[side], 0);
    const records = {
      source: sum('sourceRecords'),
      target: sum('targetRecords'),
      equal,
      explained,
    };
    const counts = {
      isProved: this.#unexplained.size === 0 && records.source + records.target > 0,
      records,
      findings: list((name) => sumValues(this.#columns.get(name))),
      unexplained: list(
        (name) => this.#unexplained.get(name) ?? 0,
        found.filter((name) => this.#unexplained.has(name)),
      ),
      columns: list((name) => Object.fromEntries(this.#columns.get(name) ?? [])),
      tables,
    };
    const sorted = (name: VerifyClass): VerifyFinding[] =>
      (this.#examples.get(name) ?? []).sort(
        (a, b) => Number(a.isExplained) - Number(b.isExplained),
      );
    return { ...counts, examples: list(sorted), toJSON: () => counts };
  }
}

const sumValues = (counts: ReadonlyMap<string, number> = new Map()): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);
