/** Ours against native code: programs are built, checked, and take turns with ours. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeItems } from '../arena/material.mjs';
import { malformed } from '../arena/operations/decode.mjs';
import { PEERS } from './contests.mjs';
import { Peer } from './process.mjs';
import { nodeLine, prepare } from './programs.mjs';
import { answerFor, bytesOf, joinRecords } from './records.mjs';
import { takeTurns } from './turns.mjs';

/** @typedef {import('./contests.mjs').Contest} Contest */
/** @typedef {import('./contests.mjs').Lane} Lane */
/** @typedef {import('../arena/material.mjs').Item} Item */

/**
 * @typedef {object} NativeCell - One contestant in one race: nanoseconds of a call, and of a wrong one none.
 * @property {string} contest
 * @property {string} corpus
 * @property {number} size
 * @property {number} bytes - Of UTF-8, on average.
 * @property {string} contestant
 * @property {Lane['group']} group
 * @property {number} [median]
 * @property {number} [lower]
 * @property {number} [upper]
 * @property {number} [rounds]
 * @property {number} [calls]
 * @property {{ median: number, lower: number, upper: number }} [ratio] - Speed of ours to this one's.
 * @property {string} [wrong]
 */

/**
 * @typedef {object} NativeReport
 * @property {Record<string, string>} versions
 * @property {string[]} leftOut - What, and why.
 * @property {{ contest: string, contestant: string }[]} lax - Accept malformed input.
 * @property {NativeCell[]} cells
 */

/** @typedef {{ contests: readonly Contest[], races: readonly { corpus: string, size: number }[], seconds: number, broken: string | undefined }} NativePlan */

/**
 * @param {NativePlan} plan
 * @param {(what: string) => void} onProgress
 * @param {typeof prepare} [build]
 * @returns {Promise<NativeReport>}
 */
