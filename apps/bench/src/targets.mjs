/** How fast the codecs have to be, as ratios within one run on Node 20, and whether a report shows it. */
import { CORPORA } from './corpora.mjs';
import { MALFORMED } from './operations/replace.mjs';
import { STEPS } from './start.mjs';

const KiB = 1024;

/** The corpora of the tables below, in their order. */
const COLUMNS = [
  'ascii',
  'latin1',
  'cyrillic',
  'cjk',
  'hangul',
  'emoji 10 %',
  'emoji 50 %',
  'dump',
];

/** Those of which more is wanted than of `strict`, which the platform has too. */
const OTHERS = ['cesu8', 'mutf8', 'wtf8'];

/**
 * @typedef {object} Table - Wanted ratios of speed at 64 KiB, by corpus.
 * @property {string} operation
 * @property {readonly string[]} ours
 * @property {string} against
 * @property {readonly number[]} atLeast
 */

/** @type {readonly Table[]} */
const tables = [
  {
    operation: 'decode',
    ours: OTHERS,
    against: 'TextDecoder fatal',
    atLeast: [1.2, 2.5, 6, 6, 5, 2.5, 4, 3.5],
  },
  {
    operation: 'decode',
    ours: ['strict'],
    against: 'TextDecoder fatal',
    atLeast: [1.2, 2.5, 6, 6, 5, 2, 3, 3.5],
  },
  {
    operation: 'decode',
    ours: [...OTHERS, 'strict'],
    against: 'TextDecoder stream',
    atLeast: [1.2, 1.1, 3, 3, 2.5, 1.1, 1.1, 2],
  },
  {
    operation: 'encode',
    ours: OTHERS,
    against: 'TextEncoder',
    atLeast: [1, 1, 2, 1.6, 2, 2, 2, 2],
  },
  {
    operation: 'encode',
    ours: ['strict'],
    against: 'TextEncoder',
    atLeast: [1, 1, 2, 1.6, 2, 1.1, 1.5, 2],
  },
  {
    operation: 'transcode',
    ours: ['cesu8 → utf8'],
    against: 'native decode + encode',
    atLeast: [2, 6, 12, 10, 10, 5, 5, 8],
  },
];

/**
 * @typedef {object} Everywhere - One wanted ratio on every corpus.
 * @property {string} operation
 * @property {readonly string[]} ours
 * @property {readonly string[]} against - The best of these.
 * @property {number | undefined} size - Every size where there is none.
 * @property {number} atLeast
 */

const SMALL = [
  { operation: 'decode', against: ['TextDecoder fatal'] },
  { operation: 'encode', against: ['TextEncoder'] },
  { operation: 'validate', against: ['isUtf8'] },
];

/** @type {readonly Everywhere[]} */
const everywhere = [
  { operation: 'decode', ours: ['cesu8'], against: ['iconv-lite'], size: 64 * KiB, atLeast: 9 },
  { operation: 'decode', ours: ['mutf8'], against: ['mutf-8'], size: 64 * KiB, atLeast: 9 },
  { operation: 'encode', ours: ['cesu8'], against: ['iconv-lite'], size: 64 * KiB, atLeast: 3 },
  { operation: 'encode', ours: ['mutf8'], against: ['mutf-8'], size: 64 * KiB, atLeast: 3 },
  {
    operation: 'validate',
    ours: [...OTHERS, 'strict'],
    against: ['isUtf8'],
    size: 64 * KiB,
    atLeast: 0.5,
  },
  ...SMALL.map((small) => ({ ...small, ours: OTHERS, size: 64, atLeast: 0.9 })),
  ...SMALL.map((small) => ({ ...small, ours: ['strict'], size: 64, atLeast: 0.95 })),
  {
    operation: 'decode',
    ours: ['strict'],
    against: ['TextDecoder fatal', 'TextDecoder stream', '@exodus/bytes'],
    size: undefined,
    atLeast: 0.95,
  },
  {
    operation: 'encode',
    ours: ['strict'],
    against: ['TextEncoder', '@exodus/bytes'],
    size: undefined,
    atLeast: 0.95,
  },
  {
    operation: 'encodeInto',
    ours: ['strict'],
    against: ['TextEncoder'],
    size: undefined,
    atLeast: 0.95,
  },
  {
    operation: 'readUTF',
    ours: ['readUTF'],
    against: ['TextDecoder', 'Buffer.toString', 'mutf-8'],
    size: undefined,
    atLeast: 1,
  },
  {
    operation: 'stream',
    ours: ['strict'],
    against: ['TextDecoder fatal'],
    size: undefined,
    atLeast: 0.95,
  },
];

/**
 * @typedef {object} Verdict
 * @property {string} what
 * @property {string} where - A corpus, or another circumstance.
 * @property {string} relation - `≥` or `≤`.
 * @property {number} wanted
 * @property {number} measured
 * @property {string} unit
 * @property {boolean} isMet
 */

/** @typedef {import('./report.mjs').Report} Report */
/** @typedef {import('./heats.mjs').Cell} Cell */

/**
 * @param {string} what @param {string} where @param {'≥' | '≤'} relation
 * @param {number} wanted @param {number | undefined} measured @param {string} [unit]
 * @returns {Verdict[]} Nothing where nothing was measured.
 */
const verdict = (what, where, relation, wanted, measured, unit = '×') =>
  measured === undefined
    ? []
    : [
        {
          what,
          where,
          relation,
          wanted,
          measured,
          unit,
          isMet: relation === '≥' ? measured >= wanted : measured <= wanted,
        },
      ];

/**
 * Says which targets a report meets; those that it has no numbers for are left out.
 *
 * @param {Report} report
 * @returns {Verdict[]}
 */
