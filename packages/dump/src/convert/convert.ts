/** Conversion of files: everything is replaced at the end, or nothing. */

import { formatBytes } from '@utf8/core';
import { whenInterrupted } from '@utf8/files';
import {
  type Claimed,
  type Finished,
  openClaimed,
  openResumable,
  type Resumable,
} from '../checkpoint/resumption.js';
import type { ByteRange } from '../cut/range.js';
import { InputError, OutputError, UsageError } from '../error.js';
import { FormatError } from '../format/format-error.js';
import { RAW } from '../format/raw.js';
import { listKeys, listReferences } from '../format/sql/keys.js';
import { findUnstated } from '../format/sql/look.js';
import { DamageError } from '../open/damage.js';
import { measure, requireReadable, type Source } from '../open/source.js';
import { type RunPaths, refuseSharedPaths } from '../path/shared-paths.js';
import { notify, opt, type Phrase, phrase } from '../phrase.js';
import { type ConvertOptions, type ConvertPlan, createPlan, describeRepair } from '../plan.js';
import {
  type ChosenFormat,
  canReopen,
  describeChoice,
  explain,
  openRecognized,
  recognizeInput,
} from '../recognized.js';
import type { FaultRefusal, RecordRefusal } from '../rewrite/refusal.js';
import { readInputs, requireRegular } from '../run-options.js';
import type { CutIndex } from '../seek/cut-index.js';
import { isPacked } from '../sink/packer.js';
import type { RecordStats, TextStats } from './ledger.js';
import { Run, type SinkName } from './run.js';

/** Result of a conversion. */
export interface ConvertReport {
  /**
   * `converted`; `refused` if something in the input ended the run, which then replaced no file;
   * `finished before` if an interrupted run had only to rename its files, which has been done.
   */
  readonly status: 'converted' | 'refused' | 'finished before';
  /** Error that ended the run; undefined if it was converted. */
  readonly refusal: FaultRefusal | RecordRefusal | undefined;
  /** The statistics; those of the earlier run if it had finished. */
  readonly stats: TextStats | RecordStats;
}

/**
 * Converts a file, record by record or as plain text.
 *
 * Without a format, a dump is recognised by its beginning. Other text is plain text, unless an option needs
 * records: then the format is guessed from its name and content, and `onNotice` receives the guess.
 *
 * The files of `output`, `rejects`, `undo` and `stats` are written under temporary names and renamed at the
 * end, so that a run that fails or is killed leaves all of them unchanged.
 *
 * @param options - Paths, encodings, the format, and policies.
 * @returns The refusal, if there is one, and the statistics.
 * @throws UsageError (`ERR_UTF8_USAGE`) if the options are invalid, or two paths denote one file.
 * @throws InputError (`ERR_UTF8_INPUT`) if an input cannot be read, is not of the format, or changes
 *   while it is read.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if a result cannot be written.
 * @throws BusyError (`ERR_UTF8_BUSY`) if another run is writing the same output.
 * @throws BrokenPipe if the output is a pipe whose reader has closed it.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @example
 * ```ts
 * import { readFileSync, writeFileSync } from 'node:fs';
 * import { convertDump } from '@utf8/dump';
 *
 * writeFileSync('in.csv', Uint8Array.from([0x69, 0x64, 0x0a, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]));
 * const { status } = await convertDump({
 *   input: 'in.csv',
 *   output: 'out.csv',
 *   format: 'csv',
 *   from: 'cesu-8+utf-8',
 * });
 * status; // => 'converted'
 * readFileSync('out.csv', 'utf8'); // => 'id\n😀'
 * ```
 * @see UTR #26; RFC 4180
 */
