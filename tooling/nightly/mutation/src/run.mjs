/** Runs mutation tests as a command line says. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listAssemblyMutants } from './assembly.mjs';
import { isSame } from './equivalent.mjs';
import { listMutants } from './instrument.mjs';
import { judgeAssembly } from './kernels.mjs';
import { readArguments, UsageError, usage } from './parts.mjs';
import { computeScore, readBefore, writeReport } from './report.mjs';
import { drawSample } from './sample.mjs';
import { judgeTypeScript } from './stryker.mjs';

/**
 * @typedef {object} Place
 * @property {string} root The repository.
 * @property {Readonly<Record<string, import('./tiers.mjs').Tier>>} tiers
 * @property {string} config Of vitest, from the root.
 * @property {readonly import('./equivalent.mjs').Equivalent[]} equivalents
 */

/**
 * Runs mutation tests.
 *
 * @param {readonly string[]} words The command line.
 * @param {Place} place
 * @returns {Promise<number>} The exit code.
 */
export async function run(words, place) {
  // Stryker copies the folder that it is started in.
  process.chdir(place.root);
  try {
    return await judgeParts(readArguments(words, place), place);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`mutation: ${error.message}\n\n${usage}`);
    return 2;
  }
}

async function judgeParts({ parts, sample, seed, jobs }, place) {
  const { root, tiers } = place;
  const all = (await Promise.all(parts.map((part) => listPart(part, place)))).flat();
  const mutants = Array.from(groupBy(all, ({ tier }) => tier).values(), (own) =>
    drawSample(own, sample ?? own.length, seed),
  ).flat();
  const isSample = mutants.length < all.length;
  console.log(
    isSample ? `${mutants.length} of ${all.length} mutants, seed ${seed}` : `${all.length} mutants`,
  );
  const began = performance.now();
  const verdicts = [];
  for (const [tier, own] of groupBy(mutants, (mutant) => mutant.tier)) {
    const isWhole = !isSample && parts.every(({ lines }) => !lines);
    const judged = await judge(tier, own, { jobs, isWhole }, place);
    verdicts.push(...judged.map((verdict) => ({ ...verdict, tier })));
  }
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(
    writeReport(
      groupBy(verdicts, ({ file }) => file),
      root,
    ),
  );
  let code = 0;
  for (const [name, own] of groupBy(verdicts, ({ tier }) => tier)) {
    const { score, least, greatest } = computeScore(own);
    const { bound } = tiers[name];
    const range = isSample ? ` (${least.toFixed(0)} to ${greatest.toFixed(0)})` : '';
    console.log(`${name}: ${score.toFixed(1)} %${range}; at least ${bound} % are wanted`);
    // A difference within a sample's margin of error proves nothing.
    if ((isSample ? greatest : score) < bound) code = 1;
  }
  console.log(`${(seconds / (mutants.length || 1)).toFixed(1)} s a mutant`);
  writeJson(verdicts, { seed, of: all.length, seconds }, root);
  return code;
}

async function listPart(part, { root, equivalents }) {
  const list = part.tier === 'assembly' ? listAssemblyMutants : listMutants;
  return (await list([part]))
    .filter((mutant) => !equivalents.some((equivalent) => isSame(equivalent, mutant, root)))
    .map((mutant) => ({ ...mutant, tier: part.tier }));
}

function judge(tier, mutants, order, { root, config }) {
  return tier === 'assembly'
    ? judgeAssembly(mutants, { config, root })
    : judgeTypeScript({ name: tier, mutants, config, cache: findCache(root), ...order });
}

const findCache = (root) => path.join(root, 'node_modules/.cache/mutation');

function writeJson(verdicts, facts, root) {
  const cache = findCache(root);
  const file = path.join(cache, 'report.json');
  mkdirSync(cache, { recursive: true });
  const mutants = verdicts.map(({ file, start, end, replacement, status }) => ({
    file: path.relative(root, file),
    start,
    end,
    before: readBefore({ file, start, end }),
    after: replacement,
    status,
  }));
  writeFileSync(file, `${JSON.stringify({ ...facts, mutants }, null, 2)}\n`);
  console.log(`report: ${path.relative(root, file)}`);
}

/**
 * Groups members of a list, in its order.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {(member: T) => string} find
 * @returns {Map<string, T[]>}
 */
function groupBy(list, find) {
  const groups = new Map();
  for (const member of list) {
    const key = find(member);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(member);
  }
  return groups;
}
