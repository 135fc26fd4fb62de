/** Has `utf8 probe` probe a reader. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProbeReport } from '@utf8/vectors/probe';
import { commandOf, type Reader } from './readers.js';

const utf8 = fileURLToPath(new URL('../../../../packages/cli/dist/utf8.js', import.meta.url));

/**
 * Probes a reader.
 *
 * @param folder - Where the program of its platform is.
 * @param isOneByOne - Whether it is started for every input, although it could read lines.
 */
export async function probeReader(
  reader: Reader,
  folder: string,
  isOneByOne = false,
): Promise<ProbeReport> {
  const command = commandOf(reader, folder);
  const lines = !reader.isProgram && !isOneByOne;
  const words = lines ? ['--lines', '--', ...command, '--lines'] : ['--', ...command];
  const child = spawn(process.execPath, [utf8, 'probe', '--json', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  await once(child, 'close');
  if (!stdout) throw new Error(stderr || 'utf8 probe printed nothing');
  return JSON.parse(stdout);
}
