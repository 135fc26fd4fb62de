import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['{packages,apps,tooling}/*/test/**/*.test.ts'],
    pool: 'forks',
    // By default one less, which leaves half of a machine with two cores idle.
    maxWorkers: availableParallelism(),
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
