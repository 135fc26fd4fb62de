/**
 * Targets for the speed of the codecs, as ratios within one run, and whether a report reaches them, by
 * runtime.
 */
import { CORPORA } from './arena/corpora.mjs';
import { MALFORMED } from './arena/operations/replace.mjs';
import { isSeries } from './commands/tasks.mjs';
import { compareToNative, indexCells } from './report.mjs';
import { showSize } from './sizes.mjs';
import { COMMAND, NOTHING, STEPS } from './start.mjs';

const KiB = 1024;

/** The corpora with characters above U+FFFF. Where variants spell them in six bytes, the platform is of no use. */
const SUPPLEMENTARY = ['emoji 10 %', 'emoji 50 %', 'dump', 'json'];

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

/** Codecs with higher targets than `strict`, which the platform has too. */
const OTHERS = ['cesu8', 'mutf8', 'wtf8'];

/**
 * @typedef {object} Table - Wanted ratios of speed at 64 KiB, by corpus.
 * @property {string} operation
 * @property {readonly string[]} ours
 * @property {string} against
 * @property {readonly number[]} atLeast
 */

/** For Node 20, and for Node 22 where its own codec is no faster. @type {readonly Table[]} */
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
 * @property {number | undefined} size - Every size if undefined.
 * @property {number} atLeast
 */

/** For Node 20 and 22. */
const SMALL = [
  { operation: 'decode', against: ['TextDecoder fatal'] },
  { operation: 'encode', against: ['TextEncoder'] },
  { operation: 'validate', against: ['isUtf8'] },
];

/** For Node 20 and 22, too. @type {readonly Everywhere[]} */
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
 * @typedef {object} Floor - A wanted ratio to the platform of the same runtime, from 1 KiB to 4 MiB.
 * @property {readonly string[]} operations
 * @property {readonly string[]} ours
 * @property {number} plain - Without supplementary characters.
 * @property {number} supplementary - With them.
 */

const VARIANTS = [...OTHERS, 'rfc2279'];
const TO_UTF8 = VARIANTS.map((name) => `${name} → utf8`);
const ENCODING = ['encode', 'encodeInto'];

/** For runtimes whose own codec uses AVX-512, or is as fast for another reason. @type {readonly Floor[]} */
const floors = [
  { operations: ['decode'], ours: ['strict'], plain: 0.95, supplementary: 0.95 },
  { operations: ['decode'], ours: VARIANTS, plain: 0.85, supplementary: 0.65 },
  { operations: ENCODING, ours: ['strict'], plain: 0.95, supplementary: 0.95 },
  { operations: ENCODING, ours: VARIANTS, plain: 0.75, supplementary: 0.6 },
  { operations: ['validate'], ours: ['strict'], plain: 0.95, supplementary: 0.95 },
  { operations: ['validate'], ours: VARIANTS, plain: 0.5, supplementary: 0.3 },
  { operations: ['transcode'], ours: TO_UTF8, plain: 1.3, supplementary: 1.2 },
];

/** Returns the target at 64 bytes. */
const leastSmall = (/** @type {string} */ name) => (name === 'strict' ? 0.95 : 0.9);

/** A native codec of Node 22 that is faster than that of Node 20 by this has the floors above. */
const FASTER = 1.1;

/**
 * @typedef {object} Verdict
 * @property {string} runtime
 * @property {string} what
 * @property {string} where - A corpus, or another circumstance.
 * @property {string} relation - `≥` or `≤`.
 * @property {number} wanted
 * @property {number} measured
 * @property {string} unit
 * @property {boolean} isMet
 * @property {boolean} [isNoisy] - Whether one of its cells is.
 */

/** @typedef {import('./report.mjs').Report} Report */
/** @typedef {import('./heats.mjs').Cell} Cell */
/** @typedef {Omit<Verdict, 'runtime'>} Judgement */
/** @typedef {{ ratio: number, isNoisy: boolean } | undefined} Ratio */
/** @typedef {(operation: string, corpus: string, size: number, contestant: string) => Cell | undefined} Find */

