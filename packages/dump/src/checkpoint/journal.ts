/**
 * How far a conversion has come, in a file next to the output, so that an interrupted run can be
 * resumed. Each line ends with a checksum of itself and all lines before it, and is written after all
 * that it describes is safe on the disk. The file names none: see `path/derived-name.ts`.
 */
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { checksum, toHex } from '../checksum.js';
import { BusyError, ioError, OutputError, UsageError } from '../error.js';
import type { ReaderState } from '../format/format.js';
import { createToken, TOKEN } from '../path/derived-name.js';
import { toPath } from '../path/file-name.js';
import type { DigestState } from '../sink/digest.js';
import { type Kept, SAFE, writeAll } from '../sink/output.js';
import { entries, type PerOutput } from '../sink/outputs.js';
import { applyDelta, type Delta, findDelta } from './delta.js';
import { describeOwner, isAlive, type Owner } from './owner.js';
import { stopAt } from './test-hook.js';

const VERSION = 2;

/** What makes two runs the same. */
export interface Identity {
  /** Checksums of the options that the result depends on, by their names on the command line. */
  readonly options: Readonly<Record<string, string>>;
  /** Of the input: size in bytes, and time of the last change in nanoseconds since 1970. */
  readonly size: string;
  readonly modified: string;
}

/** The first line of a journal. */
export interface Head extends Identity {
  readonly journal: typeof VERSION;
  /** What identifies each temporary file. */
  readonly tokens: PerOutput<string>;
}

/** How far a run has come. */
export interface Checkpoint {
  /** In the input, in bytes. */
  readonly offset: number;
  /** State of a reader there. */
  readonly state: ReaderState;
  readonly counts: object;
  /** Of what is before `offset`, and of the output. */
  readonly digests: { readonly original: DigestState; readonly output: DigestState } | undefined;
  /** What is written of each output. */
  readonly outputs: PerOutput<Kept>;
}

/** The other lines. Each process that writes to the journal begins with its owner. */
type Line =
  | Head
  | { readonly owner: Owner; readonly run: string }
  | { readonly checkpoint: Delta }
  | { readonly done: PerOutput<Kept> };

/** A journal that an earlier run left. */
export interface Journal {
  readonly path: string;
  /** Open for reading and writing. */
  readonly fd: number;
  /** Undefined if the run was killed before it wrote anything. */
  readonly head: Head | undefined;
  readonly owner: Owner | undefined;
  readonly checkpoint: Checkpoint | undefined;
  /** What all outputs were when they were complete, and some of them may have got their names. */
  readonly done: PerOutput<Kept> | undefined;
  /** In bytes. */
  readonly size: number;
  /** What precedes the next line: a line feed if the last line has none. */
  readonly gap: '' | '\n';
  /** Of all lines that count. */
  readonly sum: number;
}

/** The journals that this process writes, and what identifies their files. */
const own = new Map<JournalWriter, string>();

const identify = (fd: number): string => {
  const { dev, ino } = fs.fstatSync(fd, { bigint: true });
  return `${dev} ${ino}`;
};

/**
 * Reads a journal. What was cut off in the last line by a kill is ignored.
 *
 * @returns Undefined if there is none.
 * @throws {@link UsageError} if it is anything but an intact journal of this user on this host.
 */
export function readJournal(path: string): Journal | undefined {
  const stats = fs.lstatSync(toPath(path), { throwIfNoEntry: false });
  if (!stats) return undefined;
  requireOwn(path, stats);
  const fd = open(path, fs.constants.O_RDWR);
  try {
    requireOwn(path, fs.fstatSync(fd));
    const journal = parseJournal(path, fd);
    if (!journal.owner || journal.owner.host === hostname()) return journal;
    throw refuse(path, `was written on another host, ${journal.owner.host}`);
  } catch (error) {
    fs.closeSync(fd);
    throw ioError(path, error, OutputError);
  }
}

const refuse = (path: string, why: string): UsageError =>
  new UsageError(`${path}: ${why}; to begin again, remove this file`);

function requireOwn(path: string, stats: fs.Stats): void {
  if (!stats.isFile()) throw refuse(path, 'is not a regular file');
  if (stats.nlink !== 1) throw refuse(path, 'has more than one name');
  if (!process.geteuid) return;
  if (stats.uid !== process.geteuid()) throw refuse(path, 'belongs to another user');
  if ((stats.mode & 0o022) !== 0) throw refuse(path, 'can be written by other users');
}

function parseJournal(path: string, fd: number): Journal {
  const bytes = fs.readFileSync(fd);
  const { length: size } = bytes;
  let head: Head | undefined;
  let owner: Owner | undefined;
  let checkpoint: unknown;
  let done: PerOutput<Kept> | undefined;
  let sum = 0;
  let isBroken = false;
  for (let start = 0, end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
    const text = bytes.toString('utf8', start, end);
    const line = parseLine(text, sum);
    if (!head && !(line && 'journal' in line)) throw refuseFirst(path, text);
    start = end + 1;
    // A line that a kill cut off, or that a second process added, is followed by one that skips it.
    isBroken = !line;
    if (!line) continue;
    sum = Number.parseInt(text.slice(-8), 16);
    if ('journal' in line) head = line;
    else if ('owner' in line) ({ owner } = line);
    else if ('checkpoint' in line) checkpoint = applyDelta(checkpoint ?? {}, line.checkpoint);
    else ({ done } = line);
  }
  if (isBroken) throw refuse(path, 'is damaged');
  if (!head && size > 0) throw refuseFirst(path, bytes.toString());
  const gap = size > 0 && bytes[size - 1] !== LF ? '\n' : '';
  return { path, fd, head, owner, checkpoint: checkpoint as Checkpoint, done, size, gap, sum };
}

