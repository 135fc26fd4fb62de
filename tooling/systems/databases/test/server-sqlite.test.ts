/**
 * Repairs in files of SQLite. Node 20 has no driver for them, so the suite runs again in the versions that
 * `tooling/conformance/runtimes` fetches, and there with both drivers.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  cache,
  environment,
  findProgram as findRuntime,
} from '../../../conformance/runtimes/programs.mjs';
import { isNight } from '../../../tiers/tier.js';
import { run } from '../src/program.js';
import { defineSuite } from '../src/sqlite/suite.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const jdbc = `${cache}/java/sqlite-jdbc-3.8.10.1.jar`;

if (process.env.UTF8_SQLITE_DRIVER !== undefined) defineSuite();
else
  it.each([
    ['node-24', 'node:sqlite'],
    ...(isNight
      ? [
          ['node-22', 'node:sqlite'],
          ['node-26', 'node:sqlite'],
          ['node-24', 'better-sqlite3'],
        ]
      : []),
  ])('repairs in SQLite pass in %s with %s', (runtime, driver) => {
    const node = findRuntime(runtime);
    if (!node) throw new Error(`missing: ${runtime}`);
    // Only at night, files of sqlite-jdbc, too.
    if (isNight && !existsSync(jdbc)) throw new Error('missing: sqlite-jdbc');
    const { status, stdout, stderr } = run(
      node,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        // Not the report of the run that this is a test of.
        '--reporter=dot',
        fileURLToPath(import.meta.url),
      ],
      '',
      {
        cwd: root,
        env: {
          ...environment,
          // pnpm's own programs set it, and `require` finds every package there.
          NODE_PATH: '',
          UTF8_SQLITE_DRIVER: driver,
          ...(isNight && { UTF8_JDBC: jdbc }),
        },
      },
    );
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(String(stdout)).toMatch(/ passed/);
  });
