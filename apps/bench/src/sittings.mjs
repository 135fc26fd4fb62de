/**
 * Editions race in several processes, one after the other. In one process the same code can be a tenth faster
 * than itself, for as long as the process lives: an engine compiles two copies of it at different times.
 */
import { MOST_SPREAD } from './arena/quiet.mjs';

export const SITTINGS = 3;

/** @typedef {import('./heats.mjs').Cell} Cell */

/**
 * Runs a heat, several times if it has editions.
 *
 * @param {import('./plan.mjs').Heat} heat
 * @param {(cells: Cell[], share: number) => Promise<void>} run - Adds cells, in that share of the time.
 */
export async function runSittings({ editions }, run) {
  const count = editions ? SITTINGS : 1;
  /** @type {Cell[]} */
  const cells = [];
  for (let i = 0; i < count; i++) await run(cells, 1 / count);
  return editions ? mergeSittings(cells) : cells;
}

/** @param {Cell} cell */
const keyOf = ({ corpus, size, contestant, edition }) =>
  `${corpus}|${size}|${contestant}|${edition}`;

/**
 * Makes one cell of those of all sittings: medians of their medians, with their range as spread.
 *
 * @param {readonly Cell[]} cells - Of one runtime and operation.
 * @returns {Cell[]}
 */
export function mergeSittings(cells) {
  /** @type {Map<string, Cell[]>} */
  const groups = new Map();
  for (const cell of cells) groups.set(keyOf(cell), [...(groups.get(keyOf(cell)) ?? []), cell]);
  return Array.from(groups.values(), (list) => list.find(({ wrong }) => wrong) ?? merge(list));
}

/** @param {readonly Cell[]} list */
function merge(list) {
  const { isNoisy: _, ...first } = /** @type {Cell} */ (list[0]);
  const time = range(list.map(({ median }) => median));
  const ratios = list.flatMap(({ ratio }) => (ratio ? [ratio.median] : []));
  const rounds = list.reduce((sum, one) => sum + (one.rounds ?? 0), 0);
  const ratio = ratios.length > 0 ? { ratio: { ...range(ratios), rounds } } : {};
  const { median, lower, upper } = ratio.ratio ?? time;
  const noisy = list.filter(({ isNoisy }) => isNoisy).length;
  const isNoisy = noisy > list.length / 2 || (upper - lower) / median > MOST_SPREAD;
  return { ...first, ...time, rounds, ...ratio, ...(isNoisy ? { isNoisy } : {}) };
}

/** @param {readonly number[]} values */
function range(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const median = /** @type {number} */ (sorted[sorted.length >> 1]);
  return { median, lower: sorted[0] ?? median, upper: sorted.at(-1) ?? median };
}
