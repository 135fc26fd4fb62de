import { repairedKinds } from '@utf8/repair';
import type { InputError } from '../error.js';
import type { FormatOptions } from '../format/format.js';
import { LF } from '../format/shared/ascii.js';
import type { FileHazard } from '../load/hazard.js';
import type { ChosenFormat } from '../recognized.js';
import type { DeclaredCounts, Inspected } from './inspected.js';
import {
  type KeepingPolicies,
  type ScanFinding,
  type ScanKind,
  scanKinds,
  suggestedKinds,
} from './scan-finding.js';

/** Result of a scan, without the findings themselves. */
export interface ScanReport {
  /** Number of records that were read. */
  readonly records: number;
  /** Number of records that a conversion would change. */
  readonly changed: number;
  /** Number of records that it would refuse. */
  readonly rejected: number;
  /** Number of findings by kind. Kinds without findings are absent, here and below. */
  readonly findings: Readonly<Partial<Record<ScanFinding['kind'], number>>>;
  /** Number of findings by kind and by column; beyond 1,000 columns, as `other columns`. */
  readonly columns: Readonly<
    Partial<Record<ScanFinding['kind'], Readonly<Record<string, number>>>>
  >;
  /** The first findings of each kind, at most `max`. */
  readonly examples: Readonly<Partial<Record<ScanFinding['kind'], readonly ScanFinding[]>>>;
  /** The inputs, in order. */
  readonly files: readonly {
    /** The path of the input, or `-` for stdin. */
    readonly file: string;
    /** Number of findings that a conversion would change or refuse. */
    readonly flaws: number;
    /** Number of records that it would refuse. */
    readonly rejected: number;
    /** Number of findings outside of records that would end a conversion. */
    readonly outsideRecords: number;
    /** Number of findings about declarations, which the format option `fixHeader` rewrites. */
    readonly misdeclared: number;
    /** Kinds of findings that end a conversion, and that the format option `fixHeader` does not remove. */
    readonly hazards: readonly FileHazard[];
    /** The declaration of another encoding than UTF-8, if there is one. */
    readonly declared:
      | {
          /** The name of the encoding, in lower case, as the server knows it. */
          readonly charset: string;
          /** The line of the declaration, from 1. */
          readonly line: number;
          /** Text that is in that encoding, rather than in UTF-8: some of it, or all of it that is not ASCII. */
          readonly fits: 'some' | 'all' | 'none';
        }
      | undefined;
    /** Error that ended the reading of the file early. */
    readonly failed: InputError | undefined;
  }[];
  /** The format that was named, recognised or guessed. */
  readonly format: string;
  /** The options of the format that were named or guessed. */
  readonly formatOptions: FormatOptions;
  /** The kinds among the findings that do not affect a conversion. */
  readonly suggested: readonly ScanFinding['kind'][];
  /** Number of findings outside of records that would end a conversion. */
  readonly outsideRecords: number;
  /**
   * Lists the numbers alone, for `JSON.stringify`.
   *
   * @returns The properties up to `columns`.
   */
  toJSON(): object;
}

/** Result for an input. */
export type ScannedFile = ScanReport['files'][number];

/** A declaration of another encoding than UTF-8. */
export type DeclaredEncoding = NonNullable<ScannedFile['declared']>;

/** The kinds of findings about declarations. */
export const declarationKinds = [
  'declared-encoding',
  'unstated-encoding',
  'narrow-column',
  'narrow-connection',
] as const;

/** The most columns that a kind is counted by. JSON may have any number of them. */
const COLUMNS = 1000;

/** Adds up findings, in constant memory. */
export class ScanSummary {
  records = 0;
  changed = 0;
  rejected = 0;
  outside = 0;
  /** The declaration of another encoding than UTF-8 in the file that is read. */
  declared: DeclaredCounts | undefined;
  /** True if it has text in an encoding that nothing states. */
  isUnstated = false;
  /** Kinds of findings in it that end a conversion. */
  hazards: readonly FileHazard[] = [];
  readonly #most: number;
  readonly #suggested: readonly ScanKind[];
  readonly #columns: Record<ScanKind, Map<string, number>>;
  readonly #examples: Record<ScanKind, ScanFinding[]>;

