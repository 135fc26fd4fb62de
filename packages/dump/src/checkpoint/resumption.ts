/** Start of a new or resumed run: the lock of its output, and the checkpoint that a later run needs to resume it. */
import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import {
  checksum,
  createToken,
  describeNew,
  LockedError,
  lock,
  type Replaced,
  removeTemporary,
  stopAt,
  toHex,
  toPath,
  whenInterrupted,
} from '@utf8/files';
import manifest from '../../package.json' with { type: 'json' };
import { InputError, ioError, OutputError, UsageError } from '../error.js';
import { STDIN } from '../open/source.js';
import { opt, phrase } from '../phrase.js';
import { findReplaced } from '../sink/output.js';
import { entries, findAllReplaced, Outputs, type PerOutput } from '../sink/outputs.js';
import { createCompressor } from '../sink/packer.js';
import { Checkpoint, type Identity, type Progress } from './checkpoint.js';

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
  /** Place at which to resume; undefined for a new run. */
  readonly progress: Progress | undefined;
  readonly #checkpoint: Checkpoint;
  readonly #unlock: () => void;

  constructor(outputs: Outputs, checkpoint: Checkpoint, unlock: () => void) {
    this.outputs = outputs;
    this.progress = checkpoint.progress;
    this.#checkpoint = checkpoint;
    this.#unlock = unlock;
  }

  /**
   * Saves a checkpoint as soon as everything written so far would survive a crash.
   *
   * @returns Its size in bytes.
   */
  async save(progress: Omit<Progress, 'outputs'>): Promise<number> {
    const { kept } = this.outputs;
    await this.outputs.sync();
    return this.#checkpoint.save({ ...progress, outputs: kept });
  }

  readonly readOutput = (start: number, end: number): Uint8Array =>
    this.outputs.read('output', start, end);

  /**
   * Gives the finished outputs their names.
   *
   * @param counts - The counts of the run, for a later one that has only files left to rename.
   */
  commit(counts: object): void {
    this.#checkpoint.finish({ outputs: this.outputs.kept, counts });
    this.outputs.commit();
    this.#checkpoint.remove();
  }

  /** Removes all that the run has made, so that it cannot be resumed. */
  discard(): void {
    this.outputs.discard();
    this.#checkpoint.remove();
  }

  /** Closes all files, and lets other runs write the same output. The last call. */
  close(): void {
    this.outputs.close();
    this.#unlock();
  }
}

/**
 * Opens the outputs of a run that cannot be resumed. If `output` is a file, one run writes it at a time,
 * and files of a killed run are removed.
 *
 * @throws {@link BusyError} if another run is writing the same output.
 * @throws {@link UsageError} if a name asks for a compression that this Node lacks.
 */
