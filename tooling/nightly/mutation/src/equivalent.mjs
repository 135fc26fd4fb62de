/** Mutants that no test can kill, since nothing that a caller can see differs; `equivalent.json` says why. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readBefore } from './report.mjs';

/**
 * @typedef {object} Equivalent
 * @property {string} file From the root.
 * @property {string} line The source line that it begins in, without indentation.
 * @property {string} before
 * @property {string} after
 * @property {string} why
 */

/**
 * Tells whether a mutant is this one.
 *
 * @param {Equivalent} equivalent
 * @param {import('./instrument.mjs').Mutant} mutant
 * @param {string} root
 */
export function isSame(equivalent, mutant, root) {
  return (
    path.join(root, equivalent.file) === mutant.file &&
    equivalent.after === mutant.replacement &&
    equivalent.before === readBefore(mutant) &&
    equivalent.line === readFileSync(mutant.file, 'utf8').split('\n')[mutant.start.line - 1].trim()
  );
}
