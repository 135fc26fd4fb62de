/** Noise of the machine, by the reference loop and the spread of the cells. */
import { MOST_DRIFT } from './arena/reference-loop.mjs';

/**
 * @typedef {object} Noise - Of the races in one runtime.
 * @property {string} runtime
 * @property {number} drift - How much longer than at its best the reference loop took, in nine of ten times at most.
 * @property {number} cells
 * @property {number} noisy - Of those, after the last repeat.
 */

/** A larger share of noisy cells, and none of them is to be believed. */
const MOST_NOISY = 0.1;

/** @param {Pick<import('./report.mjs').Report, 'cells' | 'reference' | 'runtimes'>} report @returns {Noise[]} */
export const findNoise = ({ cells, reference, runtimes }) =>
  runtimes.map(({ name }) => {
    const samples = reference
      .filter(({ runtime }) => runtime === name)
      .flatMap(({ samples }) => samples)
      .sort((a, b) => a - b);
    const most = samples[Math.floor(0.9 * samples.length)] ?? 0;
    const timed = cells.filter(({ runtime, wrong }) => runtime === name && !wrong);
    return {
      runtime: name,
      drift: samples[0] ? most / samples[0] - 1 : 0,
      cells: timed.length,
      noisy: timed.filter(({ isNoisy }) => isNoisy).length,
    };
  });

/** @param {Noise} noise */
export const isTooNoisy = ({ drift, cells, noisy }) =>
  drift > MOST_DRIFT || noisy > MOST_NOISY * cells;

const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;

/** A sentence for each runtime. @param {readonly Noise[]} noise */
export const describeNoise = (noise) =>
  noise
    .filter(({ cells }) => cells > 0)
    .map((one) => {
      const { runtime, drift, cells, noisy } = one;
      const verdict = isTooNoisy(one)
        ? `too noisy to believe a difference of less than ${percent(Math.max(drift, MOST_DRIFT))}`
        : 'quiet enough';
      return `${runtime}: ${verdict}; the reference loop varied by ${percent(drift)}, and ${noisy} of ${cells} cells are noisy (~)`;
    });
