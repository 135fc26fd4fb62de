/** Amount of measurements in each mode, and the part that the command line selects. */
import { codecs, isProfile } from './arena/codecs.mjs';
import { CORPORA, corpusWord } from './arena/corpora.mjs';
import { operations } from './arena/operations/index.mjs';
import { MALFORMED } from './arena/operations/replace.mjs';
import { isSeries, tasks } from './commands/tasks.mjs';
import { planNative } from './native/plan.mjs';
import { UsageError } from './usage-error.mjs';

const KiB = 1024;
export const MiB = 1024 * KiB;

/**
 * @typedef {object} Mode
 * @property {readonly string[]} corpora
 * @property {readonly number[]} sizes - In bytes of UTF-8.
 * @property {number} largeMalformed - To see whether the time per byte grows where every byte is malformed.
 * @property {readonly string[]} operations
 * @property {number} seconds - For all races together.
 * @property {readonly number[]} fileSizes - Of the series that shows how time grows.
 * @property {number} fileSize - On which all commands are compared.
 * @property {number} fileRounds
 * @property {number} fileSeconds - After which no further round begins.
 * @property {number} starts - How many fresh processes for each codec.
 * @property {number} startSeconds - As for files.
 * @property {'all' | 'main' | 'targets'} contestants - `main` leaves out profiles that were not selected.
 */

/** Corpora of modes that do not measure all. */
const FEW = ['ascii', 'cyrillic', 'cjk', 'emoji 10 %', 'dump'];

const allOperations = operations.map(({ name }) => name);

/** @type {Record<'full' | 'quick' | 'targets' | 'smoke', Mode>} */
const modes = {
  full: {
    corpora: CORPORA,
    sizes: [16, 64, 256, KiB, 8 * KiB, 64 * KiB, MiB, 4 * MiB],
    largeMalformed: MiB,
    operations: allOperations,
    seconds: 150,
    fileSizes: [1, 4, 16, 64].map((size) => size * MiB),
    fileSize: 64 * MiB,
    fileRounds: 3,
    fileSeconds: 30,
    startSeconds: 10,
    starts: 7,
    contestants: 'all',
  },
  quick: {
    corpora: FEW,
    sizes: [64, KiB, 64 * KiB],
    largeMalformed: 256 * KiB,
    operations: allOperations,
    seconds: 19,
    fileSizes: [1, 4, 16].map((size) => size * MiB),
    fileSize: 16 * MiB,
    fileRounds: 3,
    fileSeconds: 4,
    startSeconds: 4,
    starts: 3,
    contestants: 'main',
  },
  targets: {
    corpora: CORPORA,
    sizes: [64, KiB, 64 * KiB, 4 * MiB],
    largeMalformed: MiB,
    operations: allOperations,
    seconds: 130,
    fileSizes: [1, 4, 16, 64, 256].map((size) => size * MiB),
    fileSize: 256 * MiB,
    fileRounds: 3,
    fileSeconds: 80,
    startSeconds: 14,
    starts: 7,
    contestants: 'targets',
  },
  smoke: {
    corpora: ['ascii', 'emoji 10 %'],
    sizes: [64, KiB],
    largeMalformed: 4 * KiB,
    operations: allOperations,
    seconds: 2,
    fileSizes: [KiB * 256],
    fileSize: KiB * 256,
    fileRounds: 1,
    fileSeconds: 1,
    startSeconds: 1,
    starts: 1,
    contestants: 'all',
  },
};

export const MODES = /** @type {(keyof typeof modes)[]} */ (Object.keys(modes));

/**
 * @typedef {object} Race
 * @property {string} corpus
 * @property {number} size
 * @property {number} weight - Its share of the time.
 */

/**
 * @typedef {object} Heat - The work of one process: an operation with all its races.
 * @property {string} operation
 * @property {readonly string[]} contestants
 * @property {readonly Race[]} races
 * @property {number} weight - Its share of the time for all.
 * @property {string | undefined} broken - The contestant that is made wrong on purpose.
 * @property {readonly import('./arena/contestant.mjs').Edition[] | undefined} editions - Of each contestant.
 * @property {boolean} isRepeated - True if noisy races are repeated.
 */

/**
 * @typedef {object} CommandPlan
 * @property {readonly import('./commands/tasks.mjs').Task[]} tasks
 * @property {number} size - Of each input.
 * @property {readonly number[]} sizes - Further ones, for the series.
 * @property {number} rounds
 * @property {number} seconds - After which no further round of a task begins.
 * @property {boolean} isSeriesOnly - True if just the programs of the series run.
 */

