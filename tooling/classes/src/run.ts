import { spawnSync } from 'node:child_process';

/**
 * Runs a program to its end.
 *
 * @returns What it wrote to stdout.
 * @throws Error with what it wrote to stderr, where it fails.
 */
export function run(command: string, options: readonly string[], folder?: string): Buffer {
  const { error, status, stdout, stderr } = spawnSync(command, options, {
    cwd: folder,
    maxBuffer: Infinity,
    // Messages in English, wherever this runs.
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${options.slice(0, 4).join(' ')}: ${stderr}`);
  return stdout;
}
