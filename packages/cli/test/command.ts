/** The built command, run as a user runs it, and a folder to run it in. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

export const program: string = fileURLToPath(new URL('../dist/utf8.js', import.meta.url));
export const sample: string = fileURLToPath(new URL('../sample/customers.csv', import.meta.url));

export interface Result {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Starts the command; its streams are pipes unless the options say otherwise. */
export function start(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: plainEnv(), ...options });
}

/**
 * The environment without what asks for colour or forbids it, with what a test wants instead. Node
 * takes a terminal for one without colours where `CI` is set.
 */
export function plainEnv(wanted: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { CI, FORCE_COLOR, NO_COLOR, ...env } = process.env;
  return { ...env, ...wanted };
}

/** Runs the command to its end. */
export async function utf8(
  args: readonly string[],
  input: Uint8Array | string = '',
  options: SpawnOptions = {},
): Promise<Result> {
  return finish(start(args, options), input);
}

/** Feeds a process and gathers what it writes. */
export async function finish(
  child: ChildProcess,
  input: Uint8Array | string = '',
): Promise<Result> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (chunk) => stdout.push(chunk));
  child.stderr?.on('data', (chunk) => stderr.push(chunk));
  // A program that ends before it has read everything is no error of the test.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const [status, signal] = await once(child, 'close');
  return {
    status,
    signal,
    stdout: Buffer.concat(stdout),
    stderr: Buffer.concat(stderr).toString(),
  };
}

/** Bytes from hex, with spaces as one likes. */
export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** A temporary folder for the tests of a file: a function that makes a path in it. */
export function useFolder(): (name: string) => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'utf8-cli-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}
