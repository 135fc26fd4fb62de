import { getSystemErrorMap } from 'node:util';

/** Why a run ended early, the same in any realm and module system. */
export type DumpErrorCode =
  | 'ERR_UTF8_USAGE'
  | 'ERR_UTF8_INPUT'
  | 'ERR_UTF8_OUTPUT'
  | 'ERR_UTF8_BUSY';

/** The base of every error that ends a run. Its message is one sentence for a person. */
export abstract class DumpError extends Error {
  /** Tells the errors apart where `instanceof` cannot. */
  abstract readonly code: DumpErrorCode;
}

/** Thrown if options or paths make no sense, or do not fit what an earlier run left. */
export class UsageError extends DumpError {
  override readonly name: string = 'UsageError';
  readonly code = 'ERR_UTF8_USAGE';
}

/** Thrown if an input cannot be read. */
export class InputError extends DumpError {
  override readonly name: string = 'InputError';
  readonly code = 'ERR_UTF8_INPUT';
}

/** Thrown if an output cannot be written. */
export class OutputError extends DumpError {
  override readonly name: string = 'OutputError';
  readonly code = 'ERR_UTF8_OUTPUT';
}

/** Thrown if another run is writing the same output. */
export class BusyError extends DumpError {
  override readonly name: string = 'BusyError';
  readonly code = 'ERR_UTF8_BUSY';
}

/** Thrown if the reader of the output is gone, as with `| head`. The run ends without a message. */
export class BrokenPipe extends Error {
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
 * Describes an error of the file system. An error that has its sentence already stays as it is.
 *
 * @param name - The file's name, as the user gave it.
 * @param ErrorClass - Which error to make: the file was read, or written.
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
