/** Writes an undo log. The database stores how much of it belongs to committed changes. */
import * as fs from 'node:fs';
import { crc32 } from 'node:zlib';
import { InputError, OutputError, UsageError } from '@utf8/dump';
import { attempt, opt, phrase } from '@utf8/dump/internal';
import { syncFolder, toPath, writeAll } from '@utf8/files';
import { formatEnd, formatHeader, type UndoLogHeader } from './line.js';
import { checkUndoLog } from './undo-log-reader.js';

/** Part of an undo log that belongs to committed changes. */
export interface Mark {
  /** Length of the part, in bytes. */
  readonly size: number;
  /** CRC-32 of the part. */
  readonly sum: number;
}

/** Bytes of lines that are kept in memory. */
const MOST = 1 << 18;

/** An undo log that is being written. */
export class UndoLogWriter {
  readonly #path: string;
  readonly #fd: number;
  #committed: Mark;
  #committedLines: number;
  /** Written and in memory. */
  #size: number;
  #sum: number;
  #lines: number;
  #pending: Buffer[] = [];
  #pendingSize = 0;

  private constructor(path: string, fd: number, mark: Mark, lines: number) {
    this.#path = path;
    this.#fd = fd;
    this.#committed = mark;
    this.#size = mark.size;
    this.#sum = mark.sum;
    this.#lines = lines;
    this.#committedLines = lines;
  }

  /**
   * Begins an undo log, with its header on the disk.
   *
   * @throws UsageError if there is such a file.
   */
  static create(path: string, header: UndoLogHeader): UndoLogWriter {
    return attempt(path, () => {
      let fd: number;
      try {
        fd = fs.openSync(toPath(path), 'wx', 0o600);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw new UsageError(
          phrase`${path}: exists; choose another file, or add ${opt('resume')} to continue an interrupted run`,
        );
      }
      return UndoLogWriter.#begin(path, fd, header);
    });
  }

  /** Begins the undo log of a run again that was killed before it changed anything. */
  static restart(path: string, header: UndoLogHeader): UndoLogWriter {
    return attempt(path, () => UndoLogWriter.#begin(path, fs.openSync(toPath(path), 'w'), header));
  }

  static #begin(path: string, fd: number, header: UndoLogHeader): UndoLogWriter {
    const writer = new UndoLogWriter(path, fd, { size: 0, sum: 0 }, 0);
    try {
      writer.#append(formatHeader(header));
      writer.sync();
      writer.commit();
      syncFolder(path);
      return writer;
    } catch (error) {
      writer.close();
      throw error;
    }
  }

  /**
   * Continues an undo log after the last commit. The rest is cut off.
   *
   * @throws UsageError if it is not the undo log of the interrupted run.
   */
  static resume(path: string, { size, sum }: Mark): UndoLogWriter {
    const found = checkUndoLog(path, size);
    if (found?.size !== size || found.sum !== sum) throw otherUndoLog(path);
    return attempt(path, () => {
      const fd = fs.openSync(toPath(path), 'r+');
      const writer = new UndoLogWriter(path, fd, { size, sum }, found.lines);
      writer.rollback();
      return writer;
    });
  }

  /** Mark after everything that was added. */
  get mark(): Mark {
    return { size: this.#size, sum: this.#sum };
  }

  /** @param count - Number of lines. */
  add(lines: string, count: number): void {
    this.#lines += count;
    this.#append(lines);
  }

  /** True if no value was changed. */
  get isEmpty(): boolean {
    return this.#lines === 0;
  }

  /** Writes the last line, on the disk. A run that is killed after this writes it again. */
  finish(): void {
    this.#append(formatEnd({ end: this.#lines, of: this.#sum }));
    this.sync();
  }

  #append(lines: string): void {
    const bytes = Buffer.from(lines);
    this.#sum = crc32(bytes, this.#sum);
    this.#size += bytes.length;
    this.#pending.push(bytes);
    this.#pendingSize += bytes.length;
    if (this.#pendingSize >= MOST) this.#flush();
  }

  /** Flushes new lines to the disk. Only then may the changes be committed. */
  sync(): void {
    this.#flush();
    attempt(this.#path, () => fs.fdatasyncSync(this.#fd));
    this.#requireSize(this.#size);
  }

  /** The changes were committed. */
  commit(): void {
    this.#committed = this.mark;
    this.#committedLines = this.#lines;
  }

  /** Removes the lines since the last commit. */
  rollback(): void {
    const { size, sum } = this.#committed;
    this.#pending = [];
    this.#pendingSize = 0;
    this.#size = size;
    this.#sum = sum;
    this.#lines = this.#committedLines;
    attempt(this.#path, () => fs.ftruncateSync(this.#fd, size));
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  /** Removes an undo log of a run that has changed nothing. */
  remove(): void {
    attempt(this.#path, () => fs.rmSync(toPath(this.#path), { force: true }));
  }

  #flush(): void {
    if (this.#pendingSize === 0) return;
    const bytes = Buffer.concat(this.#pending, this.#pendingSize);
    this.#requireSize(this.#size - bytes.length);
    attempt(this.#path, () => writeAll(this.#fd, bytes, this.#size - bytes.length));
    this.#pending = [];
    this.#pendingSize = 0;
  }

  /** Whoever shortens or replaces the file would leave changes without their old values. */
  #requireSize(expected: number): void {
    const { size, nlink } = attempt(this.#path, () => fs.fstatSync(this.#fd));
    if (size === expected && nlink > 0) return;
    throw new OutputError(`${this.#path}: was changed by another program; nothing more is written`);
  }
}

/** Only the progress in the database tells how much of an undo log without an end was committed. */
export const cutShort = (path: string): InputError =>
  new InputError(
    `${path}: is incomplete: it was cut short, or its run was interrupted and the progress is no longer in this database; copy the whole file again`,
  );

export const otherUndoLog = (path: string): UsageError =>
  new UsageError(
    `${path}: is not the undo log of the interrupted run, or is damaged; use the undo log of that run`,
  );
