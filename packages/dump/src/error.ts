import { getSystemErrorMap } from 'node:util';
import { opt, type Phrase, phrase, wordPhrase } from './phrase.js';

/**
 * The base of every error that ends a run. Its message is one sentence for a person, in which options have
 * their names in this package.
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
  /** Distinguishes the errors if `instanceof` cannot; the same in any realm and module system. */
  abstract readonly code: 'ERR_UTF8_USAGE' | 'ERR_UTF8_INPUT' | 'ERR_UTF8_OUTPUT' | 'ERR_UTF8_BUSY';
  /** Name of the first option in the message, such as `fixHeader`; undefined if there is none. */
  readonly option: string | undefined;
  /** The message in parts, for a program that words options in its own way, such as as flags. */
  readonly phrase: Phrase;

  /**
   * @param message - One sentence for a person.
   * @param options - The cause, if there is one.
   */
  constructor(message: string | Phrase, options?: ErrorOptions) {
    super(wordPhrase(message), options);
    this.phrase = phrase`${message}`;
    this.option = this.phrase.find((part) => typeof part === 'object')?.option;
  }
}

/**
 * Thrown if options or paths are invalid, or do not match the files of an earlier run.
 *
 * @example
 * ```ts
 * import { checkDump, UsageError } from '@utf8/dump';
 *
 * const error = await checkDump({ input: [] }).catch((error) => error);
 * error instanceof UsageError; // => true
 * error.message; // => 'no input; specify a file, or - for stdin'
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
 * import { BrokenPipe, OutputError } from '@utf8/dump';
 * import { ioError } from '@utf8/dump/internal';
 *
 * const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
 * ioError('-', closed, OutputError) instanceof BrokenPipe; // => true
 * ```
 */
export class BrokenPipe extends Error {
  /** The name of the class. */
  override readonly name = 'BrokenPipe';
}

/** Sentences with the failure and its remedy, by the system's error code. */
const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'no such file; check the name',
  ENOTDIR: 'part of the path is not a directory; check the name',
  EISDIR: 'is a directory; specify a file in it',
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
 * @param error - The error, such as one of `node:fs`.
 * @param ErrorClass - The class of the error: {@link InputError} if the file was read, {@link OutputError} if it was
 *   written.
 * @returns An error whose `cause` is the other one; a {@link BrokenPipe} for the code `EPIPE`.
 * @example
 * ```ts
 * import { InputError } from '@utf8/dump';
 * import { ioError } from '@utf8/dump/internal';
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
  // Packages have copies of the classes of @utf8/files, so that only codes identify them.
  if (code === 'ERR_UTF8_BUSY') return new BusyError(`${name}: ${message}`, { cause: error });
  if (code === 'ERR_UTF8_USAGE') {
    const { option } = error as { readonly option?: string };
    const advice = option && phrase`; leave out ${opt(option)} to begin again`;
    return new UsageError(phrase`${message}${advice}`, { cause: error });
  }
  if (code === 'EPIPE') return new BrokenPipe();
  const sentence = sentences[code] ?? getSystemErrorMap().get(errno)?.[1] ?? message;
  return new ErrorClass(`${name}: ${sentence}`, { cause: error });
}

/**
 * Runs a function that reads or writes a file, and describes its errors.
 *
 * @param name - The file's name, as the user gave it.
 * @param act - The function.
 * @param ErrorClass - The class of the error; {@link OutputError} by default.
 * @returns The result of the function.
 * @throws An error as {@link ioError} returns it.
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { InputError } from '@utf8/dump';
 * import { attempt } from '@utf8/dump/internal';
 *
 * try {
 *   attempt('in.csv', () => readFileSync('missing.csv'), InputError);
 * } catch (error) {
 *   error.message; // => 'in.csv: no such file; check the name'
 * }
 * ```
 * @internal
 */
export function attempt<T>(
  name: string,
  act: () => T,
  ErrorClass: typeof InputError | typeof OutputError = OutputError,
): T {
  try {
    return act();
  } catch (error) {
    throw ioError(name, error, ErrorClass);
  }
}
