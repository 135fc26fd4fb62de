/** An output file that appears whole, or not at all, and temporary files next to it. */
import { type BigIntStats, statSync } from 'node:fs';
import { AtomicFile, findReplaced, type Replaced, toPath } from '@utf8/files';
import type { JarError } from './error.js';

/** The files that a run writes. */
export class Output {
  readonly #replaced: Replaced;
  /** Permissions of the output. */
  readonly #mode: number;
  /** The output comes first. */
  readonly #files: AtomicFile[] = [];

  private constructor(replaced: Replaced, mode: number) {
    this.#replaced = replaced;
    this.#mode = mode;
  }

  /**
   * @param path - The path of the output. If it is a link, the link's target is written.
   * @param input - The input, which must be another file.
   * @param fail - Creates the error if writing is not allowed.
   */
  static create(path: string, input: BigIntStats, fail: (what: string) => JarError): Output {
    const replaced = find(path);
    if (!replaced) {
      throw fail(`the output ${path} is not a regular file; choose a regular or a new file`);
    }
    const stats = statSync(toPath(path), { bigint: true, throwIfNoEntry: false });
    if (stats?.dev === input.dev && stats.ino === input.ino) {
      throw fail(`the output ${path} is the same file; choose another one`);
    }
    return new Output(replaced, Number(input.mode & 0o777n));
  }

  /** Opens the file that becomes the output; then temporary files that are removed at the end. */
  open(): AtomicFile {
    const file = AtomicFile.create(this.#replaced, { mode: this.#mode, describe: unwrap });
    this.#files.push(file);
    return file;
  }

  /** Renames the output after its bytes have reached the disk. */
  async commit(): Promise<void> {
    const [output] = this.#files as [AtomicFile];
    await output.finish();
    output.commit();
  }

  /** Closes and removes the remaining files. */
  close(): void {
    for (const file of this.#files) file.discard();
  }
}

/** Finds the file to replace; undefined if it is not a regular file. Throws errors of the file system unchanged. */
function find(path: string): Replaced | undefined {
  try {
    return findReplaced(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return undefined;
    throw unwrap(error);
  }
}

/** Returns the error of the file system that an error of `files` explains. */
const unwrap = (error: unknown): Error => ((error as Error).cause ?? error) as Error;
