/** Whether a run begins, or resumes another one, and what it leaves for a later one. */
import { readdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };
import { checksum, toHex } from '../checksum.js';
import { InputError, ioError, UsageError } from '../error.js';
import { whenInterrupted } from '../interrupt.js';
import { STDIN } from '../open/source.js';
import { createToken, isJournal, nameJournal } from '../path/derived-name.js';
import { fromPath, toPath } from '../path/file-name.js';
import { identifyPlace } from '../path/place.js';
import { findReplaced, type Replaced, removeTemporary } from '../sink/output.js';
import { entries, findAllReplaced, Outputs, type PerOutput } from '../sink/outputs.js';
import { stopAt } from '../test-hook.js';
import { busy, type Checkpoint, type Head, type Identity, Journal } from './journal.js';

/** A run that leaves nothing to resume. */
export class Claimed {
  readonly outputs: Outputs;
  readonly #release: () => void;

  /** @param release - Lets other runs write the same output. */
  constructor(outputs: Outputs, release: () => void) {
    this.outputs = outputs;
    this.#release = release;
  }

  /** Gives the finished outputs their names. */
  commit(): void {
    this.outputs.commit();
    this.#release();
  }

  /** Removes all that the run has made; does nothing after {@link commit}. */
  discard(): void {
    this.outputs.discard();
    this.#release();
  }
}

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

/**
 * Opens the outputs of a run that cannot be resumed. If `output` is a file, one run of a host writes it at a
 * time, and what a killed one left is removed.
 *
 * @param expected - About how long the output will be, in bytes.
 * @throws {@link BusyError} if another run is writing the same output.
 */
export async function openClaimed(paths: PerOutput<string>, expected = 0): Promise<Claimed> {
  const found = entries(paths).map(([name, path]) => [name, findReplaced(path)] as const);
  const files: PerOutput<Replaced> = Object.fromEntries(found.filter(([, file]) => file));
  const tokens = createTokens(files);
  if (!files.output) return new Claimed(await Outputs.open(paths, tokens, expected), () => {});
  const { path, target } = files.output;
  const left = await readSettled(nameJournal(target, identifyPlace()), path);
  const journal = beginJournal(left, files, { options: {}, size: '', modified: '' }, tokens);
  let isOpen = true;
  const release = (): void => {
    if (!isOpen) return;
    isOpen = false;
    journal.remove();
    journal.close();
    settle();
  };
  const settle = whenInterrupted(release);
  try {
    const outputs = await Outputs.open(paths, tokens, expected);
    stopAt('opened');
    return new Claimed(outputs, release);
  } catch (error) {
    release();
    throw error;
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
  const left = await readSettled(nameJournal(target, identifyPlace()), path);
  if (left && resume && (left.checkpoint || left.done)) {
    return continueFrom(left, input, identity, files);
  }
  if (!left && resume) refuseOtherHost(files.output);
  const tokens = createTokens(files);
  const journal = beginJournal(left, files, identity, tokens);
  try {
    const outputs = await Outputs.create(files, tokens);
    stopAt('opened');
    return new Resumable(outputs, journal);
  } catch (error) {
    journal.remove();
    journal.close();
    throw error;
  }
}

const createTokens = (files: PerOutput<Replaced>): PerOutput<string> =>
  Object.fromEntries(entries(files).map(([name]) => [name, createToken()]));

/** Removes what an earlier run left, and begins a journal. */
function beginJournal(
  left: Journal | undefined,
  files: PerOutput<Replaced>,
  identity: Identity,
  tokens: PerOutput<string>,
): Journal {
  const { path, target } = files.output as Replaced;
  if (left) removeLeft(left, files);
  stopAt('free');
  return Journal.create(nameJournal(target, identifyPlace()), path, { ...identity, tokens });
}

/** Refuses to begin a run that is to be resumed if it was begun where this process cannot see it. */
function refuseOtherHost({ path, target }: Replaced): void {
  const folder = dirname(target);
  const names = readdirSync(toPath(folder), { encoding: 'buffer' });
  const other = names.map(fromPath).find((name) => isJournal(target, name));
  if (other === undefined) return;
  const host = Journal.findHost(join(folder, other));
  const where =
    host === undefined
      ? 'on another host or by another user'
      : host === hostname()
        ? `in another container or by another user on ${host}`
        : `on host ${host}`;
  throw new UsageError(
    `${path}: a run was started ${where}; resume it there, or leave out --resume to begin again`,
  );
}

async function continueFrom(
  left: Journal,
  input: string,
  identity: Identity,
  files: PerOutput<Replaced>,
): Promise<Resumable | typeof FINISHED> {
  const { checkpoint, done, path } = left;
  const output = files.output?.path as string;
  const head = left.head as Head;
  let outputs: Outputs | undefined;
  let isOwn = false;
  try {
    requireSame(path, input, head, identity);
    // All is read before anything is changed, and changed after no other process can do so.
    const kept = done ?? checkpoint?.outputs ?? {};
    outputs = await Outputs.resume(files, head.tokens, kept, done !== undefined);
    left.resume(output);
    isOwn = true;
    if (!done) {
      outputs.truncate();
      return new Resumable(outputs, left);
    }
    outputs.commit();
    left.remove();
  } catch (error) {
    outputs?.close();
    // Another process may have removed what was to be resumed.
    const isTaken = !isOwn && left.isTaken;
    left.close();
    throw isTaken ? busy(output) : error;
  }
  left.close();
  return FINISHED;
}

/** Removes what a run left that is not resumed. */
function removeLeft(left: Journal, files: PerOutput<Replaced>): void {
  try {
    left.resume(files.output?.path as string);
    for (const [name, token] of entries(left.head?.tokens ?? {})) {
      const target = files[name]?.target;
      if (target) removeTemporary(target, token);
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
    if (left.owner ? !left.isActive : left.head !== undefined || step === STEPS) {
      stopAt('dead');
      return left;
    }
    left.close();
    const pid = left.owner?.pid;
    if (step === STEPS || pid === process.pid) throw busy(output, pid);
    await setTimeout(STEP);
  }
}
