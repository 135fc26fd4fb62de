/** The built command, run as a user runs it. */
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Outcome, run } from './program.js';

/** The file of the command. */
export const program: string = fileURLToPath(
  new URL('../../../../packages/cli/dist/utf8.js', import.meta.url),
);

/** Drivers of databases, as if they were installed next to the command. */
export const drivers: string = fileURLToPath(
  new URL('../../../../packages/database', import.meta.url),
);

/** Runs the command. */
export const utf8 = (args: readonly string[], input: Uint8Array | string = ''): Outcome =>
  run(process.execPath, [program, ...args], input);

/** Runs the command, which must succeed, and returns its output. With `--rejects`, records may be rejected. */
export function demandUtf8(args: readonly string[], input: Uint8Array | string = ''): Buffer {
  const { status, stdout, stderr } = utf8(args, input);
  const isDone = status === 0 || (status === 1 && args.includes('--rejects'));
  if (!isDone) throw new Error(`utf8 ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** The environment in which scripts find the command as `utf8`, which is put into a folder. */
export function createEnvironment(
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const script = join(folder, 'utf8');
  writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(script, 0o755);
  return { ...env, PATH: `${folder}${delimiter}${env.PATH}`, UTF8_DRIVERS: drivers };
}
