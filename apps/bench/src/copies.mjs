/**
 * Modules evaluated afresh for each contestant. Our variants share core's drivers; an engine that saw
 * all of them in one place would compile code for all of them, where a program that uses one variant
 * has code for one.
 */
import { register } from 'node:module';

register('./copy-hook.mjs', import.meta.url);

/**
 * @param {string} specifier - Of a module of this repository.
 * @param {string} copy - Modules of the same copy see one another.
 * @returns {Promise<any>}
 */
export const importCopy = (specifier, copy) =>
  import(`${import.meta.resolve(specifier)}?copy=${encodeURIComponent(copy)}`);
