/** Runs a program to its end: how long, how busy, and with how much memory. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** Milliseconds between queries of Linux's high-water marks; the last answer before the end counts. */
const INTERVAL = 3;

/** The shell measures, since Node has no processor time of its children. Its own messages go to 3. */
const SCRIPT = 'exec 4>&2 2>&3; TIMEFORMAT="%3R %3U %3S"; time "$@" 2>&4 3>&- 4>&-';

/**
 * @param {readonly string[]} line
 * @param {string | undefined} stdout - The file that takes the program's output.
 * @param {readonly number[]} [exits] - Codes of success.
 * @returns {Promise<{ milliseconds: number, cpu: number, rss: number | undefined, error: string | undefined }>}
 *   `cpu` in milliseconds, of all its processes. `rss` in bytes, their sum, where the system tells.
 */
export async function runProcess(line, stdout, exits = [0]) {
  const out = stdout === undefined ? 'ignore' : openSync(stdout, 'w');
  const child = spawn('bash', ['-c', SCRIPT, 'bash', ...line], {
    stdio: ['ignore', out, 'pipe', 'pipe'],
  });
  const texts = ['', ''];
  [child.stderr, child.stdio[3]].forEach((stream, i) => {
    stream?.on('data', (chunk) => {
      texts[i] += chunk;
    });
  });
  /** @type {Map<string, number>} */
  const peaks = new Map();
  const timer = setInterval(() => readPeaks(String(child.pid), peaks), INTERVAL);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', resolve);
  });
  clearInterval(timer);
  if (typeof out === 'number') closeSync(out);
  const [errors = '', times = ''] = texts;
  const [real = 0, user = 0, system = 0] = (times.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map((seconds) => Number(seconds) * 1000);
  return {
    milliseconds: real,
    cpu: user + system,
    rss: peaks.size > 0 ? [...peaks.values()].reduce((sum, peak) => sum + peak) : undefined,
    error: exits.includes(code)
      ? undefined
      : `ended with ${code}: ${(errors.trim() || times.trim()).split('\n')[0]}`,
  };
}

/** Updates the peaks of all descendants of a process. @param {string} pid @param {Map<string, number>} peaks */
function readPeaks(pid, peaks) {
  try {
    for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')) {
      if (!child) continue;
      const status = readFileSync(`/proc/${child}/status`, 'latin1');
      const kilobytes = /VmHWM:\s*(\d+)/.exec(status)?.[1];
      if (kilobytes) peaks.set(child, Number(kilobytes) * 1024);
      readPeaks(child, peaks);
    }
  } catch {
    // It has ended.
  }
}
