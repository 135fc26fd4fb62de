/** Where bytes go: stdout, a device, or a file that is replaced as a whole or not at all. */
import * as fs from 'node:fs';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { checksum } from '../checksum.js';
import { ioError, OutputError, UsageError } from '../error.js';
import { whenInterrupted } from '../interrupt.js';
import { requireStdout } from '../path/closed.js';
import { createToken, deriveToken, nameTemporary } from '../path/derived-name.js';
import { findTarget, toPath } from '../path/file-name.js';
import { writeAll } from '../path/write-all.js';
import { DirectWriter } from './direct-writer.js';

const openFile = promisify(fs.open);
const readFile = promisify(fs.read);
const syncFile = promisify(fs.fsync);
const writeFile = promisify(fs.write);

/** The name of stdout, on the command line. */
export const STDOUT = '-';

/** An open output. */
export interface Output {
  /** Writes bytes, and waits until their memory may be used again. */
  write(bytes: Uint8Array): Promise<void>;
  /** Waits until all bytes would survive a crash, under no name yet. The last call before `commit`. */
  finish(): Promise<void>;
  /** Gives the bytes their name. */
  commit(): void;
  /** Removes what was written; does nothing after {@link commit}. */
  discard(): void;
}

const fail =
  (path: string) =>
  (error: unknown): never => {
    throw ioError(path, error, OutputError);
  };

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    return fail(path)(error);
  }
}

/**
 * Opens a file, a device, or stdout (`-`). Throws an {@link OutputError} if it cannot be written to.
 *
 * @param expected - About how much will be written, in bytes.
 * @param token - Of the temporary file of one that is replaced.
 */
export async function openOutput(
  path: string,
  expected = 0,
  token: string = createToken(),
): Promise<Output> {
  if (path === STDOUT) return openStdout();
  const replaced = findReplaced(path);
  if (replaced) {
    const output = Replacement.create(replaced, token, { size: 0 }, expected);
    output.onSettled = whenInterrupted(() => output.discard());
    return output;
  }
  // Neither created nor truncated, in case it has become a file since.
  const fd = await openFile(toPath(path), fs.constants.O_WRONLY).catch(fail(path));
  if (!fs.fstatSync(fd).isFile()) return openDevice(path, fd);
  fs.closeSync(fd);
  throw new OutputError(`${path}: was replaced by another file; run again`);
}

function openStdout(): Output {
  requireStdout();
  const stats = fs.fstatSync(1);
  if (stats.isFile()) return createSink(async (bytes) => writeAll('stdout', 1, bytes));
  // For devices, Node's own stream reports a partial write as a complete one.
  if (stats.isCharacterDevice() && !isatty(1)) return openDevice('stdout', 1);
  const write = promisify<Uint8Array, void>((bytes, done) =>
    process.stdout.write(bytes, (error) => done(error ?? null)),
  );
  return createSink((bytes) => write(bytes).catch(fail('stdout')));
}

function openDevice(path: string, fd: number): Output {
  let isOpen = fd !== 1;
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let done = 0; done < bytes.length; ) {
      done += (await writeFile(fd, bytes, done).catch(fail(path))).bytesWritten;
    }
  };
  return createSink(write, () => {
    if (isOpen) fs.closeSync(fd);
    isOpen = false;
  });
}

/** Creates an output that has nothing to rename or to remove. */
const createSink = (write: Output['write'], close = (): void => {}): Output => ({
  write,
  finish: async () => close(),
  commit() {},
  discard: close,
});

/** A file to replace or create. It is found once, so that all of a run means the same file. */
export interface Replaced {
  readonly path: string;
  /** The path without symbolic links. */
  readonly target: string;
  /** Undefined if there is no such file yet. */
  readonly stats: fs.Stats | undefined;
}

/** Finds the file that a path denotes; undefined for stdout and devices, which cannot be replaced. */
export function findReplaced(path: string): Replaced | undefined {
  if (path === STDOUT) return undefined;
  try {
    const stats = fs.statSync(toPath(path), { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new OutputError(`${path}: is a directory; name a file in it`);
    if (stats && !stats.isFile()) return undefined;
    const target = findTarget(path);
    if (stats) fs.accessSync(toPath(target), fs.constants.W_OK);
    return { path, target, stats };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new OutputError(`${path}: its folder does not exist; create it first`)
      : ioError(path, error, OutputError);
  }
}

/** Describes why a file cannot be created next to an output. */
export function refuseNew(path: string, error: unknown): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!['EACCES', 'EPERM'].includes(code)) return ioError(path, error, OutputError);
  return new OutputError(
    `${path}: cannot create a file in its folder; change the permissions of the folder`,
  );
}

/** How much is written of a file, in bytes; without a checksum unless the file can be resumed. */
export interface Kept {
  readonly size: number;
  readonly checksum?: number | undefined;
}

/**
 * From so many bytes on, a file is written past the system's cache. What reads a smaller one at once finds
 * it there, and it is written fast enough.
 */
const LARGE = 1 << 26;

/** Flags to follow no symbolic link, and to wait for no pipe. Windows has neither. */
export const SAFE: number = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

