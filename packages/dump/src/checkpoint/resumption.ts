/** Whether a run begins, or resumes another one, and what it leaves for a later one. */
import { rmSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };
import { checksum, toHex } from '../checksum.js';
import { InputError, ioError, UsageError } from '../error.js';
import { STDIN } from '../open/source.js';
import { createToken, nameJournal, nameTemporary } from '../path/derived-name.js';
import { toPath } from '../path/file-name.js';
import type { Replaced } from '../sink/output.js';
import { entries, findAllReplaced, Outputs, type PerOutput } from '../sink/outputs.js';
import { busy, type Checkpoint, type Head, type Identity, Journal } from './journal.js';

/** A run that a later one can resume. */
export class Resumable {
  readonly outputs: Outputs;
  readonly journal: Journal;
  /** Where to resume; undefined to begin. */
  readonly checkpoint: Checkpoint | undefined;

  constructor(outputs: Outputs, journal: Journal) {
    this.outputs = outputs;
    this.journal = journal;
    this.checkpoint = journal.checkpoint;
  }

  /** Waits until everything written so far would survive a crash, and returns a mark of it. */
  async sync(): Promise<Checkpoint['outputs']> {
    const { kept } = this.outputs;
    await this.outputs.sync();
    return kept;
  }

  readonly readOutput = (start: number, end: number): Uint8Array =>
    this.outputs.read('output', start, end);

  /** Gives the finished outputs their names. */
  commit(): void {
    this.journal.finish(this.outputs.kept);
    this.outputs.commit();
    this.journal.remove();
  }

  /** Removes all that the run has made, so that it cannot be resumed. */
  discard(): void {
    this.outputs.discard();
    this.journal.remove();
  }

  /** Closes all files. The last call. */
  close(): void {
    this.outputs.close();
    this.journal.close();
  }
}

/** Says that an earlier run was complete, and that its outputs have their names now. */
export const FINISHED = 'finished';

/**
 * Opens the outputs of a run so that a later one can resume it.
 *
 * @param input - Its path, or `-` for stdin.
 * @param options - What else the result depends on, by its name on the command line, such as `from`.
 * @param resume - Whether to resume what an interrupted run left.
 * @returns Undefined if one of the files is not a regular file.
 * @throws {@link UsageError} if the run cannot be resumed, or a journal is not one of utf8 and this user.
 * @throws {@link BusyError} if another run is writing the same output.
 */
export async function openResumable(
  input: string,
  paths: PerOutput<string>,
  options: Readonly<Record<string, unknown>>,
  resume: boolean,
): Promise<Resumable | typeof FINISHED | undefined> {
  const files = isRegular(input) ? findAllReplaced(paths) : undefined;
  if (!files?.output) {
    if (!resume) return undefined;
    const name = [input, ...Object.values(paths)].find((path) => !isRegular(path));
    throw new UsageError(`--resume requires regular files; ${name} is not one`);
  }
  const { path, target } = files.output;
  const identity = identify(input, { ...options, ...paths });
  const left = await readSettled(nameJournal(target), path);
  if (left && resume && (left.checkpoint || left.done)) {
    return continueFrom(left, input, identity, files);
  }
  if (left) removeLeft(left, files);
  const tokens = Object.fromEntries(entries(files).map(([name]) => [name, createToken()]));
  const journal = Journal.create(nameJournal(target), { ...identity, tokens });
  try {
    return new Resumable(await Outputs.create(files, tokens), journal);
  } catch (error) {
    journal.remove();
    journal.close();
    throw error;
  }
}

async function continueFrom(
  left: Journal,
  input: string,
  identity: Identity,
  files: PerOutput<Replaced>,
): Promise<Resumable | typeof FINISHED> {
  const { checkpoint, done, path } = left;
  const head = left.head as Head;
  let outputs: Outputs | undefined;
  try {
    requireSame(path, input, head, identity);
    // All is read before anything is changed, and changed after no other process can do so.
    const kept = done ?? checkpoint?.outputs ?? {};
    outputs = await Outputs.resume(files, head.tokens, kept, done !== undefined);
    left.resume();
    if (!done) {
      outputs.truncate();
      return new Resumable(outputs, left);
    }
    outputs.commit();
    left.remove();
  } catch (error) {
    outputs?.close();
    left.close();
    throw error;
  }
  left.close();
  return FINISHED;
}

/** Removes what a run left that is not resumed. */
function removeLeft(left: Journal, files: PerOutput<Replaced>): void {
  try {
    left.resume();
    for (const [name, token] of entries(left.head?.tokens ?? {})) {
      const target = files[name]?.target;
      if (target) rmSync(toPath(nameTemporary(target, token)), { force: true });
    }
    left.remove();
  } finally {
    left.close();
  }
}

/** Whether a path is that of a regular file, or of nothing. */
const isRegular = (path: string): boolean =>
  path !== STDIN && (statSync(toPath(path), { throwIfNoEntry: false })?.isFile() ?? true);

function identify(input: string, options: Readonly<Record<string, unknown>>): Identity {
  const all = Object.entries({ ...options, input, version: manifest.version });
  const sum = (value: unknown): string => toHex(checksum(JSON.stringify(value) ?? ''));
  try {
    const { size, mtimeNs } = statSync(toPath(input), { bigint: true });
    return {
      options: Object.fromEntries(all.map(([name, value]) => [name, sum(value)])),
      size: `${size}`,
      modified: `${mtimeNs}`,
    };
  } catch (error) {
    throw ioError(input, error, InputError);
  }
}

function requireSame(path: string, input: string, before: Identity, after: Identity): void {
  const again = 'leave out --resume to begin again';
  const keys = Object.keys({ ...before.options, ...after.options });
  const other = keys.find((key) => before.options[key] !== after.options[key]);
  if (other !== undefined) {
    const what = ['input', 'version'].includes(other) ? other : `--${other}`;
    throw new UsageError(
      `${path}: the interrupted run had a different ${what}; use the same, or ${again}`,
    );
  }
  if (before.size === after.size && before.modified === after.modified) return;
  throw new UsageError(`${input}: changed since the interrupted run; ${again}`);
}

/** How long a killed process may take to end, in steps of so many milliseconds. */
const STEPS = 20;
const STEP = 50;

/** Reads the journal of a run that has ended. */
async function readSettled(path: string, output: string): Promise<Journal | undefined> {
  for (let step = 0; ; step++) {
    const left = Journal.read(path);
    if (!left) return undefined;
    // Another process may be about to write the first line.
    if (left.head ? !left.isActive : step === STEPS) return left;
    left.close();
    const pid = left.owner?.pid;
    if (step === STEPS || pid === process.pid) throw busy(output, pid);
    await setTimeout(STEP);
  }
}
