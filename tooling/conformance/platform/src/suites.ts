/** Test suites of libraries that use TextDecoder and TextEncoder, which `.ci/install` fetches. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Result, runWorker } from './worker.js';

const root = fileURLToPath(new URL('../../../../node_modules/.cache/suites', import.meta.url));

/** The suites by name, as code for mocha. */
export const suites: Readonly<Record<string, () => string | Promise<string>>> = {
  msgpackr: () => readFileSync(path.join(root, 'msgpackr/dist/test.js'), 'utf8'),
  'cbor-x': () => readFileSync(path.join(root, 'cbor-x/dist/test.js'), 'utf8'),
  flatbuffers: () => bundleFlatbuffers('JavaScriptTest.js'),
  'flatbuffers/flexbuffers': () => bundleFlatbuffers('JavaScriptFlexBuffersTest.js'),
};

/** Bundles a program of FlatBuffers, which throws if a test fails, as one test. */
async function bundleFlatbuffers(name: string): Promise<string> {
  const folder = path.join(root, 'flatbuffers');
  const tests = JSON.stringify(path.join(folder, 'tests/'));
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, 'tests', name)],
    bundle: true,
    format: 'iife',
    platform: 'node',
    alias: {
      flatbuffers: path.join(folder, 'ts/index.ts'),
      'flatbuffers/js/flexbuffers': path.join(folder, 'ts/flexbuffers.ts'),
    },
    banner: {
      js: `test(${JSON.stringify(name)}, () => {
        const nodeRequire = module.createRequire(${tests});
        const { readFileSync } = nodeRequire('fs');
        const inFolder = (file, ...values) => readFileSync(${tests} + file, ...values);
        const fs = { readFileSync: inFolder, writeFileSync: () => undefined };
        const require = (id) => (id === 'fs' ? fs : nodeRequire(id));`,
    },
    footer: { js: '});' },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text as string;
}

export interface Outcome {
  readonly results: readonly Result[];
  /** Number of calls of `decode`, `encode` and `encodeInto`. */
  readonly calls: number;
}

/**
 * Runs a suite after a script.
 *
 * @param hasBuffer - False hides `Buffer` from the library, which then uses the classes alone.
 */
export const runSuite = (code: string, script: string, hasBuffer: boolean): Promise<Outcome> =>
  runWorker('./run-suite.mjs', { code, script, hasBuffer });
