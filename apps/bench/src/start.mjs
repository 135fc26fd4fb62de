/** First calls, in processes that have run nothing before. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codecs, spellingOf } from './codecs.mjs';
import { summarize } from './race.mjs';

const run = promisify(execFile);
const script = fileURLToPath(new URL('first.mjs', import.meta.url));

export const STEPS = ['import', 'decode', 'encode', 'fault'];

/** @typedef {{ contestant: string, wrong: boolean, times: Record<string, import('./race.mjs').summarize extends (...a: any) => infer R ? R : never> }} Start - Milliseconds by step. */

/**
 * @param {NonNullable<import('./plan.mjs').Plan['start']>} plan
 * @returns {Promise<Start[]>}
 */
export async function measureStarts({ starts, seconds, codecs: names }) {
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
      const { stdout } = await run(process.execPath, [
        script,
        name,
        JSON.stringify(spellingOf(variant)),
      ]);
      answers.get(name)?.push(JSON.parse(stdout));
    }
  }
  return Array.from(answers, ([contestant, list]) => ({
    contestant,
    wrong: list.some(({ wrong }) => wrong),
    times: Object.fromEntries(
      STEPS.map((step) => [step, summarize(list.map((answer) => answer[step]))]),
    ),
  }));
}
