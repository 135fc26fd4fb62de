import type { TextOptions } from '../convert/plan.js';
import type { InputError } from '../error.js';
import type { FormatOptions } from '../format/format.js';
import type { RunOptions } from '../run-options.js';
import type { ScanFinding } from './scan-finding.js';
import type { ScannedFile, ScanReport } from './scan-report.js';

export type { ScannedFile, ScanReport };

/** Options of {@link scanDump}. */
export interface ScanOptions extends TextOptions, RunOptions {
  /** Paths of files, which may be compressed with gzip or zstd; `-` is stdin. */
  readonly input: string | readonly string[];
  /** Name of the format of the records, such as `csv`. */
  readonly format: string;
  /** Options of the format by name, such as `{ delimiter: ';' }`. */
  readonly formatOptions?: FormatOptions | undefined;
  /**
   * Columns that identify a record: `id`, `users.id` for that of one table, or a number from 1 for one
   * without a name. The inputs have to be regular files, which are read twice.
   */
  readonly keys?: readonly string[] | undefined;
  /** Longest texts that columns accept, in bytes or characters: `name=40b`, `name=40c`. */
  readonly limits?: readonly string[] | undefined;
  /** Path of a file for all findings as JSON Lines, which is replaced as a whole or not at all. */
  readonly report?: string | undefined;
  /** Number of examples of each kind to return; 3 by default. */
  readonly max?: number | undefined;
  /** Receives every finding, in the order of the input except that `equal keys` come last. */
  readonly onFinding?: ((finding: ScanFinding) => void | Promise<void>) | undefined;
  /**
   * Receives the error of each input that cannot be read; the others are scanned all the same. Without
   * it, the first such error ends the scan.
   */
  readonly onFailure?: ((file: string, error: InputError) => void | Promise<void>) | undefined;
}

/**
 * Finds everything that a conversion of records would change, refuse or break.
 *
 * @param options - The inputs, their format and encoding, and the policies of the conversion.
 * @returns Numbers of records and findings, and some examples.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options or paths make no sense, or if no record has a column
 *   of `keys` or `limits`.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if an input cannot be read and there is no `onFailure`.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the report or a temporary file cannot be written.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { scanDump } from '@utf8/dump';
 *
 * const pair = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
 * writeFileSync('users.csv', Buffer.concat([Buffer.from('id,name\n1,'), pair]));
 * const report = await scanDump({ input: 'users.csv', format: 'csv', from: 'cesu-8+utf-8' });
 * report.columns; // => { pair: { name: 1 } }
 * report.examples.pair?.[0]?.line; // => 2
 * ```
 */
export async function scanDump(options: ScanOptions): Promise<ScanReport> {
  // Loaded late, since a conversion rarely needs it.
  const { runScan } = await import('./run-scan.js');
  return runScan(options);
}
