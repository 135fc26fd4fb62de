/** Runs of the command that stop where a test wants it, on this host or on another one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { finish, program } from './built.js';
import { plainEnv, type Result } from './command.js';

/** The words that start a program in namespaces of its own. A user other than root needs permission for it. */
const unshare = (...flags: string[]): readonly string[] => [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  ...flags,
];

/** The words that run a program as on another host, and as in another container of this one. */
export const elsewhere: readonly (readonly [where: string, words: readonly string[]])[] = [
  ['host far', [...unshare('--uts'), 'sh', '-c', 'hostname far && exec "$@"', 'sh']],
  [`another container of ${hostname()}`, unshare('--pid', '--fork', '--mount-proc')],
];

/** The files of a folder, except locks, that were removed while a process has them open. */
const findRemoved = (pid: number, folder: string): string[] =>
  readdirSync(`/proc/${pid}/fd`)
    .map((fd) => readlink(`/proc/${pid}/fd/${fd}`))
    .filter((path) => path.startsWith(folder) && path.endsWith(' (deleted)'))
    .filter((path) => !path.includes('.utf8-lock'));

function readlink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

const waiter = fileURLToPath(new URL('wait-at-points.cjs', import.meta.url));

/** A program that waits at each of some points, or of which a child does so. */
export class Attempt {
  readonly #child: ChildProcess;
  readonly #result: Promise<Result>;
  /** The ids of processes that wait, in the order in which they come to their points. */
  readonly #waiting: AsyncIterator<string, undefined>;
  readonly #folder: string;
  #isOver = false;

  /**
   * @param words - The program and its arguments: see {@link command}, and {@link elsewhere}.
   * @param folder - Where it runs, and has its files.
   * @param points - As in `UTF8_TEST_STOP`, which `packages/files/test/stop-point.ts` explains.
   */
  constructor(words: readonly string[], folder: string, points: string) {
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
      }),
    });
    this.#folder = folder;
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

  /** Sends a signal to all processes of the run. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.#child.pid as number;
    try {
      if (!this.#isOver) process.kill(-pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** One of two places from which attempts are made, one after the other. */
interface Slot {
  attempt: Attempt | undefined;
  /** True if there was another attempt since this one began. */
  hasMet: boolean;
  /** True if it has found another attempt running, and waits for its end. */
  isWaiting: boolean;
  isDone: boolean;
}

/**
 * Makes two attempts at the same output, step by step in random order. One in ten steps kills; then there is
 * another attempt, as engines do it, until there are two that have ended with 0.
 *
 * @param begin - Begins an attempt.
 * @returns How many were killed.
 */
export async function race(
  begin: () => Attempt,
  random: (below: number) => number,
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
      slot.attempt = begin();
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
    // Both reject records.
    slot.isDone = result.status === 1 && result.stderr.includes(' rejected to ');
    // There is no other reason to fail.
    const isBusy = result.status === 75 && slot.hasMet;
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
