/** Reports of runs. All of it is plain data; `JSON.stringify` makes its JSON form. */

import type { DatabaseHazard } from '@utf8/dump/internal';
import type { Kind } from '@utf8/repair';
import type { HazardAction } from './judge/hazard.js';
import type { NamedKey } from './key.js';
import type { Misdeclaration } from './server/declaration.js';

/** One finding. All bytes are in upper-case hex, separated by spaces. */
export interface FindingExample {
  /** The key of the row. */
  readonly key: NamedKey;
  /** Offset of the finding from the start of the value, in bytes. */
  readonly offset: number;
  /** The bytes that were found. */
  readonly bytes: string;
  /** Bytes after the repair; null if a policy refuses them. */
  readonly becomes: string | null;
  /** The bytes that were found, with up to 16 bytes of the value on either side. */
  readonly before: string;
  /** Bytes of the same part of the value after the repair. */
  readonly after: string;
}

/** Findings in a column. */
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
  /** That value after the repair: at most 64 bytes. */
  readonly after: string;
}

/** A hazard of repairing a table. */
export interface HazardReport {
  /** Kind of hazard. */
  readonly hazard: DatabaseHazard;
  /** Object that the hazard concerns, such as `unique key users_email`. */
  readonly name: string;
  /** Name of the column; null if the hazard concerns the whole table. */
  readonly column: string | null;
  /** Action for the rows with the hazard. */
  readonly action: HazardAction;
  /** Number of rows. */
  readonly rows: number;
  /** The first of these rows, at most three. */
  readonly examples: readonly HazardExample[];
}

/** Findings in a table. */
export interface TableReport {
  /** The name of the table, as in {@link Table.name}. */
  readonly table: string;
  /** Number of rows that were read. */
  readonly rows: number;
  /** Number of rows with findings. */
  readonly candidates: number;
  /** Number of rows that are not written, because of a hazard. */
  readonly skipped: number;
  /** Columns with findings. */
  readonly columns: readonly ColumnReport[];
  /** The hazards of repairing its rows. */
  readonly hazards: readonly HazardReport[];
  /** Problems that stay with these options, and other options would repair. */
  readonly suggestions: readonly SuggestionReport[];
  /** Columns that contain UTF-8, and are declared in another character set. */
  readonly declarations: readonly DeclarationReport[];
}

/** A column that contains UTF-8, and is declared in another character set. */
export interface DeclarationReport extends Omit<Misdeclaration, 'characters'> {
  /** Action of a repair: `allow` declares the column anew. */
  readonly action: HazardAction;
}

/** Values that a repair changes only if an option requests it. */
export interface SuggestionReport {
  /** JSON, in a column of text, that `jsonb` would refuse; see {@link LookOptions.jsonColumns}. */
  readonly kind: 'undeclared-json';
  /** The name of the column. */
  readonly column: string;
  /** As it was declared. */
  readonly type: string;
  /** Number of values. */
  readonly values: number;
  /** The first of them, at most three; nothing replaces their bytes yet. */
  readonly examples: readonly FindingExample[];
}

/** Findings in a database. */
export interface LookReport {
  /** Number of rows that were read. */
  readonly rows: number;
  /** Number of rows with findings. */
  readonly candidates: number;
  /** Number of rows that are not written, because of a hazard. */
  readonly skipped: number;
  /** All tables that were read, in the order of the server. */
  readonly tables: readonly TableReport[];
  /** Further notes, in sentences. */
  readonly notes: readonly string[];
}

/** Numbers of changes that a repair made. */
export interface RepairCounts {
  /** Number of rows that were changed, without those that moved with their parents. */
  readonly rows: number;
  /** Number of values that were changed, all of them in the undo log. */
  readonly values: number;
  /** Number of rows that moved with their parents. */
  readonly moved: number;
  /** Number of rows that got a suffix. */
  readonly suffixed: number;
  /** Number of times that another writer was first. */
  readonly overtaken: number;
  /** Number of columns that were declared in another character set. */
  readonly declared: number;
  /** Number of rows that were not written, by hazard. */
  readonly skipped: Readonly<Partial<Record<DatabaseHazard, number>>>;
}

/** A row that was not written, or not to be written. */
export interface Refusal {
  /** The name of the table, as in {@link Table.name}. */
  readonly table: string;
  /** The key of the row. */
  readonly key: NamedKey;
  /** Reason why the row is not written. */
  readonly hazard: DatabaseHazard;
  /** Object that the hazard concerns, or the message of the server. */
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
  /** Findings before anything was written; null if an interrupted run was resumed. */
  readonly found: LookReport | null;
  /** Reason why the run ended early; null if it did not. Before anything was written, the first row. */
  readonly stopped: Refusal | null;
  /** Null for a dry run. */
  readonly repaired: RepairCounts | null;
  /** The first rows that the server refused, at most ten. */
  readonly refusals: readonly Refusal[];
  /** The statements that were run so that columns accept the result. */
  readonly statements: readonly string[];
  /** Findings after the repair; null for a dry run, and for a run that ended early. */
  readonly left: LookReport | null;
  /** Problems that the integrity check found after the repair. */
  readonly problems: readonly string[];
}

/** The result of {@link revertDatabase}. */
export interface RevertReport {
  /** Such as `SQLite 3.50.4`. */
  readonly product: string;
  /** The URL without user and password. */
  readonly database: string;
  /** Number of values that have their old bytes again. */
  readonly restored: number;
  /** Number of values that have been changed or deleted since, and were left unchanged. */
  readonly kept: number;
  /** Number of values that were left because of a hazard, or because the server refused them. */
  readonly refused: number;
  /** The first of these, at most ten. */
  readonly refusals: readonly Refusal[];
  /** Problems that the integrity check found after the undo. */
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
  /** Status of the value: changed by the repair, or refused by a policy. */
  readonly status: 'changed' | 'rejected';
  /** Findings, in the order of the value. */
  readonly findings: readonly {
    /** Kind of finding. */
    readonly kind: Kind;
    /** Offset of the finding from the start of the value, in bytes. */
    readonly offset: number;
    /** Upper-case hex, separated by spaces. */
    readonly bytes: string;
    /** Bytes after the repair, in the same notation; null if a policy refuses them. */
    readonly becomes: string | null;
    /** Reason why the bytes are malformed, if they are. */
    readonly reason?: string | undefined;
  }[];
  /** The hazards of the row that concern this value, or the row as a whole. */
  readonly hazards: readonly {
    /** Kind of hazard. */
    readonly hazard: DatabaseHazard;
    /** Object that the hazard concerns, such as `unique key users_email`. */
    readonly name: string;
  }[];
}
