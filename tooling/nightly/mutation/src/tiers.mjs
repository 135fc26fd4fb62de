/** Tests that run against the mutants of a package, and the share of mutants that must be killed. */

import { readFileSync } from 'node:fs';

const listTests = (...names) => names.map((name) => `tooling/conformance/test/${name}.test.ts`);

/** The folder and the name of each codec. */
const codecs = JSON.parse(
  readFileSync(new URL('../../../../packages/variants.json', import.meta.url), 'utf8'),
).map((specifier) => [specifier.split('/')[1], specifier.split('/').at(-1)]);

/** The loops and kernels, each codec's under its name. */
export const kernelTests = [...new Set(codecs.map(([folder]) => folder))].map(
  (folder) => `packages/${folder}/test/kernels.test.ts`,
);

/** The tables of faults, in the package of each codec. */
const faultTests = [...new Set(codecs.map(([folder]) => folder))].map(
  (folder) => `packages/${folder}/test/faults.test.ts`,
);

/** Other tests that run kernels. */
export const suiteTests = [
  ...listTests('policies-and-faults', 'backends'),
  ...['', ...[1, 2, 3].map((third) => `-short-inputs-${third}`)].flatMap((part) =>
    codecs.map(([folder, name]) => `packages/${folder}/test/${name}${part}.test.ts`),
  ),
];

/** All of the suite that sees mutants, the quickest first. */
const suite = [
  ...listTests('inputs', 'arguments', 'labels', 'vectors', 'transform', 'streams'),
  ...faultTests,
  ...listTests('policies', 'owned-memory', 'code-points'),
  ...suiteTests,
  ...kernelTests,
  ...listTests('changing-memory', 'foreign-memory'),
  ...['framing', 'framing-arrays', 'framing-lengths', 'framing-memory'].map(
    (name) => `packages/mutf8/test/${name}.test.ts`,
  ),
];

/** Node 20 has no driver for SQLite that may be loaded here. */
const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;

/**
 * @typedef {object} Tier
 * @property {number} bound The least mutation score, in percent.
 * @property {readonly string[]} tests Folders or files of tests, in the order in which they run.
 * @property {{ folder: string, why: string }} [skipped] Sources that no test can reach here.
 * @property {readonly string[]} [without] Those of them that run programs, which see no mutants.
 */

/** @type {Readonly<Record<string, Tier>>} */
export const tiers = {
  core: {
    bound: 90,
    tests: ['packages/core/test', ...suite, 'tooling/checks/test/generated.test.ts'],
  },
  // AssemblyScript, with the tests that run kernels.
  assembly: {
    bound: 90,
    tests: [...kernelTests, ...suiteTests],
  },
  repair: {
    bound: 90,
    tests: ['packages/repair/test'],
  },
  files: {
    bound: 80,
    tests: ['packages/files/test', 'packages/dump/test'],
    without: ['scan-jobs'],
  },
  dump: {
    bound: 80,
    tests: ['packages/dump/test'],
    // Its threads run the built module.
    without: ['scan-jobs'],
  },
  classfile: {
    bound: 80,
    tests: ['packages/classfile/test'],
  },
  database: {
    bound: 80,
    // Servers are started for what talks to them, and for nothing else.
    tests: [
      'packages/database/test',
      ...['sqlite', 'postgres', 'mysql'].map(
        (name) => `tooling/systems/databases/test/server-${name}.test.ts`,
      ),
    ],
    ...(hasSqlite
      ? {}
      : {
          without: ['server-sqlite'],
          skipped: {
            folder: 'packages/database/src/server/sqlite/',
            why: 'this version of Node has no node:sqlite; use 22.13 or later',
          },
        }),
  },
};
