/** Runs of the command that stop where a test wants it, on this host or on another one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { finish, program } from './built.js';
import { plainEnv, type Result } from './command.js';

/** The words that start a program under another host name or in a PID namespace of its own; undefined if impossible here. */
const unshare = (...flags: string[]): readonly string[] | undefined =>
  [[], ['--map-root-user']]
    .map((more) => ['unshare', ...more, ...flags])
    .find(([name = '', ...rest]) => spawnSync(name, [...rest, 'true']).status === 0);

const rename = process.platform === 'linux' ? unshare('--uts') : undefined;

/** Whether two hosts can be had on one disk. */
export const hasHosts: boolean = rename !== undefined && spawnSync('hostname').status === 0;

/** The words that run a program as on another host. */
export const onHost = (host: string | undefined): readonly string[] =>
  host === undefined ? [] : [...(rename ?? []), 'sh', '-c', 'hostname "$0" && exec "$@"', host];

/** The words that run a program as in another container of this host; undefined if it cannot be had. */
export const inContainer: readonly string[] | undefined =
  process.platform === 'linux' ? unshare('--pid', '--fork', '--mount-proc') : undefined;

/** The files of a folder that were removed while a process has them open. */
const findRemoved = (pid: number, folder: string): string[] =>
  readdirSync(`/proc/${pid}/fd`)
    .map((fd) => readlink(`/proc/${pid}/fd/${fd}`))
    .filter((path) => path.startsWith(folder) && path.endsWith(' (deleted)'));

function readlink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** How to begin an {@link Attempt}. */
export interface AttemptOptions {
  /** As in `UTF8_TEST_STOP`, which `packages/dump/src/test-hook.ts` explains (default: all points). */
  readonly points?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether signals are for all its processes (default: true), or only for the first. */
  readonly isGroup?: boolean;
}

const waiter = fileURLToPath(new URL('wait-at-points.cjs', import.meta.url));

/** A program that waits at each of some points, or of which a child does so. */
export class Attempt {
  readonly #child: ChildProcess;
  readonly #result: Promise<Result>;
  /** The ids of processes that wait, in the order in which they come to their points. */
  readonly #waiting: AsyncIterator<string, undefined>;
  readonly #folder: string;
  readonly #isGroup: boolean;
  #isOver = false;

  /**
   * @param words - The program and its arguments: see {@link command}, and {@link onHost}.
   * @param folder - Where it runs, and has its files.
   */
  constructor(
    words: readonly string[],
    folder: string,
    { points = '*', env = {}, isGroup = true }: AttemptOptions = {},
  ) {
    const [name = '', ...rest] = words;
    this.#child = spawn(name, rest, {
      cwd: folder,
      // A process group of its own.
      detached: true,
      // See wait-at-points.cjs for the last two.
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      env: plainEnv({
        NODE_OPTIONS: `--require=${waiter}`,
        UTF8_TEST_STRIDE: '65536',
        UTF8_TEST_STOP: points,
        UTF8_TEST_SIGNAL: 'SIGSTOP',
        ...env,
      }),
    });
    this.#folder = folder;
    this.#isGroup = isGroup;
    this.#result = finish(this.#child);
    this.#result.then(() => {
      this.#isOver = true;
    });
    const input = this.#child.stdio[3] as Readable;
    this.#waiting = createInterface({ input })[Symbol.asyncIterator]();
    // It has ended.
    this.#child.stdio[4]?.on('error', () => {});
  }

  /** Waits until the run has come to the next point. Returns the result if it has ended instead. */
  async next(): Promise<Result | undefined> {
    const { value, done } = await this.#waiting.next();
    if (done) return this.#result;
    const removed = findRemoved(Number(value), this.#folder);
    if (removed.length > 0) throw new Error(`a file of a live run was removed: ${removed}`);
    return undefined;
  }

  /** Lets a run that waits go on, to the next point. */
  async step(): Promise<Result | undefined> {
    (this.#child.stdio[4] as Writable).write('.');
    return this.next();
  }

  /** Lets a run go on to its end. */
  async end(): Promise<Result> {
    for (;;) {
      const result = await this.step();
      if (result) return result;
    }
  }

  /** Kills the run, with all its processes. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#result;
  }

  /** Sends a signal to the run. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.#child.pid as number;
    try {
      if (!this.#isOver) process.kill(this.#isGroup ? -pid : pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** One of two places from which attempts are made, one after the other. */
interface Slot {
  attempt: Attempt | undefined;
  /** Whether there was another attempt since this one began. */
  hasMet: boolean;
  /** Whether it has found another one at work, and waits for its end. */
  isWaiting: boolean;
  isDone: boolean;
}

/**
 * Makes two attempts at the same output, step by step in random order. One in ten steps kills; then there is
 * another attempt, as engines do it, until there are two that have ended with 0.
 *
 * @param begin - Begins an attempt of the first or the second place, 0 or 1.
 * @param isOneHost - Whether attempts see each other, and may end with 75.
 * @returns How many were killed.
 */
export async function race(
  begin: (place: number) => Attempt,
  random: (below: number) => number,
  isOneHost: boolean,
): Promise<number> {
  const slots = Array.from(
    [0, 1],
    (): Slot => ({ attempt: undefined, hasMet: false, isWaiting: false, isDone: false }),
  );
  let kills = 0;
  for (;;) {
    const ready = slots.filter((each) => !each.isDone && !each.isWaiting);
    const slot = ready[random(ready.length)];
    if (!slot) return kills;
    const other = slots.find((each) => each !== slot) as Slot;
    let result: Result | undefined;
    if (!slot.attempt) {
      slot.attempt = begin(slots.indexOf(slot));
      slot.hasMet = other.attempt !== undefined;
      other.hasMet = true;
      result = await slot.attempt.next();
    } else if (random(10) > 0 || kills > 6) {
      result = await slot.attempt.step();
    } else {
      await slot.attempt.kill();
      kills++;
      result = { status: null, signal: 'SIGKILL', stdout: Buffer.of(), stderr: '' };
    }
    if (!result) continue;
    slot.attempt = undefined;
    other.isWaiting = false;
    slot.isDone = result.status === 0;
    // There is no other reason to fail.
    const isBusy = result.status === 75 && isOneHost && slot.hasMet;
    slot.isWaiting = isBusy && other.attempt !== undefined;
    if (slot.isDone || isBusy || result.signal) continue;
    throw new Error(`ended with ${result.status}: ${result.stderr}`);
  }
}

/** The words that run the command. */
export const command = (...args: readonly string[]): string[] => [
  process.execPath,
  program,
  ...args,
];
