/** jest with jest-environment-jsdom, whose resolver loads the CommonJS builds. */
import path from 'node:path';
import { cache } from '../programs.mjs';
import { bundleProgram } from './bundle.js';
import { runChild } from './child.js';
import type { Report } from './report.js';

/** Runs a bundle by a test that loads it. */
export async function runJest(program: string, bundle: string, jest: string): Promise<Report> {
  const test = await bundleProgram('jsdom', 'commonjs');
  const config = {
    rootDir: path.dirname(bundle),
    testMatch: [test],
    testEnvironment: path.resolve(jest, '../../../jest-environment-jsdom'),
    cacheDirectory: path.join(cache, 'jest'),
    globals: { suite: bundle },
    transform: {},
    watchman: false,
  };
  return runChild(program, [jest, '--ci', '--runInBand', '--config', JSON.stringify(config)]);
}