/**
 * @typedef {object} Plan
 * @property {string} mode
 * @property {readonly Heat[]} heats
 * @property {number} seconds - For all heats, in one runtime.
 * @property {undefined | CommandPlan} commands
 * @property {undefined | { starts: number, seconds: number, codecs: readonly string[] }} start
 * @property {import('./native/measure.mjs').NativePlan} [native]
 */

/** Measurements in processes of their own. */
const PROCESSES = ['files', 'start'];

/** Names of tasks, which run only if picked: they take minutes. */
const COMMANDS = [...new Set(tasks.map(({ command }) => command))];

/** Operations that every backend has. */
const BACKEND_OPERATIONS = ['decode', 'encode', 'encodeInto', 'validate'];

/** Words that the command line accepts. */
const words = {
  operation: [...allOperations, ...PROCESSES, 'commands', ...COMMANDS],
  format: [...new Set(tasks.map(({ format }) => format))],
  codec: codecs.map(({ name }) => name),
  corpus: CORPORA.map(corpusWord),
};

/**
 * @param {object} wish
 * @param {keyof typeof modes} wish.mode
 * @param {readonly string[]} wish.only
 * @param {number | undefined} wish.filesUpTo
 * @param {number | undefined} [wish.fileSize] - Of the inputs of commands.
 * @param {string | undefined} wish.broken
 * @param {Heat['editions']} [wish.editions] - Of ours, which then race against each other alone.
 * @param {boolean} [wish.native] - Native peers, and nothing else.
 * @returns {Plan}
 */
export function makePlan({ mode, only, filesUpTo, fileSize, broken, editions, native = false }) {
  const known = Object.values(words).flat();
  const unknown = only.filter((word) => !known.includes(word));
  if (unknown.length > 0) {
    throw new UsageError(
      `nothing is called ${unknown.join(' or ')}; there are ${known.join(', ')}`,
    );
  }
  const sought = modes[mode];
  const areBackends = editions?.some(({ backend }) => backend) ?? false;
  const names = [
    ...(areBackends ? BACKEND_OPERATIONS : sought.operations),
    ...(editions ? [] : PROCESSES),
  ];
  const formats = pick(words.format, only);
  const chosen = pick(words.operation, only) ?? (formats ? ['commands'] : names);
  const codecWords = pick(words.codec, only);
  const corpusWords = pick(words.corpus, only);
  const corpora = corpusWords
    ? CORPORA.filter((corpus) => corpusWords.includes(corpusWord(corpus)))
    : sought.corpora;
  if (native) {
    const plan = planNative(mode, corpora, pick(words.operation, only), codecWords, broken);
    if (plan.contests.length === 0) throw new UsageError(`no native peer does ${only.join(' ')}`);
    return { mode, heats: [], seconds: 0, commands: undefined, start: undefined, native: plan };
  }

  const all = operations
    .filter(({ name }) => sought.operations.includes(name) || only.includes(name))
    .map((operation) => {
      const contestants = operation.contestants.filter(
        (one) =>
          (!editions || one.group === 'ours') &&
          (!areBackends || hasOwnBackends(one.name, codecWords)) &&
          isPicked(one.codec ?? one.name, one.group, codecWords) &&
          isSought(sought.contestants, one, operation.name, codecWords),
      );
      const races = racesOf(operation, { ...sought, corpora }).map((race) => ({
        ...race,
        weight:
          weigh(race.size) *
          (editions?.length ?? 1) *
          contestants.filter(({ largest = Infinity }) => race.size <= largest).length,
      }));
      return {
        operation: operation.name,
        contestants: contestants.map(({ name }) => name),
        races,
        broken,
        editions,
        // A single, short measurement is never quiet.
        isRepeated: mode !== 'smoke',
        weight: races.reduce((sum, { weight }) => sum + weight, 0),
      };
    });
  const heats = all.filter(({ operation, weight }) => weight > 0 && chosen.includes(operation));
  const isChosen = (/** @type {string} */ name) => !editions && chosen.includes(name);
  const pickedTasks = tasks.filter(
    (task) =>
      (isChosen('files') && isSeries(task)) ||
      ((isChosen('commands') || isChosen(task.command)) &&
        (formats?.includes(task.format) ?? true)),
  );
  const sum = (/** @type {readonly Heat[]} */ list) =>
    list.reduce((total, { weight }) => total + weight, 0);
  return {
    mode,
    heats,
    seconds: (sought.seconds * sum(heats)) / sum(all),
    commands:
      pickedTasks.length > 0
        ? {
            tasks: pickedTasks,
            size: fileSize ?? sought.fileSize,
            sizes: isChosen('files') ? series(sought.fileSizes, filesUpTo) : [],
            rounds: sought.fileRounds,
            seconds: sought.fileSeconds,
            // Compiling Java takes longer than all that a smoke test wants.
            isSeriesOnly:
              sought.contestants === 'targets' || (mode === 'smoke' && isChosen('files')),
          }
        : undefined,
    start: isChosen('start')
      ? {
          starts: sought.starts,
          seconds: sought.startSeconds,
          codecs: codecs
            .map(({ name }) => name)
            .filter((name) => isPicked(name, 'ours', codecWords))
            .filter((name) => (mode === 'full' ? !isProfile(name) : !name.includes('/'))),
        }
      : undefined,
  };
}

