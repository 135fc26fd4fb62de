/** The built command, which tests start for what only a process has: signals, pipes that close, kills, and its memory. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainEnv, type Result } from './command.js';

const packages = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(packages, 'cli');

/** Builds into the folder that is its argument, with no other output. */
const BUILD = `import('tsup').then(({ build }) =>
  build({ outDir: process.argv[1], clean: false, silent: true, onSuccess: async () => {} }))`;

/** Starts Node with its arguments and does not wait: their CPU time is not that of a test. */
const APART = `require('node:child_process')
  .spawn(process.execPath, process.argv.slice(1), { detached: true, stdio: 'inherit' }).unref()`;

/** Returns the time of the last change of a source, in milliseconds. */
function findChange(): number {
  let last = statSync(join(packages, 'files/test/stop-point.ts')).mtimeMs;
  for (const name of readdirSync(packages)) {
    const src = join(packages, name, 'src');
    if (!existsSync(src)) continue;
    for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
      if (entry.isFile())
        last = Math.max(last, statSync(join(entry.parentPath, entry.name)).mtimeMs);
    }
  }
  return Math.floor(last);
}

/**
 * Finds a bundle of the sources as they are, which stops at named points: it is below `node_modules/.cache`, named after
 * their last change, so that processes that build it at once do no harm.
 */
function findBundle(): string {
  const cache = join(folder, 'node_modules/.cache');
  const place = join(cache, `bundle-${findChange()}`);
  if (existsSync(place)) return join(place, 'dist');
  const partial = `${place}-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  symlinkSync(join(folder, 'sample'), join(partial, 'sample'));
  // Returns when the last process that has the pipe ends.
  const args = ['-e', APART, '--', '--input-type=module', '-e', BUILD, '--', join(partial, 'dist')];
  const env = { ...process.env, UTF8_TEST_BUNDLE: '1' };
  const { output } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
  if (!existsSync(join(partial, 'dist/utf8.js'))) throw new Error(`cannot be built: ${output}`);
  try {
    renameSync(partial, place);
  } catch {
    // Another process was faster.
    rmSync(partial, { recursive: true });
  }
  for (const name of readdirSync(cache)) {
    const old = join(cache, name);
    const age = Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (name.startsWith('bundle-') && age > 86_400_000)
      rmSync(old, { recursive: true, force: true });
  }
  return join(place, 'dist');
}

/** The folder of the bundle. */
export const bundle: string = findBundle();

export const program: string = join(bundle, 'utf8.js');

/** Starts the command; its streams are pipes unless the options say otherwise. */
export function start(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: plainEnv(), ...options });
}

/** Starts the command, and waits for its end. */
export const runBuilt = (
  args: readonly string[],
  input: Uint8Array | string = '',
  options: SpawnOptions = {},
): Promise<Result> => finish(start(args, options), input);

/** Feeds a process and gathers what it writes. */
export function finish(child: ChildProcess, input: Uint8Array | string = ''): Promise<Result> {
  const result = gather(child);
  child.stdin?.end(input);
  return result;
}

/** Gathers what a process writes until it ends. */
export async function gather(child: ChildProcess): Promise<Result> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (chunk) => stdout.push(chunk));
  child.stderr?.on('data', (chunk) => stderr.push(chunk));
  // A program that ends before it has read everything is no error of the test.
  child.stdin?.on('error', () => {});
  const [status, signal] = await once(child, 'close');
  return {
    status,
    signal,
    stdout: Buffer.concat(stdout),
    stderr: Buffer.concat(stderr).toString(),
  };
}

/** Fails without a program that the tests of `.ci/run` ask. */
export function need(name: string, ...args: readonly string[]): void {
  if (spawnSync(name, args.length > 0 ? args : ['--version']).error)
    throw new Error(`missing: ${name}`);
}
