import type { InputError } from '../error.js';
import type { FormatOptions } from '../format/format.js';
import type { Phrase } from '../phrase.js';
import type { TextOptions } from '../plan.js';
import type { RunOptions } from '../run-options.js';
import type { ScanFinding } from './scan-finding.js';

/** Options of `scanDump`. */
export interface ScanOptions extends TextOptions, RunOptions {
  /** Paths of files, which may be compressed with gzip or zstd; `-` is stdin. */
  readonly input: string | readonly string[];
  /** Name of the format of the records, such as `csv`; by default, the recognised or guessed format. */
  readonly format?: string | undefined;
  /** Options of the format by name, such as `{ delimiter: ';' }`; those that are absent have their defaults. */
  readonly formatOptions?: FormatOptions | undefined;
  /**
   * Columns that identify a record: `id`, `users.id` for that of one table, or a number from 1 for one
   * without a name. The inputs must be regular files, which are read twice. By default, only the keys
   * that statements of the dump declare are checked.
   */
  readonly keys?: readonly string[] | undefined;
  /**
   * Longest texts that columns accept, in bytes or characters: `name=40b`, `name=40c`. By default, only the
   * limits that statements of the dump declare are checked.
   */
  readonly limits?: readonly string[] | undefined;
  /** Path of a file for all findings as JSON Lines, which is replaced as a whole or not at all; none by default. */
  readonly report?: string | undefined;
  /**
   * Path for an index of the one input, by which ranges of it are found without reading it from its start:
   * written by a scan of the whole file, or by one of a range that finds none. None by default.
   */
  readonly index?: string | undefined;
  /** Number of examples of each kind to return; 3 by default. */
  readonly max?: number | undefined;
  /**
   * Receives every finding, in the order of the input except that `equal-keys` come last.
   *
   * @param finding - The finding, and its place.
   * @returns Nothing, or a promise that the scan waits for.
   */
  readonly onFinding?: ((finding: ScanFinding) => void | Promise<void>) | undefined;
  /**
   * Receives a sentence if no format is named: the one that was recognised or guessed; and when a file shows that
   * several lines of it are one record.
   *
   * @param sentence - A sentence, without a full stop.
   * @param phrase - The same in parts, for a program that words options in its own way.
   * @returns Nothing, or a promise that the scan waits for.
   */
  readonly onNotice?: ((sentence: string, phrase: Phrase) => unknown) | undefined;
  /**
   * Receives the error of each input that cannot be read; the other inputs are still scanned. Without it,
   * the first such error ends the scan.
   *
   * @param file - The path of the input, or `-` for stdin.
   * @param error - The error.
   * @returns Nothing, or a promise that the scan waits for.
   */
  readonly onFailure?: ((file: string, error: InputError) => void | Promise<void>) | undefined;
}
