/** The table of native peers: for each operation and corpus ours, the peer, and the ratio. */

import { REMARKS } from './contests.mjs';

/** @typedef {import('./measure.mjs').NativeReport} NativeReport */

/**
 * @typedef {object} Row - Speeds are in MB/s of the text's UTF-8.
 * @property {string} contest
 * @property {number} size
 * @property {string} corpus
 * @property {number} ours
 * @property {string} peer
 * @property {string} group
 * @property {boolean} isLax
 * @property {number} speed - The peer's.
 * @property {number} ratio - Ours to the peer's.
 * @property {boolean} isNoisy - Whether the quartiles of the ratio lie so far apart that it says little.
 */

/** Of the median, between the quartiles. */
const NOISE = 0.25;

/** @param {NativeReport} report @returns {Row[]} */
export function makeRows({ cells, lax }) {
  const key = (/** @type {typeof cells[number]} */ { contest, corpus, size }) =>
    JSON.stringify([contest, corpus, size]);
  const ours = new Map(
    cells.filter(({ group, wrong }) => group === 'ours' && !wrong).map((cell) => [key(cell), cell]),
  );
  return cells.flatMap((cell) => {
    const { contest, corpus, size, contestant, group, median, ratio } = cell;
    const own = ours.get(key(cell));
    if (!own?.median || !median || !ratio) return [];
    return [
      {
        contest,
        size,
        corpus,
        ours: (cell.bytes / own.median) * 1000,
        peer: contestant,
        group,
        isLax: lax.some((one) => one.contest === contest && one.contestant === contestant),
        speed: (cell.bytes / median) * 1000,
        ratio: ratio.median,
        isNoisy: ratio.upper - ratio.lower > NOISE * ratio.median,
      },
    ];
  });
}

/** The rows of one contest and size each, in their order. @param {readonly Row[]} rows */
export function groupRows(rows) {
  /** @type {Map<string, Row[]>} */
  const groups = new Map();
  for (const row of rows) {
    const key = `${row.contest}, ${row.size}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

/** Returns the data of the page. @param {NativeReport | undefined} report */
export const pageData = (report) =>
  report && { ...report, rows: makeRows(report), remarks: REMARKS };
