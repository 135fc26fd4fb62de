import type { TextOptions } from '../convert/plan.js';
import type { FormatOptions } from '../format/format.js';
import type { RunOptions } from '../run-options.js';
import type { VerifyFinding } from './verify-finding.js';
import type { VerifiedTable, VerifyReport } from './verify-report.js';

export type { VerifiedTable, VerifyReport };

/** A file of records. */
export interface VerifySide {
  /** Path of a file, which may be compressed with gzip or zstd; `-` is stdin. */
  readonly input: string;
  /** Name of the format of the records, such as `csv`. */
  readonly format: string;
  /** Options of the format by name, such as `{ delimiter: ';' }`. */
  readonly formatOptions?: FormatOptions | undefined;
  /**
   * Text that stands for NULL where it has no quotes, in `copy`, `csv`, `tsv` and `tab`. By default that
   * is nothing in CSV, as PostgreSQL writes it, and `\N` elsewhere and in CSV with an escape character, as
   * MySQL writes it.
   */
  readonly null?: string | undefined;
}

/** Options of {@link verifyDump}. `from`, `to` and the policies are those of the conversion. */
export interface VerifyOptions extends TextOptions, Pick<RunOptions, 'onProgress'> {
  /** What was converted, in `from`. */
  readonly source: VerifySide;
  /** What came of it, in `to`. */
  readonly target: VerifySide;
  /**
   * Columns that identify a record: `id`, `users.id` for that of one table, or a number from 1. Whole
   * records are compared in tables that have none of them.
   */
  readonly keys?: readonly string[] | undefined;
  /** Columns, named as in `keys`, that are not compared. */
  readonly ignored?: readonly string[] | undefined;
  /** Names of tables to compare: `users`, or `old=new` if the names differ; all by default. */
  readonly tables?: readonly string[] | undefined;
  /** Path of the rejected records of the conversion, in the format of the source. */
  readonly rejects?: string | undefined;
  /** Whether differences of class `spelling` count as explained. */
  readonly ignoreSpelling?: boolean | undefined;
  /** Path of a file for all findings as JSON Lines, which is replaced as a whole or not at all. */
  readonly report?: string | undefined;
  /** Number of examples of each class to return; 3 by default. */
  readonly max?: number | undefined;
  /** Receives every finding. Columns come first, and records in an order of their own. */
  readonly onFinding?: ((finding: VerifyFinding) => void | Promise<void>) | undefined;
}

/**
 * Compares the source of a migration with its target, by key, whatever the order of records and their
 * format: what is missing, what differs and why, what is equal.
 *
 * Both sides are copied to temporary files in `TMPDIR` and sorted there, so memory grows only with the
 * longest record (of up to 256 MiB), and disk space with both sides.
 *
 * @param options - Both sides, and the encodings and policies of the conversion.
 * @returns Numbers of records and findings, and some examples.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options or paths make no sense, if no table has a column of
 *   `keys` or `ignored`, or if a table of one side fits several of the other.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if an input cannot be read, or is not of its format.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the report or a temporary file cannot be written.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { verifyDump } from '@utf8/dump';
 *
 * const pair = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
 * writeFileSync('old.csv', Buffer.concat([Buffer.from('id,name\n1,'), pair, Buffer.from('\n2,Ada\n')]));
 * writeFileSync('new.copy', '2\tAd\n1\t\u{1f600}\n');
 * const report = await verifyDump({
 *   source: { input: 'old.csv', format: 'csv' },
 *   target: { input: 'new.copy', format: 'copy', formatOptions: { columns: 'id,name' } },
 *   from: 'cesu-8+utf-8',
 *   keys: ['id'],
 * });
 * report.isProved; // => false
 * report.columns; // => { repair: { name: 1 }, truncation: { name: 1 } }
 * report.examples.truncation?.[0]?.key; // => { id: '2' }
 * ```
 */
export async function verifyDump(options: VerifyOptions): Promise<VerifyReport> {
  // Loaded late, since nothing else needs it.
  const { runVerification } = await import('./run-verification.js');
  return runVerification(options);
}
