/** Where bytes go: stdout, a device, or a file that is replaced as a whole or not at all. */
import {
  accessSync,
  chmodSync,
  chownSync,
  close,
  constants,
  existsSync,
  fstatSync,
  fsync,
  lstatSync,
  open,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  truncateSync,
  write,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { ioFailure, OutputFailure } from './failure.js';
import { whenInterrupted } from './interrupt.js';

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fsync);
const writeFile = promisify(write);

/** The name that stands for stdout on the command line. */
export const STDOUT = '-';

/** An open output. */
export interface Output {
  /** The descriptor of a file that can be written to at any place; undefined where it is none. */
  readonly file?: number;
  /** Writes bytes, and waits until they are written: their memory is used again. */
  write(bytes: Uint8Array): Promise<void>;
  /** Waits until all bytes are where they survive a crash, but under no name yet. The last call. */
  finish(): Promise<void>;
  /** Gives the bytes their name. */
  commit(): void;
  /** Gives up and leaves everything as it was; does nothing after {@link commit}. */
  discard(): void;
}

/**
 * Opens an output.
 *
 * @param path - A file, a device, or `-`.
 * @throws {@link OutputFailure} where it cannot be written to.
 */
export async function openOutput(path: string): Promise<Output> {
  if (path === STDOUT) return openStdout();
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      throw new OutputFailure(`${path}: is a directory; name a file in it`);
    }
    // A device or a pipe holds nothing that could be left as it was, and must not be replaced.
    if (stats && !stats.isFile()) return new Sink(path, await openFile(path, 'w'), false);
    return new Replacement(path, stats);
  } catch (error) {
    throw ioFailure(path, error, OutputFailure);
  }
}

/**
 * Writes bytes to an open file.
 *
 * @param path - The name that a failure carries.
 * @param position - Where in the file, in bytes; behind the last write by default.
 * @throws {@link OutputFailure} where it cannot be written to.
 */
export function writeAll(path: string, fd: number, bytes: Uint8Array, position?: number): void {
  try {
    // A disk that is almost full takes a part and says so only at the next attempt.
    for (let done = 0; done < bytes.length; ) {
      const at = position === undefined ? null : position + done;
      done += writeSync(fd, bytes, done, bytes.length - done, at);
    }
  } catch (error) {
    throw ioFailure(path, error, OutputFailure);
  }
}

/** A file under way: what it is called until it has its name, and how much of it there is already. */
export interface Unfinished {
  readonly temporary: string;
  /** What an earlier run has left that is to be kept, in bytes; undefined to begin. */
  readonly size: number | undefined;
}

/**
 * Finds out where a file would be made, for one that a later run may go on with.
 *
 * @returns Undefined where it is no file that can be replaced.
 * @throws {@link OutputFailure} where it cannot be written to.
 */
export function planFile(path: string): { target: string; temporary: string } | undefined {
  if (path === STDOUT) return undefined;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) return undefined;
    const target = findTarget(path, stats);
    if (!existsSync(dirname(target))) throw noFolder(path);
    return { target, temporary: nameTemporary(target) };
  } catch (error) {
    throw ioFailure(path, error, OutputFailure);
  }
}

/**
 * Opens a file that a later run may go on with: it is there until somebody commits or discards it,
 * whatever ends this run.
 *
 * @throws {@link OutputFailure} where it cannot be written to.
 */
export function openUnfinished(path: string, unfinished: Unfinished): ResumableOutput {
  try {
    return new Replacement(path, statSync(path, { throwIfNoEntry: false }), unfinished);
  } catch (error) {
    throw ioFailure(path, error, OutputFailure) as OutputFailure;
  }
}

/** An output that a later run may go on with. */
export interface ResumableOutput extends Output {
  /** Waits until all bytes so far are where they survive a crash. */
  sync(): Promise<void>;
}

/** Writes to an open file or device. */
class Sink implements Output {
  protected readonly fd: number;
  protected readonly path: string;
  readonly #isPrompt: boolean;

  /** @param isPrompt - Whether a write returns soon, so that it need not be waited for. */
  constructor(path: string, fd: number, isPrompt: boolean) {
    this.path = path;
    this.fd = fd;
    this.#isPrompt = isPrompt;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isPrompt) {
      writeAll(this.path, this.fd, bytes);
      return;
    }
    try {
      for (let done = 0; done < bytes.length; ) {
        done += (await writeFile(this.fd, bytes, done)).bytesWritten;
      }
    } catch (error) {
      throw ioFailure(this.path, error, OutputFailure);
    }
  }

  async finish(): Promise<void> {}

  commit(): void {}

  discard(): void {}
}

