/** Files that get their name when they are complete. */
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import {
  createToken,
  InputError,
  ioError,
  nameTemporary,
  OutputError,
  toPath,
  writeAll,
} from '@utf8/dump';

/** Bytes that are written at once. */
const SIZE = 1 << 16;

/** What removes the temporary files and locks that there are now. */
const removals = new Set<() => void>();

/**
 * Removes the temporary files and the locks of all runs, for a process that a signal is about to end.
 * Journals stay, and so does what was committed.
 *
 * @example
 * ```ts
 * import { discardTemporaryFiles } from '@utf8/database';
 *
 * const end = () => {
 *   discardTemporaryFiles();
 *   process.exit(143);
 * };
 * process.once('SIGTERM', end);
 * // Run repairDatabase here.
 * process.off('SIGTERM', end);
 * ```
 */
export function discardTemporaryFiles(): void {
  for (const remove of removals) remove();
  removals.clear();
}

/**
 * Makes what removes a file, and does so at the latest when the process is interrupted.
 *
 * @param text - What the file has to contain, if another process may have replaced it.
 */
export function removeLater(path: string, text?: string): () => void {
  const remove = (): void => {
    removals.delete(remove);
    if (text !== undefined && readText(path) !== text) return;
    fs.rmSync(toPath(path), { force: true });
  };
  removals.add(remove);
  return remove;
}

function readText(path: string): string | undefined {
  try {
    return fs.readFileSync(toPath(path), 'utf8');
  } catch {
    return undefined;
  }
}

/** A file that replaces another one completely, or not at all. */
export class NewFile {
  readonly #path: string;
  readonly #temporary: string;
  readonly #remove: () => void;
  #fd: number | undefined;
  #text = '';

  constructor(path: string) {
    this.#path = path;
    this.#temporary = nameTemporary(path, createToken());
    this.#fd = attempt(path, () => fs.openSync(toPath(this.#temporary), 'wx', 0o600));
    this.#remove = removeLater(this.#temporary);
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= SIZE) this.#flush();
  }

  /** Synchronizes the file, and gives it its name. */
  commit(): void {
    this.#flush();
    attempt(this.#path, () => {
      fs.fsyncSync(this.#fd as number);
      fs.closeSync(this.#fd as number);
      this.#fd = undefined;
      fs.renameSync(toPath(this.#temporary), toPath(this.#path));
    });
    this.#remove();
    syncFolder(this.#path);
  }

  /** Removes the file, unless it has its name. */
  discard(): void {
    if (this.#fd === undefined) return;
    fs.closeSync(this.#fd);
    this.#fd = undefined;
    this.#remove();
  }

  #flush(): void {
    writeAll(this.#path, this.#fd as number, Buffer.from(this.#text));
    this.#text = '';
  }
}

/** Does something with a file that is written. */
export function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw ioError(path, error, OutputError);
  }
}

/** Does something with a file that is read. */
export function attemptRead<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw ioError(path, error, InputError);
  }
}

/** Makes a name in a folder survive a failure of power; not all systems can. */
export function syncFolder(path: string): void {
  try {
    const fd = fs.openSync(toPath(dirname(path)), 'r');
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // The file itself is synchronized.
  }
}
