/**
 * How far a conversion has come, in a file next to the output, so that an interrupted run can be
 * resumed. Each line ends with a checksum of itself and all lines before it, and is written after all
 * that it describes is safe on the disk. The file names none: see `path/derived-name.ts`.
 */
import * as fs from 'node:fs';
import { checksum, toHex } from '../checksum.js';
import { BusyError, ioError, OutputError, UsageError } from '../error.js';
import type { ReaderState } from '../format/format.js';
import { createToken, TOKEN } from '../path/derived-name.js';
import { toPath } from '../path/file-name.js';
import { describePlace, readPids } from '../path/place.js';
import { writeAll } from '../path/write-all.js';
import type { DigestState } from '../sink/digest.js';
import { type Kept, refuseNew, SAFE } from '../sink/output.js';
import { entries, type PerOutput } from '../sink/outputs.js';
import { stopAt } from '../test-hook.js';
import { applyDelta, type Delta, findDelta } from './delta.js';
import { describeOwner, isAlive, type Owner } from './owner.js';

const VERSION = 2;

/** How much of a journal is read to find its owner, in bytes. */
const HEAD = 1 << 16;

/** As the system says it. */
const GONE: { readonly code: string } = { code: 'ENOENT' };

/** What makes two runs the same. */
export interface Identity {
  /** Checksums of the options that the result depends on, by their names on the command line. */
  readonly options: Readonly<Record<string, string>>;
  /** Size of the input in bytes, and time of its last change in nanoseconds since 1970. */
  readonly size: string;
  readonly modified: string;
}

/** The first line of a journal, with the token of each temporary file. */
export interface Head extends Identity {
  readonly journal: typeof VERSION;
  readonly tokens: PerOutput<string>;
}

/** How far a run has come. */
export interface Checkpoint {
  /** In the input, in bytes. */
  readonly offset: number;
  /** State of a reader there. */
  readonly state: ReaderState;
  readonly counts: object;
  /** Digests of the input before `offset`, and of the output. */
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

/** The journals that this process writes, and what identifies their files. */
const own = new Map<Journal, string>();

/** A journal: of this run, or what an earlier run left. */
export class Journal {
  readonly path: string;
  /** Undefined if the run was killed before it wrote anything. */
  head: Head | undefined;
  owner: Owner | undefined;
  checkpoint: Checkpoint | undefined;
  /** What all outputs were when they were complete, and some of them may have got their names. */
  done: PerOutput<Kept> | undefined;
  readonly #fd: number;
  /** In bytes, when it was read. */
  #size = 0;
  /** Of all lines that count. */
  #sum = 0;
  /** What precedes the next line: a line feed if the last line has none. */
  #gap = '';
  #count = 0;

  private constructor(path: string, flags = 0) {
    this.path = path;
    const mode = fs.constants.O_RDWR | fs.constants.O_APPEND | SAFE;
    this.#fd = fs.openSync(toPath(path), mode | flags, 0o600);
  }

