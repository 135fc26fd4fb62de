/** Repeats races that were too noisy, a limited number of times. */
import { summarize } from './race.mjs';

/** Half of the rounds of a cell lie this close together, as a share of the median, or it is noisy. */
export const MOST_SPREAD = 0.15;

/** So often a race is repeated. */
export const MOST_REPEATS = 2;

/** @typedef {import('./race.mjs').Summary} Summary */
/** @typedef {import('./race.mjs').Time & { ratio?: Summary, isNoisy?: boolean }} Measured */

/**
 * @typedef {object} Trial
 * @property {() => ReturnType<typeof import('./race.mjs').race>} race
 * @property {() => boolean} isDisturbed - Whether the machine is slower just now than it can be.
 * @property {(i: number) => boolean} isWatched - Whether the race is repeated if this racer is noisy.
 * @property {boolean} areEditions - Whether only their ratio to the first counts.
 * @property {number} cost - Milliseconds of one race.
 * @property {{ milliseconds: number }} reserve - For repeats of this and of other races.
 */

/**
 * Races until nothing that is watched is noisy, or until there is nothing left for repeats, and returns the
 * quietest race as a whole: the times of one race compare, those of two need not.
 *
 * @param {Trial} trial
 * @returns {Measured[]}
 */
export function raceUntilQuiet({ race, isDisturbed, isWatched, areEditions, cost, reserve }) {
  /** @type {{ measured: Measured[], worst: number } | undefined} */
  let best;
  for (let repeats = 0; ; repeats++) {
    const wasDisturbed = isDisturbed();
    const results = race();
    const isOff = isDisturbed() || wasDisturbed;
    const first = results[0]?.times ?? [];
    /** @type {number[]} */
    const spreads = [];
    const measured = results.map(({ time, times }) => {
      const ratio = areEditions ? compare(first, times) : undefined;
      // A cause that slows all editions alike does not change their ratio.
      const spread = spreadOf(ratio ?? time);
      spreads.push(spread);
      const isNoisy = isOff || spread > MOST_SPREAD;
      return { ...time, ...(ratio ? { ratio } : {}), ...(isNoisy ? { isNoisy } : {}) };
    });
    const worst = Math.max(0, ...spreads.filter((_, i) => isWatched(i))) + (isOff ? 1 : 0);
    if (!best || worst < best.worst) best = { measured, worst };
    if (worst <= MOST_SPREAD || repeats >= MOST_REPEATS || reserve.milliseconds < cost) {
      return best.measured;
    }
    reserve.milliseconds -= cost;
  }
}

/** Returns the distance between the quartiles, as a share of the median. @param {Summary} time */
const spreadOf = ({ median, lower, upper }) => (upper - lower) / median;

/**
 * Returns the speeds relative to the first, round by round.
 *
 * @param {readonly number[]} first
 * @param {readonly number[]} times
 */
function compare(first, times) {
  const rounds = Math.min(first.length, times.length);
  return summarize(
    Array.from({ length: rounds }, (_, i) => (first[i] ?? Number.NaN) / (times[i] ?? Number.NaN)),
  );
}
