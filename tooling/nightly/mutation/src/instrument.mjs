/** Lists the mutants of TypeScript, as Stryker makes them. */
import { readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { readMutant } from './verdict.mjs';

const silent = { debug() {}, info() {}, isDebugEnabled: () => false };

/**
 * A change of a source file.
 *
 * @typedef {object} Mutant
 * @property {string} file
 * @property {{ line: number, column: number }} start From 1, and in UTF-16 code units from 0.
 * @property {{ line: number, column: number }} end
 * @property {string} replacement
 */

/**
 * Lists the mutants of files.
 *
 * @param {readonly { file: string, lines?: readonly [number, number] }[]} parts
 * @returns {Promise<Mutant[]>}
 */
export async function listMutants(parts) {
  const files = parts.map(({ file, lines }) => ({
    name: file,
    content: readFileSync(file, 'utf8'),
    mutate: lines
      ? [{ start: { line: lines[0] - 1, column: 0 }, end: { line: lines[1] - 1, column: 1e9 } }]
      : true,
  }));
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };
  const { mutants } = await new Instrumenter(silent).instrument(files, options);
  return mutants.filter(({ status }) => !status).map(readMutant);
}
