/** Files that a run leaves for a later one, which trusts only those of its own user. */
import * as fs from 'node:fs';
import { toPath } from './name.js';

/** Flags to follow no symbolic link, and to wait for no pipe. Windows has neither. */
export const SAFE: number = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

/** Thrown if a file of an earlier run was replaced or changed. The message contains advice. */
export class UntrustedError extends Error {
  readonly code = 'ERR_UTF8_USAGE';
  /** Name of the option without which the run does not need the file; undefined if it needs it anyway. */
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
  }
}

/**
 * Opens a file that only this user can have written.
 *
 * @param flags - Of `open`, such as `O_RDWR`.
 * @returns Its descriptor.
 * @throws {@link UntrustedError} if it is anything else.
 * @throws An error of the file system.
 */
export function openOwn(path: string, flags: number): number {
  // A link or a pipe is reported as such, regardless of the system's error when it is opened.
  const found = fs.lstatSync(toPath(path), { throwIfNoEntry: false });
  if (found) requireOwn(path, found);
  const fd = fs.openSync(toPath(path), flags | SAFE, 0o600);
  try {
    requireOwn(path, fs.fstatSync(fd));
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/**
 * Checks whether an open file still has a name. Not all file systems count the names of a file.
 *
 * @param fd - Its descriptor.
 */
export function hasName(fd: number, path: string): boolean {
  const named = fs.lstatSync(toPath(path), { bigint: true, throwIfNoEntry: false });
  const { dev, ino } = fs.fstatSync(fd, { bigint: true });
  return named !== undefined && named.dev === dev && named.ino === ino;
}

/** Creates the error for a file that is not to be trusted. */
export const untrusted = (path: string, why: string): UntrustedError =>
  new UntrustedError(`${path}: ${why}; to begin again, remove this file`);

function requireOwn(path: string, stats: fs.Stats): void {
  if (!stats.isFile()) throw untrusted(path, 'is not a regular file');
  if (stats.nlink > 1) throw untrusted(path, 'has more than one hard link');
  if (!process.geteuid) return;
  if (stats.uid !== process.geteuid()) throw untrusted(path, 'belongs to another user');
  if ((stats.mode & 0o022) !== 0) throw untrusted(path, 'can be written by other users');
}
