/** The best backend of each kernel: races between backends, and the decision table with its numbers. */
import { indexCells } from './report.mjs';
import { showSize } from './sizes.mjs';

/** As `useBackend` of `@utf8/core` has them. `fastest` is what kernels choose themselves. */
const BACKENDS = ['platform', 'webassembly', 'javascript'];
const CHOSEN = 'fastest';

/** @type {readonly import('./arena/contestant.mjs').Edition[]} */
export const backendEditions = [...BACKENDS, CHOSEN].map((backend) => ({
  name: backend,
  folder: 'now',
  backend,
}));

/**
 * @typedef {object} Decision - The fastest backend for one codec, operation, corpus and size in one runtime.
 * @property {string} runtime
 * @property {string} operation
 * @property {string} codec
 * @property {string} corpus
 * @property {number} size - In bytes of UTF-8.
 * @property {string} backend - The fastest.
 * @property {Record<string, number>} speeds - Of each backend, with that of the fastest as 1.
 * @property {number | undefined} chosen - The speed of what kernels choose themselves, likewise.
 * @property {boolean} isNoisy
 */

/** @param {Pick<import('./report.mjs').Report, 'cells'>} report @returns {Decision[]} */
export function decide({ cells }) {
  const find = indexCells(cells);
  const seen = new Set();
  return cells.flatMap(({ runtime, operation, contestant, corpus, size }) => {
    const address = { runtime, operation, contestant, corpus, size };
    const key = Object.values(address).join('|');
    if (seen.has(key)) return [];
    seen.add(key);
    const found = BACKENDS.flatMap((edition) => find({ ...address, edition }) ?? []);
    const least = Math.min(...found.map(({ median }) => median));
    const chosen = find({ ...address, edition: CHOSEN });
    const best = found.find(({ median }) => median === least);
    if (!best?.edition) return [];
    return [
      {
        ...{ runtime, operation, codec: contestant, corpus, size },
        backend: best.edition,
        speeds: Object.fromEntries(
          found.map(({ edition = '', median }) => [edition, round(least / median)]),
        ),
        chosen: chosen && round(least / chosen.median),
        isNoisy: [...found, ...(chosen ? [chosen] : [])].some(({ isNoisy }) => isNoisy),
      },
    ];
  });
}

const round = (/** @type {number} */ value) => Number(value.toPrecision(3));

/** Properties of corpora that decide. */
const KINDS = [
  { name: 'ASCII', corpora: ['ascii'] },
  { name: 'up to U+FFFF', corpora: ['latin1', 'cyrillic', 'cjk', 'hangul'] },
  {
    name: 'with supplementary characters',
    corpora: ['emoji 10 %', 'emoji 50 %', 'dump', 'json'],
  },
];

/** The mean of ratios. @param {readonly number[]} list */
const mean = (list) => Math.exp(list.reduce((sum, one) => sum + Math.log(one), 0) / list.length);

/** The backend that is fastest over several cells, and how much faster than the next. @param {readonly Decision[]} list */
function summarize(list) {
  const backends = BACKENDS.filter((backend) =>
    list.every(({ speeds }) => speeds[backend] !== undefined),
  )
    .map((backend) => ({ backend, speed: mean(list.map(({ speeds }) => speeds[backend] ?? 0)) }))
    .sort((a, b) => b.speed - a.speed);
  const [best, next] = backends;
  return best && { backend: best.backend, gain: next ? best.speed / next.speed : 1 };
}

/**
 * Describes the fastest backend by size: `javascript to 64 B, platform from 1 KiB (1.2 to 1.9×)`.
 *
 * @param {readonly Decision[]} list
 */
function describe(list) {
  const sizes = [...new Set(list.map(({ size }) => size))].sort((a, b) => a - b);
  /** @type {{ backend: string, from: number, to: number, gains: number[] }[]} */
  const runs = [];
  for (const size of sizes) {
    const found = summarize(list.filter((one) => one.size === size));
    const last = runs.at(-1);
    if (!found) continue;
    if (last?.backend === found.backend) {
      last.to = size;
      last.gains.push(found.gain);
    } else runs.push({ backend: found.backend, from: size, to: size, gains: [found.gain] });
  }
  return runs
    .map(({ backend, from, to, gains }) => {
      const isFirst = from === sizes[0];
      const isLast = to === sizes.at(-1);
      const place = isLast
        ? isFirst
          ? ''
          : ` from ${showSize(from)}`
        : isFirst
          ? ` to ${showSize(to)}`
          : from === to
            ? ` at ${showSize(from)}`
            : ` from ${showSize(from)} to ${showSize(to)}`;
      const [low, high] = [Math.min(...gains), Math.max(...gains)].map((gain) => gain.toFixed(1));
      return `${backend}${place} (${low === high ? '' : `${low} to `}${high}×)`;
    })
    .join(', ');
}

/** @param {Pick<import('./report.mjs').Report, 'backends' | 'runtimes'>} report */
export function makeBackendsTable({ backends = [], runtimes }) {
  const operations = [...new Set(backends.map(({ operation }) => operation))];
  const kinds = KINDS.filter(({ corpora }) =>
    backends.some(({ corpus }) => corpora.includes(corpus)),
  );
  const codecs = [...new Set(backends.map(({ codec }) => `\`${codec}\``))];
  const rows = runtimes.flatMap(({ name, about }) =>
    operations.flatMap((operation) => {
      const list = backends.filter((one) => one.runtime === name && one.operation === operation);
      const shown = kinds.map(({ corpora }) =>
        describe(list.filter(({ corpus }) => corpora.includes(corpus))),
      );
      return list.length > 0 ? [`| ${about} | ${operation} | ${shown.join(' | ')} |`] : [];
    }),
  );
  return [
    `| runtime | operation | ${kinds.map(({ name }) => name).join(' | ')} |`,
    `| --- | --- |${' --- |'.repeat(kinds.length)}`,
    ...rows,
    '',
    `The fastest backend over ${codecs.join(', ')}, with how many times as fast as the next one it is.`,
    'Written by `npm run bench -- --backends`, whose `backends.json` has every number.',
    '',
  ].join('\n');
}

/** The cells in which kernels choose a backend with less than this share of the speed of the fastest. */
const LEAST_CHOSEN = 0.9;

/** @param {readonly Decision[]} backends */
export const findMischosen = (backends) =>
  backends.filter(({ chosen = 1, isNoisy }) => chosen < LEAST_CHOSEN && !isNoisy);
