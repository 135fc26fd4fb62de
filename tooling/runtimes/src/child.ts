/** A runtime that is a program. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { cache } from './program.js';
import type { Report } from './report.js';

/** The environment of every program: nothing is written outside the clone, or asked of others. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  DENO_DIR: path.join(cache, 'deno'),
  DENO_NO_UPDATE_CHECK: '1',
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
  DO_NOT_TRACK: '1',
  NODE_OPTIONS: '',
};

/** Runs a program that prints a report as its last line. */
export function runChild(program: string, args: readonly string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
      timeout: 600_000,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      try {
        resolve(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
      } catch {
        const end = `${output}${errors}`.slice(-2000);
        reject(new Error(`${program} ended with ${signal ?? code} and without a report.\n${end}`));
      }
    });
  });
}
