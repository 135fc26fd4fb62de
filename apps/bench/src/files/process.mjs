/** Runs a program to its end: how long, and with how much memory. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** Milliseconds between queries of Linux's high-water mark; the last answer before the end counts. */
const INTERVAL = 3;

/**
 * @param {readonly string[]} line
 * @param {string | undefined} stdout - The file that takes the program's output.
 * @returns {Promise<{ milliseconds: number, rss: number | undefined, error: string | undefined }>}
 *   `rss` in bytes, where the system tells.
 */
export async function runProcess([command = '', ...args], stdout) {
  const out = stdout === undefined ? 'ignore' : openSync(stdout, 'w');
  let errors = '';
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', out, 'pipe'] });
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  let rss = readPeak(child.pid);
  const timer = setInterval(() => {
    rss = readPeak(child.pid) ?? rss;
  }, INTERVAL);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', resolve);
  });
  const milliseconds = performance.now() - start;
  clearInterval(timer);
  if (typeof out === 'number') closeSync(out);
  return {
    milliseconds,
    rss,
    error: code === 0 ? undefined : `ended with ${code}: ${errors.trim().split('\n')[0]}`,
  };
}

/** @param {number | undefined} pid */
function readPeak(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kilobytes = /VmHWM:\s*(\d+)/.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
