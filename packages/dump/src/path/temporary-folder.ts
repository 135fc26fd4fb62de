import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenInterrupted } from '@utf8/files';
import { ioError, OutputError } from '../error.js';

/** A folder for temporary files, created with the first of them and removed however the run ends. */
export class TemporaryFolder {
  #path: string | undefined;
  #files = 0;
  #settle = (): void => {};

  /** Names a new file. Throws an {@link OutputError} if the folder cannot be created. */
  nameFile(): string {
    this.#path ??= this.#create();
    return join(this.#path, String(this.#files++));
  }

  remove(): undefined {
    if (this.#path) rmSync(this.#path, { recursive: true, force: true });
    this.#path = undefined;
    this.#settle();
  }

  #create(): string {
    // Registered first, so that a signal never finds a folder that nothing removes.
    this.#settle = whenInterrupted(() => this.remove());
    try {
      return mkdtempSync(join(tmpdir(), 'utf8-'));
    } catch (error) {
      this.#settle();
      throw ioError(tmpdir(), error, OutputError);
    }
  }
}
