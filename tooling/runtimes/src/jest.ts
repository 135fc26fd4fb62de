/** jest with jest-environment-jsdom, whose resolver loads the CommonJS builds. */
import path from 'node:path';
import { cache } from '../programs.mjs';
import { bundleProgram } from './bundle.js';
import { runChild } from './child.js';
import type { Report } from './report.js';

/** Runs a bundle that lies beside the test that jest is given. */
export async function runJest(program: string, bundle: string, jest: string): Promise<Report> {
  const test = await bundleProgram('jsdom', 'commonjs');
  const config = {
    rootDir: path.dirname(bundle),
    testMatch: [test],
    testEnvironment: path.resolve(jest, '../../../jest-environment-jsdom'),
    cacheDirectory: path.join(cache, 'jest'),
    transform: {},
    watchman: false,
  };
  return runChild(program, [jest, '--ci', '--runInBand', '--config', JSON.stringify(config)]);
}
