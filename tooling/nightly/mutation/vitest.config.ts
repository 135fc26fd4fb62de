/** Tests of one tier, with the packages' sources in place of what is built; `UTF8_TIER` names the package. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { replaceKernels, resolveSources } from './src/sources.mjs';
import { tiers } from './src/tiers.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const name = process.env.UTF8_TIER ?? '';
const tier = tiers[name];
if (!tier) throw new Error(`no tier ${JSON.stringify(name)}`);

// The suite for SQLite then runs in this process.
process.env.UTF8_SQLITE_DRIVER ??= 'node:sqlite';

/** Runs files in the tier's order, so that what is quick kills most mutants. */
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
    resolveSources(path.join(root, 'packages')),
    ...(process.env.UTF8_KERNELS ? [replaceKernels(process.env.UTF8_KERNELS)] : []),
  ],
  test: {
    include: tier.tests.map((test) => (test.endsWith('.ts') ? test : `${test}/**/*.test.ts`)),
    exclude: ['**/node_modules/**', ...(tier.without ?? []).map((test) => `**/${test}.test.ts`)],
    // Otherwise modules in JavaScript would import what is built.
    server: { deps: { inline: [/[\\/]tooling[\\/]/] } },
    // Stryker has a timeout of its own. That of a hook would be short on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    tags: [{ name: 'slow', description: 'As in tooling/vitest.config.ts.' }],
    // As on the command line; its type does not have it.
    ...({ tagsFilter: ['!slow'] } as object),
    sequence: { sequencer: Sequencer },
    reporters: ['default'],
  },
});
