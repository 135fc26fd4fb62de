/**
 * Contestants against each other in one process, in turns, so that a machine's moods hit all alike.
 *
 * The loop is ours: mitata and tinybench time one function to its end before they begin with the
 * next, and on a shared machine the two then ran in different weather.
 */

/**
 * @typedef {object} Summary
 * @property {number} median
 * @property {number} lower - The first quartile.
 * @property {number} upper - The third quartile.
 * @property {number} rounds - How often it was timed.
 */

/** @typedef {Summary & { calls: number }} Time - Nanoseconds of one call, and how many were timed at once. */

/** @typedef {import('./contestant.mjs').Runner} Runner */

const MOST_ROUNDS = 31;
const LEAST_ROUNDS = 3;

/** Limits when the time is up: a call short enough for a median is timed all the same. */
const LATE_ROUNDS = 7;
const LATE_SPENT = 30;
const USUAL_ROUNDS = 11;

/** The shortest time that the clock tells from none, in milliseconds: 0.02 in Firefox, at its best. */
function findResolution() {
  let least = Infinity;
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    least = Math.min(least, now - start);
  }
  return least;
}

const RESOLUTION = findResolution();

/** @param {Runner} runner @param {readonly unknown[]} inputs @param {number} calls */
function time({ many }, inputs, calls) {
  const start = performance.now();
  many(inputs, calls);
  return performance.now() - start;
}

/**
 * Races contestants for so many milliseconds, or until each has had its fewest rounds.
 *
 * @param {readonly { runner: Runner, inputs: readonly unknown[] }[]} contestants
 * @param {number} budget - In milliseconds.
 * @param {() => number} random - Shuffles them before every round, so that no entry always follows the
 *   same one, and meets what that one left of the caches and the heap.
 * @returns {{ time: Time, times: readonly number[] }[]} In the order of the contestants; times by round.
 */
export function race(contestants, budget, random) {
  const end = performance.now() + budget;
  const share = budget / contestants.length;
  const slice = Math.max(0.05, 30 * RESOLUTION, (share * 0.7) / USUAL_ROUNDS);
  const lanes = contestants.map(({ runner, inputs }) => ({
    runner,
    inputs,
    calls: warmUp(runner, inputs, share * 0.3, slice),
    spent: 0,
    /** @type {number[]} */
    times: [],
  }));
  const isDone = (/** @type {typeof lanes[number]} */ { times, spent }) =>
    performance.now() < end
      ? times.length >= LEAST_ROUNDS && spent > share // the slow do not get the time of the others
      : times.length >= LATE_ROUNDS || (times.length > 0 && spent > LATE_SPENT);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const racing = lanes.filter((lane) => !isDone(lane));
    if (racing.length === 0) break;
    for (const lane of shuffle(racing, random)) {
      const spent = time(lane.runner, lane.inputs, lane.calls);
      lane.spent += spent;
      // Compiled since it was warmed up, it is too fast for the clock.
      if (spent < 5 * RESOLUTION) {
        lane.calls *= 8;
        continue;
      }
      lane.times.push((spent * 1e6) / lane.calls);
    }
  }
  return lanes.map(({ times, calls }) => ({ time: { ...summarize(times), calls }, times }));
}

/** Warms a contestant up, and finds how many calls fill a slice of time. @param {Runner} runner @param {readonly unknown[]} inputs @param {number} milliseconds @param {number} slice */
function warmUp(runner, inputs, milliseconds, slice) {
  let calls = 1;
  let spent = 0;
  for (;;) {
    const last = time(runner, inputs, calls);
    spent += last;
    if (spent >= milliseconds)
      return Math.max(1, Math.round((calls * slice) / Math.max(last, 1e-4)));
    if (last < slice) calls *= 2;
  }
}

/** @template T @param {readonly T[]} list @param {() => number} random @returns {T[]} */
function shuffle(list, random) {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const one = /** @type {T} */ (mixed[i]);
    mixed[i] = /** @type {T} */ (mixed[j]);
    mixed[j] = one;
  }
  return mixed;
}

/** The median of times and their quartiles. @param {readonly number[]} times @returns {Summary} */
export function summarize(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)] ?? Number.NaN;
    const above = sorted[Math.ceil(place)] ?? Number.NaN;
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), lower: at(0.25), upper: at(0.75), rounds: sorted.length };
}
