/**
 * Progress of a conversion, in a small file next to the output, so that an interrupted run can be resumed. The
 * file is replaced after all that it describes is safe on the disk, by the run that has locked the output. It ends
 * with a checksum, and names no file: see `derived-name.ts` of @utf8/files.
 */
import * as fs from 'node:fs';
import {
  checksum,
  type Kept,
  nameCheckpoint,
  nameNewCheckpoint,
  openOwn,
  replaceFile,
  stopAt,
  TOKEN,
  toHex,
  toPath,
  untrusted,
} from '@utf8/files';
import { ioError, OutputError } from '../error.js';
import type { ReaderState } from '../format/format.js';
import type { DigestState } from '../sink/digest.js';
import { entries, type PerOutput } from '../sink/outputs.js';

const VERSION = 3;

/** Properties that are equal if two runs are the same. */
export interface Identity {
  /** Checksums of the options that the result depends on, by their names. */
  readonly options: Readonly<Record<string, string>>;
  /** Size of the input in bytes, and time of its last change in nanoseconds since 1970. */
  readonly size: string;
  readonly modified: string;
}

/** Progress of a run. */
export interface Progress {
  /** In the input, in bytes. */
  readonly offset: number;
  /** State of a reader there. */
  readonly state: ReaderState;
  readonly counts: object;
  /** Digests of the input before `offset`, and of the output. */
  readonly digests: { readonly original: DigestState; readonly output: DigestState } | undefined;
  /** State of each output. */
  readonly outputs: PerOutput<Kept>;
}

/** A run whose outputs are complete; some of them may have their names. */
export interface Completed {
  readonly outputs: PerOutput<Kept>;
  readonly counts: object;
}

/** Contents of the file. */
interface Content extends Identity {
  readonly checkpoint: typeof VERSION;
  /** Token of each temporary file. */
  readonly tokens: PerOutput<string>;
  readonly progress?: Progress | undefined;
  readonly completed?: Completed | undefined;
}

/** The checkpoint of a run, or of an earlier one that was interrupted. */
export class Checkpoint {
  readonly path: string;
  /** Its name while it is written. */
  readonly #newPath: string;
  #content: Content;
  #count = 0;

  private constructor(target: string, content: Content) {
    this.path = nameCheckpoint(target);
    this.#newPath = nameNewCheckpoint(target);
    this.#content = content;
  }

  /**
   * Reads the checkpoint of an output; undefined if there is none.
   *
   * @throws {@link UsageError} if it is anything but an intact checkpoint of this user.
   */
  static read(target: string): Checkpoint | undefined {
    const path = nameCheckpoint(target);
    try {
      const fd = openOwn(path, fs.constants.O_RDONLY);
      try {
        return new Checkpoint(target, parse(path, fs.readFileSync(fd, 'utf8')));
      } finally {
        fs.closeSync(fd);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw ioError(path, error, OutputError);
    }
  }

  /** Begins the checkpoint of an output, and replaces the one of an earlier run. */
  static create(target: string, content: Omit<Content, 'checkpoint'>): Checkpoint {
    const checkpoint = new Checkpoint(target, { checkpoint: VERSION, ...content });
    checkpoint.#write();
    stopAt('begun');
    return checkpoint;
  }

  get identity(): Identity {
    return this.#content;
  }

  get tokens(): PerOutput<string> {
    return this.#content.tokens;
  }

  /** Progress of the run; undefined before it is saved for the first time. */
  get progress(): Progress | undefined {
    return this.#content.progress;
  }

  get completed(): Completed | undefined {
    return this.#content.completed;
  }

  /**
   * Saves the progress of the run. All that it describes must be on the disk.
   *
   * @returns Size of the checkpoint in bytes.
   */
  save(progress: Progress): number {
    this.#content = { ...this.#content, progress };
    const size = this.#write();
    stopAt(`checkpoint:${++this.#count}`);
    return size;
  }

  /** Saves that all outputs are on the disk, and may be given their names. */
  finish(completed: Completed): void {
    this.#content = { ...this.#content, progress: undefined, completed };
    this.#write();
    stopAt('finished');
  }

  remove(): void {
    try {
      for (const path of [this.#newPath, this.path]) fs.rmSync(toPath(path), { force: true });
    } catch (error) {
      throw ioError(this.path, error, OutputError);
    }
  }

  #write(): number {
    const { progress, completed } = this.#content;
    const json = JSON.stringify(this.#content);
    const bytes = Buffer.from(`${json} ${toHex(checksum(json))}\n`);
    try {
      // Before there is any progress, nothing is lost with it.
      replaceFile(this.path, this.#newPath, bytes, Boolean(progress ?? completed));
    } catch (error) {
      throw ioError(this.path, error, OutputError);
    }
    return bytes.length;
  }
}

function parse(path: string, text: string): Content {
  const [, json = '', sum] = /^(.*) ([\da-f]{8})\n$/s.exec(text) ?? [];
  const [, version] = /^\{"checkpoint":(\d+),/.exec(text) ?? [];
  if (!version) throw untrusted(path, 'is not a checkpoint of utf8');
  if (version !== String(VERSION)) throw untrusted(path, 'was written by another version of utf8');
  if (sum !== toHex(checksum(json))) throw untrusted(path, 'is damaged');
  const content: Content = JSON.parse(json);
  // A checksum proves nothing: only tokens of the right form become parts of file names.
  const isSound = entries(content.tokens ?? {}).every(([, token]) => TOKEN.test(String(token)));
  if (!isSound) throw untrusted(path, 'is damaged');
  return content;
}
