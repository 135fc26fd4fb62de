import { kinds } from '@utf8/repair';
import type { InputError } from '../error.js';
import { nameCount } from './column.js';
import type { Inspected } from './inspect-task.js';
import { type ScanFinding, type ScanKind, scanKinds } from './scan-finding.js';

/** What a scan found, without the findings themselves. */
export interface ScanReport {
  /** Number of records that were read. */
  readonly records: number;
  /** Number of records that a conversion would change. */
  readonly changed: number;
  /** Number of records that it would refuse. */
  readonly rejected: number;
  /** Number of findings by kind. Kinds without findings are absent, here and below. */
  readonly findings: Readonly<Partial<Record<ScanKind, number>>>;
  /** Number of findings by kind and by column; beyond 1,000 columns, as `other columns`. */
  readonly columns: Readonly<Partial<Record<ScanKind, Readonly<Record<string, number>>>>>;
  /** The first findings of each kind, at most `max`. */
  readonly examples: Readonly<Partial<Record<ScanKind, readonly ScanFinding[]>>>;
  /** The inputs, in order. */
  readonly files: readonly ScannedFile[];
  /** Number of findings outside of records that would end a conversion. */
  readonly outsideRecords: number;
  /** Returns the properties up to `columns`, for `JSON.stringify`. */
  toJSON(): object;
}

/** What was found in an input. */
export interface ScannedFile {
  readonly file: string;
  /** Number of findings that a conversion would change or refuse. */
  readonly flaws: number;
  /** Number of records that it would refuse. */
  readonly rejected: number;
  /** Why the file could not be read, or not to its end. */
  readonly failed: InputError | undefined;
}

/** The most columns that a kind is counted by. JSON may have any number of them. */
const COLUMNS = 1000;

const OTHERS = 'other columns';

/** The findings of a kind. */
interface Group {
  total: number;
  readonly columns: Map<string, number>;
  readonly examples: ScanFinding[];
}

/** Adds up what is found, in constant memory. */
export class ScanSummary {
  records = 0;
  rejected = 0;
  readonly #most: number;
  readonly #groups: Readonly<Record<ScanKind, Group>>;
  #changed = 0;
  #outside = 0;

  /** @param most - Number of examples of each kind to keep. */
  constructor(most: number) {
    this.#most = most;
    const groups = scanKinds.map((kind) => [kind, { total: 0, columns: new Map(), examples: [] }]);
    this.#groups = Object.fromEntries(groups);
  }

  /** Number of findings so far that a conversion would change or refuse. */
  get flaws(): number {
    return kinds.reduce((total, kind) => total + this.#groups[kind].total, 0);
  }

  /** Adds the counts of a segment. */
  merge({ records, changed, rejected, outside, counts }: Inspected): void {
    this.records += records;
    this.rejected += rejected;
    this.#changed += changed;
    this.#outside += outside;
    for (const { kind, name, count } of counts) this.#count(kind, name, count);
  }

  /** Counts a finding that is in no segment's counts. */
  count(finding: ScanFinding): void {
    this.#count(finding.kind, nameCount(finding), 1);
  }

  /** Keeps a finding as an example if there is room. */
  show(finding: ScanFinding): void {
    const { examples } = this.#groups[finding.kind];
    if (examples.length < this.#most) examples.push(finding);
  }

  createReport(files: readonly ScannedFile[]): ScanReport {
    const kinds = scanKinds.filter((kind) => this.#groups[kind].total > 0);
    const list = <Value>(read: (group: Group) => Value): Partial<Record<ScanKind, Value>> =>
      Object.fromEntries(kinds.map((kind) => [kind, read(this.#groups[kind])]));
    const counts = {
      records: this.records,
      changed: this.#changed,
      rejected: this.rejected,
      findings: list(({ total }) => total),
      columns: list(({ columns }) => Object.fromEntries(columns)),
    };
    const examples = list(({ examples }) => examples);
    return { ...counts, examples, files, outsideRecords: this.#outside, toJSON: () => counts };
  }

  #count(kind: ScanKind, name: string, count: number): void {
    const group = this.#groups[kind];
    const { columns } = group;
    const known = columns.size < COLUMNS || columns.has(name) ? name : OTHERS;
    group.total += count;
    columns.set(known, (columns.get(known) ?? 0) + count);
  }
}
