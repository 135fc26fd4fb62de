/** Node, Deno or Bun, in a process of its own that prints a message in each line. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environment } from '@utf8/conformance/runtimes/programs.mjs';

/**
 * @param {import('./find.mjs').Runtime} runtime
 * @param {string} folder - Of the bundles.
 * @param {object} task
 * @param {(message: any) => void} onMessage
 * @returns {Promise<void>}
 */
export function runChild({ program, options }, folder, task, onMessage) {
  const args = [...options, join(folder, 'program.mjs'), JSON.stringify(task)];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
  return new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => onMessage(JSON.parse(line)));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}
