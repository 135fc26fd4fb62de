/** A temporary folder, which goes when the run ends, however it ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ioFailure, OutputFailure } from '../failure.js';
import { whenInterrupted } from '../interrupt.js';

/** A folder that is made when its first file is. */
export class Folder {
  #path: string | undefined;
  #files = 0;
  #settle = (): void => {};

  /**
   * A name for a new file.
   *
   * @throws {@link OutputFailure} where no folder can be made.
   */
  nameFile(): string {
    this.#path ??= this.#create();
    return join(this.#path, String(this.#files++));
  }

  /** Removes all. */
  remove(): void {
    if (this.#path) rmSync(this.#path, { recursive: true, force: true });
    this.#path = undefined;
    this.#settle();
  }

  #create(): string {
    // Before there is anything to remove, so that there is no moment in which it would be left.
    this.#settle = whenInterrupted(() => this.remove());
    try {
      return mkdtempSync(join(tmpdir(), 'utf8-scan-'));
    } catch (error) {
      this.#settle();
      throw ioFailure(tmpdir(), error, OutputFailure);
    }
  }
}
