import { writeSync } from 'node:fs';
import { ioError, OutputError } from '../error.js';

/**
 * Writes all bytes to a descriptor.
 *
 * @param path - The name that an error carries.
 * @param fd - The descriptor, as `openSync` returns it.
 * @param bytes - What to write.
 * @param position - Where to write, in bytes from the start of the file; after the last write by default.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the file cannot be written.
 * @throws BrokenPipe if the descriptor is that of a pipe whose reader has closed it.
 * @example
 * ```ts
 * import { closeSync, openSync, readFileSync } from 'node:fs';
 * import { writeAll } from '@utf8/dump';
 *
 * const fd = openSync('done.txt', 'w');
 * writeAll('done.txt', fd, Buffer.from('done\n'));
 * closeSync(fd);
 * readFileSync('done.txt', 'utf8'); // => 'done\n'
 * ```
 * @internal
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