/** @param {readonly string[]} list @param {readonly string[]} only */
function pick(list, only) {
  const picked = only.filter((word) => list.includes(word));
  return picked.length > 0 ? picked : undefined;
}

/** The word cesu8 picks cesu8/lite, too. @param {string} name @param {string} group @param {readonly string[] | undefined} picked */
const isPicked = (name, group, picked) =>
  group !== 'ours' ||
  picked === undefined ||
  picked.some((word) => name === word || name.startsWith(`${word}/`));

/** @param {Mode['contestants']} sought @param {import('./arena/contestant.mjs').Contestant} one @param {string} operation @param {readonly string[] | undefined} picked */
function isSought(sought, one, operation, picked) {
  if (sought === 'targets') return isTarget(one, operation);
  return sought === 'all' || !isProfile(one.name) || picked?.includes(one.name) === true;
}

/** Tells whether a name has backends of its own: a codec with a kernel, or a profile that was picked. @param {string} name @param {readonly string[] | undefined} picked */
const hasOwnBackends = (name, picked) =>
  !name.includes('/') || (isProfile(name) && picked?.includes(name) === true);

/**
 * Tells whether a target names the contestant.
 *
 * @param {import('./arena/contestant.mjs').Contestant} contestant
 * @param {string} operation
 */
const isTarget = ({ name, group }, operation) =>
  group === 'ours'
    ? !/\/|^utf8 →/.test(name)
    : operation !== 'replace' && (group === 'platform' || /exodus|iconv-lite|mutf-8/.test(name));

/** @param {import('./arena/contestant.mjs').Operation} operation @param {Mode} mode @returns {Omit<Race, 'weight'>[]} */
function racesOf(operation, { corpora, sizes, largeMalformed }) {
  const most = Math.max(...sizes);
  const fitting = operation.sizes
    ? operation.sizes
        .filter((size) => size <= most)
        .concat(most < (operation.sizes[0] ?? 0) ? [most] : [])
    : sizes;
  // A call on some MiB takes as long as thousands of others: unless picked, only few corpora do.
  const isFit = (/** @type {string} */ corpus, /** @type {number} */ size) =>
    size <= MiB || corpora.length < CORPORA.length || FEW.includes(corpus);
  const races = corpora.flatMap((corpus) =>
    fitting.filter((size) => isFit(corpus, size)).map((size) => ({ corpus, size })),
  );
  if (operation.name !== 'replace') return races;
  // Only two sizes can show whether the time is linear.
  const two = [Math.min(most, 64 * KiB), largeMalformed];
  return [...races, ...two.map((size) => ({ corpus: MALFORMED, size }))];
}

/**
 * The sizes that targets are set for get more of the time. So do the smallest, since V8 takes some 20 ms
 * of calls to compile WebAssembly well. @param {number} size
 */
const weigh = (size) => (size <= 64 || size === 64 * KiB ? 2.5 : 1);

/** @param {readonly number[]} sizes @param {number | undefined} upTo */
function series(sizes, upTo) {
  if (upTo === undefined) return sizes;
  const longer = sizes.filter((size) => size <= upTo);
  for (let size = (longer.at(-1) ?? MiB / 4) * 4; size < upTo; size *= 4) longer.push(size);
  if (longer.at(-1) !== upTo) longer.push(upTo);
  return longer;
}
