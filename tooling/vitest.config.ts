import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that are short, and take minutes. */
const long =
  /runtimes\.test|matrix-|server-sqlite|suite-|proof\.test|new-string|spark|repair-kills/;

/** Starts what takes longest first, so that no processor waits for it at the end; else the largest file. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['{packages,apps,tooling}/*/test/**/*.test.ts'],
    pool: 'forks',
    // One more than there are processors, since tests also wait for disks, servers and timers. By default it is one less,
    // which leaves half of a machine with two cores idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // The exhaustive suites visit every code point; slow machines run them too.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    tags: [
      {
        name: 'slow',
        description: 'Visits whole spaces of inputs, or takes much memory; left to Node alone.',
      },
    ],
    reporters: ['default', 'json'],
    // Read by .ci/run.
    outputFile: { json: 'node_modules/.cache/vitest-report.json' },
  },
});
