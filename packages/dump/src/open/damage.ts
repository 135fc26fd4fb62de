import { InputError } from '../error.js';

/** Thrown if an input is not, or is no longer, what it was. To resume the run would fail as well. */
export class DamageError extends InputError {
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