/**
 * @param {string} what @param {string} where @param {'≥' | '≤'} relation
 * @param {number} wanted @param {number | undefined} measured @param {string} [unit]
 * @param {boolean} [isNoisy]
 * @returns {Judgement[]} Nothing where nothing was measured.
 */
const verdict = (what, where, relation, wanted, measured, unit = '×', isNoisy = false) =>
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
          ...(isNoisy ? { isNoisy } : {}),
        },
      ];

/** @param {string} what @param {string} where @param {'≥' | '≤'} relation @param {number} wanted @param {Ratio} ratio */
const ratioVerdict = (what, where, relation, wanted, ratio) =>
  verdict(what, where, relation, wanted, ratio?.ratio, '×', ratio?.isNoisy);

/**
 * Says which targets a report meets; those that it has no numbers for are left out.
 *
 * @param {Report} report
 * @returns {Verdict[]}
 */
export function judge(report) {
  if (report.against || report.backends) return [];
  const first = report.runtimes.find(({ name }) => name.startsWith('node-'))?.name ?? '';
  return [
    ...report.runtimes.flatMap(({ name }) =>
      [
        ...(/^node-2[02]$/.test(name) ? judgeNode(report, name) : judgeFloors(report, name)),
        ...judgeStarts(report, name),
      ].map((one) => ({ runtime: name, ...one })),
    ),
    ...judgeFiles(report.commands.filter((one) => one.runtime === first && isSeries(one))).map(
      (one) => ({ runtime: first, ...one }),
    ),
  ];
}

/** @param {Report} report @param {string} runtime @returns {Find} */
function finderFor({ cells }, runtime) {
  const find = indexCells(cells);
  return (operation, corpus, size, contestant) =>
    find({ runtime, operation, corpus, size, contestant });
}

/** Node 20, or Node 22. @param {Report} report @param {string} runtime */
function judgeNode(report, runtime) {
  const find = finderFor(report, runtime);
  const onNode20 = finderFor(report, 'node-20');
  // Without a measurement of Node 20, nothing shows that Node 22 is any faster.
  const isFaster = (/** @type {Cell | undefined} */ native) => {
    const old = native && onNode20(native.operation, native.corpus, native.size, native.contestant);
    return Boolean(runtime !== 'node-20' && native && old && old.median / native.median > FASTER);
  };
  return [
    ...tables.flatMap(({ operation, ours, against, atLeast }) =>
      ours.flatMap((name) =>
        COLUMNS.flatMap((corpus, i) => {
          const native = find(operation, corpus, 64 * KiB, against);
          const wanted = isFaster(native) ? floorOf(operation, name, corpus) : (atLeast[i] ?? 1);
          return ratioVerdict(
            `${operation} ${name} / ${against}, 64 KiB`,
            corpus,
            '≥',
            wanted ?? 1,
            ratio(find(operation, corpus, 64 * KiB, name), [native]),
          );
        }),
      ),
    ),
    ...everywhere.flatMap((one) => judgeEverywhere(one, report, find)),
    ...judgeReplacement(report, runtime, find),
  ];
}

/** @param {string} operation @param {string} name @param {string} corpus */
function floorOf(operation, name, corpus) {
  const floor = floors.find(
    ({ operations, ours }) => operations.includes(operation) && ours.includes(name),
  );
  return SUPPLEMENTARY.includes(corpus) ? floor?.supplementary : floor?.plain;
}

/** Runtimes whose own codec is fast. @param {Report} report @param {string} runtime */
function judgeFloors(report, runtime) {
  const find = indexCells(report.cells);
  const sizes = [...new Set(report.cells.map(({ size }) => size))];
  return floors.flatMap(({ operations, ours }) =>
    operations.flatMap((operation) =>
      ours.flatMap((contestant) =>
        sizes
          .filter((size) => size >= KiB || (size === 64 && operation !== 'transcode'))
          .flatMap((size) =>
            CORPORA.flatMap((corpus) =>
              ratioVerdict(
                `${operation} ${contestant} / native, ${showSize(size)}`,
                corpus,
                '≥',
                size < KiB ? leastSmall(contestant) : (floorOf(operation, contestant, corpus) ?? 1),
                compareToNative(find, { runtime, operation, corpus, size, contestant }),
              ),
            ),
          ),
      ),
    ),
  );
}

