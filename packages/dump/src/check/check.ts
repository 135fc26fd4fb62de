/** Every malformed character of some files, in order. */
import { codecFor, labelFor } from '@utf8/detect';
import { addPosition, FIRST, Locator } from '../cut/position.js';
import { checkRange } from '../cut/range.js';
import { segments } from '../cut/segments.js';
import { findStart } from '../cut/start.js';
import { InputError } from '../error.js';
import { createRawFormat } from '../format/raw.js';
import { recognizeDump, TEXT_HEAD } from '../format/recognize.js';
import { openInput, peek } from '../open/input.js';
import type { Source } from '../open/source.js';
import { measure } from '../open/source.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import { notify, type Phrase } from '../phrase.js';
import { runInOrder, SpareMemory } from '../pool/pool.js';
import { isFormatDecided } from '../recognized.js';
import type { FaultFinding } from '../rewrite/refusal.js';
import { checkJobs, type RunOptions, readInputs, requireRegular } from '../run-options.js';
import { ceilSequence } from '../sequence.js';
import { type Checked, type CheckTask, createCheck } from './checker.js';

/** Options of {@link checkDump}. */
export interface CheckOptions extends RunOptions {
  /** Paths of files, which may be compressed with gzip or zstd; `-` is stdin. */
  readonly input: string | readonly string[];
  /** Label of the encoding of the input; `utf-8` by default. */
  readonly from?: string | undefined;
  /** Vendor whose names of encodings come first, such as `oracle`; none by default. */
  readonly vendor?: string | undefined;
  /** Number of findings to stop after; by default, all are found. */
  readonly max?: number | undefined;
  /**
   * Receives each malformed character, in order. The six bytes of a surrogate pair are one.
   *
   * @param finding - The malformed character, and its place.
   * @returns Nothing, or a promise that the check waits for.
   */
  readonly onFinding?: ((finding: FaultFinding) => void | Promise<void>) | undefined;
  /**
   * Receives a sentence about a malformed file that is a dump, since a check also examines binary values.
   *
   * @param sentence - A sentence, without a full stop.
   * @param phrase - The same in parts, for a program that words options in its own way.
   * @returns Nothing, or a promise that the check waits for.
   */
  readonly onNotice?: ((sentence: string, phrase: Phrase) => unknown) | undefined;
  /**
   * Receives the error of each file that cannot be read; the other files are still checked.
   *
   * @param file - The path of the file, as in `input`.
   * @param error - The error.
   * @returns Nothing, or a promise that the check waits for.
   */
  readonly onFailure?: ((file: string, error: InputError) => void | Promise<void>) | undefined;
}

/** Result of a check. */
export interface CheckReport {
  /** Numbers of malformed characters by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Number of malformed characters. */
  readonly total: number;
  /** Number of files with malformed characters. */
  readonly filesMalformed: number;
  /** Number of files that were opened, and read at least in part. */
  readonly filesChecked: number;
  /** Number of files that could not be read, or not to their end. */
  readonly filesFailed: number;
  /** True if `max` ended the check. */
  readonly isStopped: boolean;
}

/**
 * Finds every malformed character of some files. A file that cannot be read does not end the check: `onFailure`
 * receives its error, and `filesFailed` counts it.
 *
 * @param options - The inputs, the encoding, and functions that receive findings.
 * @returns Numbers of malformed characters and files.
 * @throws UsageError (`ERR_UTF8_USAGE`) if the options are invalid.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { checkDump } from '@utf8/dump';
 *
 * writeFileSync('names.txt', Uint8Array.of(0x41, 0x0a, 0xed, 0xa0, 0xbd));
 * const report = await checkDump({ input: 'names.txt', from: 'cesu-8' });
 * report.reasons; // => { surrogate: 1 }
 * ```
 * @see Unicode 16.0, section 3.9, D93b
 */
export async function checkDump(options: CheckOptions): Promise<CheckReport> {
  const {
    max = Number.POSITIVE_INFINITY,
    onFinding,
    onFailure,
    onNotice,
    onProgress,
    vendor,
  } = options;
  const files = readInputs(options.input);
  const label = labelFor(options.from ?? 'utf-8', { vendor });
  const jobs = checkJobs(options.jobs);
  const range = options.range && checkRange(options.range);
  refuseSharedPaths({ inputs: files, outputs: [{ label: 'stdout', path: '-' }] });
  if (range) requireRegular(files);
  const total = measure(files);
  const reasons: Record<string, number> = {};
  let found = 0;
  let done = 0;
  const report = { filesMalformed: 0, filesChecked: 0, filesFailed: 0 };

  const checkSource = async (source: Source): Promise<void> => {
    const codec = codecFor(label);
    const tracks = source.size === undefined;
    const task: CheckTask = { task: 'check', as: label, tracks, most: max };
    const format = createRawFormat(codec, ceilSequence);
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
        reasons[finding.reason] = (reasons[finding.reason] ?? 0) + 1;
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
    let dump: string | undefined;
    try {
      const opened = await openInput(file, { compressed: range === undefined, refuseBinary: true });
      source = opened;
      const start = await peek(opened, TEXT_HEAD, isFormatDecided);
      source = start.source;
      dump = recognizeDump(start.head);
      report.filesChecked++;
      await checkSource(source);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      report.filesFailed++;
      await onFailure?.(file, error);
    } finally {
      await source?.close();
    }
    if (found === before) continue;
    report.filesMalformed++;
    if (!dump) continue;
    await notify(
      onNotice,
      `${file}: begins as a dump in the format ${dump}; its binary values were checked like text, which utf8 scan leaves out`,
    );
  }
  return { reasons, total: found, ...report, isStopped: found >= max };
}

async function* withOffsets(cuts: ReturnType<typeof segments>) {
  for await (const segment of cuts) yield [segment, segment.offset] as [typeof segment, number];
}
