/** Runs each operation in a process of its own, one after the other, and gathers what they send. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const arena = fileURLToPath(new URL('arena.mjs', import.meta.url));

/**
 * @typedef {import('./race.mjs').Time & { operation: string, corpus: string, size: number, bytes: number, contestant: string, wrong?: string }} Cell
 *   One contestant in one race. Of a wrong one there are no times.
 */
/** @typedef {{ operation: string, name: string, group: string, variant: string, remark?: string, lax?: boolean }} Entry */
/** @typedef {{ operation: string, contestant: string, corpus: string, size: number, allocated: number, kept: number }} Memory */

/**
 * @typedef {object} Results
 * @property {Entry[]} contestants
 * @property {Cell[]} cells
 * @property {Memory[]} memory
 * @property {string[]} skipped
 */

/**
 * @param {import('./plan.mjs').Heat} heat
 * @param {number} seconds - That it may take.
 * @param {Results} results - Is added to.
 * @param {(done: number) => void} onProgress
 * @returns {Promise<void>}
 */
export function runHeat(heat, seconds, results, onProgress) {
  const child = fork(arena, [], {
    execArgv: [...process.execArgv, '--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let done = 0;
  child.on('message', (/** @type {any} */ message) => {
    if (message.cell) results.cells.push(message.cell);
    if (message.contestant) results.contestants.push(message.contestant);
    if (message.memory) results.memory.push(message.memory);
    if (message.skipped) results.skipped.push(message.skipped);
    if (message.progress) onProgress(++done);
  });
  child.send({ heat, seconds });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`the process of ${heat.operation} ended with ${signal ?? `exit code ${code}`}`),
        );
    });
  });
}
