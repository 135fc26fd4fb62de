import { statSync } from 'node:fs';
import { labelFor } from '@utf8/detect';
import type { TextOptions } from '../convert/plan.js';
import { type ByteRange, checkRange, WHOLE } from '../cut/range.js';
import type { Segment } from '../cut/segment.js';
import { SEGMENT, segments } from '../cut/segments.js';
import { countTo } from '../cut/start.js';
import { InputError, UsageError } from '../error.js';
import type { FormatOptions } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { openInput } from '../open/input.js';
import { measure, type Source, STDIN } from '../open/source.js';
import { toPath } from '../path/file-name.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import { runInOrder } from '../pool/pool.js';
import { checkJobs, JOB_SEGMENT, type RunOptions, readInputs } from '../run-options.js';
import { type Output, openOutput } from '../sink/output.js';
import { Collisions } from './collisions.js';
import {
  createInspectTools,
  type Inspected,
  type InspectTask,
  type InspectTools,
} from './inspect-task.js';
import { createInspection, NAMED } from './inspection.js';
import { findReordered, type KeyedRecord } from './key.js';
import type { ScanFinding } from './scan-finding.js';
import { type ScannedFile, type ScanReport, ScanSummary } from './scan-report.js';

export type { ScannedFile, ScanReport };

/** Options of {@link scanDump}. */
export interface ScanOptions extends TextOptions, RunOptions {
  /** Paths of files, which may be compressed with gzip or zstd; `-` is stdin. */
  readonly input: string | readonly string[];
  /** Name of the format of the records, such as `csv`. */
  readonly format: string;
  /** Options of the format by name, such as `{ delimiter: ';' }`. */
  readonly formatOptions?: FormatOptions | undefined;
  /**
   * Columns that identify a record: `id`, `users.id` for that of one table, or a number from 1 for one
   * without a name. The inputs have to be regular files, which are read twice.
   */
  readonly keys?: readonly string[] | undefined;
  /** Longest texts that columns accept, in bytes or characters: `name=40b`, `name=40c`. */
  readonly limits?: readonly string[] | undefined;
  /** Path of a file for all findings as JSON Lines, which is replaced as a whole or not at all. */
  readonly report?: string | undefined;
  /** Number of examples of each kind to return; 3 by default. */
  readonly max?: number | undefined;
  /** Receives every finding, in the order of the input except that `equal keys` come last. */
  readonly onFinding?: ((finding: ScanFinding) => void | Promise<void>) | undefined;
  /**
   * Receives the error of each input that cannot be read; the others are scanned all the same. Without
   * it, the first such error ends the scan.
   */
  readonly onFailure?: ((file: string, error: InputError) => void | Promise<void>) | undefined;
}

/**
 * Finds everything that a conversion of records would change, refuse or break.
 *
 * @param options - The inputs, their format and encoding, and the policies of the conversion.
 * @returns Numbers of records and findings, and some examples.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options or paths make no sense, or if no record has a column
 *   of `keys` or `limits`.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if an input cannot be read and there is no `onFailure`.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the report or a temporary file cannot be written.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { scanDump } from '@utf8/dump';
 *
 * const pair = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
 * writeFileSync('users.csv', Buffer.concat([Buffer.from('id,name\n1,'), pair]));
 * const report = await scanDump({ input: 'users.csv', format: 'csv', from: 'cesu-8+utf-8' });
 * report.columns; // => { pair: { name: 1 } }
 * report.examples.pair?.[0]?.line; // => 2
 * ```
 */
export async function scanDump(options: ScanOptions): Promise<ScanReport> {
  const scan = new Scan(options);
  try {
    return await scan.run();
  } finally {
    scan.close();
  }
}

/** Text of the report that is written at once, in UTF-16 code units. */
const BATCH = 1 << 16;

/** Bytes in a segment for threads if all findings are kept, of which each byte may be one. */
const DENSE_SEGMENT = 1 << 16;

