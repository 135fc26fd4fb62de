/** Where bytes come from: a named file, or stdin. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InputError, ioError } from '../error.js';
import { toPath } from '../path/file-name.js';
import { changed } from './damage.js';

const openFile = promisify(fs.open);
const closeFile = promisify(fs.close);
const readFile = promisify(fs.read);
const statFile: (fd: number, options: { bigint: true }) => Promise<fs.BigIntStats> = promisify(
  fs.fstat,
);

/** The name of stdin, on the command line and in findings. */
export const STDIN = '-';

/** An open input. */
export interface Source {
  readonly name: string;
  /** In bytes: of a named regular file, which can be read at any position. Others have none. */
  readonly size: number | undefined;
  /**
   * Reads some bytes.
   *
   * @param position - In bytes. Sources without a size are read in order.
   * @returns How many; 0 at the end.
   * @throws {@link InputError} if reading fails, or the input ends elsewhere than it did when opened.
   */
  read(into: Uint8Array, position: number): Promise<number>;
  /**
   * Makes sure that the input is what it was when it was opened. To be called after the last read.
   *
   * @throws {@link InputError} if a regular file changed.
   */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** Opens an input, without a look at what it contains. */
export async function openSource(name: string): Promise<Source> {
  let fd: number | undefined;
  try {
    fd = name === STDIN ? 0 : await openFile(toPath(name), 'r');
    const stats = await statFile(fd, { bigint: true });
    refuseDirectory(name, stats);
    // Pipes and terminals may be in non-blocking mode, which only the stream can handle.
    if (name === STDIN && !stats.isFile()) return openStdin();
    return new FileSource(name, fd, stats);
  } catch (error) {
    if (fd !== undefined && name !== STDIN) await closeFile(fd);
    throw ioError(name, error, InputError);
  }
}

function refuseDirectory(name: string, stats: fs.StatsBase<number | bigint>): void {
  if (!stats.isDirectory()) return;
  throw new InputError(
    fs.existsSync(toPath(join(name, 'toc.dat')))
      ? `${name}: is a directory-format dump of pg_dump; convert it to text first: pg_restore -f - FILE`
      : `${name}: is a directory; name the files in it`,
  );
}

/** Throws an {@link InputError} at the first input that cannot be read, before anything is written. */
export function requireReadable(names: readonly string[]): void {
  for (const name of names) {
    if (name === STDIN) continue;
    try {
      refuseDirectory(name, fs.statSync(toPath(name)));
      fs.accessSync(toPath(name), fs.constants.R_OK);
    } catch (error) {
      throw ioError(name, error, InputError);
    }
  }
}

/** Adds up the sizes of inputs, in bytes; undefined if one is not a regular file. */
export function measure(names: readonly string[]): number | undefined {
  let total = 0;
  for (const name of names) {
    if (name === STDIN) return undefined;
    try {
      const stats = fs.statSync(toPath(name));
      if (!stats.isFile()) return undefined;
      total += stats.size;
    } catch {
      // Opening it will fail with a sentence.
    }
  }
  return total;
}

/**
 * Bytes to read from files before signals and timers have a turn. A synchronous read takes half the
 * time of an asynchronous one.
 */
const TURN = 1 << 21;

class FileSource implements Source {
  readonly name: string;
  readonly size: number | undefined;
  readonly #fd: number;
  readonly #stats: fs.BigIntStats;
  /** In bytes; undefined if it cannot be relied on, as in /proc and /sys. */
  readonly #end: number | undefined;
  /** Bytes read since the last turn of the event loop. */
  #held = 0;
  #isClosed = false;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(name: string, fd: number, stats: fs.BigIntStats) {
    this.name = name;
    this.size = stats.isFile() && name !== STDIN ? Number(stats.size) : undefined;
    this.#fd = fd;
    this.#stats = stats;
    this.#end = stats.blocks === 0n ? undefined : this.size;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    // Without a position the descriptor moves on, which leaves stdin where the next program wants it.
    const at = this.size === undefined ? null : position;
    try {
      if (!this.#stats.isFile()) {
        const reading = readFile(this.#fd, into, 0, into.length, at);
        this.#reading = Promise.allSettled([this.#reading, reading]);
        return (await reading).bytesRead;
      }
      if (this.#held >= TURN) {
        await new Promise((done) => setImmediate(done));
        this.#held = 0;
      }
      if (this.#isClosed) return 0;
      const count = fs.readSync(this.#fd, into, 0, into.length, at);
      this.#held += count;
      const end = this.#end ?? position + count;
      if (position + count > end || (count === 0 && position < end && into.length > 0)) {
        throw changed(this.name);
      }
      return count;
    } catch (error) {
      throw ioError(this.name, error, InputError);
    }
  }

  async verify(): Promise<void> {
    if (!this.#stats.isFile()) return;
    const { size, mtimeNs, ctimeNs } = this.#stats;
    const now = await statFile(this.#fd, { bigint: true });
    // Files of /proc have no size, and the time of the last look at them.
    if (size === 0n && now.size === 0n) return;
    if (now.size === size && now.mtimeNs === mtimeNs && now.ctimeNs === ctimeNs) return;
    throw changed(this.name);
  }

  async close(): Promise<void> {
    // The number of a closed descriptor may become that of another file during a read.
    await this.#reading;
    if (this.name !== STDIN && !this.#isClosed) await closeFile(this.#fd);
    this.#isClosed = true;
  }
}

/** A source that is read in order: stdin, or what compressed data unpacks to. */
export class StreamedSource implements Source {
  readonly name: string;
  readonly size = undefined;
  readonly #chunks: AsyncIterator<Uint8Array, unknown, undefined>;
  readonly #origin: Pick<Source, 'verify' | 'close'>;
  #rest: Uint8Array = new Uint8Array();

  /**
   * @param chunks - The memory of one is left alone until the next one is asked for.
   * @param origin - What they are made from.
   */
  constructor(
    name: string,
    chunks: AsyncIterator<Uint8Array, unknown, undefined>,
    origin: Pick<Source, 'verify' | 'close'>,
  ) {
    this.name = name;
    this.#chunks = chunks;
    this.#origin = origin;
  }

  async read(into: Uint8Array): Promise<number> {
    try {
      while (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) return 0;
        this.#rest = next.value;
      }
    } catch (error) {
      throw ioError(this.name, error, InputError);
    }
    const part = this.#rest.subarray(0, into.length);
    into.set(part);
    this.#rest = this.#rest.subarray(part.length);
    return part.length;
  }

  verify(): Promise<void> {
    return this.#origin.verify();
  }

  async close(): Promise<void> {
    const ended = this.#chunks.return?.();
    // A read that waits for a terminal or a pipe ends only with that.
    await this.#origin.close();
    await ended;
  }
}

function openStdin(): Source {
  return new StreamedSource(STDIN, process.stdin[Symbol.asyncIterator](), {
    async verify() {},
    async close() {
      process.stdin.destroy();
    },
  });
}
