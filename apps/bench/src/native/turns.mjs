/** Processes against each other, block by block, so that a machine's moods hit ours and native code alike. */
import { summarize } from '../arena/race.mjs';

/** @typedef {{ time: (calls: number) => Promise<number>, isWarm?: boolean }} Timed */
/** @typedef {import('../arena/race.mjs').Time & { ratio?: { median: number, lower: number, upper: number } }} Turn */

const USUAL_ROUNDS = 11;
const LEAST_ROUNDS = 5;

/** A compiler at run time needs longer before the first race than before the others. */
const FIRST = 4;

/**
 * @param {readonly Timed[]} lanes - Ours first.
 * @param {number} budget - In milliseconds.
 * @returns {Promise<Turn[]>} In the order of the lanes. The ratio is of speed, ours to each, in pairs
 *   of neighbouring blocks: drift that hits a whole round is not in it.
 */
export async function takeTurns(lanes, budget) {
  const end = performance.now() + budget;
  const share = budget / lanes.length;
  const slice = Math.max(0.2, (share * 0.7) / USUAL_ROUNDS);
  const racing = [];
  for (const lane of lanes) {
    const calls = await warmUp(lane, share * 0.3 * (lane.isWarm ? 1 : FIRST), slice);
    lane.isWarm = true;
    racing.push({ lane, calls, times: /** @type {number[]} */ ([]) });
  }
  for (let round = 0; round < 3 * USUAL_ROUNDS; round++) {
    if (round >= LEAST_ROUNDS && performance.now() > end) break;
    for (let i = 0; i < racing.length; i++) {
      const turn = /** @type {typeof racing[number]} */ (racing[(i + round) % racing.length]);
      turn.times.push((await turn.lane.time(turn.calls)) / turn.calls);
    }
  }
  const first = racing[0]?.times ?? [];
  return racing.map(({ calls, times }, i) => {
    const turn = { ...summarize(times), calls };
    if (i === 0) return turn;
    const pairs = times.map((time, round) => time / (first[round] ?? Number.NaN));
    const { median, lower, upper } = summarize(pairs);
    return { ...turn, ratio: { median, lower, upper } };
  });
}

/** Warms a lane up, and finds how many calls fill a slice of time. @param {Timed} lane @param {number} milliseconds @param {number} slice */
async function warmUp(lane, milliseconds, slice) {
  let calls = 1;
  let spent = 0;
  for (;;) {
    const last = (await lane.time(calls)) / 1e6;
    spent += last;
    if (spent >= milliseconds) {
      return Math.max(1, Math.round((calls * slice) / Math.max(last, 1e-4)));
    }
    if (last < slice) calls *= 2;
  }
}
