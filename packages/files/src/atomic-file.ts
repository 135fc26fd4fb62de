/** A file that gets its name when it is complete, so that a reader sees the old one, the new one, or none. */
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { checksum } from './checksum.js';
import { createToken, nameTemporary } from './derived-name.js';
import { whenInterrupted } from './interrupt.js';
import { findTarget, toPath } from './name.js';
import { SAFE, UntrustedError } from './own-file.js';
import { syncFolder, writeAll } from './write.js';

const readFile = promisify(fs.read);
const syncFile = promisify(fs.fsync);

/** A file to replace or create. It is found once, so that all of a run means the same file. */
export interface Replaced {
  readonly path: string;
  /** The path without symbolic links. */
  readonly target: string;
  /** Undefined if there is no such file yet. */
  readonly stats: fs.Stats | undefined;
}

/**
 * Finds the file that a path denotes.
 *
 * @returns Undefined for devices and pipes, which cannot be replaced.
 * @throws An error of the file system, or one whose message contains advice.
 */
export function findReplaced(path: string): Replaced | undefined {
  try {
    const stats = fs.statSync(toPath(path), { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      throw Object.assign(new Error('is a directory; specify a file in it'), { code: 'EISDIR' });
    }
    if (stats && !stats.isFile()) return undefined;
    const target = findTarget(path);
    if (stats) fs.accessSync(toPath(target), fs.constants.W_OK);
    return { path, target, stats };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('its folder does not exist; create it first', { cause: error });
  }
}

/** Describes why a file cannot be created next to another one. */
export function describeNew(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!['EACCES', 'EPERM'].includes(code)) return error;
  const why = 'cannot create a file in its folder; change the permissions of the folder';
  return new Error(why, { cause: error });
}

/** Number of bytes written to a file; with a checksum only if the file can be resumed. */
export interface Kept {
  readonly size: number;
  readonly checksum?: number | undefined;
}

/** Options of {@link AtomicFile.create}. */
export interface AtomicFileOptions {
  /** Token of its temporary name; random by default. */
  readonly token?: string | undefined;
  /** Mode of the file; by default that of the file it replaces, or the system's mode for new files. */
  readonly mode?: number | undefined;
  /** True to leave the file for a later run if this one is interrupted. */
  readonly isResumable?: boolean | undefined;
  /** Describes an error of the file system; the error itself by default. */
  readonly describe?: ((error: unknown) => Error) | undefined;
}

/** Removes the temporary file of a token. */
export const removeTemporary = (target: string, token: string): void =>
  fs.rmSync(toPath(nameTemporary(target, token)), { force: true });

/** A temporary file next to the one that it becomes. */
export class AtomicFile {
  kept: Kept;
  readonly #replaced: Replaced;
  readonly #temporary: string;
  readonly #mode: number | undefined;
  readonly #describe: (error: unknown) => Error;
  #settle = (): void => {};
  /** Undefined if the file is closed. */
  #fd: number | undefined;
  #isPending = true;
  #syncing: Promise<unknown> = Promise.resolve();

  private constructor(replaced: Replaced, options: AtomicFileOptions, kept: Kept, open: Open) {
    const { token = createToken(), mode, describe = (error) => error as Error } = options;
    this.#replaced = replaced;
    this.#mode = mode;
    this.#describe = describe;
    this.#temporary = nameTemporary(replaced.target, token);
    this.kept = kept;
    try {
      this.#fd = open(this.#temporary);
    } catch (error) {
      throw describe(error);
    }
  }

  static create(replaced: Replaced, options: AtomicFileOptions = {}): AtomicFile {
    const { mode, isResumable = false } = options;
    const flags = fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL | SAFE;
    // Private until it is finished, since it may belong to another user then.
    const isPrivate = mode !== undefined || replaced.stats !== undefined;
    const kept = isResumable ? { size: 0, checksum: 0 } : { size: 0 };
    const file = new AtomicFile(replaced, options, kept, (temporary) => {
      try {
        return fs.openSync(toPath(temporary), flags, isPrivate ? 0o600 : 0o666);
      } catch (error) {
        throw describeNew(error);
      }
    });
    if (!isResumable) file.#settle = whenInterrupted(() => file.discard());
    return file;
  }

  /**
   * Opens the file of an earlier run, and changes nothing.
   *
   * @returns Undefined if that run had finished the file, and the file has its name already.
   * @throws {@link UntrustedError} if the bytes to keep are not there.
   */
  static async reopen(
    replaced: Replaced,
    options: AtomicFileOptions & { readonly token: string },
    kept: Kept,
    isFinished: boolean,
  ): Promise<AtomicFile | undefined> {
    const { target, stats } = replaced;
    const temporary = nameTemporary(target, options.token);
    const isNamed = isFinished && !fs.lstatSync(toPath(temporary), { throwIfNoEntry: false });
    const fd = await openKept(isNamed ? target : temporary, kept, stats?.uid);
    const file = new AtomicFile(replaced, options, kept, () => fd);
    if (isFinished) file.#closeNow();
    return isNamed ? undefined : file;
  }

