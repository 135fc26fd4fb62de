import { spawnSync } from 'node:child_process';

/**
 * Runs a program to its end.
 *
 * @param input - What it reads from stdin.
 * @returns What it wrote to stdout.
 * @throws Error with what it wrote to stderr, where it fails.
 */
export function run(
  command: string,
  options: readonly string[],
  folder?: string,
  input = '',
): Buffer {
  const { error, status, stdout, stderr } = spawnSync(command, options, {
    cwd: folder,
    input,
    maxBuffer: Infinity,
    // Messages in English, wherever this runs.
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${options.slice(0, 4).join(' ')}: ${stderr}`);
  return stdout;
}
