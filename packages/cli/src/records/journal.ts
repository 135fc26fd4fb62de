/**
 * What has been done of a conversion, in a file beside the output, so that a run which was killed need
 * not begin again. A line is written when all that it speaks of is safe on the disk.
 */
import { closeSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { hostname } from 'node:os';
import { ioFailure, OutputFailure } from '../failure.js';
import type { ReaderState } from '../formats/format.js';
import { writeAll } from '../output.js';
import type { Counts } from './counts.js';
import type { DigestState } from './digest.js';

/** The files that a run makes. */
export type Part = 'output' | 'rejects' | 'undo' | 'stats';

/** What makes two runs the same one. */
export interface Identity {
  /** The options that the result depends on, by their names on the command line. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The input. In bytes, and in milliseconds since 1970. */
  readonly input: { readonly name: string; readonly size: number; readonly modified: number };
}

/** Where a part is made. */
export interface Place {
  readonly target: string;
  readonly temporary: string;
}

/** The first line of a journal. */
interface Head extends Identity {
  readonly journal: 1;
  readonly parts: Partial<Record<Part, Place>>;
}

/** Who writes; each run adds a line. */
interface Run {
  readonly pid: number;
  readonly host: string;
}

/** How far everything has come. */
export interface Checkpoint {
  /** In the input, in bytes. */
  readonly offset: number;
  /** That of a reader there. */
  readonly state: ReaderState;
  /** In bytes. */
  readonly sizes: Partial<Record<Part, number>>;
  readonly counts: Counts;
  readonly digests: { readonly original: DigestState; readonly output: DigestState } | undefined;
}

/** A journal as a run before has left it. */
export interface Journal {
  readonly path: string;
  readonly head: Head;
  readonly run: Run | undefined;
  readonly checkpoint: Checkpoint | undefined;
  /** Whether all parts were finished, and some of them may have their names. */
  readonly isDone: boolean;
  /** Of its whole lines, in bytes. */
  readonly size: number;
}

/** Where the journal of an output is. Its name is not shortened, since no two outputs may share one. */
export const nameJournal = (target: string): string => `${target}.utf8-journal`;

/**
 * Reads a journal. A line that was not written to its end does not count.
 *
 * @returns Undefined where there is none.
 */
export function readJournal(path: string): Journal | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw ioFailure(path, error, OutputFailure);
  }
  let head: Head | undefined;
  let run: Run | undefined;
  let checkpoint: Checkpoint | undefined;
  let isDone = false;
  let size = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', size)) {
    const line = parse(text.slice(size, end));
    if (!line) break;
    if ('journal' in line) head = line;
    else if ('pid' in line) run = line;
    else if ('offset' in line) checkpoint = line;
    else isDone = true;
    size = end + 1;
  }
  if (!head) return { path, head: EMPTY, run, checkpoint: undefined, isDone: false, size: 0 };
  return { path, head, run, checkpoint, isDone, size: Buffer.byteLength(text.slice(0, size)) };
}

/** What a run was killed in writing before anything else. */
const EMPTY: Head = {
  journal: 1,
  options: {},
  input: { name: '', size: 0, modified: 0 },
  parts: {},
};

type Line = Head | Run | Checkpoint | { readonly done: true };

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the run that a journal is of goes on, as far as can be seen from here. */
export function isAlive({ run }: Journal): boolean {
  if (!run || run.host !== hostname() || run.pid === process.pid) return false;
  try {
    process.kill(run.pid, 0);
    return !isDefunct(run.pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has ended and only waits for who started it, which takes no time or for ever. */
function isDefunct(pid: number): boolean {
  try {
    // The state stands behind the name, which may have anything in it.
    const [, state] = /^.*\) (.)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state === 'Z' || state === 'X';
  } catch {
    return false;
  }
}

/** What a run has left: a journal, and what that knows. */
export interface Left {
  readonly path: string;
  readonly head: { readonly parts: Partial<Record<Part, Place>> };
}

/** Removes what a run has left: its files, and the journal last, since it knows their names. */
export function removeLeft({ path, head }: Left): void {
  for (const { temporary } of Object.values(head.parts)) rmSync(temporary, { force: true });
  rmSync(path, { force: true });
}

/** Writes a journal. */
export class JournalWriter {
  readonly path: string;
  readonly #fd: number;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
    this.#add({ pid: process.pid, host: hostname() });
  }

  /** Begins a journal, before any of the files that it names is made. */
  static create(path: string, head: Omit<Head, 'journal'>): JournalWriter {
    const fd = open(path, 'wx');
    writeAll(path, fd, Buffer.from(`${JSON.stringify({ journal: 1, ...head })}\n`));
    return new JournalWriter(path, fd);
  }

  /** Goes on with the journal of another run. */
  static resume({ path, size }: Journal): JournalWriter {
    truncateSync(path, size);
    return new JournalWriter(path, open(path, 'a'));
  }

  /** Adds how far everything has come, when all of it is on the disk. */
  add(checkpoint: Checkpoint): void {
    this.#add(checkpoint);
  }

  /** Says that all parts are on the disk, and may be given their names. */
  finish(): void {
    this.#add({ done: true });
  }

  close(): void {
    closeSync(this.#fd);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  #add(line: Line): void {
    writeAll(this.path, this.#fd, Buffer.from(`${JSON.stringify(line)}\n`));
  }
}

function open(path: string, flags: string): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new OutputFailure(
        `${path}: another run has just begun to write the same file; wait until it has ended`,
      );
    }
    throw ioFailure(path, error, OutputFailure);
  }
}