  /**
   * Reads a journal; undefined if there is none. What a kill cut off in the last line is ignored.
   *
   * @throws {@link UsageError} if it is anything but an intact journal of this user on this host.
   */
  static read(path: string): Journal | undefined {
    let journal: Journal | undefined;
    try {
      requireOwn(path, fs.lstatSync(toPath(path)));
      stopAt('found');
      journal = new Journal(path);
      // The run that wrote it may end, and remove it, at any moment.
      if (journal.#isGone) throw GONE;
      requireOwn(path, fs.fstatSync(journal.#fd));
      journal.#parse(fs.readFileSync(journal.#fd));
      const { owner } = journal;
      // Names of places are hashes, and two may have the same.
      if (!owner || owner.place === describePlace()) return journal;
      throw refuse(path, `was written on another host, ${owner.host}`);
    } catch (error) {
      journal?.close();
      if ((error as NodeJS.ErrnoException).code === GONE.code) return undefined;
      throw ioError(path, error, OutputError);
    }
  }

  /**
   * Begins a journal.
   *
   * @param output - The output that it is for.
   * @throws {@link BusyError} if another process has just done so.
   */
  static create(path: string, output: string, head: Omit<Head, 'journal'>): Journal {
    let journal: Journal;
    try {
      journal = new Journal(path, fs.constants.O_CREAT | fs.constants.O_EXCL);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw busy(output);
      throw refuseNew(output, error);
    }
    own.set(journal, journal.#identity);
    try {
      stopAt('created');
      const lines = journal.#add({ journal: VERSION, ...head }, describeRun());
      // A process that found the file empty may have taken it for one that a killed run has left.
      journal.#requireFirst(lines, output);
      stopAt('begun');
      return journal;
    } catch (error) {
      if (!(error instanceof BusyError)) journal.remove();
      journal.close();
      throw error;
    }
  }

  /**
   * Finds the host of a journal that this host must not touch; undefined if it is unknown. Nothing else
   * that it says is used.
   */
  static findHost(path: string): string | undefined {
    let fd: number | undefined;
    try {
      fd = fs.openSync(toPath(path), fs.constants.O_RDONLY | SAFE);
      const bytes = Buffer.alloc(HEAD);
      const text = bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, HEAD, 0));
      const owners = text
        .split('\n')
        .flatMap((line) => parseLoosely(line.slice(0, -9)).owner ?? []);
      const host = owners.at(-1)?.host;
      return typeof host === 'string' ? host.slice(0, 255) : undefined;
    } catch {
      return undefined;
    } finally {
      if (fd !== undefined) fs.closeSync(fd);
    }
  }

  /**
   * Continues the journal of another run.
   *
   * @param output - The output that it is for.
   * @throws {@link BusyError} if a process was faster.
   */
  resume(output: string): void {
    own.set(this, this.#identity);
    this.#requireFirst(this.#add(describeRun()), output);
    if (this.#isGone) throw busy(output);
    stopAt('taken');
  }

  /** Lines are added at the end, so that of two processes the one whose lines are first has won. */
  #requireFirst(lines: Buffer, output: string): void {
    const first = Buffer.alloc(lines.length);
    fs.readSync(this.#fd, first, 0, first.length, this.#size);
    if (!first.equals(lines)) throw busy(output);
  }

  /** Checks whether the run that wrote the journal is still going on. */
  get isActive(): boolean {
    if (!this.owner || this.owner.pids !== readPids() || !isAlive(this.owner)) return false;
    return this.owner.pid !== process.pid || [...own.values()].includes(this.#identity);
  }

  /** Adds how far everything has come. All of it must be on the disk. */
  add(checkpoint: Checkpoint): void {
    const delta = findDelta(this.checkpoint ?? {}, checkpoint) ?? {};
    this.#add({ checkpoint: delta });
    // In memory of its own, since the caller may change what it passed.
    this.#apply(JSON.parse(JSON.stringify(delta)));
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
      if (this.#hasName()) fs.rmSync(toPath(this.path), { force: true });
    } catch (error) {
      throw ioError(this.path, error, OutputError);
    }
  }

  close(): void {
    own.delete(this);
    fs.closeSync(this.#fd);
  }

  /** Checks whether another process has continued or removed the journal since it was read. */
  get isTaken(): boolean {
    return this.#isGone || fs.fstatSync(this.#fd).size !== this.#size;
  }

  /** Whether the file has been removed. Not all file systems count the names of a file. */
  get #isGone(): boolean {
    return fs.fstatSync(this.#fd).nlink === 0 && !this.#hasName();
  }

  #hasName(): boolean {
    const options = { bigint: true, throwIfNoEntry: false } as const;
    const stats = fs.lstatSync(toPath(this.path), options);
    return stats !== undefined && identify(stats) === this.#identity;
  }

  get #identity(): string {
    return identify(fs.fstatSync(this.#fd, { bigint: true }));
  }

  #apply(delta: Delta): void {
    this.checkpoint = applyDelta(this.checkpoint ?? {}, delta) as Checkpoint;
  }

  #parse(bytes: Buffer): void {
    this.#size = bytes.length;
    const lines = bytes.toString().split('\n');
    const rest = lines.pop();
    let isBroken = false;
    /** Checksums on which other processes have built that were slower. */
    const others = new Set<number>();
    for (const each of lines) {
      const line = parseLine(each, this.#sum);
      if (!line && [...others].some((sum) => parseLine(each, sum))) {
        others.add(readSum(each));
        isBroken = false;
        continue;
      }
      // Without a first line, one process at most has tried to remove the file.
      if (!this.head && !this.owner && !(line && ('journal' in line || 'owner' in line))) {
        throw refuseFirst(this.path, each);
      }
      // A line that a kill cut off is followed by one that skips it.
      isBroken = !line;
      if (!line) continue;
      if ('journal' in line || 'owner' in line) others.add(this.#sum);
      this.#sum = readSum(each);
      if ('journal' in line) this.head = line;
      else if ('owner' in line) this.owner = line.owner;
      else if ('done' in line) this.done = line.done;
      else this.#apply(line.checkpoint);
    }
    if (isBroken) throw refuse(this.path, 'is damaged');
    if (!rest) return;
    if (!this.head && !this.owner) throw refuseFirst(this.path, rest);
    this.#gap = '\n';
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

/** The line of this run. The token tells it from others of the same process. */
const describeRun = (): Line => ({ owner: describeOwner(), run: createToken() });

const identify = ({ dev, ino }: fs.BigIntStats): string => `${dev} ${ino}`;

/** The error for an output that another process is writing. */
export const busy = (path: string, pid?: number): BusyError =>
  new BusyError(
    `${path}: ${pid === undefined ? 'another process' : `process ${pid}`} is writing this file; try again when it has ended`,
  );

const refuse = (path: string, why: string): UsageError =>
  new UsageError(`${path}: ${why}; to begin again, remove this file`);

function refuseFirst(path: string, line: string): UsageError {
  const [, version] = /^\{"journal":(\d+),/.exec(line) ?? [];
  if (!version) return refuse(path, 'is not a journal of utf8');
  const isOurs = version === String(VERSION);
  return refuse(path, isOurs ? 'is damaged' : 'was written by another version of utf8');
}

function requireOwn(path: string, stats: fs.Stats): void {
  if (!stats.isFile()) throw refuse(path, 'is not a regular file');
  if (stats.nlink > 1) throw refuse(path, 'has more than one hard link');
  if (!process.geteuid) return;
  if (stats.uid !== process.geteuid()) throw refuse(path, 'belongs to another user');
  if ((stats.mode & 0o022) !== 0) throw refuse(path, 'can be written by other users');
}

const readSum = (text: string): number => Number.parseInt(text.slice(-8), 16);

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

function parseLoosely(json: string): { readonly owner?: { readonly host?: unknown } } {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

/** A checksum is no proof: only tokens of the right form become parts of file names. */
function isLine(line: Line): boolean {
  if (typeof line !== 'object' || line === null) return false;
  if (!('journal' in line)) return 'owner' in line || 'checkpoint' in line || 'done' in line;
  const { journal, tokens } = line;
  return journal === VERSION && entries(tokens).every(([, token]) => TOKEN.test(token));
}
