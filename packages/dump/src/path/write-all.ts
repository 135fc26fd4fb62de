import { writeSync } from 'node:fs';
import { ioError, OutputError } from '../error.js';

/**
 * Writes all bytes to a descriptor.
 *
 * @param path - The name that an error carries.
 * @param position - Where in the file; after the last write by default.
 * @throws {@link OutputError} if that fails.
 */
export function writeAll(path: string, fd: number, bytes: Uint8Array, position?: number): void {
  try {
    // A disk that is almost full accepts a part, and fails at the next attempt.
    for (let done = 0; done < bytes.length; ) {
      const at = position === undefined ? null : position + done;
      done += writeSync(fd, bytes, done, bytes.length - done, at);
    }
  } catch (error) {
    throw ioError(path, error, OutputError);
  }
}