export function judge(report) {
  const find = index(report.cells);
  return [
    ...tables.flatMap(({ operation, ours, against, atLeast }) =>
      ours.flatMap((name) =>
        COLUMNS.flatMap((corpus, i) =>
          verdict(
            `${operation} ${name} / ${against}, 64 KiB`,
            corpus,
            '≥',
            atLeast[i] ?? 1,
            ratio(find(operation, corpus, 64 * KiB, name), [
              find(operation, corpus, 64 * KiB, against),
            ]),
          ),
        ),
      ),
    ),
    ...everywhere.flatMap((one) => judgeEverywhere(one, report, find)),
    ...judgeReplacement(report, find),
    ...judgeStarts(report),
    ...judgeFiles(report),
  ];
}

/** @param {readonly Cell[]} cells */
function index(cells) {
  const map = new Map(
    cells.map((cell) => [`${cell.operation}|${cell.corpus}|${cell.size}|${cell.contestant}`, cell]),
  );
  return (
    /** @type {string} */ operation,
    /** @type {string} */ corpus,
    /** @type {number} */ size,
    /** @type {string} */ contestant,
  ) => map.get(`${operation}|${corpus}|${size}|${contestant}`);
}

/** How many times as fast as the fastest of others. @param {Cell | undefined} one @param {readonly (Cell | undefined)[]} others */
function ratio(one, others) {
  const times = others.flatMap((other) => (other?.median ? [other.median] : []));
  return one?.median && times.length > 0 ? Math.min(...times) / one.median : undefined;
}

/** @param {Everywhere} target @param {Report} report @param {ReturnType<typeof index>} find */
function judgeEverywhere({ operation, ours, against, size, atLeast }, report, find) {
  const sizes = size ? [size] : [...new Set(report.cells.map((cell) => cell.size))];
  return ours.flatMap((name) =>
    CORPORA.flatMap((corpus) =>
      sizes.flatMap((bytes) =>
        verdict(
          `${operation} ${name} / ${against.length > 1 ? 'best of native and @exodus/bytes' : against[0]}, ${showSize(bytes)}`,
          corpus,
          '≥',
          atLeast,
          ratio(
            find(operation, corpus, bytes, name),
            against.map((other) => find(operation, corpus, bytes, other)),
          ),
        ),
      ),
    ),
  );
}

/** @param {Report} report @param {ReturnType<typeof index>} find */
function judgeReplacement(report, find) {
  const sizes = report.cells.filter(({ corpus }) => corpus === MALFORMED).map(({ size }) => size);
  const most = Math.max(...sizes);
  return [...OTHERS, 'strict'].flatMap((name) => {
    const small = find('replace', MALFORMED, 64 * KiB, name)?.median;
    const large = find('replace', MALFORMED, most, name)?.median;
    return [
      ...CORPORA.flatMap((corpus) =>
        verdict(
          `replace ${name}: time with a fault per KiB / clean, 64 KiB`,
          corpus,
          '≤',
          2,
          ratio(find('replace', corpus, 64 * KiB, `${name}, clean`), [
            find('replace', corpus, 64 * KiB, name),
          ]),
        ),
      ),
      ...verdict(
        `replace ${name}: time per byte at ${showSize(most)} / 64 KiB`,
        'every byte malformed',
        '≤',
        1.5,
        small && large ? large / most / (small / (64 * KiB)) : undefined,
      ),
    ];
  });
}

/** @param {Report} report */
function judgeStarts({ starts }) {
  return starts
    .filter(({ contestant }) => [...OTHERS, 'strict'].includes(contestant))
    .flatMap(({ contestant, times }) =>
      STEPS.filter((step) => step !== 'import').flatMap((step) =>
        verdict(
          `first ${step} in a fresh process, 64 KiB`,
          contestant,
          '≤',
          5,
          times[step]?.median,
          ' ms',
        ),
      ),
    );
}

/** @param {Report} report */
function judgeFiles({ files }) {
  const ours = files.filter(({ contestant, time }) => contestant === 'utf8 convert' && time);
  const largest = ours.at(-1);
  const main = ours.findLast(({ size }) =>
    files.some((file) => file.contestant === 'uconv' && file.size === size && file.time),
  );
  const uconv = files.find(({ contestant, size }) => contestant === 'uconv' && size === main?.size);
  return [
    ...verdict(
      `utf8 convert / uconv, ${showSize(main?.size ?? 0)} (256 MiB is the target's)`,
      'file',
      '≥',
      2,
      main?.time && uconv?.time ? uconv.time.median / main.time.median : undefined,
    ),
    ...verdict(
      'utf8 convert: memory',
      `${showSize(largest?.size ?? 0)} file`,
      '≤',
      100,
      largest?.rss ? largest.rss / 1e6 : undefined,
      ' MB',
    ),
    ...verdict(
      'utf8 convert: time per byte in the upper half of the sizes / in the lower',
      `${showSize(ours[0]?.size ?? 0)} to ${showSize(largest?.size ?? 0)}`,
      '≤',
      1.25,
      growth(ours),
    ),
  ];
}

/** How much steeper time grows with size at the top than below; start-up cancels out. @param {Report['files']} files */
export function growth(files) {
  const low = files[0];
  const mid = files.at(-2);
  const high = files.at(-1);
  if (files.length < 3 || !low?.time || !mid?.time || !high?.time) return undefined;
  const slope = (/** @type {typeof low} */ a, /** @type {typeof low} */ b) =>
    ((b.time?.median ?? 0) - (a.time?.median ?? 0)) / (b.size - a.size);
  return slope(mid, high) / slope(low, mid);
}

/** A size as people write it. @param {number} bytes */
export function showSize(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10 + 0.01));
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
}
