/** Destinations of bytes: stdout, a device, or a file that is replaced as a whole or not at all. */

import * as fs from 'node:fs';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { AtomicFile, findReplaced as find, type Replaced, toPath, writeAll } from '@utf8/files';
import { attempt, ioError, OutputError } from '../error.js';
import { requireStdout } from '../path/closed.js';

const openFile = promisify(fs.open);
const writeFile = promisify(fs.write);

/** The name of stdout, on the command line. */
export const STDOUT = '-';

/** An open output. */
export interface Output {
  /** Writes bytes, and waits until their memory may be used again. */
  write(bytes: Uint8Array): Promise<void>;
  /** Waits until all bytes would survive a crash, under no name yet. The last call before `commit`. */
  finish(): Promise<void>;
  /** Gives the bytes their name. */
  commit(): void;
  /** Removes the unfinished file; does nothing after {@link commit}. */
  discard(): void;
}

const fail =
  (path: string) =>
  (error: unknown): never => {
    throw ioError(path, error, OutputError);
  };

/**
 * Opens a file, a device, or stdout (`-`). Throws an {@link OutputError} if it cannot be written to.
 *
 * @param token - Of the temporary file of one that is replaced.
 */
export async function openOutput(path: string, token?: string): Promise<Output> {
  if (path === STDOUT) return openStdout();
  const replaced = findReplaced(path);
  if (replaced) return AtomicFile.create(replaced, { ...describeErrors(path), token });
  // Neither created nor truncated, in case it has become a file since.
  const fd = await openFile(toPath(path), fs.constants.O_WRONLY).catch(fail(path));
  if (!fs.fstatSync(fd).isFile()) return openDevice(path, fd);
  fs.closeSync(fd);
  throw new OutputError(`${path}: was replaced by another file; run again`);
}

function openStdout(): Output {
  requireStdout();
  const stats = fs.fstatSync(1);
  if (stats.isFile())
    return createSink(async (bytes) => attempt('stdout', () => writeAll(1, bytes)));
  // For devices, Node's own stream reports a partial write as a complete one.
  if (stats.isCharacterDevice() && !isatty(1)) return openDevice('stdout', 1);
  const write = promisify<Uint8Array, void>((bytes, done) =>
    process.stdout.write(bytes, (error) => done(error ?? null)),
  );
  return createSink((bytes) => write(bytes).catch(fail('stdout')));
}

function openDevice(path: string, fd: number): Output {
  let isOpen = fd !== 1;
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let done = 0; done < bytes.length; ) {
      done += (await writeFile(fd, bytes, done).catch(fail(path))).bytesWritten;
    }
  };
  return createSink(write, () => {
    if (isOpen) fs.closeSync(fd);
    isOpen = false;
  });
}

/** Creates an output that has nothing to rename or to remove. */
const createSink = (write: Output['write'], close = (): void => {}): Output => ({
  write,
  finish: async () => close(),
  commit() {},
  discard: close,
});

/** Finds the file that a path denotes; undefined for stdout and devices, which cannot be replaced. */
export const findReplaced = (path: string): Replaced | undefined =>
  path === STDOUT ? undefined : attempt(path, () => find(path));

/** Describes errors by the name of an output. */
export const describeErrors = (path: string): { describe(error: unknown): Error } => ({
  describe: (error) => ioError(path, error, OutputError),
});
