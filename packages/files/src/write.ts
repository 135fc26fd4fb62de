import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { toPath } from './name.js';

/**
 * Writes all bytes to a descriptor.
 *
 * @param position - Start of the write, in bytes from the start of the file; after the last write by default.
 * @throws An error of the file system.
 */
export function writeAll(fd: number, bytes: Uint8Array, position?: number): void {
  // A disk that is almost full accepts a part, and fails at the next attempt.
  for (let done = 0; done < bytes.length; ) {
    const at = position === undefined ? null : position + done;
    done += writeSync(fd, bytes, done, bytes.length - done, at);
  }
}

/**
 * Replaces a small file, so that it has its old bytes or the new ones whenever the process is killed. No other
 * process may do so at the same time.
 *
 * @param temporary - The path that the new file has first; a file of a killed process there is removed.
 * @param isDurable - True if that is also so after a power failure.
 * @throws An error of the file system.
 */
export function replaceFile(
  path: string,
  temporary: string,
  bytes: Uint8Array,
  isDurable: boolean,
): void {
  rmSync(toPath(temporary), { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const fd = openSync(toPath(temporary), flags, 0o600);
  try {
    writeAll(fd, bytes);
    if (isDurable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(toPath(temporary), toPath(path));
  if (isDurable) syncFolder(path);
}

/** Makes the name of a file survive a power failure. Not all systems can. */
export function syncFolder(path: string): void {
  try {
    const fd = openSync(toPath(dirname(path)), 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The file itself is synchronized.
  }
}
