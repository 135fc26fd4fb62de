/**
 * All tests, on the sources of packages: nothing is built first, and saving a file reruns the tests that import it. Folders
 * say what a test needs, and tags how long it takes. See CONTRIBUTING.md.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { resolveSources } from './tooling/build/sources.mjs';
import { asksPrograms, findTag, hasRunWhole, type Tier } from './tooling/tiers/tier.js';
import TierReporter from './tooling/tiers/tier-reporter.js';

process.env.UTF8_TIER ??= 'test' satisfies Tier;
const tier = process.env.UTF8_TIER as Tier;
// The same choices all day, so that a failure can be repeated before its seed is looked up.
process.env.UTF8_SEED ??= new Date().toISOString().slice(0, 10).replaceAll('-', '');
process.env.UTF8_SCALE ??= { test: '0.1', ci: '1', night: '10' }[tier];

/** Tests that need nothing but Node and npm. */
const alone = [
  '{packages,apps}/*/test/**/*.test.ts',
  'tooling/compiler/test/**/*.test.ts',
  'tooling/{checks,conformance}/{,types/,size/,hostile/}test/**/*.test.ts',
];

/** Tests of programs that `.ci/run` installs, and of packages as they are published. */
const others = [
  'tooling/{oracles,systems}/*/test/**/*.test.ts',
  'tooling/conformance/{runtimes,platform}/test/**/*.test.ts',
  'tooling/release/test/**/*.test.ts',
];

const reporter = new TierReporter();

/**
 * Leaves out files of other tiers before they look for what they need. Starts tests of other programs first, since they wait
 * most; then the largest files.
 */
class TierSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const all = await super.sort(files);
    const sorted = all.filter(({ moduleId }) => {
      const source = readFileSync(moduleId, 'utf8');
      const tag = findTag(source);
      if (tag) reporter.leftFiles.set(moduleId, tag);
      return !tag && !hasRunWhole(moduleId, source);
    });
    const isOther = ({ moduleId }: TestSpecification): boolean => asksPrograms(moduleId);
    return [...sorted.filter(isOther), ...sorted.filter((file) => !isOther(file))];
  }
}

export default defineConfig({
  plugins: [resolveSources()],
  test: {
    include: [
      ...alone,
      ...(tier === 'test' ? [] : others),
      ...(tier === 'night' ? ['tooling/nightly/*/test/**/*.test.ts'] : []),
    ],
    exclude: ['**/node_modules/**'],
    // Modules of tooling in JavaScript import sources too.
    server: { deps: { inline: [/[\\/]tooling[\\/]/] } },
    pool: 'forks',
    // Tests of other programs wait for disks, servers and timers.
    maxWorkers: availableParallelism() + (tier === 'test' ? 0 : 2),
    runner: './tooling/tiers/tier-runner.ts',
    sequence: { sequencer: TierSequencer },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A file may have no test in this tier. The reporter fails if a run has none.
    passWithNoTests: true,
    tags: [
      { name: 'slow', description: 'Takes a second or more; left to .ci/run.' },
      { name: 'night', description: 'Takes minutes, or tries whole spaces; left to .ci/nightly.' },
    ],
    reporters: ['default', reporter],
  },
});
