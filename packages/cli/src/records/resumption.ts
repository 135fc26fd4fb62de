/** Whether a run begins, or goes on where another one was killed, and what is left for a later one. */
import { statSync } from 'node:fs';
import manifest from '../../package.json' with { type: 'json' };
import { UsageFailure } from '../failure.js';
import { STDIN } from '../source.js';
import {
  type Checkpoint,
  type Identity,
  isAlive,
  type Journal,
  JournalWriter,
  nameJournal,
  readJournal,
  removeLeft,
} from './journal.js';
import { isFile, type RecordOptions } from './options.js';
import { Parts, type Paths, type Places, planParts, requireLeft } from './parts.js';

/** A run as far as others can go on with it. */
export interface Resumable {
  readonly parts: Parts;
  readonly journal: JournalWriter;
  readonly places: Places;
  /** Where to begin; undefined at the beginning. */
  readonly checkpoint: Checkpoint | undefined;
}

/** That nothing is left to do but what {@link finishLeft} has done. */
export const FINISHED = 'finished';

/**
 * Opens the parts of a run so that a later one can go on with them.
 *
 * @returns Undefined where one of the files is none that could be gone on with.
 * @throws {@link UsageFailure} where `--resume` asks for what cannot be.
 */
export function openResumable(
  file: string,
  paths: Paths,
  options: RecordOptions,
): Resumable | typeof FINISHED | undefined {
  const planned = file !== STDIN && isFile(file) ? planParts(paths) : undefined;
  if (!planned?.output) {
    if (options.resume) throw cannotResume(file, paths);
    return undefined;
  }
  const path = nameJournal(planned.output.target);
  const left = readSettled(path, paths);
  const identity = identify(file, options);
  if (left && options.resume && left.isDone) {
    requireSameOptions(left, identity);
    finishLeft(left, paths);
    return FINISHED;
  }
  if (left && options.resume && left.checkpoint) {
    const { checkpoint, head } = left;
    requireSameOptions(left, identity);
    requireSameInput(left, identity);
    requireLeft(head.parts, checkpoint);
    const parts = Parts.resume(paths, head.parts, checkpoint);
    return { parts, journal: JournalWriter.resume(left), places: head.parts, checkpoint };
  }
  if (left) removeLeft(left);
  const journal = JournalWriter.create(path, { ...identity, parts: planned });
  try {
    const parts = Parts.resume(paths, planned, undefined);
    return { parts, journal, places: planned, checkpoint: undefined };
  } catch (error) {
    removeLeft({ path, head: { parts: planned } });
    throw error;
  }
}

/** Gives the files of a run their names, which was killed when it had nothing else left to do. */
function finishLeft(left: Journal, paths: Paths): void {
  const places = Object.fromEntries(
    Object.entries(left.head.parts).filter(
      ([, { temporary }]) => statSync(temporary, { throwIfNoEntry: false }) !== undefined,
    ),
  );
  const own = Object.fromEntries(Object.entries(paths).filter(([part]) => part in places));
  Parts.adopt(own, places).commit();
  removeLeft(left);
}

function cannotResume(file: string, paths: Paths): UsageFailure {
  const name = isFile(file) ? Object.values(paths).find((path) => !isFile(path)) : file;
  return new UsageFailure(
    `--resume needs files that can be gone on with, and ${name} is none; leave --resume out`,
  );
}

/** Everything that the result depends on. The number of threads is not among it. */
function identify(file: string, options: RecordOptions): Identity {
  const { size, mtimeMs } = statSync(file);
  const { format, from, to, errors, loneHalves, nul, range } = options;
  const { output, rejects, undo, stats } = options;
  const { delimiter, quote, header, columns } = format.options;
  return {
    options: {
      format: format.name,
      delimiter,
      quote,
      'no-header': header === false,
      columns,
      from: from.label,
      to: to.label,
      errors,
      'lone-halves': loneHalves,
      nul,
      range,
      output,
      rejects,
      undo,
      stats,
      version: manifest.version,
    },
    input: { name: file, size, modified: mtimeMs },
  };
}

function requireSameOptions({ head, path }: Journal, { options, input }: Identity): void {
  const mine: Readonly<Record<string, unknown>> = { ...options, input: input.name };
  const theirs: Readonly<Record<string, unknown>> = { ...head.options, input: head.input.name };
  const other = Object.keys(mine).find(
    (key) => JSON.stringify(mine[key]) !== JSON.stringify(theirs[key]),
  );
  if (other === undefined) return;
  const what = other === 'input' || other === 'version' ? other : `--${other}`;
  throw new UsageFailure(
    `${path}: the run before had another ${what}; give the same, or leave --resume out to begin again`,
  );
}

function requireSameInput({ head }: Journal, { input }: Identity): void {
  if (head.input.size === input.size && head.input.modified === input.modified) return;
  throw new UsageFailure(
    `${input.name}: has changed since the run before; leave --resume out to begin again`,
  );
}

/** How long a process that was killed may take to be gone, in steps of so many milliseconds. */
const STEPS = 20;
const STEP = 50;

/** The journal that another run has left. */
function readSettled(path: string, { output }: Paths): Journal | undefined {
  for (let step = 0; ; step++) {
    const left = readJournal(path);
    if (!left || !isAlive(left)) return left;
    if (step === STEPS) {
      throw new UsageFailure(
        `${output}: process ${left.run?.pid} is at work on it; wait for it, or remove ${path} if that is another program`,
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP);
  }
}
