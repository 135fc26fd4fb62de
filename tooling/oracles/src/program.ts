/** Programs and jars that others have made: how tests find them, start them, and report a missing one. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A command and its arguments. */
export type Command = readonly [string, ...string[]];

/** Folder of programs that `.ci/run` installs because no system packages them, and of temporary folders. */
export const cache: string = fileURLToPath(
  new URL('../../../node_modules/.cache', import.meta.url),
);

/** The packages that Debian has programs in, unless they have the same name. */
const packages: Readonly<Record<string, string>> = {
  aapt2: 'aapt',
  cargo: 'cargo, and the crate wtf8 in its cache',
  cc: 'gcc, libc6-dev',
  'c++': 'g++',
  go: 'golang-go',
  iconv: 'libc-bin',
  java: 'openjdk-17-jdk-headless',
  javac: 'openjdk-17-jdk-headless',
  php: 'php-cli, php-mbstring',
  uconv: 'icu-devtools',
};

/** Thrown if a program or file is missing; names its source. */
export class MissingError extends Error {
  constructor(name: string, source: string) {
    super(`missing: ${name} (${source})`);
    this.name = 'MissingError';
  }
}

const explain = (error: Error, command: string): Error =>
  (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? new MissingError(command, `Debian: ${packages[command] ?? command}`)
    : error;

/** The path of a file that must be there. */
export function requireFile(file: string, source = '.ci/run fetches it'): string {
  if (!existsSync(file)) throw new MissingError(path.basename(file), source);
  return file;
}

/** The path of a jar that `.ci/run` fetches from Maven, such as `jvm/kryo-5.6.2.jar`. */
export const requireJar = (jar: string): string => requireFile(path.join(cache, 'java', jar));

/** Messages in English, wherever this runs. */
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C' });

export interface RunOptions {
  readonly folder?: string;
  /** Standard input of the program. */
  readonly input?: Uint8Array | string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a program to its end.
 *
 * @returns Its output on stdout.
 * @throws Error with its output on stderr, if it fails.
 */
export function run(
  [command, ...words]: Command,
  { folder, input = '', env = {} }: RunOptions = {},
): Buffer {
  const { error, status, signal, stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    input,
    maxBuffer: Infinity,
    env: { ...environment(), ...env },
  });
  if (error) throw explain(error, command);
  // From env and sh: there is no such program.
  if (status === 127) throw new Error(`missing: ${stderr}`);
  if (status !== 0) {
    const what = [path.basename(command), ...words.slice(0, 4), signal].join(' ');
    throw new Error(`${what}: ${stderr.subarray(0, 4000)}${stderr.length ? '' : stdout}`);
  }
  return stdout;
}

/** Starts a program that answers. An `error` of it is one of {@link explainStart}. */
export const start = ([command, ...words]: Command): ChildProcessWithoutNullStreams =>
  spawn(command, words, { env: environment() });

export { explain as explainStart };

/** Makes an empty folder. */
export function makeFolder(): string {
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(path.join(cache, 'oracles-'));
}

export const removeFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
};

/** Does something in a folder that is empty before, and gone after. */
export function inFolder<T>(action: (folder: string) => T): T {
  const folder = makeFolder();
  try {
    return action(folder);
  } finally {
    removeFolder(folder);
  }
}

/**
 * A folder that is filled once and kept. Several processes may want it at the same time: each fills one of its own
 * then, and the first is kept.
 */
export function keepFolder(name: string, fill: (folder: string) => void): string {
  const kept = path.join(cache, 'classes', name);
  if (existsSync(kept)) return kept;
  const folder = makeFolder();
  fill(folder);
  try {
    mkdirSync(path.dirname(kept), { recursive: true });
    renameSync(folder, kept);
  } catch (error) {
    removeFolder(folder);
    if (!existsSync(kept)) throw error;
  }
  return kept;
}