export async function openClaimed(paths: PerOutput<string>): Promise<Claimed> {
  // Refuses what cannot be written, before anything is.
  for (const [, path] of entries(paths)) createCompressor(path)?.destroy();
  const found = entries(paths).map(([name, path]) => [name, findReplaced(path)] as const);
  const files: PerOutput<Replaced> = Object.fromEntries(found.filter(([, file]) => file));
  const tokens = createTokens(files);
  if (!files.output) return new Claimed(await Outputs.open(paths, tokens), () => {});
  const unlock = await lockOutput(files.output);
  let checkpoint: Checkpoint | undefined;
  const release = (): void => {
    settle();
    try {
      checkpoint?.remove();
      checkpoint = undefined;
    } finally {
      unlock();
    }
  };
  const settle = whenInterrupted(release);
  try {
    checkpoint = begin(files, { options: {}, size: '', modified: '' }, tokens);
    const outputs = await Outputs.open(paths, tokens);
    stopAt('opened');
    return new Claimed(outputs, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** An earlier run that was complete; its outputs have their names now. */
export interface Finished {
  /** Counts of that run. */
  readonly finished: object;
}

/**
 * Opens the outputs of a run so that a later one can resume it.
 *
 * @param input - Its path, or `-` for stdin.
 * @param options - Options that the result depends on, by their names, such as `from`.
 * @param resume - True to resume an interrupted run.
 * @returns Undefined if one of the files is not a regular file.
 * @throws {@link UsageError} if the run cannot be resumed, or a checkpoint is not one of utf8 and this user.
 * @throws {@link BusyError} if another run is writing the same output.
 */
export async function openResumable(
  input: string,
  paths: PerOutput<string>,
  options: Readonly<Record<string, unknown>>,
  resume: boolean,
): Promise<Resumable | Finished | undefined> {
  const files = isRegular(input) ? findAllReplaced(paths) : undefined;
  if (!files?.output) {
    if (!resume) return undefined;
    const name = [input, ...Object.values(paths)].find((path) => !isRegular(path));
    throw new UsageError(phrase`${opt('resume')} requires regular files; ${name} is not one`);
  }
  const unlock = await lockOutput(files.output);
  let isKept = false;
  try {
    const identity = identify(input, { ...options, ...paths });
    const left = resume ? Checkpoint.read(files.output.target) : undefined;
    if (left?.progress || left?.completed) {
      const outputs = await reopen(left, input, identity, files);
      isKept = outputs instanceof Outputs;
      return outputs instanceof Outputs ? new Resumable(outputs, left, unlock) : outputs;
    }
    const tokens = createTokens(files);
    const checkpoint = begin(files, identity, tokens);
    try {
      const outputs = await Outputs.create(files, tokens);
      stopAt('opened');
      isKept = true;
      return new Resumable(outputs, checkpoint, unlock);
    } catch (error) {
      checkpoint.remove();
      throw error;
    }
  } finally {
    if (!isKept) unlock();
  }
}

const createTokens = (files: PerOutput<Replaced>): PerOutput<string> =>
  Object.fromEntries(entries(files).map(([name]) => [name, createToken()]));

/** Removes files of an earlier run, and begins a checkpoint. */
function begin(
  files: PerOutput<Replaced>,
  identity: Identity,
  tokens: PerOutput<string>,
): Checkpoint {
  const { target } = files.output as Replaced;
  const left = Checkpoint.read(target);
  for (const [name, token] of entries(left?.tokens ?? {})) {
    if (files[name]) removeTemporary(files[name].target, token);
  }
  stopAt('free');
  return Checkpoint.create(target, { ...identity, tokens });
}

/** Opens the files of an interrupted run; if that run had finished its outputs, renames them. */
async function reopen(
  left: Checkpoint,
  input: string,
  identity: Identity,
  files: PerOutput<Replaced>,
): Promise<Outputs | Finished> {
  requireSame(left.path, input, left.identity, identity);
  const { progress, completed, tokens } = left;
  // All is read before anything is changed.
  const kept = (completed ?? progress)?.outputs ?? {};
  const outputs = await Outputs.resume(files, tokens, kept, completed !== undefined);
  try {
    if (!completed) {
      outputs.truncate();
      return outputs;
    }
    outputs.commit();
    left.remove();
    return { finished: completed.counts };
  } catch (error) {
    outputs.close();
    throw error;
  }
}

/** Tells whether a path is that of a regular file, or of no file. */
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
  const again = phrase`leave out ${opt('resume')} to begin again`;
  const keys = Object.keys({ ...before.options, ...after.options });
  const other = keys.find((key) => before.options[key] !== after.options[key]);
  if (other !== undefined) {
    const what = ['input', 'version'].includes(other) ? other : opt(other);
    throw new UsageError(
      phrase`${path}: the interrupted run had a different ${what}; use the same, or ${again}`,
    );
  }
  if (before.size === after.size && before.modified === after.modified) return;
  throw new UsageError(phrase`${input}: changed since the interrupted run; ${again}`);
}

/** Longest wait for the end of a killed process: a number of steps, each in milliseconds. */
const STEPS = 20;
const STEP = 50;

/** Locks an output, and returns a function that unlocks it. */
async function lockOutput({ path, target }: Replaced): Promise<() => void> {
  for (let step = 0; ; step++) {
    try {
      const unlock = lock(target);
      stopAt('locked');
      return unlock;
    } catch (error) {
      const pid = error instanceof LockedError ? error.pid : undefined;
      if (step === STEPS || pid === undefined || pid === process.pid) {
        throw ioError(path, describeNew(error), OutputError);
      }
    }
    await setTimeout(STEP);
  }
}
