/** Third-party programs: their paths and their output. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian has the server's own programs of each version apart. */
const POSTGRES = '/usr/lib/postgresql';

const versions = existsSync(POSTGRES)
  ? readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a))
  : [];

const folders = [
  ...versions.map((version) => join(POSTGRES, version, 'bin')),
  ...(process.env.PATH ?? '').split(delimiter),
  // Folders of servers, which a PATH may lack.
  '/usr/sbin',
];

/** The path of the first of some programs that is installed. */
export function findProgram(...names: readonly string[]): string | undefined {
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The path of the first of some programs that is installed. That none is fails the test. */
export function demandProgram(...names: readonly string[]): string {
  const path = findProgram(...names);
  if (path === undefined) throw new Error(`missing: ${names.join(' or ')}`);
  return path;
}

/** Output and exit status of a program. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function run(
  program: string,
  args: readonly string[],
  input: Uint8Array | string = '',
  options: SpawnSyncOptions = {},
): Outcome {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input: typeof input === 'string' ? Buffer.from(input) : input,
    maxBuffer: 2 ** 30,
    ...options,
    encoding: 'buffer',
  });
  if ((error as NodeJS.ErrnoException)?.code === 'ENOENT') throw new Error(`missing: ${program}`);
  // A program that has seen enough does not read the rest.
  if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  return { status, stdout, stderr: stderr.toString() };
}

/** Runs a program, which must succeed, and returns its output. */
export function demand(
  program: string,
  args: readonly string[],
  input: Uint8Array | string = '',
  options: SpawnSyncOptions = {},
): Buffer {
  const { status, stdout, stderr } = run(program, args, input, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
