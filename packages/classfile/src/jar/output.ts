/** A file that appears whole, or not at all. */
import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { JarError } from './error.js';

/** What a path leads to; undefined where that does not exist. */
async function findStats(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Where a path leads to, be there a file or not. */
async function findTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : findTarget(resolve(await realpath(dirname(path)), link));
}

/** Whether two paths lead to one file, by whatever links. */
const isSame = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino;

/** A file beside the one that it will be. */
export class Output {
  readonly #target: string;
  readonly #spools: FileHandle[] = [];
  readonly #temporary: string[] = [];
  readonly #mode: number;
  #handle: FileHandle | undefined;

  private constructor(target: string, mode: number) {
    this.#target = target;
    this.#mode = mode;
  }

  /**
   * @param path - Where it will be. Where that is a link, it will be what the link leads to.
   * @param input - The file that it must not be.
   * @param fail - Makes the error where it must not be written.
   */
  static async create(
    path: string,
    input: BigIntStats,
    fail: (what: string) => JarError,
  ): Promise<Output> {
    const stats = await findStats(path);
    if (stats && isSame(stats, input)) {
      throw fail(`the output ${path} is the same file; name another one`);
    }
    if (stats && !stats.isFile()) {
      throw fail(`the output ${path} is not a regular file; name a regular or a new file`);
    }
    return new Output(await findTarget(path), Number(input.mode & 0o777n));
  }

  /** Opens the file that will be the output. */
  async open(): Promise<FileHandle> {
    this.#handle = await this.#openBeside();
    return this.#handle;
  }

  /** Opens a file that will be gone. */
  async openSpool(): Promise<FileHandle> {
    const handle = await this.#openBeside();
    this.#spools.push(handle);
    return handle;
  }

  async #openBeside(): Promise<FileHandle> {
    // The name is cut so that there is room for the rest.
    const name = `.${basename(this.#target).slice(0, 40)}.${randomBytes(6).toString('hex')}.tmp`;
    const path = join(dirname(this.#target), name);
    const handle = await open(path, 'wx+', this.#mode | 0o600);
    this.#temporary.push(path);
    return handle;
  }

  /** Gives the output its name, when its bytes are on the disk. */
  async commit(): Promise<void> {
    const handle = this.#handle as FileHandle;
    await handle.chmod(this.#mode);
    await handle.sync();
    await handle.close();
    this.#handle = undefined;
    const [path] = this.#temporary.splice(0, 1) as [string];
    try {
      await rename(path, this.#target);
    } catch (error) {
      this.#temporary.push(path);
      throw error;
    }
    await syncFolder(dirname(this.#target));
  }

  /** Closes and removes what is left. */
  async close(): Promise<void> {
    for (const handle of [this.#handle, ...this.#spools]) await handle?.close();
    for (const path of this.#temporary) await rm(path, { force: true });
  }
}

/** Not every system lets folders be opened; there the name is as safe as it can be. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder);
    await handle.sync().finally(() => handle.close());
  } catch {}
}
