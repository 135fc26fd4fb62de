/** Where bytes come from: a named file, or stdin. */
import {
  accessSync,
  close,
  constants,
  existsSync,
  fstat,
  fstatSync,
  open,
  read,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InputFailure, ioFailure } from './failure.js';

const openFile = promisify(open);
const closeFile = promisify(close);
const readFile = promisify(read);
const statFile = promisify(fstat);

/** The name that stands for stdin, on the command line and in findings. */
export const STDIN = '-';

/** An open input. */
export interface Source {
  readonly name: string;
  /** In bytes: of a named, regular file, which can be read from any position. Others have none. */
  readonly size: number | undefined;
  /** Whether a read returns soon, so that it may be begun before its bytes are needed. */
  readonly isPrompt: boolean;
  /**
   * Reads some bytes.
   *
   * @param position - Where, in bytes. Sources without a size are read in order.
   * @returns How many; 0 at the end.
   */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens an input.
 *
 * @throws {@link InputFailure} where it cannot be read.
 */
export async function openSource(name: string): Promise<Source> {
  try {
    const fd = name === STDIN ? 0 : await openFile(name, 'r');
    const stats = await statFile(fd);
    refuseDirectory(name, stats);
    if (name !== STDIN) {
      return new FileSource(name, fd, stats.isFile(), stats.isFile() ? stats.size : undefined);
    }
    // Pipes and terminals may be in non-blocking mode, which only the stream copes with.
    return stats.isFile() ? new FileSource(name, fd, true, undefined) : new StreamSource();
  } catch (error) {
    throw ioFailure(name, error, InputFailure);
  }
}

function refuseDirectory(name: string, stats: Stats): void {
  if (!stats.isDirectory()) return;
  throw new InputFailure(
    existsSync(join(name, 'toc.dat'))
      ? `${name}: is a directory-format dump of pg_dump; turn it into text first: pg_restore -f - FILE`
      : `${name}: is a directory; name the files in it`,
  );
}

/**
 * Makes sure that inputs can be read, before anything is written.
 *
 * @throws {@link InputFailure} at the first that cannot.
 */
export function requireReadable(names: readonly string[]): void {
  for (const name of names) {
    if (name === STDIN) continue;
    try {
      refuseDirectory(name, statSync(name));
      accessSync(name, constants.R_OK);
    } catch (error) {
      throw ioFailure(name, error, InputFailure);
    }
  }
}

/** How many bytes there are to read; undefined where an input is not a file, and so has no size. */
export function measure(names: readonly string[]): number | undefined {
  let total = 0;
  for (const name of names) {
    if (name === STDIN) return undefined;
    try {
      const stats = statSync(name);
      if (!stats.isFile()) return undefined;
      total += stats.size;
    } catch {
      // Who opens it says what is wrong with it.
    }
  }
  return total;
}

/**
 * Makes sure that no input is the file that stdout goes to, since that would be read while it grows.
 *
 * @throws {@link InputFailure} where one is.
 */
export function refuseStdout(names: readonly string[]): void {
  const stdout = fstatSync(1);
  if (!stdout.isFile()) return;
  for (const name of names) {
    const { dev, ino } = name === STDIN ? fstatSync(0) : statSync(name);
    if (dev === stdout.dev && ino === stdout.ino) {
      throw new InputFailure(`${name}: stdout goes to this file as well; write to it with -o`);
    }
  }
}

/**
 * How much is read from files before signals and timers have their turn, in bytes. A read at once takes
 * half the time of one that is waited for.
 */
const TURN = 1 << 21;

class FileSource implements Source {
  readonly name: string;
  readonly size: number | undefined;
  readonly isPrompt: boolean;
  readonly #fd: number;
  /** How many bytes have been read since anybody else had a turn. */
  #held = 0;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(name: string, fd: number, isPrompt: boolean, size: number | undefined) {
    this.name = name;
    this.size = size;
    this.isPrompt = isPrompt;
    this.#fd = fd;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    try {
      // Without a position the file's own moves on, which leaves stdin where the next program wants it.
      const at = this.size === undefined ? null : position;
      if (this.isPrompt) {
        if (this.#held >= TURN) {
          await new Promise((done) => setImmediate(done));
          this.#held = 0;
        }
        const count = readSync(this.#fd, into, 0, into.length, at);
        this.#held += count;
        return count;
      }
      const reading = readFile(this.#fd, into, 0, into.length, at);
      this.#reading = Promise.allSettled([this.#reading, reading]);
      return (await reading).bytesRead;
    } catch (error) {
      throw ioFailure(this.name, error, InputFailure);
    }
  }

  async close(): Promise<void> {
    // A read that is under way must not find another file under the same number.
    await this.#reading;
    if (this.#fd !== 0) await closeFile(this.#fd);
  }
}

class StreamSource implements Source {
  readonly name = STDIN;
  readonly size = undefined;
  readonly isPrompt = false;
  readonly #chunks: AsyncIterator<Uint8Array> = process.stdin[Symbol.asyncIterator]();
  #rest: Uint8Array = new Uint8Array();

  async read(into: Uint8Array): Promise<number> {
    try {
      while (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done) return 0;
        this.#rest = value;
      }
    } catch (error) {
      throw ioFailure(this.name, error, InputFailure);
    }
    const taken = this.#rest.subarray(0, into.length);
    into.set(taken);
    this.#rest = this.#rest.subarray(taken.length);
    return taken.length;
  }

  async close(): Promise<void> {
    process.stdin.destroy();
  }
}