export async function convertDump(options: ConvertOptions): Promise<ConvertReport> {
  const inputs = readInputs(options.input);
  const needsRecords = options.format === undefined && asksForRecords(options);
  // Errors in the options alone are reported before any file is opened.
  const given = needsRecords ? undefined : createPlan(inputs, options);
  if (given) checkOutputs(given, options);
  if (needsRecords && inputs.length > 1) throw oneAtATime();
  const paths = listPaths(options);
  refuseSharedPaths({ inputs, outputs: listOutputs(options) });
  requireReadable(inputs);
  if (options.range) requireRegular(inputs);
  const { source, chosen } = await openFirst(inputs, { ...options, needsRecords });
  const { format, formatOptions } = chosen;
  let conversion: Conversion | undefined;
  try {
    const isSame = given?.choice.name === format;
    const plan = isSame ? given : createPlan(inputs, { ...options, format, formatOptions });
    if (!isSame) checkOutputs(plan, options);
    if (chosen.isRecognized)
      await notify(options.onNotice, describeChoice(source.name, chosen, true));
    conversion = new Conversion(await addOrphans(plan, options), options, paths, source);
    return await conversion.run();
  } catch (error) {
    throw explain(error, inputs[0] as string, chosen, true);
  } finally {
    conversion?.close();
    await source.close();
  }
}

/** Tells whether options apply only to records. */
const asksForRecords = (options: ConvertOptions): boolean =>
  [
    options.rejects,
    options.index,
    options.unpairedSurrogates,
    options.equalJsonKeys,
    options.rejectChildren || undefined,
    options.mojibake === 'keep' ? undefined : options.mojibake,
    options.allow?.[0],
    ...Object.values(options.formatOptions ?? {}),
  ].some((value) => value !== undefined);

const oneAtATime = (): UsageError =>
  new UsageError('records can be converted from one input at a time');

/** Opens the first input, and makes sure that the others are as plain. */
async function openFirst(
  inputs: readonly string[],
  request: ConvertOptions & { readonly needsRecords: boolean },
): ReturnType<typeof openRecognized> {
  const [first, ...others] = inputs as [string];
  const opened = await openRecognized(first, request, { compressed: request.range === undefined });
  try {
    if (opened.chosen.format !== RAW && others.length > 0) throw several(first, opened.chosen);
    if (request.format === undefined) {
      for (const name of others) {
        // A pipe is examined when it is read.
        if (!canReopen(name)) continue;
        const chosen = await recognizeInput(name, request);
        if (chosen.format !== RAW) throw several(name, chosen);
      }
    }
    return opened;
  } catch (error) {
    await opened.source.close();
    throw error;
  }
}

const several = (name: string, { format }: ChosenFormat): UsageError =>
  new UsageError(
    `${name}: is a dump in the format ${format}, whose records are converted from one input at a time; run utf8 once per file`,
  );

/** Finds rows that refer to rejected rows, if the options request it. */
async function addOrphans(plan: ConvertPlan, options: ConvertOptions): Promise<ConvertPlan> {
  if (!options.rejectChildren) return plan;
  const [input] = plan.inputs as [string];
  const { findOrphans } = await import('../orphan/find-orphans.js');
  try {
    const orphans = await findOrphans(input, plan.choice, describeRepair(plan), plan.jobs);
    return { ...plan, orphans };
  } catch (error) {
    throw error instanceof FormatError ? error.in(input) : error;
  }
}

type Paths = Partial<Record<SinkName, string>>;

function listPaths({ output, rejects, undo, stats }: ConvertOptions): Paths {
  const paths = Object.entries({ output, rejects, undo, stats });
  return Object.fromEntries(paths.filter(([, path]) => path !== undefined));
}

const listOutputs = ({ index, ...options }: ConvertOptions): RunPaths['outputs'] =>
  Object.entries({ ...listPaths(options), ...(index === undefined ? {} : { index }) }).map(
    ([option, path]) => ({ option, path }),
  );