/** Removes the temporary file of a token, under both names that it may have. */
export function removeTemporary(target: string, token: string): void {
  for (const each of [token, deriveToken(token)]) {
    fs.rmSync(toPath(nameTemporary(target, each)), { force: true });
  }
}

/** A temporary file next to the one that it becomes. */
export class Replacement implements Output {
  /** Called when the file has its name, or has been removed. */
  onSettled = (): void => {};
  kept: Kept;
  readonly #replaced: Replaced;
  readonly #token: string;
  readonly #temporary: string;
  /** What tells the finished file from others. */
  #finished: fs.BigIntStats | undefined;
  /** Undefined if the file is closed. */
  #fd: number | undefined;
  /** For a large file that is written in one run. */
  #writer: DirectWriter | undefined;
  #isPending = true;
  #syncing: Promise<unknown> = Promise.resolve();

  private constructor(replaced: Replaced, token: string, kept: Kept, fd: number) {
    this.#replaced = replaced;
    this.#token = token;
    this.#temporary = nameTemporary(replaced.target, token);
    this.#fd = fd;
    this.kept = kept;
  }

  static create(
    replaced: Replaced,
    token: string,
    kept: Kept = { size: 0 },
    expected = 0,
  ): Replacement {
    const { path, target, stats } = replaced;
    const temporary = nameTemporary(target, token);
    const flags = fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL | SAFE;
    try {
      // Private until it is finished, since it may belong to another user then.
      const fd = fs.openSync(toPath(temporary), flags, stats ? 0o600 : 0o666);
      const replacement = new Replacement(replaced, token, kept, fd);
      if (expected >= LARGE) replacement.#writer = DirectWriter.open(path, fd);
      return replacement;
    } catch (error) {
      throw refuseNew(path, error);
    }
  }

  /**
   * Opens what an earlier run left, and changes nothing. If that run had finished the file, it may have
   * its name already; then this returns undefined. Throws if the bytes to keep are not there.
   */
  static async reopen(
    replaced: Replaced,
    token: string,
    kept: Kept,
    isFinished: boolean,
  ): Promise<Replacement | undefined> {
    const { target, stats } = replaced;
    const temporary = nameTemporary(target, token);
    const isNamed = isFinished && !fs.lstatSync(toPath(temporary), { throwIfNoEntry: false });
    // While outputs get their names, a finished one has two or three.
    const others = isFinished ? [nameTemporary(target, deriveToken(token)), target] : [];
    const fd = await openKept(isNamed ? target : temporary, kept, stats?.uid, others);
    const replacement = new Replacement(replaced, token, kept, fd);
    if (!isFinished) return replacement;
    replacement.#closeFinished();
    return isNamed ? undefined : replacement;
  }

  truncate(): void {
    this.#attempt((fd) => fs.ftruncateSync(fd, this.kept.size));
  }

