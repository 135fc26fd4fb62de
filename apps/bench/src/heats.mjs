/** Runs each operation in a process or a page of its own, and gathers their messages. */
import { runChild } from './runtimes/child.mjs';
import { runInPage } from './runtimes/visit.mjs';

/** @typedef {import('./arena/race.mjs').Summary} Summary */

/**
 * @typedef {object} Place - One contestant in one race.
 * @property {string} operation
 * @property {string} corpus
 * @property {number} size
 * @property {number} bytes - Of the text in UTF-8, on average.
 * @property {string} contestant
 * @property {string} [edition] - Of ours, where several race.
 */

/**
 * @typedef {Place & Partial<import('./arena/race.mjs').Time> & { ratio?: Summary, isNoisy?: boolean, wrong?: string }} Outcome
 *   Of a wrong one there are no times. The ratio is the speed, with that of the first edition as 1.
 */

/** @typedef {Outcome & { runtime: string, median: number }} Cell */
/** @typedef {{ operation: string, name: string, group: string, variant: string, remark?: string | undefined, lax?: boolean | undefined }} Entry */
/** @typedef {{ runtime: string, operation: string, contestant: string, corpus: string, size: number, allocated: number, kept: number }} Memory */

/**
 * @typedef {object} Message - A message of a heat: one of these.
 * @property {string} [agent]
 * @property {Entry} [contestant]
 * @property {Outcome} [cell]
 * @property {Omit<Memory, 'runtime'>} [memory]
 * @property {string} [skipped]
 * @property {number} [progress]
 * @property {readonly number[]} [reference] - Milliseconds of the reference loop, before and after each race.
 * @property {number} [sink]
 */

/**
 * @typedef {object} Results
 * @property {(Entry & { runtime: string })[]} contestants
 * @property {Cell[]} cells
 * @property {Memory[]} memory
 * @property {string[]} skipped
 * @property {{ runtime: string, operation: string, samples: readonly number[] }[]} reference
 * @property {Record<string, string>} agents - Of browsers.
 */

/**
 * @param {import('./runtimes/find.mjs').Runtime} runtime
 * @param {string} folder - Of the bundles.
 * @param {import('./plan.mjs').Heat} heat
 * @param {number} seconds - That it may take.
 * @param {Results} results - Is added to.
 * @param {(done: number) => void} onProgress
 * @returns {Promise<void>}
 */
export async function runHeat(runtime, folder, heat, seconds, results, onProgress) {
  const { name, isBrowser } = runtime;
  let done = 0;
  const onMessage = (/** @type {Message} */ message) => {
    const { agent, cell, contestant, memory, skipped, progress, reference } = message;
    if (agent && isBrowser) results.agents[name] = agent;
    if (cell) results.cells.push(/** @type {Cell} */ ({ runtime: name, ...cell }));
    if (contestant) add(results.contestants, { runtime: name, ...contestant });
    if (memory) results.memory.push({ runtime: name, ...memory });
    const line = `${name}: ${skipped}`;
    if (skipped && !results.skipped.includes(line)) results.skipped.push(line);
    if (reference) {
      results.reference.push({ runtime: name, operation: heat.operation, samples: reference });
    }
    if (progress) onProgress(++done);
  };
  const run = isBrowser ? runInPage : runChild;
  try {
    await run(runtime, folder, { heat, seconds }, onMessage);
  } catch (error) {
    throw new Error(`${heat.operation} in ${name}: ${/** @type {Error} */ (error).message}`);
  }
}

/** Adds a contestant once, although several editions may race. @param {Results['contestants']} list @param {Results['contestants'][0]} one */
function add(list, one) {
  const isKnown = list.some(
    ({ runtime, operation, name }) =>
      runtime === one.runtime && operation === one.operation && name === one.name,
  );
  if (!isKnown) list.push(one);
}