  constructor(most: number, policies: KeepingPolicies) {
    this.#most = most;
    this.#suggested = suggestedKinds(policies);
    this.#columns = listKinds(() => new Map());
    this.#examples = listKinds(() => []);
  }

  /** Number of findings so far that a conversion would change or refuse. */
  get flaws(): number {
    const changing = repairedKinds.filter((kind) => !this.#suggested.includes(kind));
    return changing.reduce((total, kind) => total + this.#countAll(kind), 0);
  }

  /** Number of findings so far about declarations. */
  get misdeclared(): number {
    return declarationKinds.reduce((total, kind) => total + this.#countAll(kind), 0);
  }

  /** Starts to read a file. */
  open(): void {
    this.declared = undefined;
    this.isUnstated = false;
    this.hazards = [];
  }

  merge({
    records,
    changed,
    rejected,
    outside,
    counts,
    declared,
    isUnstated,
    hazards,
  }: Inspected): void {
    this.hazards = [...new Set([...this.hazards, ...hazards])];
    this.records += records;
    this.changed += changed;
    this.rejected += rejected;
    this.outside += outside;
    this.isUnstated ||= isUnstated;
    if (this.declared && declared) {
      this.declared.malformed += declared.malformed;
      this.declared.others += declared.others;
    } else this.declared ??= declared;
    for (const { kind, name, count } of counts) this.count(kind, name, count);
  }

  count(kind: ScanKind, name: string, count: number): void {
    const columns = this.#columns[kind];
    const known = columns.size < COLUMNS || columns.has(name) ? name : 'other columns';
    columns.set(known, (columns.get(known) ?? 0) + count);
  }

  /** Keeps a finding as an example if there is room. */
  show(finding: ScanFinding): void {
    const examples = this.#examples[finding.kind];
    if (examples.length < this.#most) examples.push(finding);
  }

  createReport(
    files: readonly ScannedFile[],
    { format, formatOptions }: Pick<ChosenFormat, 'format' | 'formatOptions'>,
  ): ScanReport {
    const found = scanKinds.filter((kind) => this.#columns[kind].size > 0);
    const counts = {
      records: this.records,
      changed: this.changed,
      rejected: this.rejected,
      findings: listKinds((kind) => this.#countAll(kind), found),
      columns: listKinds((kind) => Object.fromEntries(this.#columns[kind]), found),
    };
    const examples = listKinds((kind) => this.#examples[kind], found);
    const suggested = this.#suggested.filter((kind) => found.includes(kind));
    const { outside: outsideRecords } = this;
    const choice = { format, formatOptions };
    return {
      ...counts,
      examples,
      files,
      ...choice,
      suggested,
      outsideRecords,
      toJSON: () => counts,
    };
  }

  #countAll(kind: ScanKind): number {
    return [...this.#columns[kind].values()].reduce((total, count) => total + count, 0);
  }
}

const listKinds = <Value>(
  read: (kind: ScanKind) => Value,
  among: readonly ScanKind[] = scanKinds,
): Record<ScanKind, Value> =>
  Object.fromEntries(among.map((kind) => [kind, read(kind)])) as Record<ScanKind, Value>;

/** Tells whether text is in the encoding that is declared, if all flaws are that it is not UTF-8. */
export function describeDeclared(
  found: DeclaredCounts | undefined,
  flaws: number,
): DeclaredEncoding | undefined {
  if (!found) return undefined;
  const { charset, line, malformed, others } = found;
  const isAll = malformed > 0 && malformed === flaws && others === 0;
  return { charset, line, fits: isAll ? 'all' : malformed > 0 ? 'some' : 'none' };
}

/** Finds the index of the line after a number of others. */
export function indexOfLine(bytes: Uint8Array, lines: number): number {
  let index = 0;
  for (let i = 0; i < lines; i++) index = bytes.indexOf(LF, index) + 1;
  return index;
}
