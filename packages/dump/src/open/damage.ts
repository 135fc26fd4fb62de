import { InputError } from '../error.js';

/**
 * Thrown if compressed data is damaged or truncated, or if an input changes while it is read. Resuming
 * the run fails as well.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { gzipSync } from 'node:zlib';
 * import { DamageError, scanDump } from '@utf8/dump';
 *
 * writeFileSync('cut.csv.gz', gzipSync('id,name\n1,Ann\n').subarray(0, -1));
 * const options = { input: 'cut.csv.gz', format: 'csv', from: 'cesu-8+utf-8' };
 * const error = await scanDump(options).catch((error) => error);
 * error instanceof DamageError; // => true
 * error.message; // => 'cut.csv.gz: its gzip data is truncated; copy the whole file again'
 * ```
 */
export class DamageError extends InputError {
  /** The name of the class. */
  override readonly name: string = 'DamageError';
}

/** Creates the error for compressed data that ends too early. */
export const truncated = (name: string, packing: string): DamageError =>
  new DamageError(`${name}: its ${packing} data is truncated; copy the whole file again`);

/** Creates the error for compressed data that cannot be unpacked, as the decompressor says it. */
export const damaged = (name: string, packing: string, why: string): DamageError =>
  new DamageError(`${name}: its ${packing} data is damaged (${why}); copy the file again`);

/** Creates the error for a file that is not as long or as old as when it was opened. */
export const changed = (name: string): DamageError =>
  new DamageError(`${name}: changed while it was read; run again when no program writes to it`);
