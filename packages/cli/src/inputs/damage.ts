import { InputFailure } from '../failure.js';

/** Compressed data that ends before it should. */
export const cutShort = (name: string, packing: string): InputFailure =>
  new InputFailure(`${name}: its ${packing} data is cut short; copy the whole file again`);

/**
 * Compressed data that is not what was compressed once.
 *
 * @param why - As the decompressor puts it.
 */
export const damaged = (name: string, packing: string, why: string): InputFailure =>
  new InputFailure(`${name}: its ${packing} data is damaged (${why}); copy the file again`);
