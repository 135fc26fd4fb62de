/** The tests of `npm test` that judge a package, which `UTF8_MUTATED` names. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { resolveSources } from '../../build/sources.mjs';
import { replaceKernels } from './src/replace-kernels.mjs';
import { tiers } from './src/tiers.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const name = process.env.UTF8_MUTATED ?? '';
const tier = tiers[name];
if (!tier) throw new Error(`no tests of ${JSON.stringify(name)}`);

// As `npm test`: all tests see the same inputs, with a mutant and without.
Object.assign(process.env, { UTF8_TIER: 'test', UTF8_SEED: '1', UTF8_SCALE: '0.1' });

// The suite for SQLite then runs in this process.
process.env.UTF8_SQLITE_DRIVER ??= 'node:sqlite';

/** Runs files in the tier's order, so that fast tests kill most mutants. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      tier!.tests.findIndex((test) => moduleId.startsWith(path.join(root, test)));
    return files.toSorted((a, b) => place(a) - place(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  root,
  plugins: [
    resolveSources(),
    ...(process.env.UTF8_KERNELS ? [replaceKernels(process.env.UTF8_KERNELS)] : []),
  ],
  test: {
    include: tier.tests.map((test) => (test.endsWith('.ts') ? test : `${test}/**/*.test.ts`)),
    exclude: ['**/node_modules/**', ...(tier.without ?? []).map((test) => `**/${test}.test.ts`)],
    // Otherwise modules in JavaScript would import the built files.
    server: { deps: { inline: [/[\\/]tooling[\\/]/] } },
    // Stryker has a timeout of its own. That of a hook would be short on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    tags: ['slow', 'night'].map((name) => ({ name, description: 'As in vitest.config.ts.' })),
    // As on the command line; its type does not have it.
    ...({ tagsFilter: ['!slow', '!night'] } as object),
    sequence: { sequencer: Sequencer },
    reporters: ['default'],
  },
});