  read(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start);
    const length = this.#attempt((fd) => fs.readSync(fd, bytes, 0, bytes.length, start));
    return bytes.subarray(0, length);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { size, checksum: sum } = this.kept;
    if (this.#writer) await this.#writer.write(bytes);
    else writeAll(this.#replaced.path, this.#fd as number, bytes, size);
    const after = sum === undefined ? sum : checksum(bytes, sum);
    this.kept = { size: size + bytes.length, checksum: after };
  }

  /** Waits until all bytes so far would survive a crash. */
  async sync(): Promise<void> {
    const syncing = syncFile(this.#fd as number);
    this.#syncing = syncing.catch(() => {});
    await syncing.catch(fail(this.#replaced.path));
  }

  async finish(): Promise<void> {
    const { stats } = this.#replaced;
    await this.#writer?.finish();
    if (stats) this.#attempt((fd) => setOwner(fd, stats));
    await this.sync();
    this.#closeFinished();
  }

  #closeFinished(): void {
    this.#attempt((fd) => {
      this.#finished = fs.fstatSync(fd, { bigint: true });
      this.#fd = undefined;
      fs.closeSync(fd);
    });
  }

  /**
   * Checks whether another run has given the name of this file to another one since this run began, with
   * other bytes. Only for a finished file.
   */
  async isContested(): Promise<boolean> {
    const { path, target, stats } = this.#replaced;
    const now = attempt(path, () => fs.statSync(toPath(target), { throwIfNoEntry: false }));
    if (!now || (stats && isUnchanged(stats, now))) return false;
    const fds: number[] = [];
    try {
      for (const each of [target, this.#temporary]) fds.push(await openFile(toPath(each), 'r'));
      const [found, own] = fds as [number, number];
      return !(await hasSameBytes(found, own));
    } catch {
      // It may be gone again. What cannot be read may have any bytes.
      return fs.existsSync(toPath(target));
    } finally {
      for (const fd of fds) fs.closeSync(fd);
    }
  }

  /** Whether the name denotes this file. Only for a finished file. */
  get isNamed(): boolean {
    const target = toPath(this.#replaced.target);
    let fd: number | undefined;
    try {
      // A network file system may have an old answer for the name, and not for what is opened.
      fd = fs.openSync(target, fs.constants.O_RDONLY | SAFE);
    } catch {
      // It may have the mode of a file that can only be written.
    }
    try {
      const options = { bigint: true } as const;
      return this.#isSame(
        fd === undefined ? fs.statSync(target, options) : fs.fstatSync(fd, options),
      );
    } catch {
      return false;
    } finally {
      if (fd !== undefined) fs.closeSync(fd);
    }
  }

  /** In a file system in user space, the inode number of a file may change, but nothing else. */
  #isSame(now: fs.BigIntStats): boolean {
    const has = (keys: readonly ('dev' | 'ino' | 'size' | 'mtimeNs')[]): boolean =>
      keys.every((key) => now[key] === this.#finished?.[key]);
    return has(['dev', 'ino']) || has(['size', 'mtimeNs']);
  }

  /** Gives the file its name, and keeps its temporary one until {@link settle}, so that it can be given again. */
  name(): void {
    const { path, target } = this.#replaced;
    const second = nameTemporary(target, deriveToken(this.#token));
    attempt(path, () => {
      fs.rmSync(toPath(second), { force: true });
      try {
        fs.linkSync(toPath(this.#temporary), toPath(second));
      } catch {
        // Not all file systems have links.
        fs.renameSync(toPath(this.#temporary), toPath(target));
        this.#isPending = false;
        return;
      }
      fs.renameSync(toPath(second), toPath(target));
      // Two names of one file stay two.
      fs.rmSync(toPath(second), { force: true });
    });
  }

  get path(): string {
    return this.#replaced.path;
  }

  /** Whether {@link name} can be called again. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /** Removes the temporary name of a file that has its own. */
  settle(): void {
    if (this.#isPending) removeTemporary(this.#replaced.target, this.#token);
    this.#isPending = false;
    this.onSettled();
  }

  commit(): void {
    const { path, target } = this.#replaced;
    attempt(path, () => fs.renameSync(toPath(this.#temporary), toPath(target)));
    // What an interrupted run had named already, and what it had linked.
    this.settle();
  }

  discard(): void {
    if (this.#isPending) removeTemporary(this.#replaced.target, this.#token);
    this.close();
    this.onSettled();
  }

  /** Closes the file, and leaves it for another run. */
  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd === undefined) return;
    // The number must not become that of another file while a thread uses this one.
    void Promise.all([this.#syncing, this.#writer?.stop()]).then(() => fs.closeSync(fd));
  }

  #attempt<T>(act: (fd: number) => T): T {
    return attempt(this.#replaced.path, () => act(this.#fd as number));
  }
}

/** Gives a new file the owner, if the system permits it, and the mode of the old one. */
function setOwner(fd: number, { uid, gid, mode }: fs.Stats): void {
  let permissions = mode & 0o7777;
  try {
    fs.fchownSync(fd, uid, gid);
  } catch {
    // Only root may give files away. What runs as its owner must not run as another one.
    permissions &= 0o777;
  }
  fs.fchmodSync(fd, permissions);
}

/** Whether a file is the one that it was, and nothing was written to it. */
const isUnchanged = (before: fs.Stats, now: fs.Stats): boolean =>
  (['dev', 'ino', 'size', 'mtimeMs'] as const).every((key) => before[key] === now[key]);

/** Bytes that are compared at once. */
const BLOCK = 1 << 20;

async function hasSameBytes(one: number, other: number): Promise<boolean> {
  if (fs.fstatSync(one).size !== fs.fstatSync(other).size) return false;
  const [first, second] = [Buffer.alloc(BLOCK), Buffer.alloc(BLOCK)];
  for (let position = 0; ; ) {
    const { bytesRead } = await readFile(one, first, 0, BLOCK, position);
    if (bytesRead === 0) return true;
    for (let done = 0; done < bytesRead; ) {
      const part = await readFile(other, second, done, bytesRead - done, position + done);
      if (part.bytesRead === 0) return false;
      done += part.bytesRead;
    }
    if (first.compare(second, 0, bytesRead, 0, bytesRead) !== 0) return false;
    position += bytesRead;
  }
}

/**
 * Opens a file that an earlier run left, if it begins with the bytes to keep.
 *
 * @param others - Names that it may have besides.
 */
async function openKept(
  path: string,
  kept: Kept,
  uid: number | undefined,
  others: readonly string[],
): Promise<number> {
  const refuse = (why: string): UsageError =>
    new UsageError(`cannot resume: ${path} ${why}; leave out --resume to begin again`);
  const found = fs.lstatSync(toPath(path), { throwIfNoEntry: false });
  if (!found) throw refuse('is missing');
  const links = others.filter((other) => {
    const stats =
      other === path ? undefined : fs.lstatSync(toPath(other), { throwIfNoEntry: false });
    return stats?.ino === found.ino && stats.dev === found.dev;
  });
  if (!found.isFile() || found.nlink !== 1 + links.length) {
    throw refuse('is not a regular file, or has more than one hard link');
  }
  const fd = attempt(path, () => fs.openSync(toPath(path), fs.constants.O_RDWR | SAFE));
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
    throw ioError(path, error, OutputError);
  }
}
