/**
 * Repairs in files of SQLite. Node 20 has no driver for them, so the suite runs again in the versions that
 * `tooling/conformance/runtimes` fetches, and there with both drivers.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  cache,
  environment,
  findProgram as findRuntime,
} from '../../../conformance/runtimes/programs.mjs';
import { choose } from '../../../tiers/tier.js';
import { findMissing, findProgram, run } from '../src/program.js';

const driver = process.env.UTF8_SQLITE_DRIVER;
const root = fileURLToPath(new URL('../../../..', import.meta.url));

if (driver !== undefined) {
  const { defineSuite } = await import('../src/sqlite/suite.js');
  defineSuite();
} else {
  const missing = findMissing('sqlite3');
  if (missing) console.log(`skipped: repairs in SQLite: ${missing}`);
  const jdbc = `${cache}/java/sqlite-jdbc-3.8.10.1.jar`;
  const hasJdbc = existsSync(jdbc) && findProgram('java') !== undefined;
  if (!hasJdbc)
    console.log(
      'skipped: files of sqlite-jdbc (Maven: org.xerial:sqlite-jdbc:3.8.10.1, and a JDK)',
    );

  const runs = [
    ['node-22', 'node:sqlite'],
    ['node-24', 'node:sqlite'],
    ['node-26', 'node:sqlite'],
    ['node-24', 'better-sqlite3'],
  ] as const;
  describe.skipIf(missing !== undefined)('repairs in SQLite', () => {
    // Each missing one is named, chosen or not.
    for (const [runtime] of runs) {
      if (!findRuntime(runtime)) console.log(`skipped: repairs in SQLite: no ${runtime}`);
    }
    for (const [runtime, name] of choose(runs, 2)) {
      const node = findRuntime(runtime);
      it.skipIf(!node)(`pass in ${runtime} with ${name}`, () => {
        const { status, stdout, stderr } = run(
          node as string,
          [
            'node_modules/vitest/vitest.mjs',
            'run',
            '--config=tooling/vitest.config.ts',
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
              UTF8_SQLITE_DRIVER: name,
              ...(hasJdbc && { UTF8_JDBC: jdbc }),
            },
          },
        );
        expect(status, `${stdout}${stderr}`).toBe(0);
        expect(String(stdout)).toMatch(/ passed/);
      });
    }
  });
}
