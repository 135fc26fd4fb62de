import { getSystemErrorMap } from 'node:util';

/** Why a run ended early, the same in any realm and module system. */
export type DumpErrorCode =
  | 'ERR_UTF8_USAGE'
  | 'ERR_UTF8_INPUT'
  | 'ERR_UTF8_OUTPUT'
  | 'ERR_UTF8_BUSY';

/**
 * The base of every error that ends a run. Its message is one sentence for a person.
 *
 * @example
 * ```ts
 * import { checkDump, DumpError } from '@utf8/dump';
 *
 * const error = await checkDump({ input: [] }).catch((error) => error);
 * error instanceof DumpError; // => true
 * error.code; // => 'ERR_UTF8_USAGE'
 * ```
 */
export abstract class DumpError extends Error {
  /** Distinguishes the errors where `instanceof` cannot. */
  abstract readonly code: DumpErrorCode;
}

/**
 * Thrown if options or paths are invalid, or do not match what an earlier run left.
 *
 * @example
 * ```ts
 * import { checkDump, UsageError } from '@utf8/dump';
 *
 * const error = await checkDump({ input: [] }).catch((error) => error);
 * error instanceof UsageError; // => true
 * error.message; // => 'no input; name a file, or - for stdin'
 * ```
 */
export class UsageError extends DumpError {
  /** The name of the class. */
  override readonly name: string = 'UsageError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_UTF8_USAGE';
}

/**
 * Thrown if an input cannot be read.
 *
 * @example
 * ```ts
 * import { InputError, scanDump } from '@utf8/dump';
 *
 * const options = { input: 'missing.csv', format: 'csv', from: 'cesu-8+utf-8' };
 * const error = await scanDump(options).catch((error) => error);
 * error instanceof InputError; // => true
 * error.message; // => 'missing.csv: no such file; check the name'
 * ```
 */
export class InputError extends DumpError {
  /** The name of the class. */
  override readonly name: string = 'InputError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_UTF8_INPUT';
}

/**
 * Thrown if an output cannot be written.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { convertDump, OutputError } from '@utf8/dump';
 *
 * writeFileSync('cities.txt', 'Wien\n');
 * const options = { input: 'cities.txt', output: 'missing/cities.txt', from: 'utf-8' };
 * const error = await convertDump(options).catch((error) => error);
 * error instanceof OutputError; // => true
 * error.message; // => 'missing/cities.txt: its folder does not exist; create it first'
 * ```
 */
export class OutputError extends DumpError {
  /** The name of the class. */
  override readonly name: string = 'OutputError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_UTF8_OUTPUT';
}

/**
 * Thrown if another run is writing the same output.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { BusyError, convertDump } from '@utf8/dump';
 *
 * writeFileSync('rivers.txt', 'Donau\n');
 * const options = { input: 'rivers.txt', output: 'rivers.cesu-8.txt', from: 'utf-8', to: 'cesu-8' };
 * const runs = await Promise.allSettled([convertDump(options), convertDump(options)]);
 * // One of them fails, unless the other has finished before it begins.
 * runs.every((run) => run.status === 'fulfilled' || run.reason instanceof BusyError); // => true
 * ```
 */
export class BusyError extends DumpError {
  /** The name of the class. */
  override readonly name: string = 'BusyError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_UTF8_BUSY';
}

/**
 * Thrown if the reader of the output has closed it, as `| head` does. The run ends without a message.
 *
 * @example
 * ```ts
 * import { BrokenPipe, ioError, OutputError } from '@utf8/dump';
 *
 * const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
 * ioError('-', closed, OutputError) instanceof BrokenPipe; // => true
 * ```
 */
export class BrokenPipe extends Error {
  /** The name of the class. */
  override readonly name = 'BrokenPipe';
}

/** What failed and what to do, by the system's error code. */
const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'no such file; check the name',
  ENOTDIR: 'part of the path is not a directory; check the name',
  EISDIR: 'is a directory; name a file in it',
  EACCES: 'permission denied; change its permissions, or run as a user with access',
  EPERM: 'permission denied; change its permissions, or run as a user with access',
  EROFS: 'the file system is read-only; write elsewhere',
  ENOSPC: 'no space left on the device; free some space, or write elsewhere',
  EDQUOT: 'disk quota exceeded; free some space, or write elsewhere',
  EFBIG: 'the file system does not allow a file of this size; write elsewhere',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
  ELOOP: 'its symbolic links form a loop; fix them',
  EMFILE: 'too many open files; raise the limit',
  EIO: 'input/output error; check the device',
};

/**
 * Describes an error of the file system in a sentence. An error of this package is returned unchanged.
 *
 * @param name - The file's name, as the user gave it.
 * @param error - What was thrown, such as an error of `node:fs`.
 * @param ErrorClass - Which error to make: the file was read, or written.
 * @returns An error whose `cause` is the other one; a {@link BrokenPipe} for the code `EPIPE`.
 * @example
 * ```ts
 * import { InputError, ioError } from '@utf8/dump';
 *
 * const missing = Object.assign(new Error('not found'), { code: 'ENOENT' });
 * ioError('in.csv', missing, InputError).message; // => 'in.csv: no such file; check the name'
 * ```
 */
export function ioError(
  name: string,
  error: unknown,
  ErrorClass: typeof InputError | typeof OutputError,
): DumpError | BrokenPipe {
  if (error instanceof DumpError || error instanceof BrokenPipe) return error;
  const { code = '', errno = 0, message } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return new BrokenPipe();
  const sentence = sentences[code] ?? getSystemErrorMap().get(errno)?.[1] ?? message;
  return new ErrorClass(`${name}: ${sentence}`, { cause: error });
}
