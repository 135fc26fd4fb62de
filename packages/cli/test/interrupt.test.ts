/** Signals while the command works and waits for nothing. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBuilt } from './built.js';
import { plainEnv, useFolder } from './command.js';

const folder = useFolder();

const PAIR = '\xed\xa0\xbd\xed\xb8\x80';

/** Rows of several segments, and a record that is longer than any segment. */
const inputs = {
  'rows.csv': `id,c\n${Array.from({ length: 40_000 }, (_, i) => `${i},${PAIR}\n`).join('')}`,
  'long.csv': `id,c\n1,${PAIR}${'x'.repeat(5 << 20)}\n`,
};

const CSV = ['-f', 'cesu-8+utf-8', '--format', 'csv'];

/** Points at which the signal comes, each with the command that passes it. */
const cases: readonly (readonly [point: string, args: readonly string[]])[] = [
  ['segment:2', ['convert', ...CSV, 'rows.csv', '-o', 'out']],
  ['segment:2', ['scan', ...CSV, 'rows.csv', '--report', 'out']],
  ['long', ['convert', ...CSV, 'long.csv', '-o', 'out']],
  ['long', ['scan', ...CSV, 'long.csv', '--report', 'out']],
  ['read', ['verify', ...CSV, 'rows.csv', 'rows.csv', '--report', 'out']],
  ['sorted', ['verify', ...CSV, 'rows.csv', 'rows.csv', '--report', 'out']],
  ['compared', ['verify', ...CSV, 'rows.csv', 'rows.csv', '--key', 'id', '--report', 'out']],
];

it.runIf(process.platform !== 'win32').each(cases)(
  'a signal ends a run that is busy: %s',
  { tags: ['slow'] },
  async (point, args) => {
    const cwd = folder(point.replace(':', '-') + args[0]);
    mkdirSync(cwd);
    for (const [name, text] of Object.entries(inputs)) {
      writeFileSync(join(cwd, name), Buffer.from(text, 'latin1'));
    }
    // At a point in a thread, which never goes on, only the main thread can end the run.
    const env = plainEnv({
      UTF8_TEST_STOP: point,
      UTF8_TEST_SIGNAL: 'SIGTERM',
      UTF8_TEST_PATIENCE: '0',
    });
    const { signal, stderr } = await runBuilt(args, '', { cwd, env });
    expect([signal, stderr]).toEqual(['SIGTERM', '']);
    expect(readdirSync(cwd).sort()).toEqual(Object.keys(inputs).sort());
  },
);