  /** The path, as the user gave it. */
  get path(): string {
    return this.#replaced.path;
  }

  /** The descriptor of the open file. */
  get fd(): number {
    return this.#fd as number;
  }

  truncate(): void {
    this.#attempt(() => fs.ftruncateSync(this.fd, this.kept.size));
  }

  read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start);
    const length = this.#attempt(() => fs.readSync(this.fd, bytes, 0, bytes.length, start));
    return bytes.subarray(0, length);
  }

  /** Writes bytes after the others, and waits until their memory may be used again. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#attempt(() => writeAll(this.fd, bytes, this.kept.size));
    const { size, checksum: sum } = this.kept;
    const after = sum === undefined ? sum : checksum(bytes, sum);
    this.kept = { size: size + bytes.length, checksum: after };
  }

  /** Waits until all bytes so far would survive a crash. */
  async sync(): Promise<void> {
    const syncing = syncFile(this.fd);
    this.#syncing = syncing.catch(() => {});
    await syncing.catch(this.#fail);
  }

  /** Waits until all bytes would survive a crash, under no name yet. The last call before {@link commit}. */
  async finish(): Promise<void> {
    this.#attempt(() => setPermissions(this.fd, this.#replaced.stats, this.#mode));
    await this.sync();
    this.#closeNow();
  }

  /** Gives the file its name. */
  commit(): void {
    const { target } = this.#replaced;
    this.#attempt(() => fs.renameSync(toPath(this.#temporary), toPath(target)));
    this.#isPending = false;
    this.#settle();
    syncFolder(target);
  }

  /** Removes the unfinished file; does nothing after {@link commit}. */
  discard(): void {
    if (this.#isPending) fs.rmSync(toPath(this.#temporary), { force: true });
    this.#isPending = false;
    this.close();
    this.#settle();
  }

  /** Closes the file, and leaves it for another run. */
  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd === undefined) return;
    // The number must not become that of another file while a thread uses this one.
    void this.#syncing.then(() => fs.closeSync(fd));
  }

  /** Closes a file that no thread uses. */
  #closeNow(): void {
    const { fd } = this;
    this.#fd = undefined;
    this.#attempt(() => fs.closeSync(fd));
  }

  readonly #fail = (error: unknown): never => {
    throw this.#describe(error);
  };

  #attempt<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      return this.#fail(error);
    }
  }
}

type Open = (temporary: string) => number;

/** Gives a new file the owner of the old one, if the system permits it, and the mode of it by default. */
function setPermissions(fd: number, old: fs.Stats | undefined, mode = old?.mode): void {
  if (mode === undefined) return;
  let permissions = mode & 0o7777;
  try {
    if (old) fs.fchownSync(fd, old.uid, old.gid);
  } catch {
    // Only root may give files away. A program that runs as its owner must not run as another user.
    permissions &= 0o777;
  }
  fs.fchmodSync(fd, permissions);
}

/** Opens a file that an earlier run left, if it begins with the bytes to keep. */
async function openKept(path: string, kept: Kept, uid: number | undefined): Promise<number> {
  const refuse = (why: string): UntrustedError =>
    new UntrustedError(`cannot resume: ${path} ${why}`, 'resume');
  const found = fs.lstatSync(toPath(path), { throwIfNoEntry: false });
  if (!found) throw refuse('is missing');
  if (!found.isFile() || found.nlink !== 1) {
    throw refuse('is not a regular file, or has more than one hard link');
  }
  const fd = fs.openSync(toPath(path), fs.constants.O_RDWR | SAFE);
  try {
    const stats = fs.fstatSync(fd);
    if (stats.ino !== found.ino || stats.nlink !== found.nlink) throw refuse('is being replaced');
    if (![process.geteuid?.() ?? stats.uid, uid].includes(stats.uid)) {
      throw refuse('belongs to another user');
    }
    const memory = new Uint8Array(1 << 20);
    let sum = 0;
    for (let done = 0; done < kept.size; ) {
      const length = Math.min(memory.length, kept.size - done);
      const { bytesRead } = await readFile(fd, memory, 0, length, done);
      if (bytesRead === 0) throw refuse('is truncated');
      sum = checksum(memory.subarray(0, bytesRead), sum);
      done += bytesRead;
    }
    if (sum !== kept.checksum) throw refuse('has changed since the interrupted run');
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}
