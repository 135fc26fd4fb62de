/** C programs, compiled for the time of a test. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Jdk } from './jdk.js';

/** Where our programs are. */
export const peers: string = fileURLToPath(new URL('../peers', import.meta.url));

const cache = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url));

/** Makes an empty folder for the time of a test. */
export function makeFolder(): string {
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(path.join(cache, 'jni-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Whether there is a compiler. */
export const hasCompiler: boolean = spawnSync('cc', ['--version']).status === 0;

/**
 * Compiles a program, with the headers of a JDK if it needs them.
 *
 * @returns The path of the program.
 * @throws Error with what the compiler says.
 */
export function compile(source: string, folder: string, jdk?: Jdk): string {
  const name = path.basename(source, '.c') + (jdk ? `-${jdk.version}` : '');
  const program = path.join(folder, name);
  const headers = [peers, ...(jdk?.headers ?? [])].map((header) => `-I${header}`);
  const { status, stderr } = spawnSync(
    'cc',
    ['-std=gnu11', '-O2', '-w', ...headers, '-o', program, source, '-ldl'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`cc ${source}: ${stderr}`);
  return program;
}

/** Far more than any takes, in milliseconds. */
export const LIMIT = 100_000;

/** Runs a program on an input, and returns what it writes to stdout. */
export function run(program: string, words: readonly string[], input: Uint8Array): Buffer {
  const { error, status, signal, stdout, stderr } = spawnSync(program, words, {
    input,
    timeout: LIMIT,
    killSignal: 'SIGKILL',
    maxBuffer: Infinity,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${path.basename(program)}: ${signal ?? ''} ${stderr}`);
  return stdout;
}
