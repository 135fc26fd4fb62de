/** Sources of bytes: a named file, or stdin. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toPath } from '@utf8/files';
import { InputError, ioError } from '../error.js';
import { requireStdin } from '../path/closed.js';
import { changed } from './damage.js';

const openFile = promisify(fs.open);
const readFile = promisify(fs.read);

/** The name of stdin, on the command line and in findings. */
export const STDIN = '-';

/** An open input. */
export interface Source {
  /** The path of the file, or `-` for stdin. */
  readonly name: string;
  /** In bytes: of a named regular file, which can be read at any position. Others have none. */
  readonly size: number | undefined;
  /** Time of the last change of such a file, in nanoseconds since 1970. */
  readonly modified?: bigint | undefined;
  /**
   * Reads some bytes.
   *
   * @param into - Receives them: at most as many bytes as it is long.
   * @param position - Start of the bytes to read, in bytes. Sources without a size are read in order.
   * @returns Number of bytes read; 0 at the end.
   * @throws InputError (`ERR_UTF8_INPUT`) if reading fails, or if the input ends elsewhere than it did
   *   when it was opened.
   */
  read(into: Uint8Array, position: number): Promise<number>;
  /**
   * Checks that the input has not changed since it was opened. A program calls it after the last read.
   *
   * @throws InputError (`ERR_UTF8_INPUT`) if a regular file changed.
   */
  verify(): Promise<void>;
  /** Closes the input; stdin stays open if it is a file. */
  close(): Promise<void>;
}

/** Opens an input without reading it. */
export async function openSource(name: string): Promise<Source> {
  let fd: number | undefined;
  if (name === STDIN) requireStdin();
  try {
    fd = name === STDIN ? 0 : await openFile(toPath(name), 'r');
    const stats = fs.fstatSync(fd, { bigint: true });
    refuseDirectory(name, stats);
    // Pipes and terminals may be in non-blocking mode, which only the stream can handle.
    if (name === STDIN && !stats.isFile()) return openStdin();
    return createFileSource(name, fd, stats);
  } catch (error) {
    if (fd !== undefined && name !== STDIN) fs.closeSync(fd);
    throw ioError(name, error, InputError);
  }
}

function refuseDirectory(name: string, stats: fs.StatsBase<number | bigint>): void {
  if (!stats.isDirectory()) return;
  throw new InputError(
    fs.existsSync(toPath(join(name, 'toc.dat')))
      ? `${name}: is a directory-format dump of pg_dump; convert it to text first: pg_restore -f - FILE`
      : `${name}: is a directory; specify the files in it`,
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

/**
 * Adds up the sizes of inputs. A file that does not exist counts as empty.
 *
 * @param names - Paths of files; `-` is stdin.
 * @returns The sum in bytes; undefined if an input is not a regular file.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { measure } from '@utf8/dump/internal';
 *
 * writeFileSync('three.txt', 'abc');
 * measure(['three.txt', 'three.txt']); // => 6
 * measure(['three.txt', '-']); // => undefined
 * ```
 */
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

function createFileSource(name: string, fd: number, stats: fs.BigIntStats): Source {
  const size = stats.isFile() && name !== STDIN ? Number(stats.size) : undefined;
  // The size cannot be relied on in /proc and /sys.
  const end = stats.blocks === 0n ? undefined : size;
  let readInTurn = 0;
  let isClosed = false;
  let reading: Promise<unknown> = Promise.resolve();
  const read: Source['read'] = async (into, position) => {
    // Without a position the descriptor moves on, which leaves stdin at the right place for the next
    // program.
    const at = size === undefined ? null : position;
    if (!stats.isFile()) {
      const next = readFile(fd, into, 0, into.length, at);
      reading = Promise.allSettled([reading, next]);
      return (await next).bytesRead;
    }
    if (readInTurn >= TURN) {
      await new Promise((done) => setImmediate(done));
      readInTurn = 0;
    }
    if (isClosed) return 0;
    const count = fs.readSync(fd, into, 0, into.length, at);
    readInTurn += count;
    const last = end ?? position + count;
    // A range may begin after the end.
    const isMore = count > 0 && position + count > last;
    if (isMore || (count === 0 && position < last && into.length > 0)) {
      throw changed(name);
    }
    return count;
  };
  return {
    name,
    size,
    modified: size === undefined ? undefined : stats.mtimeNs,
    read: (into, position) =>
      read(into, position).catch((error) => {
        throw ioError(name, error, InputError);
      }),
    async verify() {
      if (!stats.isFile()) return;
      const now = fs.fstatSync(fd, { bigint: true });
      // Files of /proc have no size, and the time of the last look at them.
      if (stats.size === 0n && now.size === 0n) return;
      const isSame = (['size', 'mtimeNs', 'ctimeNs'] as const).every((k) => now[k] === stats[k]);
      if (!isSame) throw changed(name);
    },
    async close() {
      // The number of a closed descriptor may become that of another file during a read.
      await reading;
      if (name !== STDIN && !isClosed) fs.closeSync(fd);
      isClosed = true;
    },
  };
}

/** Moves the first of some bytes into other memory, and returns how many. */
export function takePart(left: { bytes: Uint8Array }, into: Uint8Array): number {
  const part = left.bytes.subarray(0, into.length);
  into.set(part);
  left.bytes = left.bytes.subarray(part.length);
  return part.length;
}

/** Creates a source that is read in order: stdin, or what compressed data unpacks to. */
export function streamSource(
  name: string,
  chunks: AsyncIterator<Uint8Array, unknown, undefined>,
  origin: Pick<Source, 'verify' | 'close'>,
): Source {
  const left: { bytes: Uint8Array } = { bytes: new Uint8Array() };
  return {
    name,
    size: undefined,
    async read(into) {
      try {
        while (left.bytes.length === 0) {
          const next = await chunks.next();
          if (next.done) return 0;
          left.bytes = next.value;
        }
        return takePart(left, into);
      } catch (error) {
        throw ioError(name, error, InputError);
      }
    },
    verify: () => origin.verify(),
    async close() {
      const ended = chunks.return?.();
      // A read that waits for a terminal or a pipe ends only with that.
      await origin.close();
      await ended;
    },
  };
}

const openStdin = (): Source =>
  streamSource(STDIN, process.stdin[Symbol.asyncIterator](), {
    verify: async () => {},
    close: async () => void process.stdin.destroy(),
  });