/**
 * Returns the speed relative to the fastest of others.
 *
 * @param {Cell | undefined} one
 * @param {readonly (Cell | undefined)[]} others
 * @returns {Ratio}
 */
function ratio(one, others) {
  const timed = others.flatMap((other) => other ?? []);
  if (!one || timed.length === 0) return undefined;
  const fastest = timed.reduce((best, other) => (other.median < best.median ? other : best));
  return {
    ratio: fastest.median / one.median,
    isNoisy: Boolean(one.isNoisy || fastest.isNoisy),
  };
}

/** @param {Everywhere} target @param {Report} report @param {Find} find */
function judgeEverywhere({ operation, ours, against, size, atLeast }, report, find) {
  const sizes = size ? [size] : [...new Set(report.cells.map((cell) => cell.size))];
  return ours.flatMap((name) =>
    CORPORA.flatMap((corpus) =>
      sizes.flatMap((bytes) =>
        ratioVerdict(
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

/** @param {Report} report @param {string} runtime @param {Find} find */
function judgeReplacement(report, runtime, find) {
  const sizes = report.cells
    .filter((cell) => cell.runtime === runtime && cell.corpus === MALFORMED)
    .map(({ size }) => size);
  const most = Math.max(...sizes);
  return [...OTHERS, 'strict'].flatMap((name) => {
    const small = find('replace', MALFORMED, 64 * KiB, name)?.median;
    const large = find('replace', MALFORMED, most, name)?.median;
    return [
      ...CORPORA.flatMap((corpus) =>
        ratioVerdict(
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

/** @param {Report} report @param {string} runtime */
function judgeStarts(report, runtime) {
  const starts = report.starts.filter((one) => one.runtime === runtime);
  const timeOf = (/** @type {string} */ name, /** @type {string} */ step) =>
    starts.find(({ contestant }) => contestant === name)?.times[step]?.median;
  const empty = timeOf('native', 'import');
  const [ours, nothing] = [timeOf(COMMAND.name, 'process'), timeOf(NOTHING.name, 'process')];
  const calls = starts
    .filter(({ contestant }) => [...OTHERS, 'strict'].includes(contestant))
    .flatMap(({ contestant, times }) => [
      ...verdict(
        'import in a fresh process, beyond an empty module',
        contestant,
        '≤',
        4,
        times.import && empty !== undefined ? times.import.median - empty : undefined,
        ' ms',
      ),
      ...STEPS.filter((step) => step !== 'import').flatMap((step) =>
        verdict(
          `first ${step} in a fresh process, 64 KiB`,
          contestant,
          '≤',
          5,
          times[step]?.median,
          ' ms',
        ),
      ),
    ]);
  return [
    ...calls,
    ...verdict(
      'start of the command',
      `${COMMAND.name}, beyond ${NOTHING.name}`,
      '≤',
      25,
      ours !== undefined && nothing !== undefined ? ours - nothing : undefined,
      ' ms',
    ),
  ];
}

/** @param {Report['commands']} files - The series of sizes. */
function judgeFiles(files) {
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
    ...ours
      .filter(({ size }) => size >= 1024 ** 3)
      .flatMap(({ size, time }) => {
        const cat = files.find((file) => file.contestant === 'cat' && file.size === size);
        return verdict(
          'utf8 convert: time / cat',
          showSize(size),
          '≤',
          2,
          time && cat?.time ? time.median / cat.time.median : undefined,
        );
      }),
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

/**
 * Returns the ratio of the growth of time with size at the top to that below; start-up cancels out.
 *
 * @param {Report['commands']} files
 */
export function growth(files) {
  const low = files[0];
  const mid = files.at(-2);
  const high = files.at(-1);
  if (files.length < 3 || !low?.time || !mid?.time || !high?.time) return undefined;
  const slope = (/** @type {typeof low} */ a, /** @type {typeof low} */ b) =>
    ((b.time?.median ?? 0) - (a.time?.median ?? 0)) / (b.size - a.size);
  return slope(mid, high) / slope(low, mid);
}