/** A temporary file beside the one that it becomes. */
class Replacement extends Sink implements ResumableOutput {
  readonly file: number;
  readonly #temporary: string;
  readonly #target: string;
  #settle: () => void;

  /**
   * @param old - What is known of the file that will be replaced, if there is one.
   * @param unfinished - What somebody else looks after when the run is interrupted.
   */
  constructor(path: string, old: Stats | undefined, unfinished?: Unfinished) {
    const target = findTarget(path, old);
    const { temporary, size } = unfinished ?? { temporary: nameTemporary(target) };
    const fd = size === undefined ? createTemporary(path, temporary, old) : reopen(temporary, size);
    super(path, fd, true);
    this.file = this.fd;
    this.#target = target;
    this.#temporary = temporary;
    this.#settle = unfinished
      ? () => {}
      : whenInterrupted(() => rmSync(temporary, { force: true }));
  }

  async sync(): Promise<void> {
    try {
      await syncFile(this.fd);
    } catch (error) {
      throw ioFailure(this.path, error, OutputFailure);
    }
  }

  override async finish(): Promise<void> {
    await this.sync();
    try {
      await closeFile(this.fd);
    } catch (error) {
      throw ioFailure(this.path, error, OutputFailure);
    }
  }

  override commit(): void {
    try {
      renameSync(this.#temporary, this.#target);
    } catch (error) {
      throw ioFailure(this.path, error, OutputFailure);
    }
    this.#settle();
    this.#settle = () => {};
  }

  override discard(): void {
    this.#settle();
    rmSync(this.#temporary, { force: true });
  }
}

/** What is replaced, be it there already or not. */
function findTarget(path: string, old: Stats | undefined): string {
  const target = old ? realpathSync(path) : followLinks(path);
  if (old) accessSync(target, constants.W_OK);
  return target;
}

/** Opens a file to go on behind so many bytes, without what is behind them. */
function reopen(path: string, size: number): number {
  truncateSync(path, size);
  // To append is the only way in which no place has to be kept.
  return openSync(path, 'a');
}

/** The file that a symbolic link to nothing would become. */
function followLinks(path: string): string {
  let target = resolve(path);
  while (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) {
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target;
}

function nameTemporary(target: string): string {
  // Shortened, since with the ending a long name could become too long.
  const name = basename(target).slice(0, 40);
  // A number that is taken is refused. To load node:crypto for it takes 6 ms, a tenth of a short run.
  const number = Math.floor(Math.random() * 2 ** 32);
  const ending = number.toString(16).padStart(8, '0');
  return join(dirname(target), `${name}.utf8-unfinished-${ending}`);
}

const noFolder = (path: string): OutputFailure =>
  new OutputFailure(`${path}: its folder does not exist; make it first`);

/** Creates the temporary file, at no time readable by more people than the one it replaces. */
function createTemporary(path: string, temporary: string, old: Stats | undefined): number {
  let fd: number;
  try {
    fd = openSync(temporary, 'wx', old ? old.mode & 0o777 : 0o666);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw noFolder(path);
    if (code === 'EACCES' || code === 'EPERM') {
      throw new OutputFailure(
        `${path}: nothing can be written in its folder; change its permissions`,
      );
    }
    throw error;
  }
  if (old) {
    try {
      chownSync(temporary, old.uid, old.gid);
    } catch {
      // Only root may give files away; the file then belongs to who made it.
    }
    chmodSync(temporary, old.mode & 0o7777);
  }
  return fd;
}

/** Writes to stdout where that is a pipe or a terminal. */
class StreamSink implements Output {
  async write(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((done, fail) => {
      process.stdout.write(bytes, (error) => {
        if (error) fail(ioFailure('stdout', error, OutputFailure));
        else done();
      });
    });
  }

  async finish(): Promise<void> {}

  commit(): void {}

  discard(): void {}
}

function openStdout(): Output {
  const stats = fstatSync(1);
  // Node's own stream for files and devices takes a write for done that was done in part.
  return stats.isFile() || (stats.isCharacterDevice() && !isatty(1))
    ? new Sink('stdout', 1, stats.isFile())
    : new StreamSink();
}
