/** Every fault of some files, in order. */
import { codecFor, labelFor } from '@utf8/detect';
import { addPosition, FIRST, Locator } from '../cut/position.js';
import { checkRange } from '../cut/range.js';
import { segments } from '../cut/segments.js';
import { findStart } from '../cut/start.js';
import { InputError } from '../error.js';
import { createRawFormat } from '../format/raw.js';
import { openInput } from '../open/input.js';
import type { Source } from '../open/source.js';
import { measure } from '../open/source.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import { runInOrder, SpareMemory } from '../pool/pool.js';
import type { FaultFinding } from '../rewrite/refusal.js';
import { checkJobs, type RunOptions, readInputs, requireRegular } from '../run-options.js';
import { type Checked, type CheckTask, createCheck } from './checker.js';

/** Options of {@link checkDump}. */
export interface CheckOptions extends RunOptions {
  /** Paths of files, which may be compressed with gzip or zstd; `-` is stdin. */
  readonly input: string | readonly string[];
  /** Label of the encoding that the input should have; `utf-8` by default. */
  readonly as?: string | undefined;
  /** Vendor whose names of encodings come first, such as `oracle`; none by default. */
  readonly vendor?: string | undefined;
  /** Number of faults to stop after; all are found by default. */
  readonly max?: number | undefined;
  /**
   * Receives each fault, in order.
   *
   * @param finding - The fault, and where it is.
   * @returns Nothing, or a promise that the check waits for.
   */
  readonly onFinding?: ((finding: FaultFinding) => void | Promise<void>) | undefined;
  /**
   * Receives the error of each file that cannot be read; the other files are still checked.
   *
   * @param file - The path of the file, as in `input`.
   * @param error - What is wrong.
   * @returns Nothing, or a promise that the check waits for.
   */
  readonly onFailure?: ((file: string, error: InputError) => void | Promise<void>) | undefined;
}

/** What a check found. */
export interface CheckReport {
  /** Numbers of faults by reason. */
  readonly faults: Readonly<Record<string, number>>;
  /** Number of faults. */
  readonly total: number;
  /** Number of files with faults. */
  readonly filesAtFault: number;
  /** Number of files that were opened, and read at least in part. */
  readonly filesChecked: number;
  /** Number of files that could not be read, or not to their end. */
  readonly filesFailed: number;
  /** Whether `max` ended the check. */
  readonly isStopped: boolean;
}

/**
 * Finds every fault of some files. A file that cannot be read does not end the check: `onFailure` receives
 * its error, and `filesFailed` counts it.
 *
 * @param options - The inputs, the encoding, and what to do with findings.
 * @returns Numbers of faults and files.
 * @throws UsageError (`ERR_UTF8_USAGE`) if the options make no sense.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { checkDump } from '@utf8/dump';
 *
 * writeFileSync('names.txt', Uint8Array.of(0x41, 0x0a, 0xed, 0xa0, 0xbd));
 * const report = await checkDump({ input: 'names.txt', as: 'cesu-8' });
 * report.faults; // => { surrogate: 1 }
 * ```
 * @see Unicode 16.0, section 3.9, D93b
 */
export async function checkDump(options: CheckOptions): Promise<CheckReport> {
  const { max = Number.POSITIVE_INFINITY, onFinding, onFailure, onProgress, vendor } = options;
  const files = readInputs(options.input);
  const label = labelFor(options.as ?? 'utf-8', { vendor });
  const jobs = checkJobs(options.jobs);
  const range = options.range && checkRange(options.range);
  refuseSharedPaths({ inputs: files, outputs: [{ flag: 'stdout', path: '-' }] });
  if (range) requireRegular(files);
  const total = measure(files);
  const faults: Record<string, number> = {};
  let found = 0;
  let done = 0;
  const report = { filesAtFault: 0, filesChecked: 0, filesFailed: 0 };

  const checkSource = async (source: Source): Promise<void> => {
    const codec = codecFor(label);
    const tracks = source.size === undefined;
    const task: CheckTask = { task: 'check', as: label, tracks, most: max };
    const format = createRawFormat(codec);
    const start = await findStart(source, format, range?.from ?? 0);
    const to = (await format.findBoundary?.(source, range?.to ?? Number.POSITIVE_INFINITY)) ?? 0;
    const spare = new SpareMemory();
    const cuts = segments(source, format, {
      from: start.offset,
      to,
      allocate: jobs > 1 ? spare.take : undefined,
    });
    const locator = new Locator(source, codec);
    let base = FIRST;
    for await (const [offset, { findings, moved, length }] of runInOrder<
      number,
      Checked,
      CheckTask
    >(withOffsets(cuts), task, createCheck, jobs)) {
      if (findings.length > 0 && !tracks) base = await locator.at(offset);
      for (const finding of findings) {
        found++;
        faults[finding.reason] = (faults[finding.reason] ?? 0) + 1;
        await onFinding?.({ file: source.name, ...finding, ...addPosition(base, finding) });
        if (found >= max) return;
      }
      if (moved) base = addPosition(base, moved);
      done += length;
      await onProgress?.(done, total);
    }
    await source.verify();
  };

  for (const file of files) {
    if (found >= max) break;
    const before = found;
    let source: Source | undefined;
    try {
      source = await openInput(file, { compressed: range === undefined, refuseBinary: true });
      report.filesChecked++;
      await checkSource(source);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      report.filesFailed++;
      await onFailure?.(file, error);
    } finally {
      await source?.close();
    }
    if (found > before) report.filesAtFault++;
  }
  return { faults, total: found, ...report, isStopped: found >= max };
}

async function* withOffsets(cuts: ReturnType<typeof segments>) {
  for await (const segment of cuts) yield [segment, segment.offset] as [typeof segment, number];
}
