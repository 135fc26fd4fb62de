/** Reason why an archive, or an entry of it, cannot be read. */
export type JarReason =
  /** There is no directory of a zip archive at the end of the file. */
  | 'not-an-archive'
  /** The directory is truncated or malformed; nothing after that place is read. */
  | 'directory'
  /** An entry does not begin where the directory says, or runs past the end. */
  | 'header'
  /** The compressed bytes are not a deflate stream, or are truncated. */
  | 'data'
  /** An entry does not have the size that it states. */
  | 'size'
  /** The CRC-32 of an entry differs from the one in the directory. */
  | 'checksum'
  /** The size of an entry, actual or stated, exceeds `maxClassBytes` or `maxJarBytes`. */
  | 'too-large'
  /** The archive as a whole inflates to more than `maxRatio` allows; nothing more is read. */
  | 'bomb'
  /** Entries share bytes: together they claim more than the archive has. */
  | 'overlap'
  /** Archives are nested deeper than `maxDepth` allows. */
  | 'depth'
  /** An entry is encrypted. */
  | 'encrypted'
  /** An entry is compressed with a method other than deflate. */
  | 'method'
  /** A class in a signed archive was about to change. */
  | 'signed'
  /** The function that rewrites classes threw an error. */
  | 'rewrite'
  /** The output is the input, or not a regular file. */
  | 'output'
  /** The archive changed during the run. */
  | 'changed';

/**
 * Thrown if an archive, or an entry of it, cannot be read or written. The message is one sentence.
 *
 * @example
 * ```ts
 * import { rmSync, writeFileSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { type JarError, readJar } from '@utf8/classfile/jar';
 *
 * const file = join(tmpdir(), `text-${process.pid}.jar`);
 * writeFileSync(file, 'no archive');
 * const error: JarError = await readJar(file).next().catch((error) => error);
 * error.code; // => 'ERR_JAR'
 * error.reason; // => 'not-an-archive'
 * error.path; // => undefined
 * rmSync(file);
 * ```
 */
export class JarError extends Error {
  /** The name of the class. */
  override readonly name = 'JarError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_JAR';
  /** Reason for the error. */
  readonly reason: JarReason;
  /** The path of the file, as the caller passes it. */
  readonly file: string;
  /** The entry, as in {@link JarClass.path}; undefined if the error is about the file as a whole. */
  readonly path: string | undefined;
  /** The message without the file and the path. */
  readonly what: string;

  /**
   * @param reason - The reason for the error.
   * @param file - The path of the file.
   * @param path - The entry, as in {@link JarClass.path}; undefined for the file as a whole.
   * @param what - A description of the error, to follow the path and a colon.
   * @param options - The cause.
   */
  constructor(
    reason: JarReason,
    file: string,
    path: string | undefined,
    what: string,
    options?: ErrorOptions,
  ) {
    super(`${path === undefined ? file : `${file}!/${path}`}: ${what}`, options);
    this.reason = reason;
    this.file = file;
    this.path = path;
    this.what = what;
  }
}
