/** Judges mutants of TypeScript by vitest's tests, with Stryker. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { identify, readVerdict } from './verdict.mjs';

/** Folder to which Stryker copies the repository: not below node_modules, which vitest does not transform. */
const SANDBOXES = '.mutation';

const plugins = fileURLToPath(new URL('./plugins.mjs', import.meta.url));

/**
 * Judges mutants.
 *
 * @param {object} order
 * @param {string} order.name The tier.
 * @param {readonly import('./instrument.mjs').Mutant[]} order.mutants
 * @param {string} order.cache A folder for Stryker's files.
 * @param {string} order.config Of vitest, from the folder that the process is in.
 * @param {number} order.jobs
 * @param {boolean} order.isWhole Whether these are all mutants of their files.
 * @returns {Promise<import('./report.mjs').Verdict[]>}
 */
export async function judgeTypeScript({ name, mutants, cache, config, jobs, isWhole }) {
  mkdirSync(cache, { recursive: true });
  removeAbandoned();
  const wanted = new Set(mutants.map(identify));
  process.env.UTF8_MUTATED = name;
  process.env.UTF8_SAMPLE = path.join(cache, `sample-${process.pid}.json`);
  writeFileSync(process.env.UTF8_SAMPLE, JSON.stringify([...wanted]));
  const results = await new Stryker({
    mutate: isWhole ? listFiles(mutants) : mutants.map(selectPlace),
    testRunner: 'whole-files',
    // `related` would miss a test's imports from packages.
    vitest: { configFile: config, related: false },
    coverageAnalysis: 'perTest',
    // The first of them has the options of the other.
    plugins: ['@stryker-mutator/vitest-runner', plugins],
    checkers: isWhole ? [] : ['sampler'],
    // Reporting on mutants that were judged with the same source and tests, again.
    incremental: isWhole,
    incrementalFile: path.join(cache, `${name}-incremental.json`),
    reporters: ['teller'],
    tempDirName: `${SANDBOXES}/${process.pid}`,
    cleanTempDir: 'always',
    ignorePatterns: [`/${SANDBOXES}`, '/apps', '/docs', '*.tgz'],
    disableTypeChecks: false,
    warnings: { slow: false },
    concurrency: jobs,
    timeoutMS: 10_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 60,
    allowConsoleColors: false,
    logLevel: 'warn',
  }).runMutationTest();
  rmSync(process.env.UTF8_SAMPLE);
  return results.map(readVerdict).filter((verdict) => wanted.has(identify(verdict)));
}

/** Removes copies that runs left when they were killed. */
function removeAbandoned() {
  const folders = existsSync(SANDBOXES) ? readdirSync(SANDBOXES) : [];
  for (const pid of folders.filter((name) => /^\d+$/.test(name))) {
    try {
      process.kill(Number(pid), 0);
    } catch {
      rmSync(path.join(SANDBOXES, pid), { recursive: true, force: true });
    }
  }
}

const listFiles = (mutants) => [
  ...new Set(mutants.map(({ file }) => path.relative(process.cwd(), file))),
];

function selectPlace({ file, start, end }) {
  const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
  return `${path.relative(process.cwd(), file)}:${place}`;
}