const LF = 0x0a;

function parseLine(text: string, before: number): Line | undefined {
  const json = text.slice(0, -9);
  if (text.slice(-9) !== ` ${toHex(checksum(json, before))}`) return undefined;
  try {
    const line: Line = JSON.parse(json);
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** A checksum is no proof: only tokens of the right form become parts of file names. */
function isLine(line: Line): boolean {
  if (typeof line !== 'object' || line === null) return false;
  if (!('journal' in line)) return 'owner' in line || 'checkpoint' in line || 'done' in line;
  const { journal, tokens } = line;
  return journal === VERSION && entries(tokens).every(([, token]) => TOKEN.test(token));
}

function refuseFirst(path: string, line: string): UsageError {
  const [, version] = /^\{"journal":(\d+),/.exec(line) ?? [];
  if (version === String(VERSION)) return refuse(path, 'is damaged');
  return refuse(
    path,
    version ? 'was written by another version of utf8' : 'is not a journal of utf8',
  );
}

/** Checks whether the run that wrote a journal is still going on. */
export function isActive({ owner, fd }: Journal): boolean {
  if (!owner || !isAlive(owner)) return false;
  return owner.pid !== process.pid || [...own.values()].includes(identify(fd));
}

/** The line of this run. The token tells it from others of the same process. */
const describeRun = (): Line => ({ owner: describeOwner(), run: createToken() });

/** Writes a journal. */
export class JournalWriter {
  readonly path: string;
  readonly #fd: number;
  /** Of all lines so far, and what precedes the next one. */
  #sum: number;
  #gap: string;
  /** The last checkpoint, in memory of its own. */
  #checkpoint: unknown;
  #count = 0;

  private constructor(
    path: string,
    fd: number,
    { sum, gap, checkpoint }: Pick<Journal, 'sum' | 'gap' | 'checkpoint'>,
  ) {
    this.path = path;
    this.#fd = fd;
    this.#sum = sum;
    this.#gap = gap;
    this.#checkpoint = checkpoint ?? {};
    own.set(this, identify(fd));
  }

  /**
   * Begins a journal, before any of the files is made.
   *
   * @throws {@link BusyError} if another process has just done so.
   */
  static create(path: string, head: Omit<Head, 'journal'>): JournalWriter {
    const fd = open(path, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL);
    const writer = new JournalWriter(path, fd, { sum: 0, gap: '', checkpoint: undefined });
    try {
      writer.#add({ journal: VERSION, ...head }, describeRun());
      return writer;
    } catch (error) {
      writer.remove();
      writer.close();
      throw error;
    }
  }

  /**
   * Continues the journal of a run that has ended.
   *
   * @throws {@link BusyError} if another process has just done so.
   */
  static resume(left: Journal): JournalWriter {
    const { path, fd, size } = left;
    const writer = new JournalWriter(path, fd, left);
    try {
      const line = writer.#add(describeRun());
      // Lines are added at the end, so that of two processes the one whose line is first has won.
      const first = Buffer.alloc(line.length);
      fs.readSync(fd, first, 0, first.length, size);
      if (first.equals(line)) return writer;
      throw busy(path);
    } catch (error) {
      writer.close();
      throw error;
    }
  }

  /** Adds how far everything has come. All of it must be on the disk. */
  add(checkpoint: Checkpoint): void {
    const delta = findDelta(this.#checkpoint, checkpoint) ?? {};
    this.#add({ checkpoint: delta });
    this.#checkpoint = applyDelta(this.#checkpoint, JSON.parse(JSON.stringify(delta)));
    stopAt(`checkpoint:${++this.#count}`);
  }

  /** Adds that all outputs are on the disk, and may be given their names. */
  finish(kept: PerOutput<Kept>): void {
    this.#add({ done: kept });
    fs.fsyncSync(this.#fd);
    stopAt('finished');
  }

  /** Removes the journal, unless its name belongs to another one by now. */
  remove(): void {
    try {
      const { dev, ino } = fs.lstatSync(toPath(this.path), { bigint: true });
      if (`${dev} ${ino}` === identify(this.#fd)) fs.rmSync(toPath(this.path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        throw ioError(this.path, error, OutputError);
    }
  }

  close(): void {
    own.delete(this);
    fs.closeSync(this.#fd);
  }

  /** Adds lines in one piece, so that those of two processes do not mix. */
  #add(...lines: Line[]): Buffer {
    let text = this.#gap;
    for (const line of lines) {
      const json = JSON.stringify(line);
      this.#sum = checksum(json, this.#sum);
      text += `${json} ${toHex(this.#sum)}\n`;
    }
    this.#gap = '';
    const bytes = Buffer.from(text);
    writeAll(this.path, this.#fd, bytes);
    return bytes;
  }
}

/** The error for an output that another process is writing. */
export const busy = (path: string, pid?: number): BusyError =>
  new BusyError(
    `${path}: ${pid === undefined ? 'another process' : `process ${pid}`} is writing this file; try again when it has ended`,
  );

function open(path: string, flags: number): number {
  try {
    return fs.openSync(toPath(path), flags | fs.constants.O_APPEND | SAFE, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw busy(path);
    throw ioError(path, error, OutputError);
  }
}
