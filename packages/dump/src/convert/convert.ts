/** Conversion of files: everything is replaced at the end, or nothing. */
import { formatBytes } from '@utf8/core';
import {
  type Claimed,
  FINISHED,
  openClaimed,
  openResumable,
  type Resumable,
} from '../checkpoint/resumption.js';
import type { ByteRange } from '../cut/range.js';
import { InputError, OutputError, UsageError } from '../error.js';
import { FormatError } from '../format/format-error.js';
import { RAW } from '../format/raw.js';
import { recognizeFormat } from '../format/recognize.js';
import { whenInterrupted } from '../interrupt.js';
import { DamageError } from '../open/damage.js';
import { openInput, peek } from '../open/input.js';
import { measure, requireReadable, type Source } from '../open/source.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import {
  type ConvertOptions,
  type ConvertPlan,
  createPlan,
  describeRepair,
  findFormatOf,
} from '../plan.js';
import type { FaultRefusal, RecordRefusal } from '../rewrite/refusal.js';
import { readInputs, requireRegular } from '../run-options.js';
import type { CutIndex } from '../seek/cut-index.js';
import type { RecordStats, TextStats } from './ledger.js';
import { Run, type SinkName } from './run.js';

/** What a conversion came to. */
export interface ConvertReport {
  /**
   * `converted`; `refused` if something in the input ended the run, which then replaced no file;
   * `finished before` if an interrupted run had only to rename its files, which has been done.
   */
  readonly status: 'converted' | 'refused' | 'finished before';
  /** What ended the run. */
  readonly refusal: FaultRefusal | RecordRefusal | undefined;
  /** The statistics; undefined if another run has counted them. */
  readonly stats: TextStats | RecordStats | undefined;
}

