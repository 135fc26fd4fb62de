/** First calls, in processes that have run nothing before. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { environment } from '@utf8/conformance/runtimes/programs.mjs';
import { codecs, spellingOf } from './arena/codecs.mjs';
import { summarize } from './arena/race.mjs';

const run = promisify(execFile);
const script = fileURLToPath(new URL('first.mjs', import.meta.url));

export const STEPS = ['import', 'decode', 'encode', 'fault'];

/** Whole programs that do nothing else, in Node: ours, and what Node itself takes. */
const cli = join(fileURLToPath(import.meta.resolve('@utf8/cli/package.json')), '../dist/utf8.js');
export const COMMAND = { name: 'utf8 --version', args: [cli, '--version'] };
export const NOTHING = { name: 'node -e 0', args: ['-e', '0'] };

/** @typedef {{ runtime: string, contestant: string, wrong: boolean, times: Record<string, import('./arena/race.mjs').Summary> }} Start - Milliseconds by step. */

/**
 * @param {NonNullable<import('./plan.mjs').Plan['start']>} plan
 * @param {import('./runtimes/find.mjs').Runtime} runtime - No browser.
 * @returns {Promise<Start[]>}
 */
export async function measureStarts({ starts, seconds, codecs: names }, runtime) {
  const contestants = [
    { name: 'native', variant: 'utf-8' },
    ...codecs.filter(({ name }) => names.includes(name)),
  ];
  /** @type {Map<string, any[]>} */
  const answers = new Map(contestants.map(({ name }) => [name, []]));
  const end = performance.now() + seconds * 1000;
  for (let round = 0; round < starts; round++) {
    if (round > 0 && performance.now() > end) break;
    for (const { name, variant } of contestants) {
      const { stdout } = await run(
        runtime.program,
        [...runtime.options, script, name, JSON.stringify(spellingOf(variant))],
        { env: environment },
      );
      answers.get(name)?.push(JSON.parse(stdout));
    }
  }
  const processes = runtime.name.startsWith('node-')
    ? await measureProcesses(runtime.program, starts)
    : [];
  const calls = Array.from(answers, ([contestant, list]) => ({
    contestant,
    wrong: list.some(({ wrong }) => wrong),
    times: Object.fromEntries(
      STEPS.map((step) => [step, summarize(list.map((answer) => answer[step]))]),
    ),
  }));
  return [...calls, ...processes].map((one) => ({ runtime: runtime.name, ...one }));
}

/** In turns. @param {string} node @param {number} rounds */
async function measureProcesses(node, rounds) {
  const lanes = [NOTHING, COMMAND].map((one) => ({
    ...one,
    /** @type {number[]} */
    times: [],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { args, times } of lanes) {
      const start = performance.now();
      await run(node, args, { env: environment });
      times.push(performance.now() - start);
    }
  }
  return lanes.map(({ name, times }) => ({
    contestant: name,
    wrong: false,
    times: { process: summarize(times) },
  }));
}