class Scan {
  readonly #options: ScanOptions;
  readonly #files: readonly string[];
  readonly #jobs: number;
  readonly #range: ByteRange;
  readonly #task: InspectTask;
  readonly #tools: InspectTools;
  readonly #summary: ScanSummary;
  readonly #collisions = new Collisions();
  readonly #scanned: ScannedFile[] = [];
  /** Columns of the options that no record has had so far, and some columns of records. */
  readonly #unseen: Set<string>;
  readonly #names = new Set<string>();
  /** The last record with a key. */
  #last: KeyedRecord | undefined;
  #report: Output | undefined;
  /** What the report is to get next. */
  #lines = '';
  /** In bytes. */
  #done = 0;
  #total: number | undefined;

  constructor(options: ScanOptions) {
    const { vendor, errors = 'strict', nul = 'fail', unpairedSurrogates = 'fail' } = options;
    const { formatOptions = {}, keys = [], limits = [], max = 3 } = options;
    const from = labelFor(options.from, { vendor });
    const to = labelFor(options.to ?? 'utf-8', { vendor });
    this.#options = options;
    this.#files = readInputs(options.input);
    this.#jobs = checkJobs(options.jobs);
    this.#range = checkRange(options.range ?? WHOLE);
    this.#task = {
      task: 'inspect',
      file: '',
      format: { name: options.format, options: formatOptions },
      repair: { from, to, errors, nul, unpairedSurrogates },
      keys,
      limits,
      unseen: [],
      kept: options.report === undefined && !options.onFinding ? max : Number.POSITIVE_INFINITY,
    };
    this.#tools = createInspectTools(this.#task);
    this.#unseen = new Set([...keys, ...this.#tools.limits.map(({ column }) => column.text)]);
    this.#summary = new ScanSummary(max);
  }

  async run(): Promise<ScanReport> {
    const { report, keys } = this.#options;
    this.#checkPaths();
    if (report !== undefined) this.#report = await openOutput(report);
    const size = measure(this.#files);
    this.#total = size && (keys?.length ? 2 : 1) * size;
    for (const file of this.#files) {
      const { flaws, rejected } = this.#summary;
      const failed = await this.#readFile(file);
      this.#scanned.push({
        file,
        flaws: this.#summary.flaws - flaws,
        rejected: this.#summary.rejected - rejected,
        failed,
      });
    }
    this.#refuseUnseen();
    const { filter } = this.#collisions;
    if (filter) await this.#compareKeys(filter);
    await this.#report?.write(Buffer.from(this.#lines));
    await this.#report?.finish();
    this.#report?.commit();
    return this.#summary.createReport(this.#scanned);
  }

  /** Removes what is temporary. */
  close(): void {
    this.#report?.discard();
    this.#collisions.remove();
  }

  #checkPaths(): void {
    const { range, report, keys = [] } = this.#options;
    const files = this.#files;
    const twice = keys.find((name, i) => keys.indexOf(name) !== i);
    if (twice !== undefined) throw new UsageError(`--key names ${twice} twice; name it once`);
    if (range && files.length > 1) throw new UsageError('a range needs a single input');
    for (const file of keys.length > 0 ? files : []) {
      const stats = file === STDIN ? undefined : statSync(toPath(file), { throwIfNoEntry: false });
      // If it cannot be opened, that is for the reading to report.
      if (file !== STDIN && (!stats || stats.isFile() || stats.isDirectory())) continue;
      throw new UsageError(
        `--key requires regular files, since it reads them twice; save ${file === STDIN ? 'stdin' : file} to one first`,
      );
    }
    const outputs = report === undefined ? [] : [{ flag: '--report', path: report }];
    refuseSharedPaths({ inputs: files, outputs: [...outputs, { flag: 'stdout', path: '-' }] });
  }

  async #compareKeys(filter: SharedArrayBuffer): Promise<void> {
    for (const [i, scanned] of this.#scanned.entries()) {
      if (scanned.failed) continue;
      this.#scanned[i] = { ...scanned, failed: await this.#readFile(scanned.file, filter) };
    }
    for (const finding of this.#collisions.find()) {
      this.#summary.count(finding);
      await this.#give(finding);
    }
  }

  /** Reads a file. Returns why it could not be read, unless that ends the scan. */
  async #readFile(file: string, filter?: SharedArrayBuffer): Promise<InputError | undefined> {
    let source: Source | undefined;
    try {
      source = await openInput(file, { compressed: !this.#options.range });
      await this.#readSegments(source, filter);
      await source.verify();
      return undefined;
    } catch (error) {
      const { onFailure } = this.#options;
      const named = error instanceof FormatError ? error.in(file) : error;
      if (!(named instanceof InputError && onFailure)) throw named;
      await onFailure(file, named);
      return named;
    } finally {
      await source?.close();
    }
  }

  async #readSegments(source: Source, filter: SharedArrayBuffer | undefined): Promise<void> {
    const { format, repairer } = this.#tools;
    const { keys, limits, kept } = this.#task;
    const jobs = this.#jobs;
    const size = kept === Number.POSITIVE_INFINITY ? DENSE_SEGMENT : JOB_SEGMENT;
    if (this.#options.range && source.size === undefined) {
      throw new UsageError(`--range needs a regular file, and ${source.name} is not one`);
    }
    const start = await countTo(source, format, this.#range.from);
    const cuts = segments(source, format, {
      from: start.offset,
      to: this.#range.to,
      state: start.state,
      size: jobs === 1 ? SEGMENT : size,
      owned: jobs > 1,
      // A clean record may have a key, or exceed a limit.
      isClean: keys.length + limits.length > 0 ? undefined : repairer.isClean,
    });
    const task = { ...this.#task, file: source.name, unseen: [...this.#unseen], filter };
    for await (const [length, found] of runInOrder<number, Inspected, InspectTask>(
      measureSegments(cuts),
      task,
      createInspection,
      jobs,
    )) {
      await this.#take(found);
      this.#done += length;
      this.#options.onProgress?.(this.#done, this.#total);
    }
  }

  /** Takes what was found in the next segment. */
  async #take(found: Inspected): Promise<void> {
    const { announced, first, last, failure } = found;
    this.#summary.merge(found);
    for (let i = 0; i < announced.length; i += 2) {
      this.#collisions.announce({ high: announced[i] ?? 0, low: announced[i + 1] ?? 0 });
    }
    for (const column of found.seen) this.#unseen.delete(column);
    for (const name of found.names) if (this.#names.size < NAMED) this.#names.add(name);
    for (const candidate of found.candidates) this.#collisions.add(candidate);
    const { keys, from } = this.#tools;
    const reordered = first && findReordered(this.#last, first, keys, from);
    this.#last = last ?? this.#last;
    if (reordered) this.#summary.count(reordered);
    for (const finding of reordered ? [reordered, ...found.findings] : found.findings) {
      const given = this.#give(finding);
      if (given) await given;
    }
    if (failure) throw new FormatError(failure.reason, failure.line, failure.column);
  }

  /** Passes a finding on. Returns a promise only if there is something to wait for. */
  #give(finding: ScanFinding): void | Promise<void> {
    this.#summary.show(finding);
    const received = this.#options.onFinding?.(finding);
    if (!this.#report) return received;
    this.#lines += `${JSON.stringify(finding)}\n`;
    if (this.#lines.length < BATCH) return received;
    const bytes = Buffer.from(this.#lines);
    this.#lines = '';
    return Promise.all([received, this.#report.write(bytes)]).then(() => {});
  }

  #refuseUnseen(): void {
    const [column] = this.#unseen;
    if (column === undefined || this.#summary.records === 0) return;
    if (this.#scanned.some(({ failed }) => failed)) return;
    const flag = this.#task.keys.includes(column) ? '--key' : '--limit';
    throw new UsageError(
      `${flag}: no record has a column ${JSON.stringify(column)}; there are ${[...this.#names].join(', ')}`,
    );
  }
}

async function* measureSegments(
  cuts: AsyncIterable<Segment>,
): AsyncGenerator<[Segment, number], void, undefined> {
  for await (const segment of cuts) yield [segment, segment.bytes.length];
}
