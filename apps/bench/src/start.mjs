/** First calls, in processes that have run nothing before. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { environment } from '@utf8/runtimes/programs.mjs';
import { codecs, spellingOf } from './arena/codecs.mjs';
import { summarize } from './arena/race.mjs';

const run = promisify(execFile);
const script = fileURLToPath(new URL('first.mjs', import.meta.url));

export const STEPS = ['import', 'decode', 'encode', 'fault'];

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
  return Array.from(answers, ([contestant, list]) => ({
    runtime: runtime.name,
    contestant,
    wrong: list.some(({ wrong }) => wrong),
    times: Object.fromEntries(
      STEPS.map((step) => [step, summarize(list.map((answer) => answer[step]))]),
    ),
  }));
}
