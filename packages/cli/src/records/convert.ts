/** `utf8 convert --format …`: the records of a file, each by itself. */
import { writeSync } from 'node:fs';
import { formatCounters } from '../counters.js';
import { InputFailure, OutputFailure } from '../failure.js';
import { FormatFailure } from '../formats/index.js';
import { openInput } from '../inputs/open.js';
import { whenInterrupted } from '../interrupt.js';
import { STDOUT } from '../output.js';
import { Progress } from '../progress.js';
import { checkRepair } from '../repair/options.js';
import { say } from '../say.js';
import { refuseStdout, requireReadable } from '../source.js';
import { formatRefusal, type Refusal } from './finding.js';
import { type Left, removeLeft } from './journal.js';
import { checkOptions, type RecordOptions } from './options.js';
import { Parts, type Paths } from './parts.js';
import { FINISHED, openResumable, type Resumable } from './resumption.js';
import { Run } from './run.js';

export type { RecordOptions };

/**
 * Converts the records of a file.
 *
 * @returns The exit code: 0, or 1 where a record that is refused ended the run.
 * @throws {@link Failure} where input or output fails.
 */
export async function convertRecords(file: string, options: RecordOptions): Promise<number> {
  checkRepair(options);
  checkOptions(file, options);
  requireReadable([file]);
  if (options.output === STDOUT) refuseStdout([file]);
  const source = await openInput(file, { compressed: options.range === undefined });
  // From the moment at which something is made that a signal would leave behind.
  const leftover = new Leftover(options);
  try {
    const paths = listPaths(options);
    const resumable = openResumable(file, paths, options);
    if (resumable === FINISHED) {
      await say(`utf8: ${options.output} was finished already, and has its name now\n`);
      return 0;
    }
    const parts = resumable?.parts ?? (await Parts.open(paths));
    const progress = new Progress(isShown(options) ? source.size : undefined);
    const run = new Run(source, options, parts, progress);
    if (!resumable) return await convertOnce(run, file, options, parts, progress);
    leftover.is(run, resumable);
    return await convertForLater(run, file, options, resumable, leftover, progress);
  } catch (error) {
    throw error instanceof FormatFailure ? error.in(file) : error;
  } finally {
    leftover.settle();
    await source.close();
  }
}

/** What is left of a run that ends early: all that a later one can go on with, or nothing. */
class Leftover {
  readonly settle: () => void;
  readonly #options: RecordOptions;
  #left: Left | undefined;
  #run: Run | undefined;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.settle = whenInterrupted(() => {
      if (this.#run?.isSaved) writeSync(2, this.describe());
      else this.remove();
    });
  }

  is(run: Run, { journal, places }: Resumable): void {
    this.#run = run;
    this.#left = { path: journal.path, head: { parts: places } };
  }

  remove(): void {
    if (this.#left) removeLeft(this.#left);
  }

  describe(): string {
    const { output } = this.#options;
    return `utf8: what was done of ${output} is kept; the same command goes on with --resume, and begins again without\n`;
  }
}

/** A terminal has no room for both the data and a bar. */
const isShown = ({ output }: RecordOptions): boolean => output !== STDOUT || !process.stdout.isTTY;

function listPaths({ output, rejects, undo, stats }: RecordOptions): Paths {
  return {
    output,
    ...(rejects === undefined ? {} : { rejects }),
    ...(undo === undefined ? {} : { undo }),
    ...(stats === undefined || stats === STDOUT ? {} : { stats }),
  };
}

/** Converts where nobody can go on with what is left. */
async function convertOnce(
  run: Run,
  file: string,
  options: RecordOptions,
  parts: Parts,
  progress: Progress,
): Promise<number> {
  try {
    const refusal = await run.convert();
    if (refusal) return await refuse(file, refusal, options, progress);
    await run.finish();
    await tell(run, options, progress);
    parts.commit();
    await conclude(run, options);
    return 0;
  } finally {
    progress.clear();
    parts.discard();
  }
}

/** Converts so that a run which is killed, stopped or short of room can be gone on with. */
async function convertForLater(
  run: Run,
  file: string,
  options: RecordOptions,
  { parts, journal, places, checkpoint }: Resumable,
  leftover: Leftover,
  progress: Progress,
): Promise<number> {
  run.keep(journal);
  try {
    if (checkpoint) await say(`utf8: goes on at byte ${checkpoint.offset} of ${file}\n`);
    const refusal = await (checkpoint ? run.resume(checkpoint, places) : run.convert());
    if (refusal) {
      await run.settle();
      leftover.remove();
      return await refuse(file, refusal, options, progress);
    }
    await run.finish();
    await tell(run, options, progress);
    journal.finish();
    run.isSaved = true;
    parts.commit();
    journal.remove();
    await conclude(run, options);
    return 0;
  } catch (error) {
    await run.settle();
    if (!run.isSaved || !isPassing(error)) leftover.remove();
    else await say(leftover.describe());
    throw error;
  } finally {
    journal.close();
    progress.clear();
  }
}

/** Whether the same run may go well later: the disk was full, the network was down. */
const isPassing = (error: unknown): boolean =>
  error instanceof OutputFailure ||
  (error instanceof InputFailure && !(error instanceof FormatFailure));

/** Says what ended the run. */
async function refuse(
  file: string,
  refusal: Refusal,
  options: RecordOptions,
  progress: Progress,
): Promise<number> {
  progress.clear();
  await say(formatRefusal(file, refusal, options.json));
  if (!options.json) await say(`utf8: ${advise(file, refusal, options)}\n`);
  return 1;
}

/** What to do about it. */
function advise(file: string, { record, kind }: Refusal, options: RecordOptions): string {
  const flag = { 'lone half': '--lone-halves', nul: '--nul' }[kind as string] ?? '--errors';
  if (record === 0) {
    return `${file}: this is outside of records, so that nothing can be rejected; use ${flag} replace to go on`;
  }
  return `${file}: add --rejects FILE to set such records apart, or ${flag} replace to go on; list all: utf8 scan --format ${options.format.name}`;
}

/** Says what has been done, last, since an engine takes it for that of a run that went well. */
async function conclude(run: Run, { counters }: RecordOptions): Promise<void> {
  await say(run.summarize());
  if (counters) await say(formatCounters(run.describe()));
}

async function tell(run: Run, options: RecordOptions, progress: Progress): Promise<void> {
  progress.clear();
  if (options.stats !== STDOUT) return;
  const text = `${JSON.stringify(run.describe(), null, 2)}\n`;
  if (options.output === STDOUT) await say(text);
  else await new Promise<void>((done) => process.stdout.write(text, () => done()));
}
