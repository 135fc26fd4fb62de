/** Whole programs on whole files, start-up included. */
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spellingOf } from '../arena/codecs.mjs';
import { makeTexts } from '../arena/corpora.mjs';
import { summarize } from '../arena/race.mjs';
import { encode, findDifference } from '../arena/reference.mjs';
import { commands, isInstalled } from './commands.mjs';
import { runProcess } from './process.mjs';

/**
 * @typedef {object} FileResult
 * @property {string} contestant
 * @property {string} group
 * @property {string} did
 * @property {number} size - In bytes, of the CESU-8; UTF-8 of the same text is a little smaller.
 * @property {ReturnType<typeof summarize>} [time] - In milliseconds.
 * @property {number} [rss] - The largest, in bytes.
 * @property {string} [wrong]
 */

/** Files repeat one part of a dump, so that the expected output needs no file. */
const PIECE = 256 * 1024;

/** The stretch, filled up so that in CESU-8 it has just so many bytes. */
function makePiece() {
  const [dump = ''] = makeTexts('dump', PIECE * 0.95, 1);
  return dump.padEnd(dump.length + PIECE - encode(dump, spellingOf('cesu-8')).length, '-');
}

const text = makePiece();

/**
 * @param {NonNullable<import('../plan.mjs').Plan['files']>} plan
 * @param {string | undefined} broken - The command that is made wrong on purpose.
 * @param {(what: string) => void} onProgress
 * @returns {Promise<{ results: FileResult[], skipped: string[] }>}
 */
export async function measureFiles(
  { size, sizes, rounds, seconds, contestants },
  broken,
  onProgress,
) {
  const end = performance.now() + seconds * 1000;
  /** @type {FileResult[]} */
  const results = [];
  /** @type {string[]} */
  const skipped = [];
  const folder = mkdtempSync(join(tmpdir(), 'utf8-bench-'));
  try {
    const ready = commands.filter((command) => {
      if (contestants === 'targets' && !command.series) return false;
      const missing = command.needs.filter((name) => !isInstalled(name));
      if (missing.length > 0)
        skipped.push(`files ${command.name}: ${missing.join(', ')} not installed`);
      else command.prepare?.(folder);
      return missing.length === 0;
    });
    for (const bytes of new Set([...sizes, size].sort((a, b) => a - b))) {
      const racing = ready.filter(
        ({ series }) => bytes === size || (series && sizes.includes(bytes)),
      );
      const count = bytes >= 1024 ** 3 ? 1 : rounds;
      results.push(
        ...(await raceOn(bytes, racing, { folder, rounds: count, end, broken, onProgress })),
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { results, skipped };
}

/**
 * @param {number} size
 * @param {readonly import('./commands.mjs').Command[]} racing
 * @param {{ folder: string, rounds: number, end: number, broken: string | undefined, onProgress: (what: string) => void }} how
 */
async function raceOn(size, racing, { folder, rounds, end, broken, onProgress }) {
  const count = Math.max(1, Math.round(size / PIECE));
  const inputs = new Map(
    Array.from(new Set(racing.map(({ from }) => from)), (from) => [
      from,
      write(join(folder, `input.${from}`), encode(text, spellingOf(from)), count),
    ]),
  );
  const output = join(folder, 'output');
  const lanes = racing.map((command) => ({
    command,
    /** @type {number[]} */
    times: [],
    rss: 0,
    /** @type {string | undefined} */
    wrong: undefined,
  }));
  // The first round is compared and not timed: it warms the system's cache of files, too.
  for (let round = 0; round <= rounds; round++) {
    if (round > 1 && performance.now() > end) break;
    for (const lane of lanes) {
      if (lane.wrong) continue;
      const { name, from, line, stdout } = lane.command;
      onProgress(`${name}, ${size} bytes`);
      rmSync(output, { force: true });
      const args = line(inputs.get(from) ?? '', output, folder);
      const { milliseconds, rss, error } = await runProcess(args, stdout ? output : undefined);
      lane.wrong = error ?? (round === 0 ? findWrong(output, count, name === broken) : undefined);
      lane.rss = Math.max(lane.rss, rss ?? 0);
      if (round > 0) lane.times.push(milliseconds);
    }
  }
  const results = lanes.map(({ command: { name, group, did }, times, rss, wrong }) => ({
    contestant: name,
    group,
    did,
    size: count * PIECE,
    ...(wrong ? { wrong } : { time: summarize(times), ...(rss > 0 ? { rss } : {}) }),
  }));
  for (const file of [...inputs.values(), output]) rmSync(file, { force: true });
  return results;
}

/** @param {string} path @param {Uint8Array} piece @param {number} count */
function write(path, piece, count) {
  const file = openSync(path, 'w');
  for (let i = 0; i < count; i++) writeSync(file, piece);
  fsyncSync(file); // or the system writes it while programs are timed
  closeSync(file);
  return path;
}

/**
 * Finds the first difference between a file and the UTF-8 of the repeated text.
 *
 * @param {string} path
 * @param {number} count
 * @param {boolean} broken
 */
function findWrong(path, count, broken) {
  const piece = encode(text, spellingOf('utf-8'));
  const { size } = statSync(path);
  const read = new Uint8Array(piece.length);
  const file = openSync(path, 'r');
  try {
    for (let i = 0; i < count; i++) {
      const length = readSync(file, read, 0, piece.length, i * piece.length);
      if (broken) read[0] = 0xff;
      const difference = findDifference(read.subarray(0, length), piece);
      if (difference) return `piece ${i} of ${piece.length} bytes ${difference}`;
    }
  } finally {
    closeSync(file);
  }
  const wanted = piece.length * count;
  return size === wanted ? undefined : `has ${size} bytes instead of ${wanted}`;
}
