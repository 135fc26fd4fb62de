/** Findings of a comparison. Property names and their order are those of the JSON report. */
import type { RecordPlace } from '../scan/scan-finding.js';

/** A value for people. */
export interface ShownValue {
  /** At most 200 UTF-16 code units, with `\xHH` for malformed bytes. */
  readonly text: string;
  /** The first 32 bytes as hex, separated by spaces. */
  readonly hex: string;
  /** In bytes. */
  readonly length: number;
}

/** A finding of {@link verifyDump}. */
export interface VerifyFinding {
  /** Class of the finding: about a record, a key or a column, or about a value that differs in a pair of records. */
  readonly class: /** Only the source has the record. */
    | 'missing'
    /** Only the target has the record. */
    | 'extra'
    /** The target lacks the record, and the file of rejects has it. */
    | 'rejected'
    /** The source lacks a record of the file of rejects. */
    | 'unknown-reject'
    /** Several records of one side have the key. */
    | 'duplicate-key'
    /** Only the source has the column. */
    | 'missing-column'
    /** Only the target has the column. */
    | 'extra-column'
    /** The target has the value as the policies repair it; or, unexplained, as other policies do. */
    | 'repair'
    /** The target has an escape that a policy writes, such as `\ud83d` or `\xff`. */
    | 'escape'
    /** Characters became `?` or U+FFFD. */
    | 'replacement'
    /** The target begins as the value does, and ends early. */
    | 'truncation'
    /** One of the two is NULL. */
    | 'null'
    /** A number, boolean, time, JSON or blob is spelled in another way, or spaces follow. */
    | 'spelling'
    /** The target is malformed. */
    | 'invalid'
    /** The values differ in another way. */
    | 'other';
  /** True if the policies and the options explain it, so that nothing is lost. */
  readonly isExplained: boolean;
  /** As the source names it, if it does. */
  readonly table?: string | undefined;
  /** The name of the column, or its number from 1. */
  readonly column?: string | number | undefined;
  /** The values of the key in the target's encoding; absent where whole records are compared. */
  readonly key?: Readonly<Record<string, string | null>> | undefined;
  /** The record in the source; absent if there is none. */
  readonly source?: RecordPlace | undefined;
  /** The record in the target; absent if there is none. */
  readonly target?: RecordPlace | undefined;
  /** The value in the source; null for NULL. */
  readonly value?: ShownValue | null | undefined;
  /** The value after the policies, if it differs; null for NULL. */
  readonly becomes?: ShownValue | null | undefined;
  /** The value in the target; null for NULL. */
  readonly found?: ShownValue | null | undefined;
  /** Options with which a conversion would write the value, such as `{ errors: 'replace' }`. */
  readonly options?: Readonly<Record<string, string>> | undefined;
  /** More about it. */
  readonly detail?: string | undefined;
}

/** Class of a finding. */
export type VerifyClass = VerifyFinding['class'];

/** All classes, in the order of a summary. */
export const verifyClasses: readonly VerifyClass[] = [
  'missing',
  'extra',
  'rejected',
  'unknown-reject',
  'duplicate-key',
  'missing-column',
  'extra-column',
  'repair',
  'escape',
  'replacement',
  'truncation',
  'null',
  'spelling',
  'invalid',
  'other',
];

/** A finding about a pair of values, without its place. */
export type ValueFinding = Pick<
  VerifyFinding,
  'class' | 'isExplained' | 'options' | 'detail' | 'value' | 'becomes' | 'found'
>;

/** Where a pair of values is. */
export type ValuePlace = Required<
  Pick<VerifyFinding, 'table' | 'key' | 'source' | 'target' | 'column'>
>;

/** Adds its place to a finding. */
export const placeValue = (found: ValueFinding, at: ValuePlace): VerifyFinding => ({
  class: found.class,
  isExplained: found.isExplained,
  table: at.table,
  key: at.key,
  source: at.source,
  target: at.target,
  column: at.column,
  value: found.value,
  becomes: found.becomes,
  found: found.found,
  options: found.options,
  detail: found.detail,
});
