import { getSystemErrorMap } from 'node:util';

/** What ends a run early: an exit code and the one sentence that goes to stderr. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command line makes no sense: exit code 2. */
export class UsageFailure extends Failure {
  constructor(message: string) {
    super(2, message);
  }
}

/** An input cannot be read: exit code 3. */
export class InputFailure extends Failure {
  constructor(message: string, options?: ErrorOptions) {
    super(3, message, options);
  }
}

/** An output cannot be written: exit code 3. */
export class OutputFailure extends Failure {
  constructor(message: string, options?: ErrorOptions) {
    super(3, message, options);
  }
}

/** Nobody reads the output any more, as with `| head`. That is no error: the run just ends. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** What went wrong, and what to do about it, by error code. */
const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'no such file; check the name',
  ENOTDIR: 'a part of the path is no folder; check the name',
  EISDIR: 'is a directory; name a file in it',
  EACCES: 'permission denied; change its permissions, or run as a user who has them',
  EPERM: 'permission denied; change its permissions, or run as a user who has them',
  EROFS: 'the file system is read-only; write elsewhere',
  ENOSPC: 'no space is left on the device; make room, or write elsewhere',
  EDQUOT: 'the disk quota is used up; make room, or write elsewhere',
  EFBIG: 'the file system takes no file of this size; write elsewhere',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
  ELOOP: 'its symbolic links go round in a circle; mend them',
  EMFILE: 'too many files are open; raise the limit',
  EIO: 'the device failed; check it',
};

/**
 * The failure, with its sentence, that an error of the system comes to.
 *
 * @param name - Of the file.
 * @param Kind - Whether it was read or written.
 */
export function ioFailure(
  name: string,
  error: unknown,
  Kind: typeof InputFailure | typeof OutputFailure,
): Failure | BrokenPipe {
  if (error instanceof Failure || error instanceof BrokenPipe) return error;
  const { code = '', errno = 0, message } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return new BrokenPipe();
  const what = sentences[code] ?? getSystemErrorMap().get(errno)?.[1] ?? message;
  const advice = sentences[code] ? '' : '; check that it can be used';
  return new Kind(`${name}: ${what}${advice}`, { cause: error });
}