export async function measureNative(
  { contests, races, seconds, broken },
  onProgress,
  build = prepare,
) {
  /** @type {NativeReport} */
  const report = { versions: {}, leftOut: [], lax: [], cells: [] };
  const programs = prepareAll(contests, build, report, onProgress);
  const folder = mkdtempSync(join(tmpdir(), 'utf8-bench-native-'));
  const end = performance.now() + seconds * 1000;
  try {
    let left = contests.reduce((sum, one) => sum + weigh(one, races), 0);
    for (const contest of contests) {
      onProgress(contest.title);
      const weight = weigh(contest, races);
      const budget = ((end - performance.now()) * weight) / left;
      left -= weight;
      await run(contest, { races, budget, broken, folder, programs, report });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return report;
}

/** @param {Contest} contest @param {NativePlan['races']} races */
const weigh = (contest, races) => racesOf(contest, races).length * contest.lanes.length;

/** @param {Contest} contest @param {NativePlan['races']} races */
const racesOf = ({ largest = Infinity }, races) => races.filter(({ size }) => size <= largest);

/** The command line of each program that is there. @param {readonly Contest[]} contests @param {typeof prepare} build @param {NativeReport} report @param {(what: string) => void} onProgress */
function prepareAll(contests, build, report, onProgress) {
  /** @type {Map<string, readonly string[]>} */
  const lines = new Map([['node', nodeLine]]);
  const wanted = new Set(contests.flatMap(({ lanes }) => lanes.map(({ program }) => program)));
  for (const program of wanted) {
    if (program === 'node') continue;
    onProgress(`building ${program}`);
    const made = build(program);
    if ('missing' in made) report.leftOut.push(`${PEERS[program].join(', ')}: ${made.missing}`);
    else {
      lines.set(program, made.line);
      Object.assign(report.versions, made.versions);
    }
  }
  return lines;
}

/**
 * @param {Contest} contest
 * @param {{ races: NativePlan['races'], budget: number, broken: string | undefined, folder: string, programs: Map<string, readonly string[]>, report: NativeReport }} how
 */
async function run(contest, { races, budget, broken, folder, programs, report }) {
  const end = performance.now() + budget;
  const lanes = await start(contest, programs, report);
  try {
    for (const lane of lanes) {
      // The checks below report a program that ends here.
      if (await isLax(lane, folder).catch(() => false)) {
        report.lax.push({ contest: contest.title, contestant: lane.name });
      }
    }
    const fitting = racesOf(contest, races);
    for (const [i, { corpus, size }] of fitting.entries()) {
      const share = (end - performance.now()) / (fitting.length - i);
      const began = performance.now();
      const items = makeItems(corpus, size);
      const bytes = items.reduce((sum, item) => sum + item.bytes('utf-8').length, 0) / items.length;
      const cell = { contest: contest.title, corpus, size, bytes };
      const wanted = answerFor(items.map((item) => expectedFor(contest, item)));
      const paths = writeInputs(contest, items, folder);
      const right = [];
      for (const lane of lanes) {
        const wrong = await findWrong(lane, paths, wanted, lane.name === broken);
        const { name, group } = lane;
        if (wrong) report.cells.push({ ...cell, contestant: name, group, wrong });
        else right.push(lane);
      }
      // Ours is what all are held against.
      if (right[0]?.group !== 'ours') continue;
      const left = share - (performance.now() - began);
      const times = await takeTurns(
        right.map(({ timed }) => timed),
        Math.max(left, right.length * 0.5),
      );
      for (const [j, { name, group }] of right.entries()) {
        report.cells.push({ ...cell, contestant: name, group, ...times[j] });
      }
    }
  } finally {
    for (const { timed } of lanes) timed.close();
  }
}

/** @typedef {Lane & { timed: Peer }} Started */

/** @param {Contest} contest @param {Map<string, readonly string[]>} programs @param {NativeReport} report @returns {Promise<Started[]>} */
async function start({ lanes }, programs, report) {
  const begun = lanes.flatMap((lane) => {
    const line = programs.get(lane.program);
    return line ? [{ ...lane, timed: new Peer([...line, ...lane.words]) }] : [];
  });
  const ready = [];
  for (const lane of begun) {
    try {
      const version = await lane.timed.ready();
      if (version && lane.program !== 'node') report.versions[lane.name] = version;
      ready.push(lane);
    } catch (error) {
      lane.timed.close();
      if (lane.group === 'ours') throw error;
      const line = `${lane.name}: ${/** @type {Error} */ (error).message}`;
      if (!report.leftOut.includes(line)) report.leftOut.push(line);
    }
  }
  return ready;
}

/** A file of all inputs for each kind that a contest takes. @param {Contest} contest @param {readonly Item[]} items @param {string} folder */
function writeInputs(contest, items, folder) {
  const kinds = new Set(contest.lanes.map(({ input }) => input));
  return new Map(
    Array.from(kinds, (kind) => {
      const path = join(folder, kind);
      writeFileSync(path, joinRecords(items.map((item) => inputFor(kind, contest, item))));
      return [kind, path];
    }),
  );
}

/** @param {Lane['input']} kind @param {Contest} contest @param {Item} item @returns {Uint8Array} */
function inputFor(kind, { labels: [label = 'utf-8'] }, item) {
  if (kind === 'text') return item.bytes('utf-8');
  if (kind === 'units') return bytesOf(item.text);
  return kind === 'frame' ? frame(item.bytes(label)) : item.bytes(label);
}

/** Returns the expected result of a contest. @param {Contest} contest @param {Item} item */
function expectedFor({ title, operation, labels }, item) {
  const last = labels.at(-1) ?? 'utf-8';
  if (operation === 'validate') return bytesOf(true);
  if (title.startsWith('writeUTF')) return frame(item.bytes(last));
  return operation === 'decode' || operation === 'readUTF' ? bytesOf(item.text) : item.bytes(last);
}

/** @param {Uint8Array} bytes */
function frame(bytes) {
  const framed = Buffer.alloc(2 + bytes.length);
  framed.writeUInt16BE(bytes.length);
  framed.set(bytes, 2);
  return framed;
}

/**
 * Describes the errors in the results of a lane; undefined without errors.
 *
 * @param {Started} lane
 * @param {Map<string, string>} paths
 * @param {string} wanted
 * @param {boolean} isBroken
 */
async function findWrong({ timed, input }, paths, wanted, isBroken) {
  try {
    await timed.load(paths.get(input) ?? '');
    const answer = await timed.check();
    if (answer === wanted && !isBroken) return undefined;
    return `${answer}, not ${wanted} (bytes and hash of all results)`;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/**
 * Tells whether a lane accepts bytes that are malformed in every variant.
 *
 * @param {Started} lane
 * @param {string} folder
 */
async function isLax({ timed, input }, folder) {
  if (input === 'text' || input === 'units') return false;
  for (const bytes of malformed()) {
    const path = join(folder, 'malformed');
    writeFileSync(path, joinRecords([input === 'frame' ? frame(bytes) : bytes]));
    await timed.load(path);
    const answer = await timed.check();
    if (!answer.startsWith('refuses') && answer !== INVALID) return true;
  }
  return false;
}

/** Answer of a validator that refuses its one input. */
const INVALID = answerFor([bytesOf(false)]);
