/** What a run reports. All of it is plain data; `JSON.stringify` makes its JSON form. */
import type { Kind } from '@utf8/repair';
import type { Hazard } from './judge/hazard.js';
import type { NamedKey } from './key.js';

/** One finding. All bytes are in upper-case hex, separated by spaces. */
export interface FindingExample {
  /** The key of the row. */
  readonly key: NamedKey;
  /** Where the finding is, in bytes from the start of the value. */
  readonly offset: number;
  /** The bytes that were found. */
  readonly bytes: string;
  /** What replaces them; null if a policy refuses them. */
  readonly becomes: string | null;
  /** The bytes that were found, with up to 16 bytes of the value on either side. */
  readonly before: string;
  /** The same part of the value after the repair. */
  readonly after: string;
}

/** What is found in a column. */
export interface ColumnReport {
  /** The name of the column. */
  readonly column: string;
  /** As it was declared. */
  readonly type: string;
  /** Number of values that change. */
  readonly changed: number;
  /** Number of values that a policy refuses. */
  readonly refused: number;
  /** Number of values by kind of finding. */
  readonly findings: Readonly<Partial<Record<Kind, number>>>;
  /** The first findings of each kind. */
  readonly examples: Readonly<Partial<Record<Kind, readonly FindingExample[]>>>;
}

/** A row with a hazard. All bytes are in upper-case hex, separated by spaces. */
export interface HazardExample {
  /** The key of the row. */
  readonly key: NamedKey;
  /** Its value in the column of the hazard, or in the first that changes: at most 64 bytes. */
  readonly before: string;
  /** The same value after the repair: at most 64 bytes. */
  readonly after: string;
}

/** A hazard of repairing a table. */
export interface HazardReport {
  /** What may break. */
  readonly hazard: Hazard;
  /** What it is about, such as `unique key users_email`. */
  readonly name: string;
  /** Null if it is about the table. */
  readonly column: string | null;
  /** What is done with its rows. */
  readonly action: string;
  /** Number of rows. */
  readonly rows: number;
  /** The first of these rows, at most three. */
  readonly examples: readonly HazardExample[];
}

/** What is found in a table. */
export interface TableReport {
  /** The name of the table, as in {@link Table.name}. */
  readonly table: string;
  /** Number of rows that were read. */
  readonly rows: number;
  /** Number of rows with findings. */
  readonly candidates: number;
  /** Number of rows that are not written, because of a hazard. */
  readonly skipped: number;
  /** Those with findings. */
  readonly columns: readonly ColumnReport[];
  /** The hazards of repairing its rows. */
  readonly hazards: readonly HazardReport[];
}

/** What is found in a database. */
export interface LookReport {
  /** Number of rows that were read. */
  readonly rows: number;
  /** Number of rows with findings. */
  readonly candidates: number;
  /** Number of rows that are not written, because of a hazard. */
  readonly skipped: number;
  /** All that were read, in the order of the server. */
  readonly tables: readonly TableReport[];
  /** Further notes, in sentences. */
  readonly notes: readonly string[];
}

/** What was done. */
export interface RepairCounts {
  /** Number of rows that were changed, without those that moved with their parents. */
  readonly rows: number;
  /** Number of values that were changed, all of them in the journal. */
  readonly values: number;
  /** Number of rows that moved with their parents. */
  readonly moved: number;
  /** Number of rows that got a suffix. */
  readonly suffixed: number;
  /** Number of times that another writer was first. */
  readonly overtaken: number;
  /** Number of rows that were not written, by hazard. */
  readonly skipped: Readonly<Partial<Record<Hazard, number>>>;
}

/** A row that was not written, or not to be written. */
export interface Refusal {
  /** The name of the table, as in {@link Table.name}. */
  readonly table: string;
  /** The key of the row. */
  readonly key: NamedKey;
  /** Why the row is not written. */
  readonly hazard: Hazard;
  /** What it is about, or what the server said. */
  readonly name: string;
}

/** The result of a repair. */
export interface RepairReport {
  /** Such as `SQLite 3.50.4`. */
  readonly product: string;
  /** The URL without user and password. */
  readonly database: string;
  /** The label of the encoding of the text. */
  readonly from: string;
  /** The label of the encoding of repaired text. */
  readonly to: string;
  /** What was found before anything was written; null if an interrupted run was resumed. */
  readonly found: LookReport | null;
  /** Why the run ended early; null if it did not. Before anything was written, the first row. */
  readonly stopped: Refusal | null;
  /** Null for a dry run. */
  readonly repaired: RepairCounts | null;
  /** The first rows that the server refused, at most ten. */
  readonly refusals: readonly Refusal[];
  /** The statements that were run so that columns accept the result. */
  readonly statements: readonly string[];
  /** What was found afterwards; null for a dry run, and for one that ended early. */
  readonly left: LookReport | null;
  /** What the server's check of integrity found afterwards. */
  readonly problems: readonly string[];
}

/** The result of an undo. */
export interface UndoReport {
  /** Such as `SQLite 3.50.4`. */
  readonly product: string;
  /** The URL without user and password. */
  readonly database: string;
  /** Number of values that have their old bytes again. */
  readonly restored: number;
  /** Number of values that have been changed or deleted since, and were left alone. */
  readonly kept: number;
  /** Number of values that were left because of a hazard, or because the server refused them. */
  readonly refused: number;
  /** The first of these, at most ten. */
  readonly refusals: readonly Refusal[];
  /** What the server's check of integrity found afterwards. */
  readonly problems: readonly string[];
}

/** Everything that is found in one value. */
export interface DatabaseFinding {
  /** The name of the table, as in {@link Table.name}. */
  readonly table: string;
  /** The key of the row. */
  readonly key: NamedKey;
  /** The name of the column. */
  readonly column: string;
  /** Whether the repair changes the value, or a policy refuses it. */
  readonly status: 'changed' | 'rejected';
  /** What is found, in the order of the value. */
  readonly findings: readonly {
    /** What it is. */
    readonly kind: Kind;
    /** In bytes from the start of the value. */
    readonly offset: number;
    /** Upper-case hex, separated by spaces. */
    readonly bytes: string;
    /** The same for the result; null if a policy refuses it. */
    readonly becomes: string | null;
    /** Why the bytes are malformed, if they are. */
    readonly reason?: string | undefined;
  }[];
  /** The hazards of the row that concern this value, or the row as a whole. */
  readonly hazards: readonly {
    /** What may break. */
    readonly hazard: Hazard;
    /** What it is about, such as `unique key users_email`. */
    readonly name: string;
  }[];
}
