/** Why an archive, or an entry of it, cannot be read. */
export type JarReason =
  /** There is no directory of a zip archive at the end of the file. */
  | 'not-an-archive'
  /** The directory breaks off or is malformed; nothing after that place is read. */
  | 'directory'
  /** An entry does not begin where the directory says, or runs past the end. */
  | 'header'
  /** The compressed bytes are no deflate stream, or one that breaks off. */
  | 'data'
  /** An entry is not as large as it claims. */
  | 'size'
  /** The CRC-32 of what was read is not the one of the directory. */
  | 'checksum'
  /** An entry, or what it claims to be, is above `maxClassBytes` or `maxJarBytes`. */
  | 'too-large'
  /** The archive as a whole inflates to more than `maxRatio` allows; nothing more is read. */
  | 'bomb'
  /** Entries share bytes: those read claim to take more than the archive has. */
  | 'overlap'
  /** An archive in an archive, more often than `maxDepth` allows. */
  | 'depth'
  /** An entry is encrypted. */
  | 'encrypted'
  /** An entry is compressed in another way than deflate. */
  | 'method'
  /** A class in a signed archive was about to change. */
  | 'signed'
  /** What makes other classes of classes failed. */
  | 'rewrite'
  /** The archive would be written over itself, or over what is no file. */
  | 'output'
  /** The archive has changed while it was read. */
  | 'changed';

/** What is wrong with an archive or with an entry of it, in one sentence. */
export class JarError extends Error {
  override readonly name = 'JarError';
  readonly code = 'ERR_JAR';
  readonly reason: JarReason;
  /** The file, as it was named. */
  readonly file: string;
  /** Where in it, as in {@link JarClass.path}; undefined where it is about the file as a whole. */
  readonly path: string | undefined;
  /** The message without the file and the path. */
  readonly what: string;

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
