/** Whether a run begins, or resumes another one, and what it leaves for a later one. */
import { closeSync, rmSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };
import { checksum, toHex } from '../checksum.js';
import { InputError, ioError, UsageError } from '../error.js';
import { STDIN } from '../open/source.js';
import { nameJournal, nameTemporary } from '../path/derived-name.js';
import { toPath } from '../path/file-name.js';
import {
  entries,
  type OutputName,
  type OutputPaths,
  type OutputPlan,
  Outputs,
  planOutputs,
  replaceValues,
} from '../sink/outputs.js';
import {
  busy,
  type Checkpoint,
  type Head,
  type Identity,
  isActive,
  type Journal,
  JournalWriter,
  readJournal,
} from './journal.js';
import { stopAt } from './test-hook.js';

/** A run that a later one can resume. */
export class Resumable {
  readonly outputs: Outputs;
  readonly journal: JournalWriter;
  /** Where to resume; undefined to begin. */
  readonly checkpoint: Checkpoint | undefined;

  constructor(outputs: Outputs, journal: JournalWriter, checkpoint?: Checkpoint) {
    this.outputs = outputs;
    this.journal = journal;
    this.checkpoint = checkpoint;
  }

  /** Waits until everything written so far would survive a crash, and returns a mark of it. */
  async sync(): Promise<Checkpoint['outputs']> {
    const { kept } = this.outputs;
    await this.outputs.sync();
    return kept;
  }

  /** Returns some of what is written of the converted text. */
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
  paths: OutputPaths,
  options: Readonly<Record<string, unknown>>,
  resume: boolean,
): Promise<Resumable | typeof FINISHED | undefined> {
  const plan = isRegular(input) ? planOutputs(paths) : undefined;
  if (!plan?.output) {
    if (!resume) return undefined;
    const name = [input, ...Object.values(paths)].find((path) => !isRegular(path));
    throw new UsageError(`--resume requires regular files; ${name} is not one`);
  }
  const { path, target } = plan.output.replaced;
  const identity = identify(input, { ...options, ...paths });
  const left = await readSettled(nameJournal(target), path);
  if (left?.head && resume && (left.checkpoint || left.done)) {
    return continueFrom(left, left.head, input, identity, plan);
  }
  if (left) removeLeft(left, plan);
  const tokens = replaceValues(plan, ({ token }) => token);
  const journal = JournalWriter.create(nameJournal(target), { ...identity, tokens });
  try {
    return new Resumable(await Outputs.create(plan, stopAtName), journal);
  } catch (error) {
    journal.remove();
    journal.close();
    throw error;
  }
}

async function continueFrom(
  left: Journal,
  { tokens, ...before }: Head,
  input: string,
  identity: Identity,
  planned: OutputPlan,
): Promise<Resumable | typeof FINISHED> {
  const { checkpoint, done, path, fd } = left;
  const plan = replaceValues(planned, ({ replaced, token }, name) => ({
    replaced,
    token: tokens[name] ?? token,
  }));
  let outputs: Outputs;
  try {
    requireSameOptions(path, before, identity);
    requireSameInput(input, before, identity);
    // All is read before anything is changed, and changed after no other process can do so.
    const kept = done ?? checkpoint?.outputs ?? {};
    outputs = await Outputs.resume(plan, kept, done !== undefined, stopAtName);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  let journal: JournalWriter | undefined;
  try {
    journal = JournalWriter.resume(left);
    if (!done) {
      outputs.truncate();
      return new Resumable(outputs, journal, checkpoint);
    }
    outputs.commit();
    journal.remove();
    journal.close();
    return FINISHED;
  } catch (error) {
    outputs.close();
    journal?.close();
    throw error;
  }
}

/** Removes what a run left that is not resumed. */
function removeLeft(left: Journal, plan: OutputPlan): void {
  const journal = JournalWriter.resume(left);
  for (const [name, token] of entries(left.head?.tokens ?? {})) {
    const target = plan[name]?.replaced.target;
    if (target) rmSync(toPath(nameTemporary(target, token)), { force: true });
  }
  journal.remove();
  journal.close();
}

const stopAtName = (name: OutputName): void => stopAt(`named:${name}`);

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

function requireSameOptions(path: string, before: Identity, identity: Identity): void {
  const keys = Object.keys({ ...before.options, ...identity.options });
  const other = keys.find((key) => before.options[key] !== identity.options[key]);
  if (other === undefined) return;
  const what = ['input', 'version'].includes(other) ? other : `--${other}`;
  throw new UsageError(
    `${path}: the interrupted run had a different ${what}; use the same, or leave out --resume to begin again`,
  );
}

function requireSameInput(input: string, before: Identity, { size, modified }: Identity): void {
  if (before.size === size && before.modified === modified) return;
  throw new UsageError(
    `${input}: changed since the interrupted run; leave out --resume to begin again`,
  );
}

/** How long a killed process may take to end, in steps of so many milliseconds. */
const STEPS = 20;
const STEP = 50;

/** Reads the journal of a run that has ended. */
async function readSettled(path: string, output: string): Promise<Journal | undefined> {
  for (let step = 0; ; step++) {
    const left = readJournal(path);
    if (!left) return undefined;
    // Another process may be about to write the first line.
    if (left.head ? !isActive(left) : step === STEPS) return left;
    closeSync(left.fd);
    const pid = left.owner?.pid;
    if (step === STEPS || pid === process.pid) throw busy(output, pid);
    await setTimeout(STEP);
  }
}
