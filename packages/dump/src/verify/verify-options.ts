import type { FormatOptions } from '../format/format.js';
import type { TextOptions } from '../plan.js';
import type { RunOptions } from '../run-options.js';
import type { VerifyFinding } from './verify-finding.js';

/** A file of records. */
export interface VerifySide {
  /** Path of a file, which may be compressed with gzip or zstd; `-` is stdin. */
  readonly input: string;
  /** Name of the format of the records, such as `csv`; by default, what the file is recognised or guessed as. */
  readonly format?: string | undefined;
  /** Options of the format by name, such as `{ delimiter: ';' }`; those that are absent have their defaults. */
  readonly formatOptions?: FormatOptions | undefined;
  /**
   * Text that stands for NULL where it has no quotes, in `copy`, `csv`, `tsv` and `tab`. By default that
   * is nothing in CSV, as PostgreSQL writes it, and `\N` elsewhere and in CSV with an escape character, as
   * MySQL writes it.
   */
  readonly null?: string | undefined;
}

/** Options of `verifyDump`. `from`, `to` and the policies are those of the conversion. */
export interface VerifyOptions extends TextOptions, Pick<RunOptions, 'onProgress'> {
  /** Original that was converted, in the encoding `from`. */
  readonly source: VerifySide;
  /** The result of the conversion, in `to`. */
  readonly target: VerifySide;
  /**
   * Columns that identify a record: `id`, `users.id` for that of one table, or a number from 1. Whole
   * records are compared in tables that have none of them: by default, in all tables.
   */
  readonly keys?: readonly string[] | undefined;
  /** Columns, named as in `keys`, that are not compared; none by default. */
  readonly ignored?: readonly string[] | undefined;
  /** Names of tables to compare: `users`, or `old=new` if the names differ; all by default. */
  readonly tables?: readonly string[] | undefined;
  /** Path of the rejected records of the conversion, in the format of the source; none by default. */
  readonly rejects?: string | undefined;
  /** True if differences of class `spelling` count as explained; false by default. */
  readonly ignoreSpelling?: boolean | undefined;
  /** Path of a file for all findings as JSON Lines, which is replaced as a whole or not at all; none by default. */
  readonly report?: string | undefined;
  /** Number of examples of each class to return; 3 by default. */
  readonly max?: number | undefined;
  /**
   * Receives every finding. Columns come first, and records in an order of their own.
   *
   * @param finding - What is found, and where.
   * @returns Nothing, or a promise that the comparison waits for.
   */
  readonly onFinding?: ((finding: VerifyFinding) => void | Promise<void>) | undefined;
}
