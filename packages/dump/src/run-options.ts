/** Options that all runs share. */

import { UsageError } from './error.js';
import { measure } from './open/source.js';
import { opt, phrase } from './phrase.js';
import { MOST_JOBS } from './pool/pool.js';

/** Options of every run. */
export interface RunOptions {
  /** Number of threads, from 1 to 256; 1 by default. The result does not depend on it. */
  readonly jobs?: number | undefined;
  /**
   * A range of bytes of the single input, which is not compressed: records that start in it are processed. All by
   * default.
   */
  readonly range?:
    | {
        /** The offset of the first byte, in bytes. */
        readonly from: number;
        /** The offset after the last byte, in bytes; `Infinity` for the end of the file. */
        readonly to: number;
      }
    | undefined;
  /**
   * Receives the progress of the run.
   *
   * @param done - Number of processed bytes.
   * @param total - Number of bytes in total; undefined if an input is compressed or not a regular file.
   * @returns Nothing, or a promise that the run waits for.
   */
  readonly onProgress?: ((done: number, total: number | undefined) => unknown) | undefined;
}

/**
 * Checks a number of threads.
 *
 * @throws {@link UsageError} unless it is a whole number from 1 to 256.
 */
export function checkJobs(jobs = 1): number {
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= MOST_JOBS) return jobs;
  throw new UsageError(`jobs must be a whole number from 1 to ${MOST_JOBS}, not ${jobs}`);
}

/**
 * Lists inputs.
 *
 * @throws {@link UsageError} if stdin is given twice.
 */
export function readInputs(input: string | readonly string[]): readonly string[] {
  const files = typeof input === 'string' ? [input] : input;
  if (files.length === 0) throw new UsageError('no input; specify a file, or - for stdin');
  if (files.filter((file) => file === '-').length > 1) {
    throw new UsageError('stdin can be read only once; use - once');
  }
  return files;
}

/**
 * Checks the input of a range before it is opened, since to open a named pipe may take forever.
 *
 * @param option - The option that needs it.
 * @throws {@link UsageError} unless it is a regular file.
 */
export function requireRegular(files: readonly string[], option = 'range'): void {
  for (const file of files) {
    if (measure([file]) !== undefined) continue;
    throw new UsageError(phrase`${opt(option)} requires a regular file; ${file} is not one`);
  }
}
