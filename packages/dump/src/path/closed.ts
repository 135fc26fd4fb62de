/** Standard streams that were closed when the program started. */
import { fstatSync, readSync, statSync, writeSync } from 'node:fs';
import { InputError, OutputError } from '../error.js';

/**
 * Tells whether stdin or stdout was closed: Node then opens `/dev/null` in its place, for reading and writing,
 * where a shell opens it for one of them.
 */
function wasClosed(fd: 0 | 1): boolean {
  try {
    const { rdev } = statSync('/dev/null');
    const stats = fstatSync(fd);
    if (!stats.isCharacterDevice() || stats.rdev !== rdev) return false;
    if (fd === 0) writeSync(fd, '\n');
    else readSync(fd, Buffer.alloc(1));
    return true;
  } catch {
    // Not open for both, or another system.
    return false;
  }
}

/** Throws an {@link InputError} if stdin was closed. */
export function requireStdin(): void {
  if (wasClosed(0)) throw new InputError('stdin: is closed; specify a file, or use < /dev/null');
}

/**
 * Throws an error if stdout was closed, so that what a program writes there would be lost.
 *
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if it was.
 * @example
 * ```ts
 * import { requireStdout } from '@utf8/dump/internal';
 *
 * requireStdout(); // => undefined
 * ```
 */
export function requireStdout(): void {
  if (wasClosed(1)) throw new OutputError('stdout: is closed; redirect it, or use > /dev/null');
}
