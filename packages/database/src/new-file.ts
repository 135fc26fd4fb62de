/** Files with data of a database, which get their names when they are complete. */
import { OutputError } from '@utf8/dump';
import { attempt, ioError } from '@utf8/dump/internal';
import { AtomicFile, findReplaced } from '@utf8/files';

/** Characters that are written at once. */
const SIZE = 1 << 16;

/** A file that replaces another one as a whole, or not at all. */
export class NewFile {
  readonly #file: AtomicFile;
  #text = '';

  constructor(path: string) {
    const replaced = attempt(path, () => findReplaced(path));
    if (!replaced) throw new OutputError(`${path}: is not a regular file; choose another file`);
    // Only its owner may read data of a database.
    const mode = 0o600;
    const describe = (error: unknown): Error => ioError(path, error, OutputError);
    this.#file = AtomicFile.create(replaced, { mode, describe });
  }

  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= SIZE) await this.#flush();
  }

  /** Synchronizes the file, and gives it its name. */
  async commit(): Promise<void> {
    await this.#flush();
    await this.#file.finish();
    this.#file.commit();
  }

  /** Removes the file, unless it has its name. */
  discard(): void {
    this.#file.discard();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    await this.#file.write(bytes);
  }
}