/** Refuses options that contradict each other. */
function checkOutputs(plan: ConvertPlan, options: ConvertOptions): void {
  const { inputs, format } = plan;
  const { output, rejects, undo, stats, index, resume } = options;
  const isRaw = format.name === RAW;
  if (isRaw && rejects !== undefined) {
    throw new UsageError('plain text has no records to reject; specify a format');
  }
  if (isRaw && index !== undefined) {
    throw new UsageError('ranges of plain text need no index; specify a format');
  }
  if (index !== undefined && !options.range) {
    throw new UsageError(
      phrase`${opt('index')} needs ${opt('range')}; a scan with ${opt('index')} writes one in advance`,
    );
  }
  for (const [option, path] of Object.entries({ rejects, undo, stats, index })) {
    if (path === '-')
      throw new UsageError(phrase`${opt(option)} needs a file of its own; specify one`);
  }
  if (options.rejectChildren) {
    const [input] = inputs as [string];
    if (rejects === undefined)
      throw new UsageError(phrase`${opt('rejectChildren')} needs ${opt('rejects')}`);
    if (options.range || measure([input]) === undefined) {
      throw new UsageError(
        phrase`${opt('rejectChildren')} needs a whole file, which it reads several times`,
      );
    }
    if (!plan.format.sql) {
      throw new UsageError(
        phrase`${opt('rejectChildren')} needs an SQL format, which declares foreign keys`,
      );
    }
  }
  if (undo !== undefined && inputs.length > 1)
    throw new UsageError(phrase`${opt('undo')} needs a single input`);
  if (!resume) return;
  const packed = [output, rejects, undo, stats].find(isPacked);
  if (packed !== undefined) {
    throw new UsageError(
      phrase`${opt('resume')} cannot continue ${packed}, since nothing can be added to half of a compressed stream; write it without .gz or .zst, and compress it afterwards`,
    );
  }
  if (output === '-')
    throw new UsageError(
      phrase`${opt('resume')} needs an output file; specify it with ${opt('output')}`,
    );
  if (inputs.length > 1) throw new UsageError(phrase`${opt('resume')} needs a single input`);
  if (inputs[0] === '-') {
    throw new UsageError(
      phrase`${opt('resume')} needs an input that can be read again; specify a file`,
    );
  }
}

/** A conversion, with the files that it writes. */
class Conversion {
  readonly #plan: ConvertPlan;
  readonly #options: ConvertOptions;
  readonly #paths: Paths;
  /** The first input, which is open. */
  readonly #first: Source;
  #claimed: Claimed | undefined;
  #resumable: Resumable | undefined;
  #run: Run | undefined;
  #settle = (): void => {};

  constructor(plan: ConvertPlan, options: ConvertOptions, paths: Paths, first: Source) {
    this.#plan = plan;
    this.#options = options;
    this.#paths = paths;
    this.#first = first;
  }

