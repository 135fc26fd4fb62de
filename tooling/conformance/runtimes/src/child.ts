/** A runtime that is a program. */
import { spawn } from 'node:child_process';
import { environment } from '../programs.mjs';
import { LIMIT, type Report } from './report.js';

/** Runs a program that prints a report as its last line. */
export function runChild(program: string, args: readonly string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
      timeout: LIMIT,
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
