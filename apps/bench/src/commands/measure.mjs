/** Whole programs on whole files, start-up included. */
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summarize } from '../arena/race.mjs';
import { runProcess } from './process.mjs';
import { writeRows } from './rows.mjs';
import { isInstalled, isSeries, MissingError } from './tasks.mjs';

/** @typedef {import('./tasks.mjs').Task} Task */
/** @typedef {import('./tasks.mjs').Lane} Lane */

/**
 * @typedef {object} CommandResult
 * @property {string} runtime - That runs ours.
 * @property {string} command
 * @property {string} format
 * @property {string} damage
 * @property {string} contestant
 * @property {string} group
 * @property {string} did
 * @property {number} size - In bytes, of the CESU-8 or the jar; UTF-8 of the same text is a little smaller.
 * @property {ReturnType<typeof summarize>} [time] - In milliseconds.
 * @property {ReturnType<typeof summarize>} [cpu] - Of all processors, in milliseconds.
 * @property {number} [rss] - The largest, in bytes.
 * @property {string} [wrong]
 */

/**
 * @param {NonNullable<import('../plan.mjs').Plan['commands']>} plan
 * @param {{ name: string, program: string }} runtime - A Node.
 * @param {string | undefined} broken - The program that is made wrong on purpose.
 * @param {(what: string) => void} onProgress
 * @returns {Promise<{ results: CommandResult[], skipped: string[] }>}
 */
export async function measureCommands(plan, runtime, broken, onProgress) {
  const { tasks, size, sizes, isSeriesOnly } = plan;
  /** @type {CommandResult[]} */
  const results = [];
  /** @type {Set<string>} */
  const skipped = new Set();
  const folder = mkdtempSync(join(tmpdir(), 'utf8-bench-'));
  try {
    for (const task of tasks) {
      const what = `${task.command} ${task.format}`;
      const lanes = task.lanes.filter((lane) => {
        if (isSeriesOnly && !lane.series) return false;
        const missing = [...(lane.needs ?? []), ...(task.needs ?? []), 'bash'].filter(
          (name) => !isInstalled(name),
        );
        if (missing.length > 0)
          skipped.add(`${what}: ${lane.name}: ${missing.join(', ')} not installed`);
        else lane.compile?.(folder);
        return missing.length === 0;
      });
      for (const bytes of isSeries(task)
        ? [...new Set([...sizes, size])].sort((a, b) => a - b)
        : [size]) {
        const racing = lanes.filter((lane) => bytes === size || lane.series);
        try {
          const how = { runtime, folder, plan, broken, onProgress };
          results.push(...(await raceOn(task, bytes, racing, how)));
        } catch (error) {
          if (!(error instanceof MissingError)) throw error;
          skipped.add(`${runtime.name}: ${what}: ${error.message}`);
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { results, skipped: [...skipped] };
}

/**
 * @param {Task} task
 * @param {number} size
 * @param {readonly Lane[]} racing
 * @param {{ runtime: { name: string, program: string }, folder: string, plan: { rounds: number, seconds: number }, broken: string | undefined, onProgress: (what: string) => void }} how
 */
async function raceOn(task, size, racing, { runtime, folder, plan, broken, onProgress }) {
  if (racing.length === 0) return [];
  const { command, format, damage } = task;
  const at = (/** @type {string} */ name) => join(folder, name);
  const files = { source: at('source'), twin: at('twin'), output: at('output') };
  const recordFormat = format === 'sqlite' ? 'csv' : format;
  const written =
    recordFormat === 'jar'
      ? { rows: 0, damaged: 0, size: 0 }
      : writeRows(recordFormat, damage, size, files.source, files.twin);
  const place = { node: runtime.program, folder, ...files, ...written };
  task.prepare?.(place);
  const read = format === 'jar' ? statSync(at('java.base.jar')).size : written.size;
  const lanes = racing.map((lane) => ({
    lane,
    /** @type {number[]} */
    times: [],
    /** @type {number[]} */
    cpus: [],
    rss: 0,
    /** @type {string | undefined} */
    wrong: undefined,
  }));
  const rounds = size >= 1024 ** 3 ? 1 : plan.rounds;
  let end = Infinity;
  // The first round is compared and not timed: it warms the system's cache of files, too.
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) end = performance.now() + plan.seconds * 1000;
    if (round > 1 && performance.now() > end) break;
    for (const one of round % 2 === 0 ? lanes : lanes.toReversed()) {
      if (one.wrong) continue;
      const { name, line, stdout, exits, check = task.check } = one.lane;
      onProgress(`${command} ${format}, ${damage}: ${name}, ${read} bytes`);
      rmSync(place.output, { force: true });
      task.reset?.(place);
      const ran = await runProcess(line(place), stdout ? place.output : undefined, exits);
      one.wrong = ran.error ?? (round === 0 ? findWrong(check, place, name === broken) : undefined);
      one.rss = Math.max(one.rss, ran.rss ?? 0);
      if (round > 0) {
        one.times.push(ran.milliseconds);
        one.cpus.push(ran.cpu);
      }
    }
  }
  return lanes.map(({ lane: { name, group, did }, times, cpus, rss, wrong }) => ({
    ...{ runtime: runtime.name, command, format, damage, contestant: name, group, did, size: read },
    ...(wrong
      ? { wrong }
      : { time: summarize(times), cpu: summarize(cpus), ...(rss > 0 ? { rss } : {}) }),
  }));
}

/** @param {Task['check']} check @param {import('./tasks.mjs').Place} place @param {boolean} isBroken */
function findWrong(check, place, isBroken) {
  try {
    if (isBroken) truncateSync(place.output);
    return check(place);
  } catch (error) {
    return /** @type {Error} */ (error).message.split('\n')[0];
  }
}