/**
 * Converts a file, record by record or as plain text.
 *
 * The files of `output`, `rejects`, `undo` and `stats` are written under temporary names and renamed at the
 * end, so that a run that fails or is killed leaves all of them unchanged.
 *
 * @param options - Paths, encodings, the format, and policies.
 * @returns What was refused, if anything, and the statistics.
 * @throws UsageError (`ERR_UTF8_USAGE`) if the options make no sense, or two paths denote one file.
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
  const plan = createPlan(inputs, options);
  checkOutputs(plan, options);
  const paths = listPaths(options);
  refuseSharedPaths({ inputs, outputs: listOutputs(options) });
  requireReadable(inputs);
  if (options.range) requireRegular(inputs);
  const conversion = new Conversion(await addOrphans(plan, options), options, paths);
  try {
    return await conversion.run();
  } catch (error) {
    throw error instanceof FormatError ? error.in(inputs[0] as string) : error;
  } finally {
    conversion.close();
  }
}

/** Finds what else is to be rejected, if that is asked for. */
async function addOrphans(plan: ConvertPlan, options: ConvertOptions): Promise<ConvertPlan> {
  if (!options.rejectChildren) return plan;
  const [input] = plan.inputs as [string];
  const { findOrphans } = await import('../orphan/find-orphans.js');
  try {
    const orphans = await findOrphans(input, plan.format, describeRepair(plan), plan.jobs);
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

const listOutputs = ({ index, ...options }: ConvertOptions): { flag: string; path: string }[] =>
  Object.entries({ ...listPaths(options), ...(index === undefined ? {} : { index }) }).map(
    ([name, path]) => ({ flag: name === 'output' ? '-o' : `--${name}`, path }),
  );

/** Refuses options that contradict each other. */
function checkOutputs(plan: ConvertPlan, options: ConvertOptions): void {
  const { inputs, format } = plan;
  const { output, rejects, undo, stats, index, resume } = options;
  const isRaw = format.name === RAW;
  if (isRaw && rejects !== undefined) {
    throw new UsageError('plain text has no records to reject; name a format');
  }
  if (isRaw && index !== undefined) {
    throw new UsageError('ranges of plain text need no index; name a format');
  }
  if (index !== undefined && !options.range) {
    throw new UsageError('--index needs --range; utf8 scan --index writes one in advance');
  }
  for (const [flag, path] of Object.entries({ rejects, undo, stats, index })) {
    if (path === '-') throw new UsageError(`--${flag} needs a file of its own; name one`);
  }
  if (options.rejectChildren) {
    const [input] = inputs as [string];
    if (rejects === undefined) throw new UsageError('--reject-children needs --rejects');
    if (options.range || measure([input]) === undefined) {
      throw new UsageError('--reject-children needs a whole file, which it reads several times');
    }
    if (!findFormatOf(plan).listReferences) {
      throw new UsageError('--reject-children needs an SQL format, which declares foreign keys');
    }
  }
  if (undo !== undefined && inputs.length > 1) throw new UsageError('--undo needs a single input');
  if (!resume) return;
  if (output === '-') throw new UsageError('--resume needs an output file; name it with -o');
  if (inputs.length > 1) throw new UsageError('--resume needs a single input');
  if (inputs[0] === '-') {
    throw new UsageError('--resume needs an input that can be read again; name a file');
  }
}

/** A conversion, with the files that it writes. */
class Conversion {
  readonly #plan: ConvertPlan;
  readonly #options: ConvertOptions;
  readonly #paths: Paths;
  #claimed: Claimed | undefined;
  #resumable: Resumable | undefined;
  #run: Run | undefined;
  #settle = (): void => {};

  constructor(plan: ConvertPlan, options: ConvertOptions, paths: Paths) {
    this.#plan = plan;
    this.#options = options;
    this.#paths = paths;
  }

  async run(): Promise<ConvertReport> {
    const isWhole = this.#options.range === undefined;
    try {
      for (const file of this.#plan.inputs) {
        const opened = await openInput(file, { compressed: isWhole, refuseBinary: true });
        const source = this.#plan.format.name === RAW ? await this.#recognize(opened) : opened;
        try {
          const run = this.#run ?? (await this.#begin(source));
          if (!run) return { status: 'finished before', refusal: undefined, stats: undefined };
          const refusal = await this.#convert(run, source);
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

  /** Removes what is not to be kept. */
  close(): void {
    this.#settle();
    if (this.#resumable) this.#resumable.close();
    else this.#claimed?.discard();
  }

  /** Opens the outputs; undefined if an earlier run had only to rename its files. */
  async #begin(source: Source): Promise<Run | undefined> {
    const { inputs, range, format } = this.#plan;
    const { resume = false, onProgress } = this.#options;
    const index = await this.#openIndex(source);
    // From the moment at which there is something to remove.
    this.#settle = whenInterrupted(() => this.#interrupt());
    // Checkpoints take time, which plain text gives only on request.
    if (format.name !== RAW || resume) {
      const resumable = await openResumable(source.name, this.#paths, this.#identify(), resume);
      if (resumable === FINISHED) return undefined;
      this.#resumable = resumable;
    }
    // Only the compressed size of compressed data is known.
    const total = source.size === undefined ? undefined : clip(measure(inputs), range);
    if (!this.#resumable) this.#claimed = await openClaimed(this.#paths, total);
    const { outputs } = (this.#resumable ?? this.#claimed) as Resumable | Claimed;
    const run = new Run(this.#plan, outputs, total, onProgress);
    this.#run = run;
    if (this.#resumable) run.keep(this.#resumable);
    if (index) run.useIndex(index);
    if (!this.#resumable?.checkpoint) {
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
    return openIndex(index, source, findFormatOf(this.#plan), this.#plan.format, onNotice);
  }

  /** Warns of a dump with binary values that is converted as plain text. */
  async #recognize(opened: Source): Promise<Source> {
    const { source, head } = await peek(opened);
    if (recognizeFormat(head) === 'mysqldump') {
      const notice = `${source.name}: looks like mysqldump, whose binary values are converted like text here; add --format mysqldump to keep them`;
      await this.#options.onNotice?.(notice);
    }
    return source;
  }

  async #convert(run: Run, source: Source): ReturnType<Run['convert']> {
    const resumable = this.#resumable;
    if (!resumable?.checkpoint) return run.convert(source);
    const { checkpoint, readOutput } = resumable;
    await this.#options.onNotice?.(`resumed at byte ${checkpoint.offset} of ${source.name}`);
    return run.resume(source, checkpoint, readOutput);
  }

  /**
   * Finds a unique key that the conversion makes equal to another. Dumps turn off unique checks, and then
   * MariaDB keeps no row of a table with equal keys; under INSERT IGNORE, it says nothing about it.
   */
  async #findEqualKeys({ state, ledger }: Run): Promise<RecordRefusal | undefined> {
    const { inputs, format, allow, jobs } = this.#plan;
    const [input] = inputs as [string];
    const declares = state && findFormatOf(this.#plan).listKeys?.(state).length;
    const isChanged = 'changed' in ledger.counts && ledger.counts.changed > 0;
    if (!declares || !isChanged || allow.includes('equal keys')) return undefined;
    if (this.#options.range || measure([input]) === undefined) {
      const notice = `unique keys of ${input} were not compared, since that needs the whole file; see utf8 scan`;
      await this.#options.onNotice?.(notice);
      return undefined;
    }
    const policies = describeRepair(this.#plan);
    const { name, options: formatOptions } = format;
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
    const [found] = report.examples['equal keys'] ?? [];
    if (found?.kind !== 'equal keys') return undefined;
    const { file, record, line, column, offset, becomes } = found;
    const bytes = formatBytes(Buffer.from(Object.values(becomes).join(' ')));
    const place = { file, record, line, column, offset };
    return { ...place, kind: 'equal keys', reason: undefined, bytes, becomes: null };
  }

  /** Finds a row that refers to a rejected one. MariaDB loads it without an error. */
  async #findOrphan({ state, ledger }: Run): Promise<RecordRefusal | undefined> {
    const { inputs, format, allow, jobs, orphans } = this.#plan;
    const [input] = inputs as [string];
    const references = state && findFormatOf(this.#plan).listReferences?.(state).length;
    const isRejected = 'rejected' in ledger.counts && ledger.counts.rejected > 0;
    if (!references || !isRejected || orphans || allow.includes('orphaned row')) return undefined;
    if (this.#options.range || measure([input]) === undefined) {
      const notice = `rows of ${input} may refer to rejected rows; only a run over the whole file can tell`;
      await this.#options.onNotice?.(notice);
      return undefined;
    }
    const { findOrphans } = await import('../orphan/find-orphans.js');
    const found = await findOrphans(input, format, describeRepair(this.#plan), jobs);
    const [first] = found.orphans;
    if (!first) return undefined;
    const { record, line, offset, column } = first;
    const what = { kind: 'orphaned row', reason: undefined, bytes: '', becomes: null } as const;
    return { file: input, record, line, column, offset, ...what };
  }

  /** Warns of a dump that leaves the encoding of its text open, if it contains any that was repaired. */
  async #warnOfEncoding({ state, ledger }: Run): Promise<void> {
    const found = state && findFormatOf(this.#plan).findUnstatedEncoding?.(state);
    if (!found || !('changed' in ledger.counts) || ledger.counts.changed === 0) return;
    const { charset, line } = found;
    const why = charset
      ? `with ${charset}, a server assumes that the text is in the encoding of its database; change it to UTF8 with --fix-header`
      : 'without SET NAMES, the client decides which encoding the text is in; add it with --fix-header';
    await this.#options.onNotice?.(`${this.#plan.inputs[0]}:${line}: ${why}`);
  }

  async #commit(run: Run): Promise<ConvertReport> {
    await run.finish();
    const files = (this.#resumable ?? this.#claimed) as Resumable | Claimed;
    await files.outputs.finish();
    // From here on, only names are missing, and a later run can give them.
    run.isSaved = true;
    for (const name of await files.outputs.findContested()) {
      await this.#options.onNotice?.(
        `${this.#paths[name]}: another run wrote other contents after this run began; the contents of this run replace them`,
      );
    }
    files.commit();
    return { status: 'converted', refusal: undefined, stats: run.ledger.describe() };
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
    if (this.#run?.isSaved && mayPass) await this.#options.onNotice?.(this.#describeProgress());
    else this.#resumable.discard();
  }

  /** Keeps progress if a signal ends the run. */
  #interrupt(): string | undefined {
    if (!this.#resumable) return undefined;
    if (this.#run?.isSaved) return this.#describeProgress();
    this.#resumable.discard();
    return undefined;
  }

  #describeProgress(): string {
    return `progress on ${this.#options.output} was saved; add --resume to continue`;
  }

  /** Everything that the result depends on. The number of threads is not among it. */
  #identify(): Readonly<Record<string, unknown>> {
    const { format, from, to, errors, unpairedSurrogates, nul, mojibake, bom, range } = this.#plan;
    const { equalJsonKeys } = this.#plan;
    return {
      format: format.name,
      ...format.options,
      from,
      to,
      errors,
      'unpaired-surrogates': unpairedSurrogates,
      'equal-json-keys': equalJsonKeys,
      nul,
      mojibake,
      bom,
      range: `${range.from}-${range.to}`,
      allow: this.#plan.allow.join(','),
      'reject-children': this.#options.rejectChildren ?? false,
      counts: this.#plan.isCounted,
    };
  }
}

/** Number of bytes of a total that are in a range. */
function clip(total: number | undefined, { from, to }: ByteRange): number | undefined {
  return total === undefined ? undefined : Math.max(0, Math.min(to, total) - from);
}