  async run(): Promise<ConvertReport> {
    try {
      for (const [i, file] of this.#plan.inputs.entries()) {
        const source = i === 0 ? this.#first : await this.#openNext(file);
        try {
          const run = this.#run ?? (await this.#begin(source));
          if ('finished' in run) {
            const stats = run.finished as ConvertReport['stats'];
            return { status: 'finished before', refusal: undefined, stats };
          }
          const refusal = await this.#convert(run, source);
          const groups = run.state && this.#plan.format.findGroups?.(run.state);
          if (groups) await notify(this.#options.onNotice, phrase`${source.name}: ${groups}`);
          if (refusal) return await this.#refuse(run, refusal);
        } finally {
          await source.close();
        }
      }
      const run = this.#run as Run;
      const lost = (await this.#findEqualKeys(run)) ?? (await this.#findOrphan(run));
      if (lost) return await this.#refuse(run, lost);
      await this.#warnOfEncoding(run);
      return await this.#commit(this.#run as Run);
    } catch (error) {
      await this.#run?.settle();
      await this.#keep(error);
      throw error;
    }
  }

  /** Removes the files of a run that is not kept. */
  close(): void {
    this.#settle();
    if (this.#resumable) this.#resumable.close();
    else this.#claimed?.discard();
  }

  /** Opens the outputs; undefined if an earlier run had only to rename its files. */
  async #begin(source: Source): Promise<Run | Finished> {
    const { inputs, range, format } = this.#plan;
    const { resume = false, onProgress } = this.#options;
    const index = await this.#openIndex(source);
    // Checkpoints take time, which plain text gives only on request.
    const isPacking = Object.values(this.#paths).some(isPacked);
    if ((format.name !== RAW && !isPacking) || resume) {
      const resumable = await openResumable(source.name, this.#paths, this.#identify(), resume);
      if (resumable && 'finished' in resumable) return resumable;
      this.#resumable = resumable;
      // After the lock, so that it is the last to go.
      this.#settle = whenInterrupted(() => this.#interrupt());
    }
    // Only the compressed size of compressed data is known.
    const total = source.size === undefined ? undefined : clip(measure(inputs), range);
    if (!this.#resumable) this.#claimed = await openClaimed(this.#paths);
    const { outputs } = (this.#resumable ?? this.#claimed) as Resumable | Claimed;
    const run = new Run(this.#plan, outputs, total, onProgress);
    this.#run = run;
    if (this.#resumable) run.keep(this.#resumable);
    if (index) run.useIndex(index);
    if (!this.#resumable?.progress) {
      const isWhole = this.#options.range === undefined;
      await run.begin(isWhole && inputs.length === 1 ? source.size : undefined);
    }
    return run;
  }

  async #openIndex(source: Source): Promise<CutIndex | undefined> {
    const { index, onNotice } = this.#options;
    if (index === undefined) return undefined;
    // Loaded late, since few runs need it.
    const { openIndex } = await import('../seek/index-writer.js');
    return openIndex(index, source, this.#plan.format, this.#plan.choice, onNotice);
  }

  /** Opens one of several inputs, which are all plain text. */
  async #openNext(file: string): Promise<Source> {
    const { format } = this.#options;
    const { source, chosen } = await openRecognized(file, { format, needsRecords: false });
    if (chosen.format === RAW) return source;
    await source.close();
    throw several(file, chosen);
  }

  async #convert(run: Run, source: Source): ReturnType<Run['convert']> {
    const resumable = this.#resumable;
    if (!resumable?.progress) return run.convert(source);
    const { progress, readOutput } = resumable;
    await notify(this.#options.onNotice, `resumed at byte ${progress.offset} of ${source.name}`);
    return run.resume(source, progress, readOutput);
  }

  /**
   * Finds a unique key that the conversion makes equal to another. Dumps turn off unique checks, and then
   * MariaDB keeps no row of a table with equal keys; under INSERT IGNORE, it says nothing about it.
   */
  async #findEqualKeys({ state, ledger }: Run): Promise<RecordRefusal | undefined> {
    const { inputs, choice, allow, jobs } = this.#plan;
    const [input] = inputs as [string];
    const declared = state ? listKeys(state) : [];
    const isChanged =
      ('changed' in ledger.counts && ledger.counts.changed > 0) ||
      declared.some(({ columns }) => columns.some(({ isRedeclared }) => isRedeclared));
    if (declared.length === 0 || !isChanged || allow.includes('equal-keys')) return undefined;
    if (this.#options.range || measure([input]) === undefined) {
      const notice = `unique keys of ${input} were not compared, since that needs the whole file; see utf8 scan`;
      await notify(this.#options.onNotice, notice);
      return undefined;
    }
    const policies = describeRepair(this.#plan);
    const { name, options: formatOptions } = choice;
    // Loaded late, since few runs need it.
    const { scanDump } = await import('../scan/scan.js');
    const report = await scanDump({
      input,
      format: name,
      formatOptions,
      ...policies,
      jobs,
      max: 1,
    });
    const [found] = report.examples['equal-keys'] ?? [];
    if (found?.kind !== 'equal-keys') return undefined;
    const { file, record, line, column, offset, becomes } = found;
    const bytes = formatBytes(Buffer.from(Object.values(becomes).join(' ')));
    const place = { file, record, line, column, offset };
    return { ...place, kind: 'equal-keys', reason: undefined, bytes, becomes: null };
  }

  /** Finds a row that refers to a rejected one. MariaDB loads it without an error. */
  async #findOrphan({ state, ledger }: Run): Promise<RecordRefusal | undefined> {
    const { inputs, choice, allow, jobs, orphans } = this.#plan;
    const [input] = inputs as [string];
    const references = state && listReferences(state).length;
    const isRejected = 'rejected' in ledger.counts && ledger.counts.rejected > 0;
    if (!references || !isRejected || orphans || allow.includes('orphaned-row')) return undefined;
    if (this.#options.range || measure([input]) === undefined) {
      const notice = `rows of ${input} may refer to rejected rows; only a run over the whole file can tell`;
      await notify(this.#options.onNotice, notice);
      return undefined;
    }
    const { findOrphans } = await import('../orphan/find-orphans.js');
    const found = await findOrphans(input, choice, describeRepair(this.#plan), jobs);
    const [first] = found.orphans;
    if (!first) return undefined;
    const { record, line, offset, column } = first;
    const what = { kind: 'orphaned-row', reason: undefined, bytes: '', becomes: null } as const;
    return { file: input, record, line, column, offset, ...what };
  }

  /** Warns of a dump that leaves the encoding of its text open, if it contains any that was repaired. */
  async #warnOfEncoding({ state, ledger }: Run): Promise<void> {
    const found = state && findUnstated(this.#plan.format, state);
    if (!found || !('changed' in ledger.counts) || ledger.counts.changed === 0) return;
    const { charset, line } = found;
    const why = charset
      ? phrase`with ${charset}, a server assumes that the text is in the encoding of its database; change it to UTF8 with ${opt('fixHeader')}`
      : phrase`without SET NAMES, the client decides which encoding the text is in; add it with ${opt('fixHeader')}`;
    await notify(this.#options.onNotice, phrase`${this.#plan.inputs[0]}:${line}: ${why}`);
  }

  async #commit(run: Run): Promise<ConvertReport> {
    await run.finish();
    const files = (this.#resumable ?? this.#claimed) as Resumable | Claimed;
    await files.outputs.finish();
    // Only renames remain, and a later run can make up for them.
    run.isSaved = true;
    const stats = run.ledger.describe();
    files.commit(stats);
    return { status: 'converted', refusal: undefined, stats };
  }

  async #refuse(run: Run, refusal: FaultRefusal | RecordRefusal): Promise<ConvertReport> {
    await run.settle();
    this.#resumable?.discard();
    return { status: 'refused', refusal, stats: run.ledger.describe() };
  }

  /** Keeps progress after an error that may pass: the disk was full, the network was down. */
  async #keep(error: unknown): Promise<void> {
    const mayPass =
      error instanceof OutputError ||
      (error instanceof InputError &&
        !(error instanceof FormatError || error instanceof DamageError));
    if (!this.#resumable) return;
    if (this.#run?.isSaved && mayPass)
      await notify(this.#options.onNotice, this.#describeProgress());
    else this.#resumable.discard();
  }

  /** Keeps progress if a signal ends the run. */
  #interrupt(): Phrase | undefined {
    if (!this.#resumable) return undefined;
    if (this.#run?.isSaved) return this.#describeProgress();
    this.#resumable.discard();
    return undefined;
  }

  #describeProgress(): Phrase {
    return phrase`progress on ${this.#options.output} was saved; add ${opt('resume')} to continue`;
  }

  /** Everything that the result depends on. The number of threads does not count. */
  #identify(): Readonly<Record<string, unknown>> {
    const { choice, from, to, errors, unpairedSurrogates, nul, mojibake, bom, range } = this.#plan;
    const { equalJsonKeys, noncharacters, controls, innerLengths } = this.#plan;
    return {
      format: choice.name,
      ...choice.options,
      from,
      to,
      errors,
      unpairedSurrogates,
      equalJsonKeys,
      nul,
      noncharacters,
      controls,
      mojibake,
      innerLengths,
      bom,
      range: `${range.from}-${range.to}`,
      allow: this.#plan.allow.join(','),
      rejectChildren: this.#options.rejectChildren ?? false,
      wantsStats: this.#plan.isCounted,
    };
  }
}

/** Number of bytes of a total that are in a range. */
function clip(total: number | undefined, { from, to }: ByteRange): number | undefined {
  return total === undefined ? undefined : Math.max(0, Math.min(to, total) - from);
}
